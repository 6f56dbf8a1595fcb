//! Views that functions returned, after somebody wrote to what they are views of.

use std::borrow::Cow;

use super::edge::Edge;
use super::edges::Edges;
use super::node::Node;
use super::node::{Call, Gradients, Header};
use crate::{Error, Result, Tensor};

/// Stands for the history of a view that a function with a gradient of its own returned, when its base
/// was written to: to go on with the history of the base would drop that gradient without a word.
pub(super) struct Overwritten {
    header: Header,
    /// The output of the function, as messages name it.
    output: String,
}

impl Overwritten {
    pub(super) fn new(view: &Tensor, base: &Tensor, own: &Edge) -> Overwritten {
        let name = own.node.name();
        // A second write tells of the same output.
        let output = match name.strip_prefix(NAME) {
            Some(output) => output.to_owned(),
            None => format!("output {} of {name}", own.output),
        };
        let header = Header::new(Edges::new().to(base)).with_outputs([view]);
        Overwritten { header, output }
    }
}

/// How the names of these nodes begin.
const NAME: &str = "Overwritten ";

impl Node for Overwritten {
    fn header(&self) -> &Header {
        &self.header
    }

    fn name(&self) -> Cow<'static, str> {
        format!("{NAME}{}", self.output).into()
    }

    fn backward(&self, _: Call<'_>) -> Result<Gradients> {
        Err(Error::runtime(format_args!(
            "{} is a view, and what it is a view of was written to since: the gradient that the \
             function brings would be lost; write to a clone, or have the function return one",
            self.output
        )))
    }
}
