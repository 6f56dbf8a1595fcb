//! Machine code by the machine's C compiler: the same bits as the other back ends give, in vectors.

use std::sync::Arc;

use super::compiler::Compiler;
use super::emit::{self, Text};
use super::error::CompileError;
use super::library::{self, LibrarySource, LoadedLibrary};
use super::processor;
use crate::entry::Frame;
use crate::ir::Program;
use crate::refusal::Refused;
use crate::stack;

/// The entry: frame, words of the arguments, room for the words of results, addresses that the text
/// names by number; not 0 if it failed.
type EntryFn = unsafe extern "C" fn(*mut Frame, *const u64, *mut u64, *const u64) -> u32;

/// What is passed to the compiler besides what every source needs. Results stay as they are: nothing
/// here reorders or contracts operations on real numbers, or leaves out what is no number.
const FLAGS: [&str; 8] = [
    "-O3",
    // clang takes only the former for the processors of Apple.
    if cfg!(target_arch = "aarch64") { "-mcpu=native" } else { "-march=native" },
    "-ffp-contract=off",
    "-fno-math-errno",
    // Nobody asks which operations were inexact or invalid, only for their results.
    "-fno-trapping-math",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-w",
];

/// The code of a program, apart from it: the program must live as long.
pub struct CompiledImage {
    entry: EntryFn,
    addresses: Vec<u64>,
    margin: Option<usize>,
    /// Whose code it is, which is loaded as long.
    library: Arc<LoadedLibrary>,
}

impl CompiledImage {
    /// Compiles a program, or finds what an equal one was compiled to: in this process, or in the
    /// folder of what this machine has compiled.
    ///
    /// # Errors
    ///
    /// There is no compiler, it fails, what it made may not be loaded, or the program has no form in C.
    pub fn new(program: &Program) -> Result<CompiledImage, CompileError> {
        CompiledImage::made(program, true)
    }

    fn made(program: &Program, is_kept: bool) -> Result<CompiledImage, CompileError> {
        let Text { text, addresses, margin } = printed(program)?;
        let mut source = source(text)?;
        if !is_kept {
            source.versions = None;
        }
        // SAFETY: the text has functions and one constant: nothing runs when it is loaded.
        let library = unsafe { library::lend(&source) }?;
        let entry = library.symbol(c"opw_entry_1")?;
        // SAFETY: the text says that this is the type of `opw_entry_1`.
        let entry =
            unsafe { std::mem::transmute::<*mut std::ffi::c_void, EntryFn>(entry.as_ptr()) };
        Ok(CompiledImage { entry, addresses, margin, library })
    }

    /// Runs the first function; whether it returned, else the frame has the error.
    ///
    /// # Safety
    ///
    /// As for [`crate::vm::Machine::run`], of the program that it was made of, which is still there.
    #[inline]
    pub unsafe fn run(&self, frame: &mut Frame, args: &[u64], results: &mut [u64]) -> bool {
        if let Some(margin) = self.margin {
            frame.stack_limit = stack::limit().saturating_add(margin);
        }
        let (args, results) = (args.as_ptr(), results.as_mut_ptr());
        // SAFETY: the entry reads as many words and writes as many as the function's types say, which
        // is how long the slices are, and its rows are those that it was printed with.
        let failed = unsafe { (self.entry)(frame, args, results, self.addresses.as_ptr()) };
        failed == 0
    }

    /// What its library is found by: the same for equal programs only.
    pub fn key(&self) -> &str {
        self.library.key()
    }
}

/// A program with its code.
pub struct Compiled {
    image: CompiledImage,
    program: Program,
}

impl Compiled {
    /// Compiles a program.
    ///
    /// # Errors
    ///
    /// With the program, as [`CompiledImage::new`] says.
    pub fn new(program: Program) -> Result<Compiled, Box<Refused>> {
        Compiled::made(program, true)
    }

    /// As [`Compiled::new`], for this process alone: nothing is kept of a program that is met once.
    ///
    /// # Errors
    ///
    /// As [`Compiled::new`].
    pub fn once(program: Program) -> Result<Compiled, Box<Refused>> {
        Compiled::made(program, false)
    }

    fn made(program: Program, is_kept: bool) -> Result<Compiled, Box<Refused>> {
        match CompiledImage::made(&program, is_kept) {
            Ok(image) => Ok(Compiled { image, program }),
            Err(error) => Err(Box::new(Refused { reason: error.to_string(), program })),
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Runs its first function; whether it returned, else the frame has the error.
    ///
    /// # Safety
    ///
    /// As for [`crate::vm::Machine::run`].
    #[inline]
    pub unsafe fn run(&self, frame: &mut Frame, args: &[u64], results: &mut [u64]) -> bool {
        // SAFETY: the image is that of the program, and the caller's words are those of its types.
        unsafe { self.image.run(frame, args, results) }
    }

    /// A program as C.
    ///
    /// # Errors
    ///
    /// It has an instruction that has no form in C.
    pub fn text(program: &Program) -> Result<String, CompileError> {
        printed(program).map(|it| it.text)
    }

    /// The assembly of a program, as the compiler writes it.
    ///
    /// # Errors
    ///
    /// As [`CompiledImage::new`] says.
    pub fn assembly(program: &Program) -> Result<String, CompileError> {
        library::assembly(&source(printed(program)?.text)?)
    }
}

fn printed(program: &Program) -> Result<Text, CompileError> {
    emit::print(program).map_err(|it| CompileError::failed(it, ""))
}

fn source(text: String) -> Result<LibrarySource, CompileError> {
    let compiler = Compiler::find(None, true)?;
    let mut flags = compiler.flags();
    flags.extend(FLAGS.map(str::to_owned));
    let features = processor::features();
    // Where the processor's features are unknown, another processor may read the same cache.
    let versions = features.map(|it| vec![it.to_owned()]);
    Ok(LibrarySource {
        text,
        compiler,
        flags,
        libraries: Vec::new(),
        versions,
        abi: "1".to_owned(),
    })
}
