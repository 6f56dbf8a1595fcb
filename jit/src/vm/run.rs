//! The loop that runs instructions.

use half::f16;

use super::code::{Code, Machine, VmCall, VmCallee, VmOpcode as O};
use crate::entry::{Cause, Frame, MAX_DEPTH};
use crate::ir::{ExternalCallee, FuncId, MATH, Math, SiteId, floor_div, floor_mod, gcd, int_pow};

/// The slots of calls; most need no memory of their own.
type Stack = smallvec::SmallVec<[u64; 64]>;

/// A call that waits for one within it.
struct Waiting {
    code: usize,
    at: usize,
    base: usize,
    call: usize,
}

/// Runs the first function of a machine.
///
/// # Safety
///
/// As [`Machine::run`] says.
pub(super) unsafe fn run(
    machine: &Machine,
    frame: &mut Frame,
    args: &[u64],
    results: &mut [u64],
) -> bool {
    let mut stack = Stack::new();
    let mut waiting: Vec<Waiting> = Vec::new();
    let mut number = 0;
    let mut code = &machine.codes[0];
    let mut base = 0;
    enter(&mut stack, base, code);
    let params = code.constants.len()..code.constants.len() + code.params;
    stack[params].iter_mut().zip(args).for_each(|(slot, word)| *slot = *word);
    let mut slots = stack.as_mut_ptr();
    let mut at = 0;
    loop {
        // SAFETY: every block ends with a jump, a return or a raise, so `at` stays within.
        let instr = unsafe { *code.instrs.get_unchecked(at) };
        at += 1;
        macro_rules! slot {
            ($at:expr) => {{
                // SAFETY: slots are numbered below `code.slots`, and the stack has so many from `base` on.
                unsafe { *slots.add(usize::from($at)) }
            }};
        }
        macro_rules! set {
            ($value:expr) => {{
                let value: u64 = $value;
                // SAFETY: as for reading.
                unsafe { *slots.add(usize::from(instr.d)) = value };
            }};
        }
        macro_rules! int {
            (|$a:ident, $b:ident| $value:expr) => {{
                let ($a, $b) = (slot!(instr.a).cast_signed(), slot!(instr.b).cast_signed());
                set!(($value).cast_unsigned())
            }};
        }
        macro_rules! uint {
            (|$a:ident, $b:ident| $value:expr) => {{
                let ($a, $b) = (slot!(instr.a), slot!(instr.b));
                set!($value)
            }};
        }
        macro_rules! f64s {
            (|$a:ident, $b:ident| $value:expr) => {{
                let ($a, $b) = (f64::from_bits(slot!(instr.a)), f64::from_bits(slot!(instr.b)));
                set!(WordBits::word($value))
            }};
        }
        macro_rules! f64_one {
            (|$a:ident| $value:expr) => {{
                let $a = f64::from_bits(slot!(instr.a));
                set!(WordBits::word($value))
            }};
        }
        macro_rules! f32s {
            (|$a:ident, $b:ident| $value:expr) => {{
                let ($a, $b) =
                    (f32::from_bits(slot!(instr.a) as u32), f32::from_bits(slot!(instr.b) as u32));
                set!(WordBits::word($value))
            }};
        }
        macro_rules! f32_one {
            (|$a:ident| $value:expr) => {{
                let $a = f32::from_bits(slot!(instr.a) as u32);
                set!(WordBits::word($value))
            }};
        }
        macro_rules! load {
            ($elem:ty) => {{
                let address = std::ptr::with_exposed_provenance::<$elem>(slot!(instr.a) as usize);
                // SAFETY: the address is that of an element of an array, whose index was checked.
                set!(WordBits::word(unsafe { address.read_unaligned() }))
            }};
        }
        macro_rules! store {
            ($elem:ty, |$b:ident| $value:expr) => {{
                let address =
                    std::ptr::with_exposed_provenance_mut::<$elem>(slot!(instr.a) as usize);
                let $b = slot!(instr.b);
                // SAFETY: as for loading, and the array may be written to.
                unsafe { address.write_unaligned($value) }
            }};
        }
        macro_rules! jump_if {
            ($truth:expr) => {
                if $truth {
                    at = instr.extra as usize;
                }
            };
        }
        macro_rules! fail {
            ($cause:expr, $words:expr, $site:expr) => {{
                frame.fail($cause, $words);
                frame.trace(FuncId(number as u32), SiteId($site as u32));
                return unwind(machine, frame, &waiting);
            }};
        }
        match instr.op {
            O::Move => set!(slot!(instr.a)),
            O::Add => uint!(|a, b| a.wrapping_add(b)),
            O::Sub => uint!(|a, b| a.wrapping_sub(b)),
            O::Mul => uint!(|a, b| a.wrapping_mul(b)),
            O::SDiv => int!(|a, b| a.wrapping_div(b)),
            O::UDiv => uint!(|a, b| a / b),
            O::SRem => int!(|a, b| a.wrapping_rem(b)),
            O::URem => uint!(|a, b| a % b),
            O::FloorDiv => int!(|a, b| floor_div(a, b)),
            O::FloorMod => int!(|a, b| floor_mod(a, b)),
            O::Pow => uint!(|a, b| int_pow(a, b)),
            O::Gcd => uint!(|a, b| gcd(a, b)),
            O::And => uint!(|a, b| a & b),
            O::Or => uint!(|a, b| a | b),
            O::Xor => uint!(|a, b| a ^ b),
            O::Shl => uint!(|a, b| a << (b & 63)),
            O::Sar => int!(|a, b| a >> (b & 63)),
            O::Shr => uint!(|a, b| a >> (b & 63)),
            O::Eq => uint!(|a, b| u64::from(a == b)),
            O::Ne => uint!(|a, b| u64::from(a != b)),
            O::Slt => int!(|a, b| i64::from(a < b)),
            O::Sle => int!(|a, b| i64::from(a <= b)),
            O::Sgt => int!(|a, b| i64::from(a > b)),
            O::Sge => int!(|a, b| i64::from(a >= b)),
            O::Ult => uint!(|a, b| u64::from(a < b)),
            O::Ule => uint!(|a, b| u64::from(a <= b)),
            O::Ugt => uint!(|a, b| u64::from(a > b)),
            O::Uge => uint!(|a, b| u64::from(a >= b)),
            O::AddF64 => f64s!(|a, b| a + b),
            O::SubF64 => f64s!(|a, b| a - b),
            O::MulF64 => f64s!(|a, b| a * b),
            O::DivF64 => f64s!(|a, b| a / b),
            O::MulAddF64 => {
                let [a, b, c] =
                    [instr.a, instr.b, instr.extra as u16].map(|it| f64::from_bits(slot!(it)));
                set!(WordBits::word(a.mul_add(b, c)));
            }
            O::MulAddF32 => {
                let [a, b, c] = [instr.a, instr.b, instr.extra as u16]
                    .map(|it| f32::from_bits(slot!(it) as u32));
                set!(WordBits::word(a.mul_add(b, c)));
            }
            O::NegF64 => f64_one!(|a| -a),
            O::AbsF64 => f64_one!(|a| a.abs()),
            O::SqrtF64 => f64_one!(|a| a.sqrt()),
            O::FloorF64 => f64_one!(|a| a.floor()),
            O::CeilF64 => f64_one!(|a| a.ceil()),
            O::TruncF64 => f64_one!(|a| a.trunc()),
            O::RintF64 => f64_one!(|a| a.round_ties_even()),
            O::AddF32 => f32s!(|a, b| a + b),
            O::SubF32 => f32s!(|a, b| a - b),
            O::MulF32 => f32s!(|a, b| a * b),
            O::DivF32 => f32s!(|a, b| a / b),
            O::NegF32 => f32_one!(|a| -a),
            O::AbsF32 => f32_one!(|a| a.abs()),
            O::SqrtF32 => f32_one!(|a| a.sqrt()),
            O::FloorF32 => f32_one!(|a| a.floor()),
            O::CeilF32 => f32_one!(|a| a.ceil()),
            O::TruncF32 => f32_one!(|a| a.trunc()),
            O::RintF32 => f32_one!(|a| a.round_ties_even()),
            O::EqF64 => f64s!(|a, b| a == b),
            O::NeF64 => f64s!(|a, b| a != b),
            O::LtF64 => f64s!(|a, b| a < b),
            O::LeF64 => f64s!(|a, b| a <= b),
            O::GtF64 => f64s!(|a, b| a > b),
            O::GeF64 => f64s!(|a, b| a >= b),
            O::EqF32 => f32s!(|a, b| a == b),
            O::NeF32 => f32s!(|a, b| a != b),
            O::LtF32 => f32s!(|a, b| a < b),
            O::LeF32 => f32s!(|a, b| a <= b),
            O::GtF32 => f32s!(|a, b| a > b),
            O::GeF32 => f32s!(|a, b| a >= b),
            O::Math => set!(math(instr.extra, slot!(instr.a), slot!(instr.b))),
            O::Select => {
                let from = if slot!(instr.a) != 0 { instr.b } else { instr.extra as u16 };
                set!(slot!(from));
            }
            O::WrapS => {
                let shift = instr.extra as u32;
                set!(((slot!(instr.a) << shift).cast_signed() >> shift).cast_unsigned());
            }
            O::WrapU => {
                let shift = instr.extra as u32;
                set!((slot!(instr.a) << shift) >> shift);
            }
            O::IntToF64 => set!((slot!(instr.a).cast_signed() as f64).to_bits()),
            O::UintToF64 => set!((slot!(instr.a) as f64).to_bits()),
            O::IntToF32 => set!(WordBits::word(slot!(instr.a).cast_signed() as f32)),
            O::UintToF32 => set!(WordBits::word(slot!(instr.a) as f32)),
            O::F64ToInt => set!((f64::from_bits(slot!(instr.a)) as i64).cast_unsigned()),
            O::F64ToUint => set!(f64::from_bits(slot!(instr.a)) as u64),
            O::Demote => f64_one!(|a| a as f32),
            O::Promote => f32_one!(|a| f64::from(a)),
            O::ToF16 => f32_one!(|a| f16::from_f32(a).to_f32()),
            O::LoadI8 => load!(i8),
            O::LoadI16 => load!(i16),
            O::LoadI32 => load!(i32),
            O::LoadI64 => load!(u64),
            O::LoadBool => {
                let address = std::ptr::with_exposed_provenance::<u8>(slot!(instr.a) as usize);
                // SAFETY: as for other elements; any byte but 0 is true.
                set!(u64::from(unsafe { address.read() } != 0));
            }
            O::LoadU8 => load!(u8),
            O::LoadU16 => load!(u16),
            O::LoadU32 => load!(u32),
            O::LoadF16 => load!(f16),
            O::StoreI8 => store!(u8, |b| b as u8),
            O::StoreI16 => store!(u16, |b| b as u16),
            O::StoreI32 => store!(u32, |b| b as u32),
            O::StoreI64 => store!(u64, |b| b),
            O::StoreF16 => store!(f16, |b| f16::from_f32(f32::from_bits(b as u32))),
            O::Check => {
                if slot!(instr.a) == 0 {
                    let list = &code.lists[(instr.extra >> 32) as usize];
                    let words = list.iter().map(|it| slot!(*it)).collect();
                    fail!(Cause::Site, words, instr.extra);
                }
            }
            O::CheckIndex => {
                let (index, extent) = (slot!(instr.a).cast_signed(), slot!(instr.b).cast_signed());
                let from_start = if index < 0 { index.wrapping_add(extent) } else { index };
                if from_start < 0 || from_start >= extent {
                    fail!(Cause::Site, vec![slot!(instr.a), slot!(instr.b)], instr.extra);
                }
                set!(from_start.cast_unsigned());
            }
            O::Call => {
                let call = &code.calls[instr.extra as usize];
                match call.callee {
                    VmCallee::Function(callee) => {
                        if waiting.len() as u32 >= MAX_DEPTH {
                            fail!(Cause::Depth, Vec::new(), call.site);
                        }
                        waiting.push(Waiting {
                            code: number,
                            at,
                            base,
                            call: instr.extra as usize,
                        });
                        let (next, inner) = (base + code.slots, &machine.codes[callee]);
                        pass(&mut stack, call, base, next, inner);
                        (number, code, base, at) = (callee, inner, next, 0);
                        // SAFETY: the stack has all slots of the callee from `next` on.
                        slots = unsafe { stack.as_mut_ptr().add(base) };
                    }
                    VmCallee::External(at) => {
                        let external = &machine.program.externals[at].callee;
                        // SAFETY: the words are those that it was typed for, and the slots are
                        // those of this function.
                        if unsafe { call_external(external, frame, call, code, slots) } != 0 {
                            frame.trace(FuncId(number as u32), SiteId(call.site));
                            return unwind(machine, frame, &waiting);
                        }
                    }
                }
            }
            O::Retain => frame.retain(slot!(instr.a)),
            O::Release => frame.release(slot!(instr.a)),
            O::Poll => {
                frame.budget -= 1;
                if frame.budget == 0 && frame.poll() {
                    frame.trace(FuncId(number as u32), SiteId(instr.extra as u32));
                    return unwind(machine, frame, &waiting);
                }
            }
            O::Jump => at = instr.extra as usize,
            O::JumpUnless => jump_if!(slot!(instr.a) == 0),
            O::JumpEq => jump_if!(slot!(instr.a) == slot!(instr.b)),
            O::JumpNe => jump_if!(slot!(instr.a) != slot!(instr.b)),
            O::JumpSlt => jump_if!(slot!(instr.a).cast_signed() < slot!(instr.b).cast_signed()),
            O::JumpSle => jump_if!(slot!(instr.a).cast_signed() <= slot!(instr.b).cast_signed()),
            O::JumpSgt => jump_if!(slot!(instr.a).cast_signed() > slot!(instr.b).cast_signed()),
            O::JumpSge => jump_if!(slot!(instr.a).cast_signed() >= slot!(instr.b).cast_signed()),
            #[expect(clippy::neg_cmp_op_on_partial_ord, reason = "what is no number jumps")]
            O::JumpNotLtF64 => {
                jump_if!(!(f64::from_bits(slot!(instr.a)) < f64::from_bits(slot!(instr.b))))
            }
            #[expect(clippy::neg_cmp_op_on_partial_ord, reason = "what is no number jumps")]
            O::JumpNotGtF64 => {
                jump_if!(!(f64::from_bits(slot!(instr.a)) > f64::from_bits(slot!(instr.b))))
            }
            O::Return => {
                let list = &code.lists[(instr.extra >> 32) as usize];
                let Some(caller) = waiting.pop() else {
                    for (to, from) in results.iter_mut().zip(list) {
                        *to = slot!(*from);
                    }
                    return true;
                };
                let outer = &machine.codes[caller.code];
                for (to, from) in outer.calls[caller.call].results.iter().zip(list) {
                    stack[caller.base + usize::from(*to)] = stack[base + usize::from(*from)];
                }
                (number, code, base, at) = (caller.code, outer, caller.base, caller.at);
                // SAFETY: the stack still has all slots of the caller from there on.
                slots = unsafe { stack.as_mut_ptr().add(base) };
            }
            O::Raise => {
                let list = &code.lists[(instr.extra >> 32) as usize];
                let words = list.iter().map(|it| slot!(*it)).collect();
                fail!(Cause::Site, words, instr.extra);
            }
        }
    }
}

