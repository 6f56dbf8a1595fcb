//! Whole arrays: making them, assigning them, and their methods.

use super::bind::Args;
use super::elementwise::{Node, collect_leaves};
use super::{Infer, Typed};
use crate::ast::Binary;
use crate::error::{Error, Result};
use crate::host::{Frozen, OperatorOperand, Plan};
use crate::ir::{Cond, External, ExternalFn, Failure, Op, Term, Value, Values};
use crate::operator::OperatorCall;
use crate::types::{Array, Kind, Layout, Prim, Ty};

impl Infer<'_> {
    /// A call of something outside of the program.
    pub(super) fn external(
        &mut self,
        name: &'static str,
        function: ExternalFn,
        args: &[Value],
        results: &[Prim],
    ) -> Values {
        let known = self.program.externals.iter().position(|it| it.name == name);
        let at = known.unwrap_or_else(|| {
            self.program.externals.push(External { name, function });
            self.program.externals.len() - 1
        });
        let call = crate::ir::Call::External(u32::try_from(at).unwrap_or(u32::MAX));
        let site = self.builder.site(Failure::Call);
        self.builder.push(Op::Call(call, site), args, results.iter().copied())
    }

    /// A new array whose elements are anything.
    pub(super) fn empty_array(&mut self, dtype: Ty, shape: &[Value]) -> Result<Typed> {
        self.allocate(dtype, shape, false)
    }

    fn allocate(&mut self, dtype: Ty, shape: &[Value], is_zero: bool) -> Result<Typed> {
        let zero = self.builder.int(0);
        for extent in shape {
            let fits = self.builder.emit(Op::Cmp(Cond::Ge, true), &[*extent, zero], Prim::Bool);
            self.builder.check(fits, Failure::Value("negative dimensions not allowed".into()), &[]);
        }
        let code = self.builder.int(crate::memory::dtype_code(dtype));
        let fill = self.builder.int(i64::from(is_zero));
        let ndim = self.builder.int(i64::try_from(shape.len()).unwrap_or(i64::MAX));
        let args: Values = [code, fill, ndim].into_iter().chain(shape.iter().copied()).collect();
        let made = self.external("alloc", crate::memory::alloc, &args, &[Prim::Owner, Prim::Ptr]);
        let mut strides = Vec::with_capacity(shape.len());
        let mut stride = self.builder.int(dtype.itemsize());
        for extent in shape.iter().rev() {
            strides.push(stride);
            stride = self.builder.emit(Op::Mul, &[stride, *extent], Prim::Int);
        }
        strides.reverse();
        let words = made.into_iter().chain(shape.iter().copied()).chain(strides).collect();
        let array = Typed::new(Ty::array(dtype, shape.len(), Layout::C), words);
        self.keep_for_statement(&array);
        Ok(array)
    }

    /// The extents that an argument gives: one number, or a tuple of them.
    pub(super) fn extents(&mut self, shape: &Typed) -> Result<Vec<Value>> {
        let items = shape.items().unwrap_or_else(|| vec![shape.clone()]);
        let mut extents = Vec::with_capacity(items.len());
        for item in &items {
            let item = self.unwrap(item)?;
            if !item.ty.is_integral() {
                return Err(Error::typing(format!("a shape has integers, not {}", item.ty)));
            }
            extents.push(self.convert(&item, Ty::int64())?.word());
        }
        Ok(extents)
    }

    /// The dtype that an argument names.
    fn dtype_of(&self, dtype: Option<&Typed>, default: Ty) -> Result<Ty> {
        match dtype.map(|it| &*it.ty) {
            None | Some(Kind::None) => Ok(default),
            Some(Kind::DType(ty)) => Ok(*ty),
            Some(Kind::Function(object)) => match self.host.callee(*object)? {
                crate::host::Callee::Builtin(name) => match &*name {
                    "int" => Ok(Ty::int64()),
                    "float" => Ok(Ty::float64()),
                    "bool" => Ok(Ty::bool()),
                    "complex" => Ok(Ty::complex128()),
                    _ => Err(Error::typing(format!("{name} is no dtype"))),
                },
                _ => Err(Error::typing("a dtype is named by numpy, opwright or Python")),
            },
            Some(Kind::Text(name)) => Ty::of_name(name)
                .ok_or_else(|| Error::typing(format!("no dtype is called {name:?}"))),
            Some(_) => Err(Error::typing("a dtype is named by numpy, opwright or Python")),
        }
    }

    /// Functions that make arrays; none if it is another.
    pub(super) fn making(&mut self, name: &str, args: Args) -> Result<Option<Typed>> {
        let is_ours = name.starts_with("opwright.");
        let default = if is_ours { Ty::float32() } else { Ty::float64() };
        let made = match super::builtin::short(name) {
            short @ ("empty" | "zeros" | "ones") => {
                let args = if is_ours { args.with_size() } else { args };
                let [shape, dtype] = args.named(short, ["shape", "dtype"], 1)?;
                let shape = self.extents(&shape.unwrap_or_else(Typed::none))?;
                let dtype = self.dtype_of(dtype.as_ref(), default)?;
                let array = self.allocate(dtype, &shape, short == "zeros")?;
                if short == "ones" {
                    let one = self.int(1);
                    self.fill_from(&array, &Node::Number(one))?;
                }
                array
            }
            "full" => {
                let [shape, value, dtype] =
                    args.named("full", ["shape", "fill_value", "dtype"], 2)?;
                let shape = self.extents(&shape.unwrap_or_else(Typed::none))?;
                let value = value.unwrap_or_else(Typed::none);
                let dtype = self.dtype_of(dtype.as_ref(), value.ty)?;
                let array = self.empty_array(dtype, &shape)?;
                self.fill_from(&array, &Node::Number(value))?;
                array
            }
            short @ ("empty_like" | "zeros_like" | "ones_like") => {
                let [like, dtype] = args.named(short, ["prototype", "dtype"], 1)?;
                let (shape, of) = self.like(&like.unwrap_or_else(Typed::none))?;
                let dtype = self.dtype_of(dtype.as_ref(), of)?;
                let array = self.allocate(dtype, &shape, short == "zeros_like")?;
                if short == "ones_like" {
                    let one = self.int(1);
                    self.fill_from(&array, &Node::Number(one))?;
                }
                array
            }
            "full_like" => {
                let [like, value, dtype] =
                    args.named("full_like", ["a", "fill_value", "dtype"], 2)?;
                let (shape, of) = self.like(&like.unwrap_or_else(Typed::none))?;
                let dtype = self.dtype_of(dtype.as_ref(), of)?;
                let array = self.empty_array(dtype, &shape)?;
                self.assign_array(&array, &value.unwrap_or_else(Typed::none))?;
                array
            }
            "arange" => self.arange(args, is_ours)?,
            "array" | "asarray" | "ascontiguousarray" | "copy" | "tensor" => {
                self.array_of(name, args)?
            }
            _ => return Ok(None),
        };
        Ok(Some(made))
    }

    /// The extents and the dtype of what another array is to be like.
    fn like(&mut self, like: &Typed) -> Result<(Vec<Value>, Ty)> {
        let like = self.made(like)?;
        match like.ty.as_array() {
            Some(array) => Ok((like.words[2..2 + array.ndim].to_vec(), array.dtype)),
            None if like.ty.is_number() => Ok((Vec::new(), like.ty)),
            None => Err(Error::typing(format!("{} is no array", like.ty))),
        }
    }

    fn arange(&mut self, args: Args, is_ours: bool) -> Result<Typed> {
        let [first, second, third, dtype] =
            args.named("arange", ["start", "stop", "step", "dtype"], 1)?;
        let zero = self.int(0);
        let one = self.int(1);
        let (start, stop, step) = match (first, second, third) {
            (Some(stop), None, None) => (zero, stop, one),
            (Some(start), Some(stop), step) => (start, stop, step.unwrap_or(one)),
            _ => return Err(Error::typing("arange() takes an end, or a start and an end")),
        };
        let common = [&stop, &step].iter().try_fold(start.ty, |ty, it| Ty::smallest(ty, it.ty));
        let common = common.ok_or_else(|| Error::typing("arange() takes numbers"))?;
        let is_whole = common.is_integral();
        let default = match (is_whole, is_ours) {
            (true, _) => Ty::int64(),
            (false, true) => Ty::float32(),
            (false, false) => Ty::float64(),
        };
        let dtype = self.dtype_of(dtype.as_ref(), default)?;
        let computed = if is_whole { Ty::int64() } else { Ty::float64() };
        let [start, stop, step] = [
            self.convert(&start, computed)?,
            self.convert(&stop, computed)?,
            self.convert(&step, computed)?,
        ];
        let count = if is_whole {
            let zero = self.builder.int(0);
            let fits = self.builder.emit(Op::Cmp(Cond::Ne, true), &[step.word(), zero], Prim::Bool);
            self.builder.check(fits, Failure::ZeroDivision("division by zero"), &[]);
            super::iterate::range_length(self, start.word(), stop.word(), step.word())
        } else {
            let span = self.number_binary(Binary::Sub, &stop, &start)?;
            let turns = self.number_binary(Binary::Div, &span, &step)?;
            let ceil = self.word_op(Op::FCeil, &[turns.word()], computed);
            let whole = self.convert(&ceil, Ty::int64())?.word();
            let zero = self.builder.int(0);
            let is_some = self.builder.emit(Op::Cmp(Cond::Gt, true), &[whole, zero], Prim::Bool);
            self.builder.emit(Op::Select, &[is_some, whole, zero], Prim::Int)
        };
        let array = self.empty_array(dtype, &[count])?;
        let address = array.words[1];
        self.counted(count, &mut |infer, at| {
            let at_number = infer.convert(&Typed::one(Ty::int64(), at), computed)?;
            let further = infer.number_binary(Binary::Mul, &at_number, &step)?;
            let value = infer.number_binary(Binary::Add, &start, &further)?;
            let item = infer.builder.int(dtype.itemsize());
            let bytes = infer.builder.emit(Op::Mul, &[at, item], Prim::Int);
            let place = infer.builder.emit(Op::Offset, &[address, bytes], Prim::Ptr);
            infer.store(place, dtype, &value)
        })?;
        Ok(array)
    }

    /// An array of numbers in tuples, or of another array.
    fn array_of(&mut self, name: &str, args: Args) -> Result<Typed> {
        let [object, dtype] = args.named(super::builtin::short(name), ["object", "dtype"], 1)?;
        let object = self.made(&object.unwrap_or_else(Typed::none))?;
        if let Some(array) = object.ty.as_array() {
            let wanted = self.dtype_of(dtype.as_ref(), array.dtype)?;
            let is_lent = super::builtin::short(name) == "asarray" && wanted == array.dtype;
            if is_lent {
                return Ok(object);
            }
            let cast = self.array_cast(&object, wanted)?;
            return self.made(&cast);
        }
        let mut numbers = Vec::new();
        let mut shape = Vec::new();
        flatten(&object, 0, &mut shape, &mut numbers)?;
        let common = numbers.iter().try_fold(None, |ty: Option<Ty>, it| match ty {
            None => Some(Some(it.ty)),
            Some(ty) => Ty::smallest(ty, it.ty).map(Some),
        });
        let default = match common {
            Some(Some(ty)) if name == "opwright.tensor" && ty.is_float() => Ty::float32(),
            Some(Some(ty)) => ty,
            _ if name == "opwright.tensor" => Ty::float32(),
            _ => Ty::float64(),
        };
        let dtype = self.dtype_of(dtype.as_ref(), default)?;
        let extents: Vec<Value> = shape
            .iter()
            .map(|it| self.builder.int(i64::try_from(*it).unwrap_or(i64::MAX)))
            .collect();
        let array = self.empty_array(dtype, &extents)?;
        for (at, number) in (0..).zip(&numbers) {
            let bytes = self.builder.int(at * dtype.itemsize());
            let address = self.builder.emit(Op::Offset, &[array.words[1], bytes], Prim::Ptr);
            self.store(address, dtype, number)?;
        }
        Ok(array)
    }

    /// Functions of arrays that are known by name.
    pub(super) fn array_builtin(&mut self, name: &str, args: Args) -> Result<Typed> {
        if let Some(made) = self.making(name, args.clone())? {
            return Ok(made);
        }
        let short = super::builtin::short(name);
        if let ("real" | "imag", [array]) = (short, args.positional.as_slice()) {
            let array = self.made(array)?;
            return self.attribute(&array, short);
        }
        let is_ours = name.starts_with("opwright.");
        let by_element = super::builtin::is_number_function(name) && args.keywords.is_empty();
        if by_element && (!is_ours || self.is_real_alike(&args.positional)) {
            return self.array_function(name, &args.positional);
        }
        let mut given = Vec::with_capacity(args.positional.len());
        for value in &args.positional {
            given.push(self.made(value)?);
        }
        let args = Args { positional: given, keywords: args.keywords };
        let short = match short {
            // Ours exchanges two dimensions.
            "transpose" | "swapdims" if is_ours => "swapaxes",
            "permute" if is_ours => "transpose",
            "clone" if is_ours => "copy",
            other => other,
        };
        match (short, args.positional.as_slice()) {
            ("shape" | "ndim" | "size", [array]) => self.attribute(&array.clone(), short),
            ("ravel" | "copy" | "transpose" | "reshape" | "swapaxes", [array, rest @ ..]) => {
                let rest = Args { positional: rest.to_vec(), keywords: args.keywords.clone() };
                self.array_method(&array.clone(), short, rest)
            }
            _ => self.planned(name, args),
        }
    }

    /// Whether all arrays among operands have one real dtype, and the others are real numbers: then
    /// ours promote as numpy's do.
    fn is_real_alike(&self, operands: &[Typed]) -> bool {
        let mut dtypes = operands.iter().filter_map(|it| match *it.ty {
            Kind::Lazy(id) => Some(self.lazy[id as usize].dtype),
            _ => it.ty.as_array().map(|it| it.dtype),
        });
        let Some(first) = dtypes.next().filter(|it| it.is_float()) else { return false };
        dtypes.all(|it| it == first) && !operands.iter().any(|it| it.ty.is_complex())
    }

    /// A function of arrays that the host knows by name: an operator, or one with a source.
    fn planned(&mut self, name: &str, args: Args) -> Result<Typed> {
        let mut operands = Vec::new();
        let mut words = Values::new();
        let positional = args.positional.iter().map(|it| (None, it));
        let named = args.keywords.iter().map(|(name, it)| (Some(name.clone()), it));
        for (name, value) in positional.chain(named) {
            let known = self.known_value(value);
            operands.push(OperatorOperand { name, ty: value.ty, word: words.len(), known });
            words.extend(value.words.iter().copied());
        }
        match self.host.plan(name, &operands)? {
            Some(Plan::Operator(call)) => {
                let writes_only = call.results.is_empty();
                let made = self.operator_call(call, &words)?;
                // What writes to its first argument gives it back.
                return Ok(match args.positional.into_iter().next() {
                    Some(first) if writes_only => first,
                    _ => made,
                });
            }
            Some(Plan::Function(object, numbers)) => {
                let all: Vec<&Typed> =
                    args.positional.iter().chain(args.keywords.iter().map(|(_, it)| it)).collect();
                let passed = numbers.iter().filter_map(|it| all.get(*it)).map(|it| (*it).clone());
                return self.call_function(object, Args::of(passed.collect()));
            }
            None => {}
        }
        let types: Vec<String> = args.positional.iter().map(|it| it.ty.to_string()).collect();
        Err(Error::typing(format!("no function {name} of ({})", types.join(", "))))
    }

    /// What a value is, if that is known while typing.
    fn known_value(&self, value: &Typed) -> Option<Frozen> {
        let bits = |at: usize| self.builder.function.constant(value.words[at]);
        match &*value.ty {
            Kind::None => Some(Frozen::None),
            Kind::Bool | Kind::Int(_) | Kind::Float(_) => {
                Some(Frozen::Number(value.ty, [bits(0)?, 0]))
            }
            Kind::Tuple(_) => {
                let items: Option<Vec<Frozen>> =
                    value.items()?.iter().map(|it| self.known_value(it)).collect();
                items.map(Frozen::Tuple)
            }
            Kind::DType(_) | Kind::Text(_) | Kind::Function(_) => Some(Frozen::Fact(value.ty)),
            _ => None,
        }
    }

    fn operator_call(&mut self, call: OperatorCall, words: &Values) -> Result<Typed> {
        let types = call.results.clone();
        let call = Box::new(call);
        let address = std::ptr::from_ref(&*call).expose_provenance() as u64;
        self.program.operators.push(call);
        let address = self.builder.constant(address, Prim::Ptr);
        let count = self.builder.int(i64::try_from(words.len()).unwrap_or(i64::MAX));
        let args: Values = [address, count].into_iter().chain(words.iter().copied()).collect();
        let prims: Vec<Prim> = types.iter().flat_map(|it| it.prims()).collect();
        let made = self.external("operator", crate::operator::call_operator, &args, &prims);
        let mut results = Vec::with_capacity(types.len());
        let mut at = 0;
        for ty in &types {
            let result = Typed::new(*ty, made[at..at + ty.width()].into());
            self.keep_for_statement(&result);
            results.push(result);
            at += ty.width();
        }
        match results.as_slice() {
            [one] => Ok(one.clone()),
            many => Ok(Typed::tuple(many)),
        }
    }

    pub(super) fn array_method(&mut self, of: &Typed, name: &str, args: Args) -> Result<Typed> {
        let Some(array) = of.ty.as_array() else {
            return Err(Error::typing(format!("{} has no method '{name}'", of.ty)));
        };
        match name {
            "copy" | "flatten" => {
                let cast = self.array_cast(of, array.dtype)?;
                let copy = self.made_array(&cast)?;
                if name == "copy" { Ok(copy) } else { self.reshaped(&copy, None) }
            }
            "ravel" => {
                let dense = self.contiguous(of)?;
                self.reshaped(&dense, None)
            }
            "reshape" => {
                let shape = match args.positional.as_slice() {
                    [one] => one.clone(),
                    many => Typed::tuple(many),
                };
                let extents = self.extents(&shape)?;
                let dense = self.contiguous(of)?;
                self.reshaped(&dense, Some(extents))
            }
            "astype" => {
                let [dtype] = args.named("astype", ["dtype"], 1)?;
                let dtype = self.dtype_of(dtype.as_ref(), array.dtype)?;
                let cast = self.array_cast(of, dtype)?;
                self.made_array(&cast)
            }
            "fill" => {
                let [value] = args.named("fill", ["value"], 1)?;
                self.assign_array(of, &value.unwrap_or_else(Typed::none))?;
                Ok(Typed::none())
            }
            "item" => self.only_item(of, array),
            "transpose" => {
                let axes = match args.positional.as_slice() {
                    [] => return Ok(self.transposed(of)),
                    [one] => one.items().unwrap_or_else(|| vec![one.clone()]),
                    many => many.to_vec(),
                };
                self.permuted(of, &axes)
            }
            "swapaxes" => self.swapped(of, args),
            _ => {
                let mut all = vec![of.clone()];
                all.extend(args.positional);
                let args = Args { positional: all, keywords: args.keywords };
                self.planned(&format!("numpy.{name}"), args)
            }
        }
    }

    /// As [`Infer::made`], but an array even without dimensions.
    fn made_array(&mut self, value: &Typed) -> Result<Typed> {
        let made = self.made(value)?;
        if made.ty.as_array().is_some() {
            return Ok(made);
        }
        let array = self.empty_array(made.ty, &[])?;
        self.store(array.words[1], made.ty, &made)?;
        Ok(array)
    }

    fn only_item(&mut self, of: &Typed, array: &Array) -> Result<Typed> {
        let size = self.flat_size(of);
        let one = self.builder.int(1);
        let fits = self.builder.emit(Op::Cmp(Cond::Eq, true), &[size, one], Prim::Bool);
        let text = "can only convert an array of size 1 to a Python scalar";
        self.builder.check(fits, Failure::Value(text.into()), &[]);
        Ok(self.load(of.words[1], array.dtype))
    }

    /// An array that is row-major without gaps: this one if its type says so, else a copy.
    fn contiguous(&mut self, of: &Typed) -> Result<Typed> {
        match of.ty.as_array() {
            Some(array) if array.layout != Layout::C => {
                let cast = self.array_cast(of, array.dtype)?;
                self.made_array(&cast)
            }
            _ => Ok(of.clone()),
        }
    }

    /// A dense array with other extents; one of them may be -1.
    fn reshaped(&mut self, of: &Typed, shape: Option<Vec<Value>>) -> Result<Typed> {
        let Some(array) = of.ty.as_array() else { return Ok(of.clone()) };
        let size = self.flat_size(of);
        let mut shape = shape.unwrap_or_else(|| vec![size]);
        let (zero, one, minus) = (self.builder.int(0), self.builder.int(1), self.builder.int(-1));
        let mut known = one;
        for extent in &shape {
            let is_open = self.builder.emit(Op::Cmp(Cond::Eq, true), &[*extent, minus], Prim::Bool);
            let factor = self.builder.emit(Op::Select, &[is_open, one, *extent], Prim::Int);
            known = self.builder.emit(Op::Mul, &[known, factor], Prim::Int);
        }
        let is_zero = self.builder.emit(Op::Cmp(Cond::Eq, true), &[known, zero], Prim::Bool);
        let by = self.builder.emit(Op::Select, &[is_zero, one, known], Prim::Int);
        let rest = self.builder.emit(Op::Div(true), &[size, by], Prim::Int);
        for extent in &mut shape {
            let is_open = self.builder.emit(Op::Cmp(Cond::Eq, true), &[*extent, minus], Prim::Bool);
            *extent = self.builder.emit(Op::Select, &[is_open, rest, *extent], Prim::Int);
        }
        let mut total = one;
        for extent in &shape {
            total = self.builder.emit(Op::Mul, &[total, *extent], Prim::Int);
        }
        let fits = self.builder.emit(Op::Cmp(Cond::Eq, true), &[total, size], Prim::Bool);
        let text = "cannot reshape an array to a shape with another number of elements";
        self.builder.check(fits, Failure::Value(text.into()), &[]);
        let mut strides = Vec::with_capacity(shape.len());
        let mut stride = self.builder.int(array.dtype.itemsize());
        for extent in shape.iter().rev() {
            strides.push(stride);
            stride = self.builder.emit(Op::Mul, &[stride, *extent], Prim::Int);
        }
        strides.reverse();
        let ty = Ty::new(Kind::Array(Array { ndim: shape.len(), layout: Layout::C, ..*array }));
        let words = [of.words[0], of.words[1]].into_iter().chain(shape).chain(strides).collect();
        Ok(Typed::new(ty, words))
    }

    /// Writes a number, or the elements of an array that broadcasts, to all elements.
    pub(super) fn assign_array(&mut self, target: &Typed, value: &Typed) -> Result<()> {
        let Some(array) = target.ty.as_array() else {
            return Err(Error::typing(format!("{} is no array", target.ty)));
        };
        self.check_writable(target, target.ty)?;
        if let Some(lazy) = self.lazy_of(value)
            && (1..=array.ndim).contains(&lazy.shape.len())
        {
            self.check_broadcast(&lazy.shape, target, array);
            return self.assign_lazy(target, &lazy);
        }
        let value = self.made(value)?;
        let value = self.unwrap(&value)?;
        if value.items().is_some() {
            let array = self.array_of("numpy.array", Args::of(vec![value]))?;
            return self.assign_array(target, &array);
        }
        let Some(source) = value.ty.as_array() else {
            if !value.ty.is_number() {
                return Err(Error::typing(format!(
                    "{} cannot be assigned to {}",
                    value.ty, target.ty
                )));
            }
            let value = self.convert(&value, array.dtype)?;
            return self.fill_from(target, &Node::Number(value));
        };
        if source.ndim > array.ndim {
            return Err(Error::typing(format!("{} does not broadcast to {}", value.ty, target.ty)));
        }
        self.check_broadcast(&value.words[2..2 + source.ndim], target, array);
        let value = self.apart(target, &value)?;
        self.fill_from(target, &Node::Leaf(value))
    }

    /// Fails unless extents broadcast to those of an array.
    fn check_broadcast(&mut self, extents: &[Value], target: &Typed, array: &Array) {
        let one = self.builder.int(1);
        for (from, to) in extents.iter().zip(&target.words[2 + array.ndim - extents.len()..]) {
            let same = self.builder.emit(Op::Cmp(Cond::Eq, true), &[*from, *to], Prim::Bool);
            let is_one = self.builder.emit(Op::Cmp(Cond::Eq, true), &[*from, one], Prim::Bool);
            let fits = self.builder.emit(Op::Or, &[same, is_one], Prim::Bool);
            self.builder.check(fits, Failure::Broadcast, &[*from, *to]);
        }
    }

    /// An array that shares nothing with another: a copy if it may.
    fn apart(&mut self, target: &Typed, value: &Typed) -> Result<Typed> {
        let overlaps = self.may_overlap(target, value);
        let (yes, no) = self.split(overlaps);
        let Some(array) = value.ty.as_array() else { return Ok(value.clone()) };
        let any = Ty::new(Kind::Array(Array { layout: Layout::Any, ..*array }));
        let (after, params) = self.builder.add_block(any.prims());
        self.builder.enter(yes);
        let copy = self.way(|infer| {
            let cast = infer.array_cast(value, array.dtype)?;
            infer.made_array(&cast)
        })?;
        self.builder.end(Term::Jump((after, copy.words)));
        self.builder.enter(no);
        self.retain(value);
        self.builder.end(Term::Jump((after, value.words.clone())));
        self.builder.enter(after);
        let ty = if array.layout == Layout::C { value.ty } else { any };
        let mut words = params;
        if array.layout == Layout::C && array.ndim > 0 {
            let last = words.len() - 1;
            words[last] = self.builder.int(array.dtype.itemsize());
        }
        let found = Typed::new(ty, words);
        self.keep_for_statement(&found);
        Ok(found)
    }

    /// `a += b` of an array: writes to it, in its dtype.
    pub(super) fn array_in_place(
        &mut self,
        op: Binary,
        before: &Typed,
        value: &Typed,
    ) -> Result<Typed> {
        let Some(array) = before.ty.as_array() else { return self.binary(op, before, value) };
        self.check_writable(before, before.ty)?;
        let result = self.array_binary(op, before, value)?;
        let Kind::Lazy(id) = *result.ty else {
            self.assign_array(before, &result)?;
            return Ok(before.clone());
        };
        let lazy = self.lazy[id as usize].clone();
        if !lazy.dtype.casts_within_kind(array.dtype) {
            return Err(Error::typing(format!(
                "an array of {} cannot take {} in place: the result would lose its kind",
                array.dtype, lazy.dtype
            )));
        }
        let mut leaves = Vec::new();
        collect_leaves(&lazy.node, &mut leaves);
        if lazy.shape.len() == array.ndim && leaves.iter().all(|it| it == before) {
            self.fill_from(before, &lazy.node)?;
        } else {
            self.assign_array(before, &result)?;
        }
        Ok(before.clone())
    }

    pub(super) fn item_by_array(&mut self, of: &Typed, index: &Typed) -> Result<Typed> {
        self.call_library("getitem", vec![of.clone(), index.clone()])
    }

    pub(super) fn set_by_array(&mut self, of: &Typed, index: &Typed, value: &Typed) -> Result<()> {
        let value = self.made(value)?;
        self.call_library("setitem", vec![of.clone(), index.clone(), value]).map(drop)
    }

    /// Calls a function of the host's library.
    pub(super) fn call_library(&mut self, name: &str, args: Vec<Typed>) -> Result<Typed> {
        match self.host.library(name)? {
            Some(object) => {
                self.call_value(&Typed::fact(Ty::new(Kind::Function(object))), Args::of(args))
            }
            None => Err(Error::typing(format!("{name} of arrays is not there"))),
        }
    }

    /// The dimensions in reverse order.
    pub(super) fn transposed(&mut self, of: &Typed) -> Typed {
        let Some(array) = of.ty.as_array() else { return of.clone() };
        let ndim = array.ndim;
        let layout = match array.layout {
            _ if ndim < 2 => array.layout,
            Layout::C => Layout::F,
            Layout::F => Layout::C,
            Layout::Any => Layout::Any,
        };
        let mut words = of.words.clone();
        words[2..2 + ndim].reverse();
        words[2 + ndim..].reverse();
        Typed::new(Ty::new(Kind::Array(Array { layout, ..*array })), words)
    }

    /// The dimensions in another order: constants, as the layout depends on them.
    fn permuted(&mut self, of: &Typed, axes: &[Typed]) -> Result<Typed> {
        let Some(array) = of.ty.as_array() else { return Ok(of.clone()) };
        let ndim = array.ndim;
        let mut order = Vec::with_capacity(ndim);
        for axis in axes {
            let axis = self.known_axis(axis, ndim)?;
            if order.contains(&axis) {
                return Err(Error::typing(format!("the axes of a transposition repeat {axis}")));
            }
            order.push(axis);
        }
        if order.len() != ndim {
            return Err(Error::typing(format!(
                "a transposition of {} takes {ndim} axes, not {}",
                of.ty,
                order.len()
            )));
        }
        let mut words = of.words.clone();
        for (to, from) in order.iter().enumerate() {
            words[2 + to] = of.words[2 + from];
            words[2 + ndim + to] = of.words[2 + ndim + from];
        }
        let is_same = order.iter().enumerate().all(|(to, from)| to == *from);
        let layout = if is_same { array.layout } else { Layout::Any };
        Ok(Typed::new(Ty::new(Kind::Array(Array { layout, ..*array })), words))
    }

    fn swapped(&mut self, of: &Typed, args: Args) -> Result<Typed> {
        let Some(array) = of.ty.as_array() else { return Ok(of.clone()) };
        let [first, second] = args.named("swapaxes", ["axis1", "axis2"], 2)?;
        let [first, second] = [first, second].map(|it| it.unwrap_or_else(Typed::none));
        let mut order: Vec<i64> = (0..).take(array.ndim).collect();
        let (first, second) =
            (self.known_axis(&first, array.ndim)?, self.known_axis(&second, array.ndim)?);
        order.swap(first, second);
        let axes: Vec<Typed> = order.iter().map(|it| self.int(*it)).collect();
        self.permuted(of, &axes)
    }

    /// The dimension that a constant names, from the end if it is negative.
    fn known_axis(&self, axis: &Typed, ndim: usize) -> Result<usize> {
        let Some(axis) = axis.known_int(&self.builder) else {
            return Err(Error::typing("an axis has to be a constant: the type depends on it"));
        };
        let count = i64::try_from(ndim).unwrap_or(i64::MAX);
        let from_start = if axis < 0 { axis + count } else { axis };
        usize::try_from(from_start).ok().filter(|it| *it < ndim).ok_or_else(|| {
            Error::typing(format!("axis {axis} is out of bounds for an array of {ndim} dimensions"))
        })
    }

    pub(super) fn complex_view(&mut self, of: &Typed, name: &str) -> Result<Typed> {
        let Some(array) = of.ty.as_array() else { return Ok(of.clone()) };
        if !array.dtype.is_complex() {
            return match name {
                "real" => Ok(of.clone()),
                _ => Err(Error::typing(format!("{} has no imaginary part", of.ty))),
            };
        }
        let part = array.dtype.real_type();
        let mut words = of.words.clone();
        if name == "imag" {
            let half = self.builder.int(part.itemsize());
            words[1] = self.builder.emit(Op::Offset, &[words[1], half], Prim::Ptr);
        }
        Ok(Typed::new(
            Ty::new(Kind::Array(Array { dtype: part, layout: Layout::Any, ..*array })),
            words,
        ))
    }

    pub(super) fn function_of_complex(&mut self, name: &str, value: &Typed) -> Result<Typed> {
        match super::builtin::short(name) {
            "real" => Ok(self.complex_part(value, 0)),
            "imag" => Ok(self.complex_part(value, 1)),
            "abs" | "absolute" => self.abs(value),
            "conjugate" | "conj" => self.call_method(value, "conjugate", Args::default()),
            "phase" | "angle" => {
                let (real, imag) = (self.complex_part(value, 0), self.complex_part(value, 1));
                let ty = value.ty.real_type();
                Ok(self.word_op(super::number::math("atan2"), &[imag.word(), real.word()], ty))
            }
            function if COMPLEX.contains(&function) => {
                let wide = self.convert(value, Ty::complex128())?;
                let found = self.call_library(&format!("complex_{function}"), vec![wide])?;
                if found.ty.is_complex() { self.convert(&found, value.ty) } else { Ok(found) }
            }
            _ => Err(Error::typing(format!("no {name} of {}", value.ty))),
        }
    }
}

