//! Machine code: the typed program through Cranelift, in well below a millisecond.
//!
//! Every function of a program becomes one of machine code, whose words travel in registers; the
//! entry takes them from memory, as [`crate::vm::Machine`] does. Both give the same bits, because
//! functions of real numbers are the rows of [`crate::ir::MATH`], and nothing is contracted or
//! reassociated. Which of several numbers that are none comes out of an operation on two of them is
//! the processor's affair.

mod compile;
mod isa;
mod memory;
mod trampoline;
mod translate;

use cranelift_codegen::isa::OwnedTargetIsa;

use self::compile::CodeImage;
use crate::entry::Frame;
use crate::ir::Program;
use crate::refusal::Refused;
use crate::stack;

/// Why this process can run no machine code that it makes, if it cannot.
pub fn forbidden() -> Option<String> {
    trampoline::poll().err()
}

/// A program as machine code, which is freed with it.
pub struct NativeCode {
    image: CodeImage,
    program: Program,
}

impl NativeCode {
    /// Compiles a program.
    ///
    /// # Errors
    ///
    /// With the program, if the processor is unknown or the system forbids memory that is executed.
    pub fn new(program: Program) -> Result<NativeCode, Box<Refused>> {
        NativeCode::on(isa::host(), program)
    }

    /// As [`Native::new`], for a processor.
    fn on(
        isa: Result<OwnedTargetIsa, String>,
        program: Program,
    ) -> Result<NativeCode, Box<Refused>> {
        match isa.and_then(|isa| compile::compile(&program, &isa)) {
            Ok(image) => Ok(NativeCode { image, program }),
            Err(reason) => Err(Box::new(Refused { reason, program })),
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Runs its first function; whether it returned, else the frame has the error.
    ///
    /// `args` are the words of the arguments, and the results are written to `results`.
    ///
    /// # Safety
    ///
    /// As for [`crate::vm::Machine::run`].
    #[inline]
    pub unsafe fn run(&self, frame: &mut Frame, args: &[u64], results: &mut [u64]) -> bool {
        if let Some(margin) = self.image.margin {
            frame.stack_limit = stack::limit().saturating_add(margin);
        }
        // SAFETY: the entry reads as many words and writes as many as the function's types say,
        // which is how long the slices are; its code lives as long as `self`.
        let failed = unsafe { (self.image.entry)(frame, args.as_ptr(), results.as_mut_ptr()) };
        failed == 0
    }

    /// The assembly of a program's functions, the entry first, as `inspect_asm` shows it.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn assembly(program: &Program) -> Result<String, String> {
        isa::host().and_then(|isa| compile::assembly(program, &isa))
    }
}

#[cfg(test)]
mod tests {
    use super::{NativeCode, isa};
    use crate::entry::Frame;
    use crate::ir::{Builder, Opcode, PlaceId, Program, Terminator};
    use crate::types::{Prim, Ty};

    fn rounded(op: Opcode, prim: Prim, ty: Ty) -> Program {
        let (mut builder, args) = Builder::new("f".into(), vec![ty], PlaceId(0));
        let result = builder.push(op, &args, [prim]);
        builder.end(Terminator::Return(result));
        builder.function.result = ty;
        Program { functions: vec![builder.function], ..Program::default() }
    }

    /// The least of a family of processors calls functions to round.
    #[test]
    fn rounds_without_instructions() {
        for op in [Opcode::FFloor, Opcode::FCeil, Opcode::FTrunc, Opcode::FRint, Opcode::FSqrt] {
            let wide = [2.5_f64, -0.5, f64::INFINITY, 1e300, 0.3].map(f64::to_bits);
            let narrow = [2.5_f32, -0.5, 1.5, 1e30, 0.3].map(|it| u64::from(it.to_bits()));
            for (prim, ty, words) in
                [(Prim::F64, Ty::float64(), wide), (Prim::F32, Ty::float32(), narrow)]
            {
                let least = NativeCode::on(isa::of(false), rounded(op, prim, ty)).unwrap();
                let host = NativeCode::new(rounded(op, prim, ty)).unwrap();
                for word in words {
                    let (mut found, mut expected) = ([0], [0]);
                    // SAFETY: the function takes a word and gives one.
                    unsafe { least.run(&mut Frame::new(), &[word], &mut found) };
                    // SAFETY: as above.
                    unsafe { host.run(&mut Frame::new(), &[word], &mut expected) };
                    assert!(found == expected || f64::from_bits(found[0]).is_nan());
                }
            }
        }
    }

    /// The least of a family of processors calls functions to multiply and add, too.
    #[test]
    fn multiplies_and_adds_without_an_instruction() {
        let (a, b) = (1.0 + 2.0_f64.powi(-30), 1.0 - 2.0_f64.powi(-30));
        let wide = [a, b, -1.0].map(f64::to_bits);
        let (x, y) = (1.0 + 2.0_f32.powi(-12), 1.0 - 2.0_f32.powi(-12));
        let narrow = [x, y, -1.0].map(|it| u64::from(it.to_bits()));
        for (prim, ty, words, expected) in [
            (Prim::F64, Ty::float64(), wide, a.mul_add(b, -1.0).to_bits()),
            (Prim::F32, Ty::float32(), narrow, u64::from(x.mul_add(y, -1.0).to_bits())),
        ] {
            for is_inferred in [false, true] {
                let (mut builder, args) = Builder::new("f".into(), vec![ty; 3], PlaceId(0));
                let result = builder.push(Opcode::FMulAdd, &args, [prim]);
                builder.end(Terminator::Return(result));
                builder.function.result = ty;
                let program = Program { functions: vec![builder.function], ..Program::default() };
                let native = NativeCode::on(isa::of(is_inferred), program).unwrap();
                let mut found = [0];
                // SAFETY: the function takes three words and gives one.
                unsafe { native.run(&mut Frame::new(), &words, &mut found) };
                assert_eq!(found[0], expected);
            }
        }
    }
}
