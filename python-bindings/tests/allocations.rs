//! Binding and unpacking the arguments of a call that fits takes no memory from
//! the allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::CString;

use opwright_python_bindings::args::{Call, Gil, List, Names, TensorMut, Vectorcall};
use opwright_python_bindings::ffi::PyMethodDef;
use opwright_python_bindings::object;
use opwright_python_bindings::{Failure, MethodTable, Methods, Operators, Tables, module};
use opwright_runtime::resolve::{Kind, OverloadSet, Parameter, Signature};
use opwright_runtime::{DType, Device, Layout as TensorLayout, Scalar};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule, PyTuple};

/// The system's allocator, and how often this thread asked it for memory.
struct Counting;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is handed on; counting takes no memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(place, layout) }
    }
}

// The reference module has an allocator of its own.
#[cfg_attr(not(feature = "reserve"), global_allocator)]
#[cfg_attr(feature = "reserve", expect(dead_code, reason = "nothing is counted then"))]
static ALLOCATOR: Counting = Counting;

static NONE: Methods<1> = Methods([PyMethodDef::zeroed()]);
const NOTHING: MethodTable = NONE.first();

/// A module without operators, for its classes.
static TABLES: Tables = Tables {
    functions: NOTHING,
    submodules: &[],
    methods: NOTHING,
    slots: &[],
    protocols: &[],
    named_tuples: &[],
    targets: &[],
    natives: &[],
    operators: Operators::NONE,
};

const fn required(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, nullable: false, required: true, size: 0, aliases: &[] }
}

const fn optional(name: &'static str, kind: Kind) -> Parameter {
    Parameter { nullable: true, required: false, ..required(name, kind) }
}

const fn signature(params: &'static [Parameter], positional: u8) -> Signature {
    Signature { text: "", params, positional, variadic: false, deprecated: false }
}

/// An overload that is missed, and one of two operands.
static ADD: OverloadSet = OverloadSet::new(
    "add",
    &[
        signature(&[required("sizes", Kind::SymInt.list())], 1),
        signature(
            &[
                Parameter { aliases: &["x1"], ..required("input", Kind::TensorOrNumber) },
                Parameter { aliases: &["x2"], ..required("other", Kind::TensorOrNumber) },
                optional("alpha", Kind::Scalar),
                optional("out", Kind::Tensor),
            ],
            2,
        ),
    ],
);

static VIEW: OverloadSet = OverloadSet::new(
    "view",
    &[Signature { variadic: true, ..signature(&[required("size", Kind::SymInt.list())], 1) }],
);

static SUM: OverloadSet = OverloadSet::new(
    "sum",
    &[signature(
        &[
            required("input", Kind::Tensor),
            Parameter { size: 1, ..optional("dim", Kind::IntListOrInt) },
            optional("keepdim", Kind::Bool),
            optional("dtype", Kind::DType),
        ],
        3,
    )],
);

static MANY: OverloadSet = OverloadSet::new(
    "many",
    &[signature(
        &[
            optional("scalars", Kind::Scalar.list()),
            optional("floats", Kind::Float.list()),
            optional("bools", Kind::Bool.list()),
            optional("real", Kind::Float),
            optional("count", Kind::Int),
            optional("device", Kind::Device),
            optional("layout", Kind::Layout),
        ],
        7,
    )],
);

static NAMED: OverloadSet =
    OverloadSet::new("named", &[signature(&[required("mode", Kind::Str)], 1)]);

/// Reads what a shim would read.
type Read = fn(&mut Call<'_, '_>) -> Result<(), Failure>;

