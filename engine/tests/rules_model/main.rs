//! The workflow of flags, claims and rulings, compared with an independent, naive model.

mod compare;
mod enumeration;
mod inputs;
mod model;
mod random;
mod way_on;
