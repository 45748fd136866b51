//! Steps of the method.
