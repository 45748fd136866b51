//! Typed indices into a [`Model`](super::Model): a body index can never be taken for a joint index.

use serde::{Deserialize, Serialize};

/// Index of a body in [`Model::bodies`](super::Model::bodies).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BodyId(pub usize);

/// Index of a joint in [`Model::joints`](super::Model::joints).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JointId(pub usize);