/// Functions of complex numbers that the host's library has.
const COMPLEX: &[&str] = &[
    "sqrt", "exp", "log", "log10", "log2", "sin", "cos", "tan", "sinh", "cosh", "tanh", "arcsin",
    "arccos", "arctan", "arcsinh", "arccosh", "arctanh", "isnan", "isinf", "isfinite",
];

/// Whether a function makes arrays.
pub(super) fn is_making(name: &str) -> bool {
    const KNOWN: &[&str] = &[
        "empty",
        "zeros",
        "ones",
        "full",
        "empty_like",
        "zeros_like",
        "ones_like",
        "full_like",
        "arange",
        "array",
        "asarray",
        "ascontiguousarray",
        "copy",
    ];
    KNOWN.contains(&name)
}

/// The numbers in tuples of tuples, and the extents of these.
fn flatten(
    value: &Typed,
    depth: usize,
    shape: &mut Vec<usize>,
    numbers: &mut Vec<Typed>,
) -> Result<()> {
    let Some(items) = value.items() else {
        if !value.ty.is_number() {
            return Err(Error::typing(format!(
                "an array has numbers as elements, not {}",
                value.ty
            )));
        }
        numbers.push(value.clone());
        return Ok(());
    };
    match shape.get(depth) {
        None => shape.push(items.len()),
        Some(count) if *count == items.len() => {}
        Some(_) => return Err(Error::typing("the rows of an array have one length")),
    }
    items.iter().try_for_each(|it| flatten(it, depth + 1, shape, numbers))
}

impl Ty {
    /// The dtype of a name.
    pub fn of_name(name: &str) -> Option<Ty> {
        Some(match name {
            "bool" => Ty::bool(),
            "int8" => Ty::int(8, true),
            "int16" => Ty::int(16, true),
            "int32" => Ty::int(32, true),
            "int64" => Ty::int64(),
            "uint8" => Ty::int(8, false),
            "uint16" => Ty::int(16, false),
            "uint32" => Ty::int(32, false),
            "uint64" => Ty::uint64(),
            "float16" => Ty::new(Kind::Float(16)),
            "float32" => Ty::float32(),
            "float64" => Ty::float64(),
            "complex64" => Ty::complex64(),
            "complex128" => Ty::complex128(),
            _ => return None,
        })
    }

    /// Whether an array of another dtype takes numbers of this one in place.
    pub fn casts_within_kind(self, to: Ty) -> bool {
        let rank = |ty: Ty| match *ty {
            Kind::Bool => 0,
            Kind::Int(_) => 1,
            Kind::Float(_) => 2,
            _ => 3,
        };
        rank(self) <= rank(to)
    }
}
