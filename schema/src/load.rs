//! From sources to a checked operator set: all phases in order.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use opwright_diagnostics::diag::{Diagnostic, Diagnostics};
use opwright_diagnostics::source::{SourceFile, Sources};

use crate::annotated::{self, Annotated};
use crate::check;
use crate::deprecated;
use crate::derivatives;
use crate::entry::{self, Entries, KnownNames};
use crate::forward;
use crate::group;
use crate::index::Index;
use crate::model::{OpName, OpSet, Origin, Schema, SourceId, Span};
use crate::parse::parse_schema;
use crate::rewrites;
use crate::section::Sections;
use crate::tags;
use crate::types::{NativeType, Natives};
use crate::validate;
use crate::yaml::{self, YamlNode};

/// What to read operators from.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// Operator files.
    pub yaml: Vec<SourceId>,
    /// Annotated functions that carry their schema.
    pub annotated: Vec<Annotated>,
    /// The file that declares tags; without one the usual tags are known.
    pub tags: Option<SourceId>,
    /// Types of the crate, which schemas may name.
    pub natives: Vec<NativeType>,
    /// The file of deprecated signatures.
    pub deprecated: Option<SourceId>,
    /// The file of derivatives.
    pub derivatives: Option<SourceId>,
    /// The file of rewrites.
    pub rewrites: Option<SourceId>,
    /// What annotations say of derivatives.
    pub gradients: Vec<derivatives::annotated::AnnotatedGradients>,
}

impl Input {
    /// One operator file and nothing else.
    pub fn yaml(file: SourceId) -> Self {
        Input { yaml: vec![file], ..Input::default() }
    }
}

/// Reads and checks everything.
///
/// # Errors
///
/// Every mistake of all sources, sorted by place.
pub fn load(sources: &Sources, input: &Input) -> Result<OpSet, Vec<Diagnostic>> {
    let mut cx = Diagnostics::new();
    let loaded = load_into(&mut cx, sources, input);
    let warnings = cx.finish()?;
    Ok(OpSet { warnings, ..loaded.ops })
}

/// An operator set that may have mistakes, and the names of what is missing
/// from it because of them.
#[derive(Debug)]
pub struct Loaded {
    /// What could be read.
    pub ops: OpSet,
    /// What could not be read, as far as its name could, and what is there
    /// already.
    pub broken: Vec<OpName>,
}

/// Reads and checks everything and reports to `cx`, for phases that go on
/// behind this one and report with it.
pub fn load_into(cx: &mut Diagnostics, sources: &Sources, input: &Input) -> Loaded {
    let declared = input.tags.map(|it| tags::read(cx, sources, it));
    let tags: Vec<&str> = match &declared {
        Some(names) => names.iter().map(String::as_str).collect(),
        None => tags::BUILT_IN.to_vec(),
    };
    let natives = Natives::Of(&input.natives);
    let known = KnownNames { tags: &tags, natives };
    let Entries { mut overloads, deprecated, derivatives: own, mut broken } =
        entries(cx, sources, input, known);
    broken.extend(check::without_duplicates(cx, &mut overloads));
    let groups = group::group(cx, &overloads);
    let index = Index::new(&overloads, &broken);
    check::check(cx, &index, &groups);
    let deprecated = deprecated::read(cx, sources, input.deprecated, &index, natives, &deprecated);
    let derivatives =
        input.derivatives.map(|it| derivatives::read(cx, sources, it, &index, natives));
    let mut derivatives = derivatives.unwrap_or_default();
    derivatives::read_own(cx, &own, &index, &mut derivatives);
    derivatives::annotated::read(cx, &input.gradients, &index, &groups, &mut derivatives);
    let rewrites = input.rewrites.map(|it| rewrites::read(cx, sources, it, &index));
    let rewrites = rewrites.unwrap_or_default();
    for (idx, forward) in forward::resolve(cx, &index, &groups) {
        overloads[idx].forward = Some(forward);
    }
    let (natives, warnings) = (input.natives.clone(), Vec::new());
    let ops = OpSet { overloads, groups, deprecated, derivatives, rewrites, natives, warnings };
    Loaded { ops, broken }
}

