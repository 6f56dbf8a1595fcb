//! Block members: the types and Ops that write code for a block, and what they link.

use std::collections::HashSet;

use opwright_jit::cc::Compiler;
use opwright_runtime::types::TypeRef;

use super::check::{self, From};
use super::error::BlockError;
use super::hooks::{CHost, COp, CSource, CType, ListHook};
use super::partition::NodeRun;

/// What a hook listed, and who said it first.
pub(super) struct Listed {
    pub(super) text: String,
    pub(super) asker: String,
}

/// The types and Ops of a block.
pub(super) struct BlockMembers<'a> {
    types: Vec<(TypeRef, Box<dyn CType + 'a>)>,
    /// One for each node.
    pub(super) ops: Vec<Box<dyn COp + 'a>>,
}

impl<'a> BlockMembers<'a> {
    pub(super) fn new(ops: Vec<Box<dyn COp + 'a>>) -> BlockMembers<'a> {
        BlockMembers { types: Vec::new(), ops }
    }

    /// Who writes the text of a type's variables: its place among them.
    pub(super) fn ty(&mut self, ty: &TypeRef, host: &'a dyn CHost) -> Result<usize, BlockError> {
        if let Some(at) = self.types.iter().position(|(known, _)| known.equals(&**ty)) {
            return Ok(at);
        }
        self.types.push((ty.clone(), host.ty(ty)?));
        Ok(self.types.len() - 1)
    }

    pub(super) fn at(&self, at: usize) -> &(dyn CType + 'a) {
        &*self.types[at].1
    }

    fn all(&self) -> impl Iterator<Item = &(dyn CSource + 'a)> {
        let types = self.types.iter().map(|(_, it)| &**it as &(dyn CSource + 'a));
        types.chain(self.ops.iter().map(|it| &**it as &(dyn CSource + 'a)))
    }

    /// The compiler that all agree on.
    pub(super) fn compiler(&self, default: Option<&str>) -> Result<Compiler, BlockError> {
        let mut wish: Option<(String, String)> = None;
        for it in self.all() {
            let Some(own) = it.compiler()? else { continue };
            match &wish {
                Some((first, asker)) if *first != own => {
                    return Err(BlockError::refused(format_args!(
                        "{asker} asks for the compiler {first}, and {} for {own}: they cannot be \
                         in one block",
                        it.class()
                    )));
                }
                _ => wish = Some((own, it.class())),
            }
        }
        let mut is_c = !self.ops.is_empty();
        for it in self.all() {
            is_c &= it.is_c()?;
        }
        let wish = wish.as_ref().map(|(it, _)| it.as_str());
        Ok(Compiler::find(wish.or(default), is_c)?)
    }

    /// What all of them say to a hook, each text once, with who said it first.
    pub(super) fn asked(
        &self,
        hook: ListHook,
        compiler: &Compiler,
    ) -> Result<Vec<Listed>, BlockError> {
        let (mut seen, mut asked) = (HashSet::new(), Vec::new());
        for it in self.all() {
            for text in it.list(hook, compiler)? {
                if matches!(hook, ListHook::SupportCode) {
                    check::support(&From { class: &it.class(), hook: hook.name() }, &text)?;
                } else if matches!(hook, ListHook::InitCode) {
                    check::snippet(&From { class: &it.class(), hook: hook.name() }, &text, "")?;
                }
                if seen.insert(text.clone()) {
                    asked.push(Listed { text, asker: it.class() });
                }
            }
        }
        Ok(asked)
    }

    /// What is passed to the compiler for them.
    pub(super) fn flags(
        &self,
        compiler: &Compiler,
        header_dirs: &[std::path::PathBuf],
    ) -> Result<Vec<String>, BlockError> {
        let mut flags = compiler.flags();
        let texts =
            |hook| Ok::<_, BlockError>(self.asked(hook, compiler)?.into_iter().map(|it| it.text));
        flags.extend(texts(ListHook::CompileArgs)?);
        let excluded: HashSet<String> = texts(ListHook::NoCompileArgs)?.collect();
        flags.retain(|it| !excluded.contains(it));
        flags.extend(header_dirs.iter().map(|it| format!("-I{}", it.display())));
        flags.extend(texts(ListHook::HeaderDirs)?.map(|it| format!("-I{it}")));
        for folder in texts(ListHook::LibDirs)? {
            flags.push(format!("-L{folder}"));
            if cfg!(unix) {
                flags.push(format!("-Wl,-rpath,{folder}"));
            }
        }
        Ok(flags)
    }

    /// The versions of all texts; nothing if one has none.
    pub(super) fn versions(&self, run: &NodeRun) -> Result<Option<Vec<String>>, BlockError> {
        let mut versions = Vec::new();
        let mut is_kept = true;
        for (_, it) in &self.types {
            let own = it.version(None)?;
            is_kept &= own.is_some();
            versions.extend(own);
        }
        for (it, node) in self.ops.iter().zip(&run.nodes) {
            let own = it.version(Some(node))?;
            is_kept &= own.is_some();
            versions.extend(own);
        }
        Ok(is_kept.then_some(versions))
    }

    /// Whether all of them let others run beside their code.
    pub(super) fn release(&self) -> Result<bool, BlockError> {
        for it in self.all() {
            if !it.releases()? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
