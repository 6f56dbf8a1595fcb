//! Functions of numbers alone, which need no frame.

use opwright_runtime::op::Value;
use opwright_runtime::types::Plain;
use opwright_runtime::{DType, Element, Result, Scalar, dispatch};
use smallvec::SmallVec;

use crate::numbers::Operand;
use crate::plan::Plan;
use crate::short::{MOST_OPERANDS, Part};

/// So many numbers are given and computed at most.
const MOST: usize = 16;

/// A number of any dtype.
type Register = [u64; 2];

/// The numbers of a call: those given, then those computed.
pub(crate) type Registers = [Register; MOST];

/// A function that is given real numbers, and computes numbers.
pub(crate) struct Arithmetic {
    sums: Vec<Sum>,
    given: usize,
}

/// A number that is computed.
struct Sum {
    part: Part,
    reads: SmallVec<[Read; MOST_OPERANDS]>,
}

/// A number that is read: from a register, or as it is.
enum Read {
    Register(usize),
    Number(Register),
}

impl Arithmetic {
    /// That of a plan, if its numbers are read as they are given and computed.
    pub(crate) fn of(plan: &Plan, given: usize) -> Option<Arithmetic> {
        let is_real = |at: usize| plan.slots[at].ty().downcast::<Plain>() == Some(&Plain::Double);
        if plan.slots.len() > MOST || !plan.shared.is_empty() || !(0..given).all(is_real) {
            return None;
        }
        let mut dtypes = vec![DType::Float64; given];
        let mut sums = Vec::with_capacity(plan.steps.len());
        for step in &plan.steps {
            let inner = step.number_loop()?;
            let part = inner.part()?;
            let mut reads = SmallVec::new();
            for (operand, dtype) in inner.operands().iter().zip(part.read) {
                reads.push(match operand {
                    Operand::Slot(slot) if dtypes.get(*slot) == Some(dtype) => {
                        Read::Register(*slot)
                    }
                    Operand::Slot(_) => return None,
                    Operand::Number(number) => Read::Number(register(*number, *dtype)?),
                });
            }
            dtypes.push(part.result);
            sums.push(Sum { part, reads });
        }
        Some(Arithmetic { sums, given })
    }

    /// Places for the numbers of a call.
    #[inline]
    pub(crate) fn registers() -> Registers {
        [[0; 2]; MOST]
    }

    /// Puts a number where one is given.
    #[inline]
    pub(crate) fn put(registers: &mut Registers, input: usize, number: f64) {
        registers[input] = [number.to_bits(), 0];
    }

    /// Computes all that is not given; whether nothing went wrong.
    #[inline]
    pub(crate) fn run(&self, registers: &mut Registers) -> bool {
        self.sums.iter().enumerate().all(|(at, sum)| {
            let mut reads = [std::ptr::null::<u8>(); MOST_OPERANDS];
            for (place, read) in reads.iter_mut().zip(&sum.reads) {
                *place = match read {
                    Read::Register(slot) => std::ptr::from_ref(&registers[*slot]).cast(),
                    Read::Number(number) => std::ptr::from_ref(number).cast(),
                };
            }
            let target = std::ptr::from_mut(&mut registers[self.given + at]).cast();
            // SAFETY: each register that is read was given or computed before, as a number of that
            // dtype; one that is written has room for any, and comes behind those that are read.
            unsafe { sum.part.run(&reads[..sum.reads.len()], target, 1) }.is_ok()
        })
    }

    /// A number that was given or computed.
    ///
    /// # Errors
    ///
    /// None: there is a number of every dtype.
    #[inline]
    pub(crate) fn value(&self, registers: &Registers, slot: usize) -> Result<Value> {
        let dtype = match slot.checked_sub(self.given) {
            None => DType::Float64,
            Some(at) => self.sums[at].part.result,
        };
        let place = std::ptr::from_ref(&registers[slot]);
        if dtype == DType::Float64 {
            return Ok(Value::Float(f64::from_bits(registers[slot][0])));
        }
        dispatch!(dtype, "value", all, |T| {
            // SAFETY: the register is zero, or what the loop of this dtype wrote there.
            Ok(unsafe { place.cast::<T>().read() }.into_scalar().into())
        })
    }
}

/// A number as elements of a dtype are.
fn register(number: Scalar, dtype: DType) -> Option<Register> {
    let mut place: Register = [0; 2];
    let wrapped = dispatch!(dtype, "register", all, |T| {
        // SAFETY: a register has room for any element, and is aligned for it.
        unsafe { std::ptr::from_mut(&mut place).cast::<T>().write(number.wrap()) };
        Ok(())
    });
    wrapped.ok().map(|()| place)
}
