//! Moves that happen at once, put in an order in which none destroys what another still reads.

/// An order of moves `(to, from)`, with `spare` as a place to keep one value of a circle.
pub(super) fn sequence(moves: &[(u16, u16)], spare: u16) -> Vec<(u16, u16)> {
    let mut left: Vec<(u16, u16)> = moves.iter().copied().filter(|(to, from)| to != from).collect();
    let mut order = Vec::with_capacity(left.len() + 1);
    while !left.is_empty() {
        let free = left.iter().position(|(to, _)| !left.iter().any(|(_, from)| from == to));
        match free {
            Some(at) => order.push(left.swap_remove(at)),
            None => {
                let (_, from) = left[0];
                order.push((spare, from));
                left.iter_mut().filter(|it| it.1 == from).for_each(|it| it.1 = spare);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::sequence;

    fn check(moves: &[(u16, u16)]) {
        let mut expected: Vec<u16> = (0..8).collect();
        for (to, from) in moves {
            expected[usize::from(*to)] = *from;
        }
        let mut slots: Vec<u16> = (0..8).collect();
        for (to, from) in sequence(moves, 7) {
            slots[usize::from(to)] = slots[usize::from(from)];
        }
        assert_eq!(slots[..7], expected[..7]);
    }

    #[test]
    fn moves_as_if_at_once() {
        check(&[]);
        check(&[(0, 1), (1, 2)]);
        check(&[(1, 0), (2, 1), (3, 2)]);
        check(&[(0, 1), (1, 0)]);
        check(&[(0, 1), (1, 2), (2, 0), (3, 0), (4, 4)]);
        check(&[(0, 1), (1, 0), (2, 3), (3, 2), (5, 0)]);
    }
}
