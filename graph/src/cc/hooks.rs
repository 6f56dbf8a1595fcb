//! C hooks: the traits by which types and Ops of the host write code.

use std::path::PathBuf;
use std::sync::Arc;

use opwright_jit::cc::Compiler;
use opwright_runtime::op::Value;
use opwright_runtime::types::TypeRef;

use crate::model::apply::Apply;
use crate::model::error::GraphError;
use crate::model::variable::Variable;

macro_rules! hooks {
    ($(#[$doc:meta])* $name:ident { $($(#[$each:meta])* $variant:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$each])* $variant,)*
        }

        impl $name {
            /// What the host's method is called.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)*
                }
            }
        }
    };
}

hooks! {
    /// What is written for a variable.
    TypeHook {
        /// Declarations
        Declare "c_declare",
        /// The first value of what is computed
        Init "c_init",
        /// The value of what is given
        Extract "c_extract",
        /// The first value of a result whose object of the last call is still there
        ExtractOut "c_extract_out",
        /// The object of a result
        Sync "c_sync",
        /// The end of a variable
        Cleanup "c_cleanup",
    }
}

hooks! {
    /// What is written for a node.
    NodeHook {
        /// The computation
        Code "c_code",
        /// What follows it, however it ended
        CodeCleanup "c_code_cleanup",
        /// Functions that only this node uses
        SupportCodeApply "c_support_code_apply",
        /// What is done once per process for this node
        InitCodeApply "c_init_code_apply",
        /// What the node keeps from call to call
        SupportCodeStruct "c_support_code_struct",
        /// The first value of that
        InitCodeStruct "c_init_code_struct",
        /// The end of that
        CleanupCodeStruct "c_cleanup_code_struct",
    }
}

hooks! {
    /// What types and Ops need besides.
    ListHook {
        /// Files to include
        Headers "c_headers",
        /// Libraries to link
        Libraries "c_libraries",
        /// Where headers are
        HeaderDirs "c_header_dirs",
        /// Where libraries are
        LibDirs "c_lib_dirs",
        /// Arguments for the compiler
        CompileArgs "c_compile_args",
        /// Arguments that the compiler must not get
        NoCompileArgs "c_no_compile_args",
        /// What is done once per process
        InitCode "c_init_code",
        /// Functions and types
        SupportCode "c_support_code",
    }
}

/// Texts that a hook may put in by name.
#[derive(Clone, Debug, Default)]
pub struct Sub(pub Vec<(&'static str, String)>);

impl Sub {
    /// With one more.
    #[must_use]
    pub fn with(mut self, key: &'static str, text: impl Into<String>) -> Sub {
        self.0.push((key, text.into()));
        self
    }

    /// The text of this name.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| *name == key).map(|(_, text)| text.as_str())
    }
}

/// What C calls a node and its variables.
#[derive(Clone, Debug)]
pub struct NodeNames {
    /// The node: unique in its block.
    pub name: String,
    /// Its inputs.
    pub inputs: Vec<String>,
    /// Its results.
    pub outputs: Vec<String>,
}

/// A type or an Op that writes C. What a hook raises is reported as it is.
#[expect(clippy::missing_errors_doc, reason = "it is said once, above")]
pub trait CSource {
    /// The name of its class.
    fn class(&self) -> String;

    /// What it needs besides its own text.
    fn list(&self, hook: ListHook, compiler: &Compiler) -> Result<Vec<String>, GraphError>;

    /// The version of its text, if it may be kept longer than the process.
    fn version(&self, node: Option<&Arc<Apply>>) -> Result<Option<String>, GraphError>;

    /// The compiler that it wants.
    fn compiler(&self) -> Result<Option<String>, GraphError>;

    /// Whether its text is C as well as C++.
    fn is_c(&self) -> Result<bool, GraphError>;

    /// Whether its code may run while others use the host.
    fn releases(&self) -> Result<bool, GraphError>;
}

/// A type that writes C.
#[expect(clippy::missing_errors_doc, reason = "it is said once, above")]
pub trait CType: CSource {
    /// What is written for a variable called `name`.
    fn text(
        &self,
        hook: TypeHook,
        name: &str,
        sub: &Sub,
        check_input: bool,
    ) -> Result<String, GraphError>;

    /// A constant as an expression, if it can be one.
    fn literal(&self, value: &Value) -> Result<Option<String>, GraphError>;

    /// Whether a variable of it is one variable in C.
    fn is_simple(&self) -> Result<bool, GraphError>;
}

/// An Op that writes C.
#[expect(clippy::missing_errors_doc, reason = "it is said once, above")]
pub trait COp: CSource {
    /// What is written for a node; nothing if it has no such hook. A node whose Op has no code
    /// runs without.
    fn text(
        &self,
        hook: NodeHook,
        node: &Arc<Apply>,
        names: &NodeNames,
        sub: &Sub,
    ) -> Result<Option<String>, GraphError>;

    /// A constant of the node's own, which its texts call `params`.
    fn params(&self, node: &Arc<Apply>) -> Result<Option<Variable>, GraphError>;

    /// Whether its inputs must be looked at.
    fn checks_input(&self) -> Result<bool, GraphError>;
}

/// What is told about the host once.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// Where its headers are.
    pub header_dirs: Vec<PathBuf>,
    /// What tells its binary interface from others.
    pub abi: String,
}

/// Who knows the types and the Ops that write C.
#[expect(clippy::missing_errors_doc, reason = "it is said once, above")]
pub trait CHost {
    /// Who writes the text of a type's variables.
    fn ty(&self, ty: &TypeRef) -> Result<Box<dyn CType + '_>, GraphError>;

    /// Who writes the text of a node, if somebody does.
    fn op(&self, node: &Arc<Apply>) -> Result<Option<Box<dyn COp + '_>>, GraphError>;

    /// What is there to compile with.
    fn setup(&self) -> Result<Setup, GraphError>;

    /// Does what takes long and does not need the host.
    fn detached(&self, work: &mut (dyn FnMut() + Send));
}
