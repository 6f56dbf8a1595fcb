//! The number of threads after checks; in a process of its own, as others change it meanwhile.

use opwright_runtime::op::{Gradient, Operator, Param, Returned, Sets, Slot, Type};
use opwright_runtime::parallel::{get_num_threads, set_num_threads};
use opwright_runtime::testing::opcheck;

const SLOT: Slot = Slot { name: "x", ty: Type::Tensor, sets: Sets::NONE, writes: false };

const COPY: Operator = Operator {
    name: "copied",
    schema: "copied(Tensor x) -> Tensor",
    params: &[Param::new(SLOT)],
    results: &[SLOT],
    tags: &[],
    functional: None,
    in_place: None,
    out: None,
    call: |values| {
        let x = values[0].tensor()?;
        x.copy()?.values()
    },
    types: None,
    inner_loop: None,
    reduction: None,
    gradient: Gradient::None,
    formulas: None,
};

#[test]
fn the_number_of_threads_is_what_it_was() {
    set_num_threads(2).unwrap();
    opcheck(&[COPY]).unwrap();
    assert_eq!(get_num_threads(), 2);
}
