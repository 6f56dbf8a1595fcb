//! Programs: functions, what they call from outside, and statistics of their passes.

use std::any::Any;
use std::sync::Arc;

use super::function::Function;
use super::ids::PlaceId;
use crate::ast::Span;
use crate::types::Obj;

/// A place in a source, and the call that it was inlined at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceLoc {
    /// The source, as a row of [`Program::sources`].
    pub source: u32,
    /// Where in it.
    pub span: Span,
    /// The call that the function around it was inlined at.
    pub caller: Option<PlaceId>,
}

/// A function as tracebacks name it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionName {
    /// The file.
    pub file: Arc<str>,
    /// The function.
    pub function: Arc<str>,
}

/// What a program calls besides its own functions.
#[derive(Clone, Copy)]
pub struct External {
    /// What it is called.
    pub name: &'static str,
    /// What is called.
    pub callee: ExternalCallee,
}

/// What an [`External`] calls.
#[derive(Clone, Copy, Debug)]
pub enum ExternalCallee {
    /// A function of this library.
    Own(ExternalFn),
    /// One of another library, which knows nothing of frames.
    Native(crate::native::NativeEntry),
}

/// A function of this library: it takes the frame, its arguments, and room for its results; not 0 says
/// that it failed.
pub type ExternalFn = unsafe extern "C" fn(
    frame: *mut crate::entry::Frame,
    args: *const u64,
    results: *mut u64,
) -> u32;

/// The functions that an entry needs; the first is the entry.
#[derive(Default)]
pub struct Program {
    /// The functions.
    pub functions: Vec<Function>,
    /// What they call besides.
    pub externals: Vec<External>,
    /// The places of instructions.
    pub places: Vec<SourceLoc>,
    /// The functions of places.
    pub sources: Vec<FunctionName>,
    /// The operators that it calls, where they stay.
    pub operators: Vec<Box<crate::operator::OperatorCall>>,
    /// What calls resolved to, and where.
    pub calls: Vec<(PlaceId, String)>,
    /// Objects of the host that constants refer to, which live as long as the program.
    pub held: Vec<Obj>,
    /// What keeps all objects of the host that it names.
    pub kept: Option<Arc<dyn Any + Send + Sync>>,
    /// The arrays among the arguments that it may write to: where their owners stand among the words.
    pub mutated: Vec<usize>,
    /// What the passes did to the functions.
    pub stats: Stats,
}

/// What the passes did to functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Instructions that were folded.
    pub folded: usize,
    /// Instructions that share the result of another.
    pub shared: usize,
    /// Instructions that went before a loop.
    pub hoisted: usize,
    /// Checks of an index that went.
    pub bounds: usize,
    /// Other checks that went.
    pub checks: usize,
    /// Instructions that nothing depended on.
    pub dead: usize,
    /// Blocks that went.
    pub blocks: usize,
    /// Branches that became selections.
    pub selected: usize,
    /// Loops that were written out.
    pub unrolled: usize,
}

impl Stats {
    /// What is counted, and how often it happened.
    pub fn rows(&self) -> [(&'static str, usize); 9] {
        let Stats { folded, shared, hoisted, bounds, checks, dead, blocks, selected, unrolled } =
            *self;
        [
            ("folded", folded),
            ("shared", shared),
            ("hoisted", hoisted),
            ("bounds", bounds),
            ("checks", checks),
            ("dead", dead),
            ("blocks", blocks),
            ("selected", selected),
            ("unrolled", unrolled),
        ]
    }
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.folded += other.folded;
        self.shared += other.shared;
        self.hoisted += other.hoisted;
        self.bounds += other.bounds;
        self.checks += other.checks;
        self.dead += other.dead;
        self.blocks += other.blocks;
        self.selected += other.selected;
        self.unrolled += other.unrolled;
    }
}
