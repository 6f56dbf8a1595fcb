#[native_op(double_all_)]
fn double_all(self_: &mut [&mut Tensor]) -> Result<()> {
    for one in self_ {
        let twice: Vec<f64> = one.to_vec::<f64>()?.iter().map(|it| 2.0 * it).collect();
        one.copy_from(&Tensor::from_slice(&[twice.len() as i64], &twice)?)?;
    }
    Ok(())
}

#[native_op(take_in)]
fn take_in(
    x: &Tensor,
    total: &mut Tensor,
    count: Option<&mut Tensor>,
) -> Result<(Tensor, Tensor)> {
    let before = total.copy()?;
    total.copy_from(x)?;
    if let Some(count) = count {
        count.fill(7.into())?;
    }
    Ok((before, x.copy()?))
}

#[native_op(take_in.out)]
fn take_in_out(
    x: &Tensor,
    total: &mut Tensor,
    count: Option<&mut Tensor>,
    before: &mut Tensor,
    after: &mut Tensor,
) -> Result<()> {
    let (old, new) = take_in(x, total, count)?;
    before.copy_from(&old)?;
    after.copy_from(&new)
}

#[native_op(nine_parts)]
#[allow(clippy::type_complexity)]
fn nine_parts(
    x: &Tensor,
) -> Result<(Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, i64)> {
    let part = || x.copy();
    Ok((part()?, part()?, part()?, part()?, part()?, part()?, part()?, part()?, 9))
}
