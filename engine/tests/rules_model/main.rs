//! Flags, claims and rulings: the engine is compared with an independent, naive model.

mod compare;
mod enumeration;
mod inputs;
mod model;
mod random;
mod way_on;
