//! Nodes of views whose base was written to, and of bases through whose views somebody wrote.

use std::borrow::Cow;
use std::sync::Arc;

use super::node::{Call, Gradients, Header};
use super::{Edge, Edges, Geometry, Node};
use crate::{Result, Tensor};

/// The history of a view after its base got another one: the places of the base that it shows.
pub(super) struct AsStrided {
    header: Header,
    base: Geometry,
    view: Geometry,
}

impl AsStrided {
    pub(super) fn new(view: &Tensor, base: &Tensor, edge: Edge) -> AsStrided {
        let edges = Edges::of([Some(edge)]);
        AsStrided {
            header: Header::new(edges).with_outputs([view]),
            base: Geometry::of(base),
            view: Geometry::of(view),
        }
    }
}

impl Node for AsStrided {
    fn header(&self) -> &Header {
        &self.header
    }

    fn name(&self) -> Cow<'static, str> {
        "AsStridedBackward0".into()
    }

    fn backward(&self, call: Call<'_>) -> Result<Gradients> {
        let gradient = call.gradients.into_iter().next().flatten();
        let gradient =
            gradient.map(|it| call.arithmetic.unsliced(&it, &self.base, &self.view)).transpose()?;
        Ok(Gradients::from_iter([gradient]))
    }
}

/// The history of a base after a call wrote to a view of it: outside of the view what it was, inside
/// what the call made.
pub(super) struct CopySlices {
    header: Header,
    /// The call.
    made: Arc<dyn Node>,
    /// Which of its inputs the view was.
    input: usize,
    base: Geometry,
    view: Geometry,
}

impl CopySlices {
    /// Of a call that wrote to a view, which was its input of this number.
    pub(super) fn new(
        made: Arc<dyn Node>,
        input: usize,
        view: &Tensor,
        base: &Tensor,
    ) -> CopySlices {
        let of_input = |at: usize, edge: &Option<Edge>| match at == input {
            true => base.gradient_edge(),
            false => edge.clone(),
        };
        let edges = made.header().next().iter().enumerate().map(|(at, edge)| of_input(at, edge));
        CopySlices {
            header: Header::new(Edges::of(edges)).with_outputs([base]),
            made,
            input,
            base: Geometry::of(base),
            view: Geometry::of(view),
        }
    }
}

impl Node for CopySlices {
    fn header(&self) -> &Header {
        &self.header
    }

    fn name(&self) -> Cow<'static, str> {
        "CopySlices".into()
    }

    fn backward(&self, call: Call<'_>) -> Result<Gradients> {
        let Call { gradients, wanted, arithmetic, .. } = call;
        let Some(gradient) = gradients.into_iter().next().flatten() else {
            return Ok(Gradients::new());
        };
        let slice = arithmetic.sliced(&gradient, &self.base, &self.view)?;
        let zeros = arithmetic.zeros_like(&slice)?;
        let inner = Gradients::from_iter([Some(slice)]);
        let mut inputs =
            self.made.backward(Call { node: &self.made, gradients: inner, wanted, arithmetic })?;
        if let Some(of_view) = inputs.get_mut(self.input) {
            let slice = of_view.take().unwrap_or(zeros);
            let base = arithmetic.with_slice(&gradient, &self.base, &self.view, &slice)?;
            *of_view = Some(base);
        }
        Ok(inputs)
    }

    fn release(&self) {
        self.made.release();
    }
}

/// Whether the places of a view can be found by strides among those of its base.
pub(super) fn is_strided(view: &Tensor, base: &Tensor) -> bool {
    view.dtype() == base.dtype()
}