/// A function, and how its arguments are read.
type Shim = (&'static OverloadSet, Read);

fn read_add(call: &mut Call<'_, '_>) -> Result<(), Failure> {
    call.gil(Gil::Auto);
    call.tensor(0)?;
    call.tensor(1)?;
    call.or(2, Scalar::Int(1))?;
    call.optional::<TensorMut>(3)?;
    Ok(())
}

fn read_view(call: &mut Call<'_, '_>) -> Result<(), Failure> {
    call.receiver();
    call.ints(0)?;
    Ok(())
}

fn read_sum(call: &mut Call<'_, '_>) -> Result<(), Failure> {
    call.tensor(0)?;
    call.optional_ints(1)?;
    call.or(2, false)?;
    call.optional::<DType>(3)?;
    Ok(())
}

fn read_many(call: &mut Call<'_, '_>) -> Result<(), Failure> {
    call.optional::<List<Scalar>>(0)?;
    call.optional::<List<f64>>(1)?;
    call.optional::<List<bool>>(2)?;
    call.optional::<f64>(3)?;
    call.optional::<i64>(4)?;
    call.optional::<Device>(5)?;
    call.optional::<TensorLayout>(6)?;
    Ok(())
}

fn read_named(call: &mut Call<'_, '_>) -> Result<(), Failure> {
    let mode: String = call.required(0)?;
    assert_eq!(mode, "valid");
    Ok(())
}

/// How often a call `f(*args, **keywords)`, both given as Python text, asks for memory.
fn asked(
    module: &Bound<'_, PyModule>,
    (function, read): Shim,
    is_method: bool,
    arguments: &str,
) -> PyResult<usize> {
    let py = module.py();
    let code = CString::new(format!("(lambda *a, **k: (a, k))({arguments})"))?;
    let (args, keywords): (Bound<'_, PyTuple>, Bound<'_, PyDict>) =
        py.eval(&code, Some(&module.dict()), None)?.extract()?;
    let names = keywords.keys().to_tuple();
    let mut objects: Vec<Bound<'_, PyAny>> = args.iter().chain(keywords.values()).collect();
    let receiver = if is_method { Some(objects.remove(0)) } else { None };
    let positional = args.len() - usize::from(is_method);
    let receiver = receiver.as_ref().and_then(|it| object::known(it.as_borrowed()));
    let names = Names::new(names.as_borrowed());
    let run = || {
        let passed = Vectorcall { receiver, args: &objects, positional, names };
        let mut call = Call::new(py, function, &passed);
        assert!(call.bind().is_ok(), "{arguments} is not understood");
        assert!(read(&mut call).is_ok(), "{arguments} cannot be read");
    };
    // What is made once and kept does not count.
    run();
    let before = ASKED.get();
    run();
    Ok(ASKED.get() - before)
}

fn with_module(test: impl FnOnce(&Bound<'_, PyModule>) -> PyResult<()>) {
    Python::initialize();
    Python::attach(|py| {
        let module = PyModule::new(py, "classes").unwrap();
        module::init(&module, &TABLES).unwrap();
        let prepare = c"a, b, out = tensor([1.0, 2.0]), tensor([3.0, 4.0]), tensor([0.0, 0.0])";
        py.run(prepare, Some(&module.dict()), None).unwrap();
        test(&module).unwrap();
    });
}

#[test]
fn calls_that_fit_ask_for_no_memory() {
    const CALLS: [(Shim, bool, &[&str]); 4] = [
        (
            (&ADD, read_add),
            false,
            &[
                "a, b",
                "a, b, alpha=2",
                "a, other=b",
                "x1=a, x2=b",
                "a, 1.0",
                "2, b, alpha=1.5",
                "a, b, out=out",
                "a, b, alpha=None, out=None",
                "a, True",
            ],
        ),
        (
            (&VIEW, read_view),
            true,
            &["a, 2, 8", "a, (2, 8)", "a, [2, 8]", "a, size=(1, 2)", "a, -1"],
        ),
        (
            (&SUM, read_sum),
            false,
            &["a", "a, 0", "a, (0, -1), True", "a, dim=[0], dtype=float32", "a, None"],
        ),
        (
            (&MANY, read_many),
            false,
            &[
                "(1, 2.0), [1.0, 2], (True, False), 1, 3",
                "real=0.5, count=-7, device=device('cpu'), layout=strided",
            ],
        ),
    ];
    with_module(|module| {
        for (shim, is_method, arguments) in CALLS {
            for it in arguments {
                assert_eq!(asked(module, shim, is_method, it)?, 0, "{it}");
            }
        }
        Ok(())
    });
}

#[test]
fn text_and_long_lists_are_copied() {
    with_module(|module| {
        // The counter sees it if there is something.
        assert!(asked(module, (&NAMED, read_named), false, "'valid'")? > 0);
        assert!(asked(module, (&VIEW, read_view), true, "a, [1] * 100")? > 0);
        Ok(())
    });
}