/// Makes room for a call's slots, with its constants.
fn enter(stack: &mut Stack, base: usize, code: &Code) {
    if stack.len() < base + code.slots {
        let needed = base + code.slots;
        stack.resize(if needed <= 64 { needed } else { needed.next_power_of_two() }, 0);
    }
    stack[base..base + code.constants.len()].copy_from_slice(&code.constants);
}

/// Makes room for a call from within, with its arguments.
fn pass(stack: &mut Stack, call: &VmCall, base: usize, next: usize, inner: &Code) {
    enter(stack, next, inner);
    let first = next + inner.constants.len();
    for (at, from) in call.args.iter().enumerate() {
        stack[first + at] = stack[base + usize::from(*from)];
    }
}

/// Calls a function of the runtime over the words of slots; not 0 if it failed. What it is given and
/// gives lies behind the slots of values, where there is room for the words of every call.
///
/// # Safety
///
/// There are all slots of the function, and the function takes and gives as many words as the call.
#[inline]
unsafe fn call_external(
    external: &ExternalCallee,
    frame: &mut Frame,
    call: &VmCall,
    code: &Code,
    slots: *mut u64,
) -> u32 {
    // SAFETY: slots are numbered below the room for words, which is as large as the largest call needs;
    // the caller says so of the function.
    unsafe {
        let given = slots.add(code.room);
        let made = given.add(call.args.len());
        for (at, from) in call.args.iter().enumerate() {
            given.add(at).write(slots.add(usize::from(*from)).read());
        }
        let failed = match external {
            ExternalCallee::Own(function) => function(frame, given, made),
            ExternalCallee::Native(entry) => {
                made.write_bytes(0, call.results.len());
                let given = std::slice::from_raw_parts(given, call.args.len());
                let made = std::slice::from_raw_parts_mut(made, call.results.len());
                entry.call(frame, given, made)
            }
        };
        if failed == 0 {
            for (at, to) in call.results.iter().enumerate() {
                slots.add(usize::from(*to)).write(made.add(at).read());
            }
        }
        failed
    }
}

