//! Nodes of views whose base was written to, and of bases through whose views somebody wrote.

use std::borrow::Cow;
use std::sync::Arc;

use super::arithmetic::Arithmetic;
use super::edge::Edge;
use super::edges::Edges;
use super::geometry::Geometry;
use super::mode::is_recording;
use super::node::Node;
use super::node::{Call, Gradients, Header};
use crate::{Result, Tensor};

/// How a base and a view of it lie, both in elements of the view.
#[derive(Clone)]
struct BaseAndView {
    base: Geometry,
    view: Geometry,
    /// The base has complex numbers, and the view shows parts of them.
    is_split: bool,
}

impl BaseAndView {
    fn of(view: &Tensor, base: &Tensor) -> BaseAndView {
        let is_split = base.dtype() != view.dtype();
        let of_base = Geometry::of(base);
        let base = if is_split { of_base.of_parts() } else { of_base };
        BaseAndView { base, view: Geometry::of(view), is_split }
    }

    /// Of the gradient of the base that of the view.
    fn sliced(&self, gradient: &Tensor, arithmetic: &dyn Arithmetic) -> Result<Tensor> {
        if self.is_split {
            return arithmetic.sliced(&arithmetic.parts(gradient)?, &self.base, &self.view);
        }
        arithmetic.sliced(gradient, &self.base, &self.view)
    }

    /// The gradient of the base with that of the view in it.
    fn with_slice(
        &self,
        gradient: &Tensor,
        slice: &Tensor,
        arithmetic: &dyn Arithmetic,
    ) -> Result<Tensor> {
        if self.is_split {
            let parts = arithmetic.parts(gradient)?;
            let parts = arithmetic.with_slice(&parts, &self.base, &self.view, slice)?;
            return arithmetic.joined(&parts);
        }
        arithmetic.with_slice(gradient, &self.base, &self.view, slice)
    }

    /// Of the gradient of the view that of the base.
    fn unsliced(&self, gradient: &Tensor, arithmetic: &dyn Arithmetic) -> Result<Tensor> {
        let gradient = arithmetic.unsliced(gradient, &self.base, &self.view)?;
        if self.is_split { arithmetic.joined(&gradient) } else { Ok(gradient) }
    }
}

/// The history of a view after its base got another one: the places of the base that it shows.
pub(super) struct AsStrided {
    header: Header,
    places: BaseAndView,
}

impl AsStrided {
    pub(super) fn new(view: &Tensor, base: &Tensor, edge: Edge) -> AsStrided {
        let edges = Edges::of([Some(edge)]);
        AsStrided {
            header: Header::new(edges).with_outputs([view]),
            places: BaseAndView::of(view, base),
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
        let gradient = gradient.map(|it| self.places.unsliced(&it, call.arithmetic)).transpose()?;
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
    places: BaseAndView,
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
            places: BaseAndView::of(view, base),
        }
    }
}

impl CopySlices {
    /// The history of the view after the call, if `own` is this node.
    fn shown(&self, own: &Arc<dyn Node>) -> Arc<dyn Node> {
        let edges = Edges::of([Some(Edge::new(own.clone(), 0))]);
        let outputs = self.made.header().outputs().iter().cloned().map(Some);
        let header = Header::new(edges).with_metadata(outputs);
        Arc::new(AsStrided { header, places: self.places.clone() })
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
        let Call { node, gradients, wanted, arithmetic } = call;
        let Some(gradient) = gradients.into_iter().next().flatten() else {
            return Ok(Gradients::new());
        };
        let slice = self.places.sliced(&gradient, arithmetic)?;
        let zeros = arithmetic.zeros_like(&slice)?;
        let gradients = Gradients::from_iter([Some(slice)]);
        // What the call saved of its result is the view, whose history leads here.
        let shown = is_recording().then(|| self.shown(node));
        let node = shown.as_ref().unwrap_or(&self.made);
        let mut inputs = self.made.backward(Call { node, gradients, wanted, arithmetic })?;
        if let Some(of_view) = inputs.get_mut(self.input) {
            let slice = of_view.take().unwrap_or(zeros);
            *of_view = Some(self.places.with_slice(&gradient, &slice, arithmetic)?);
        }
        Ok(inputs)
    }

    fn release(&self) {
        self.made.release();
    }
}

/// Whether the places of a view can be found by strides among those of its base, or among the parts
/// of its complex numbers.
pub(super) fn is_strided(view: &Tensor, base: &Tensor) -> bool {
    let is_part = base.dtype().is_complex_number() && view.dtype() == base.dtype().to_real();
    view.dtype() == base.dtype() || is_part
}
