//! Struct layout, as in C: members in order, each at a multiple
//! of what its type asks for.

use crate::types::{Ty, TyKind};

/// What a member that is a reference takes.
const REFERENCE: i64 = 8;

/// How many bytes a member of a type takes, and what its address is a multiple of.
pub fn member_layout(ty: Ty) -> (i64, i64) {
    match &*ty {
        TyKind::Tuple(items) | TyKind::NamedTuple(_, _, items) => of_members(items.iter().copied()),
        TyKind::User(user) => of_members(user.members.iter().map(|(_, it)| *it)),
        TyKind::Array(_) => (REFERENCE, REFERENCE),
        _ => (ty.itemsize(), ty.real_type().itemsize()),
    }
}

fn of_members(types: impl Iterator<Item = Ty>) -> (i64, i64) {
    let (mut size, mut widest) = (0_i64, 1);
    for ty in types {
        let (own, step) = member_layout(ty);
        size = up(size, step) + own;
        widest = widest.max(step);
    }
    (up(size, widest), widest)
}

/// Where a member lies among others; that after the last is the size.
pub fn offset_of(types: &[Ty], at: usize) -> i64 {
    if at >= types.len() {
        return of_members(types.iter().copied()).0;
    }
    let mut offset = 0;
    for ty in &types[..at] {
        let (size, step) = member_layout(*ty);
        offset = up(offset, step) + size;
    }
    up(offset, member_layout(types[at]).1)
}

fn up(offset: i64, step: i64) -> i64 {
    offset + (step - offset % step) % step
}

#[cfg(test)]
mod tests {
    use super::{member_layout, offset_of};
    use crate::types::{ArrayLayout, Ty};

    #[test]
    fn members_lie_at_multiples_of_their_steps() {
        let pair = Ty::tuple(vec![Ty::bool(), Ty::float64()]);
        let array = Ty::array(Ty::float64(), 2, ArrayLayout::C);
        let types = [Ty::int(8, true), Ty::complex64(), pair, array, Ty::bool()];
        let places: Vec<i64> = (0..=types.len()).map(|at| offset_of(&types, at)).collect();
        assert_eq!(places, [0, 4, 16, 32, 40, 48]);
        assert_eq!(member_layout(pair), (16, 8));
        assert_eq!(offset_of(&[], 0), 0);
    }
}
