use super::graph::Graph;
use super::shared::BoundParameter;
use crate::binding::{Binding, Target};
use crate::graph::error::GraphError;
use std::sync::Arc;

impl Graph {
    /// Same graph with parameters that follow curves. Each update first sets these parameters to
    /// [`GraphPlayer::curve`](crate::graph::GraphPlayer::curve). Other bindings have no effect.
    ///
    /// # Errors
    /// If a parameter or curve is unknown, or a curve has more than one value.
    pub fn bound(mut self, bindings: &[Binding]) -> Result<Self, GraphError> {
        let mut bound = Vec::new();
        for binding in bindings {
            let Target::Parameter(parameter) = &binding.target else {
                continue;
            };
            let context = || format!("binding {binding}");
            let index = self.parameter(parameter);
            let index = index.ok_or_else(|| {
                GraphError::unknown(context(), "parameter", parameter, self.parameters())
            })?;
            let signal = &binding.signal;
            let names = self.curves().iter().map(|curve| curve.name.as_str());
            let curve = self.curves().iter().find(|curve| curve.name == *signal);
            let curve =
                curve.ok_or_else(|| GraphError::unknown(context(), "curve", signal, names))?;
            if curve.width != 1 {
                return Err(GraphError::BadNumber {
                    context: context(),
                    what: "the number of values of the curve,",
                    value: curve.width as f32,
                    expected: "1",
                });
            }
            bound.push(BoundParameter {
                parameter: index,
                curve: signal.clone(),
            });
        }
        if !bound.is_empty() {
            Arc::make_mut(&mut self.shared).bound = bound;
        }
        Ok(self)
    }
}
