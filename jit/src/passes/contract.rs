//! Contraction: a product that only sums and differences read becomes one instruction with each of
//! them, which is rounded once.
//!
//! This changes results by less than a rounding, so it runs where that was permitted. It is decided
//! here, over the program, so that all back ends give the same bits. Nothing is reassociated.

use crate::ir::{Function, Inst, Opcode, Value, ValueList};

pub(super) fn run(function: &mut Function) {
    let reads_otherwise = reads_otherwise(function);
    for at in 0..function.blocks.len() {
        let insts = std::mem::take(&mut function.blocks[at].insts);
        for row in insts {
            let found = contracted(function, &function.insts[row as usize], &reads_otherwise);
            if let Some(Contracted { factors: [mut a, b], mut term, negates }) = found {
                let place = function.insts[row as usize].place;
                match negates {
                    Some(Negated::Product) => a = function.append(at, Opcode::FNeg, &[a], place),
                    Some(Negated::Term) => term = function.append(at, Opcode::FNeg, &[term], place),
                    None => {}
                }
                let inst = &mut function.insts[row as usize];
                (inst.op, inst.args) = (Opcode::FMulAdd, ValueList::from_slice(&[a, b, term]));
            }
            function.blocks[at].insts.push(row);
        }
    }
}

/// What of a product and a term is negated, so that they are added.
enum Negated {
    Product,
    Term,
}

struct Contracted {
    factors: [Value; 2],
    term: Value,
    negates: Option<Negated>,
}

/// A sum or difference with a product that nothing but these reads.
fn contracted(function: &Function, inst: &Inst, reads_otherwise: &[bool]) -> Option<Contracted> {
    let [x, y] = inst.args[..] else { return None };
    let factors = |of: Value| {
        let product = function.def(of).filter(|it| it.op == Opcode::FMul);
        product.filter(|_| !reads_otherwise[of.0 as usize]).map(|it| [it.args[0], it.args[1]])
    };
    let is_difference = match inst.op {
        Opcode::FAdd => false,
        Opcode::FSub => true,
        _ => return None,
    };
    if let Some(factors) = factors(x) {
        let negates = is_difference.then_some(Negated::Term);
        return Some(Contracted { factors, term: y, negates });
    }
    let negates = is_difference.then_some(Negated::Product);
    factors(y).map(|factors| Contracted { factors, term: x, negates })
}

/// Which values anything but a sum or difference reads.
fn reads_otherwise(function: &Function) -> Vec<bool> {
    let mut reads = vec![false; function.values.len()];
    for block in &function.blocks {
        let insts = block.insts.iter().map(|it| &function.insts[*it as usize]);
        let others = insts.filter(|it| !matches!(it.op, Opcode::FAdd | Opcode::FSub));
        others.flat_map(|it| &it.args).for_each(|it| reads[it.0 as usize] = true);
        let mut term = block.term.clone();
        term.values_mut(&mut |it| reads[it.0 as usize] = true);
    }
    reads
}

#[cfg(test)]
mod tests {
    use crate::entry::Frame;
    use crate::ir::{Builder, Function, Opcode, PlaceId, Program, Stats, Terminator, Value};
    use crate::passes::contract;
    use crate::types::{Prim, Ty};
    use crate::vm::Machine;

    /// The contracted form of a function of three numbers, and its result.
    fn contracted(
        write: impl FnOnce(&mut Builder, [Value; 3]) -> Value,
        args: [f64; 3],
    ) -> (Function, f64) {
        let (mut builder, params) = Builder::new("f".into(), vec![Ty::float64(); 3], PlaceId(0));
        let result = write(&mut builder, [params[0], params[1], params[2]]);
        builder.end(Terminator::Return([result].into_iter().collect()));
        builder.function.result = Ty::float64();
        let mut function = builder.function;
        contract(&mut function, &mut Stats::default());
        let program = Program { functions: vec![function.clone()], ..Program::default() };
        let mut found = [0];
        let words = args.map(f64::to_bits);
        let machine = Machine::new(program).unwrap();
        // SAFETY: the function takes three words and gives one.
        unsafe { machine.run(&mut Frame::new(), &words, &mut found) };
        (function, f64::from_bits(found[0]))
    }

    fn ops(function: &Function) -> Vec<Opcode> {
        let rows = function.blocks.iter().flat_map(|it| &it.insts);
        rows.map(|it| function.insts[*it as usize].op).collect()
    }

    const ARGS: [f64; 3] = [1.0 + 1.0 / 1073741824.0, 1.0 - 1.0 / 1073741824.0, 1.0];

    #[test]
    fn products_in_sums_are_rounded_once() {
        let [a, b, c] = ARGS;
        let of = |builder: &mut Builder, op, x, y| builder.emit(op, &[x, y], Prim::F64);
        let (function, found) = contracted(
            |it, [a, b, c]| {
                let product = of(it, Opcode::FMul, a, b);
                of(it, Opcode::FSub, product, c)
            },
            ARGS,
        );
        assert_eq!(ops(&function), [Opcode::FNeg, Opcode::FMulAdd]);
        assert_eq!(found, a.mul_add(b, -c));
        let (function, found) = contracted(
            |it, [a, b, c]| {
                let product = of(it, Opcode::FMul, a, b);
                of(it, Opcode::FSub, c, product)
            },
            ARGS,
        );
        assert_eq!(ops(&function), [Opcode::FNeg, Opcode::FMulAdd]);
        assert_eq!(found, (-a).mul_add(b, c));
    }

    #[test]
    fn a_product_that_is_read_elsewhere_stays() {
        let of = |builder: &mut Builder, op, x, y| builder.emit(op, &[x, y], Prim::F64);
        let (function, _) = contracted(
            |it, [a, b, c]| {
                let product = of(it, Opcode::FMul, a, b);
                let sum = of(it, Opcode::FAdd, product, c);
                of(it, Opcode::FDiv, sum, product)
            },
            ARGS,
        );
        assert_eq!(ops(&function), [Opcode::FMul, Opcode::FAdd, Opcode::FDiv]);
    }
}