/// Notes the calls that wait, innermost first; always false.
#[cold]
fn unwind(machine: &Machine, frame: &mut Frame, waiting: &[Waiting]) -> bool {
    for call in waiting.iter().rev() {
        let site = machine.codes[call.code].calls[call.call].site;
        frame.trace(FuncId(call.code as u32), SiteId(site));
    }
    false
}

fn math(extra: u64, a: u64, b: u64) -> u64 {
    let row: &Math = &MATH[(extra >> 1) as usize];
    row.call(extra & 1 == 1, a, b)
}

/// A number as a word.
trait WordBits {
    fn word(self) -> u64;
}

macro_rules! words {
    ($($ty:ty: |$value:ident| $word:expr;)*) => {$(
        impl WordBits for $ty {
            #[inline]
            fn word(self) -> u64 {
                let $value = self;
                $word
            }
        }
    )*};
}

words! {
    bool: |it| u64::from(it);
    u8: |it| u64::from(it);
    u16: |it| u64::from(it);
    u32: |it| u64::from(it);
    u64: |it| it;
    i8: |it| i64::from(it).cast_unsigned();
    i16: |it| i64::from(it).cast_unsigned();
    i32: |it| i64::from(it).cast_unsigned();
    f32: |it| u64::from(it.to_bits());
    f64: |it| it.to_bits();
    f16: |it| u64::from(it.to_f32().to_bits());
}
