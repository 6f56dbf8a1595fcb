//! Laws of all types of tensors and all values.

use proptest::prelude::*;
use proptest::sample::select;

use super::{Coerce, Extents, TensorType, Type, TypeRef};
use crate::op::Value;
use crate::{DType, Device, Tensor};

const DTYPES: [DType; 5] =
    [DType::Bool, DType::Int8, DType::Int64, DType::Float32, DType::Complex64];
const HOWS: [Coerce; 4] = [Coerce::Strict, Coerce::Lossless, Coerce::Natural, Coerce::Any];

fn extent() -> impl Strategy<Value = Option<i64>> {
    select(vec![None, Some(0), Some(1), Some(2), Some(3)])
}

fn tensor_type() -> impl Strategy<Value = TensorType> {
    let shape = prop::collection::vec(extent(), 0..3);
    (select(&DTYPES[..]), shape).prop_map(|(dtype, shape)| TensorType::new(dtype, shape))
}

/// Types of which many are related.
fn matrix_type() -> impl Strategy<Value = TensorType> {
    [extent(), extent()].prop_map(|shape| TensorType::new(DType::Float32, shape))
}

fn tensor() -> impl Strategy<Value = Tensor> {
    let shape = prop::collection::vec(0_i64..4, 0..3);
    (select(&DTYPES[..]), shape).prop_map(|(dtype, shape)| {
        Tensor::zeroed(&shape, dtype, Device::Cpu).expect("there is memory")
    })
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        (-130_i64..130).prop_map(Value::Int),
        any::<f64>().prop_map(Value::Float),
        (-4_i32..4).prop_map(|it| Value::Float(it.into())),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let list = || prop::collection::vec(number(), 0..3).prop_map(Value::List);
    prop_oneof![
        tensor().prop_map(Value::Tensor),
        number(),
        list(),
        prop::collection::vec(list(), 0..3).prop_map(Value::List),
        Just(Value::None),
    ]
}

fn met(a: &TensorType, b: &TensorType) -> Option<TypeRef> {
    a.meet(&b.clone().shared()).ok()
}

proptest! {
    #[test]
    fn to_be_a_superset_is_a_partial_order(
        a in matrix_type(), b in matrix_type(), c in matrix_type(),
    ) {
        prop_assert!(a.is_super(&a));
        prop_assert_eq!(a.is_super(&b) && b.is_super(&a), a.equals(&b));
        prop_assert!(!(a.is_super(&b) && b.is_super(&c)) || a.is_super(&c));
    }

    #[test]
    fn what_two_types_meet_in_is_the_greatest_below_both(
        a in matrix_type(), b in matrix_type(), c in matrix_type(),
    ) {
        let below_both = a.is_super(&c) && b.is_super(&c);
        match met(&a, &b) {
            Some(meet) => {
                prop_assert!(a.is_super(&*meet) && b.is_super(&*meet));
                prop_assert_eq!(meet.is_super(&c), below_both);
                prop_assert!(met(&b, &a).is_some_and(|it| it.equals(&*meet)));
            }
            None => prop_assert!(!below_both),
        }
    }

    #[test]
    fn what_two_types_join_in_is_the_least_above_both(
        a in matrix_type(), b in matrix_type(), c in matrix_type(),
    ) {
        let join = a.join(&b).expect("the same dtype and rank");
        prop_assert!(join.is_super(&a) && join.is_super(&b));
        prop_assert_eq!(c.is_super(&join), c.is_super(&a) && c.is_super(&b));
    }

    #[test]
    fn unlike_dtypes_and_ranks_are_unrelated(a in tensor_type(), b in tensor_type()) {
        let alike = a.dtype() == b.dtype() && a.ndim() == b.ndim();
        prop_assert!(alike || !a.is_super(&b) && met(&a, &b).is_none() && a.join(&b).is_none());
        prop_assert_eq!(a.equals(&b), a == b);
        prop_assert!(a != b || a.hash_code() == b.hash_code());
    }

    #[test]
    fn a_tensor_is_of_its_own_type_and_of_those_above(tensor in tensor(), ty in tensor_type()) {
        let own = TensorType::of(&tensor);
        prop_assert!(own.has_tensor(&tensor));
        prop_assert_eq!(ty.has_tensor(&tensor), ty.is_super(&own));
        let checked = TensorType::checked(ty.dtype(), Extents::from(ty.shape()));
        prop_assert_eq!(checked.expect("a shape"), ty);
    }

    #[test]
    fn what_was_accepted_is_accepted_as_it_is(ty in tensor_type(), value in value()) {
        for how in HOWS {
            let Ok(taken) = ty.accept(value.clone(), how) else { continue };
            prop_assert!(ty.has(&taken), "{how:?}");
            let again = ty.accept(taken.clone(), Coerce::Strict).expect("one of its values");
            let (Value::Tensor(taken), Value::Tensor(again)) = (taken, again) else {
                panic!("no tensor");
            };
            prop_assert!(taken.is_same(&again));
        }
    }

    #[test]
    fn to_allow_more_refuses_no_more(ty in tensor_type(), value in value()) {
        let taken = HOWS.map(|how| ty.accept(value.clone(), how).is_ok());
        prop_assert!(taken.is_sorted(), "{taken:?}");
    }

    #[test]
    fn a_copy_is_the_same_elsewhere(tensor in tensor()) {
        let (ty, value) = (TensorType::of(&tensor), Value::Tensor(tensor));
        let copy = ty.deep_copy(&value).expect("there is memory");
        prop_assert!(ty.same(&value, &copy) && ty.close(&value, &copy));
        prop_assert!(!ty.aliases(&value, &copy));
        prop_assert_eq!(ty.aliases(&value, &value), ty.bytes(&value) != Some(0));
    }
}