/// Entries of the files, then annotated functions, each in order.
fn entries<'a>(
    cx: &mut Diagnostics,
    sources: &'a Sources,
    input: &Input,
    known: KnownNames<'_>,
) -> Entries<'a> {
    let mut entries = Entries::default();
    for &id in &input.yaml {
        let file = sources.file(id);
        let file = EntryReader { file, id, sections: &Sections::of(file.text()), known };
        if file.in_parts(cx, &mut entries).is_none() {
            for node in yaml::entries(cx, sources, id) {
                file.entry(cx, &node, &mut entries);
            }
        }
    }
    for item in &input.annotated {
        annotated::read(cx, item, known.tags, &mut entries);
    }
    entries
}

/// How many entries a thread reads before it looks for more.
const ENTRIES_PER_BLOCK: usize = 256;

/// More threads than this are not worth their start.
const MAX_THREADS: usize = 4;

/// What is known when the entries of a file are read.
#[derive(Clone, Copy)]
struct EntryReader<'a, 't> {
    file: &'a SourceFile,
    id: SourceId,
    sections: &'t Sections<'a>,
    known: KnownNames<'t>,
}

impl<'a> EntryReader<'a, '_> {
    fn entry(self, cx: &mut Diagnostics, node: &YamlNode<'a>, entries: &mut Entries<'a>) {
        let start = node.span.range.start;
        let (file, section) = (shown_name(self.file.name()), self.sections.at(start));
        let origin = Origin::Yaml { file, section: section.map(str::to_owned) };
        let line = self.file.line(start);
        entry::read(cx, node, origin, line, self.known, entries);
    }

    /// Reads the parts of a file in several threads, since they are independent
    /// of each other; the result does not tell. Nothing if the YAML is such
    /// that the file must be read as a whole.
    fn in_parts(self, cx: &mut Diagnostics, entries: &mut Entries<'a>) -> Option<()> {
        let parts = yaml::parts(self.file)?;
        let blocks: Vec<_> = parts.chunks(ENTRIES_PER_BLOCK).collect();
        let most = thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        let next = AtomicUsize::new(0);
        // Whoever is free takes the next block, so that nobody waits for long.
        let work = || {
            let mut read = Vec::new();
            loop {
                let idx = next.fetch_add(1, Ordering::Relaxed);
                let Some(block) = blocks.get(idx) else { return read };
                read.push((idx, self.block(block)));
            }
        };
        let mut read: Vec<_> = thread::scope(|scope| {
            let others: Vec<_> = (1..most.min(blocks.len())).map(|_| scope.spawn(work)).collect();
            let mut read = work();
            for other in others {
                read.extend(other.join().unwrap_or_else(|it| resume_unwind(it)));
            }
            read
        });
        read.sort_unstable_by_key(|(idx, _)| *idx);
        entries.overloads.reserve_exact(parts.len());
        let whole = read.iter().all(|(_, (_, it))| it.is_some());
        for (_, (findings, block)) in read {
            match block.filter(|_| whole) {
                Some(block) => {
                    cx.append(findings);
                    entries.append(block);
                }
                // Found again when the whole file is read.
                None => findings.discard(),
            }
        }
        whole.then_some(())
    }

    /// Reads some parts of a file.
    fn block(self, parts: &[Range<usize>]) -> (Diagnostics, Option<Entries<'a>>) {
        let mut cx = Diagnostics::new();
        let mut entries = Entries::default();
        entries.overloads.reserve_exact(parts.len());
        let mut nodes = Vec::new();
        for part in parts {
            if yaml::read_part(self.file, self.id, part.clone(), &mut nodes).is_none() {
                return (cx, None);
            }
            for node in nodes.drain(..) {
                self.entry(&mut cx, &node, &mut entries);
            }
        }
        (cx, Some(entries))
    }
}

/// The last part of a path: what generated code says does not depend on where
/// it was generated.
fn shown_name(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned()
}

/// Parses and validates a schema alone; places are bytes of `text`.
///
/// # Errors
///
/// Every mistake of the schema.
pub fn parse_one(text: &str) -> Result<Schema, Vec<Diagnostic>> {
    let mut cx = Diagnostics::new();
    let schema = parse_schema(&mut cx, Natives::NONE, text, &Span::new(SourceId(0), 0..text.len()));
    let schema = schema.sound();
    if let Some(schema) = &schema {
        validate::validate(&mut cx, schema);
    }
    cx.finish()?;
    Ok(schema.expect("a schema that could not be read was reported"))
}
