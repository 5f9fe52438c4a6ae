//! The rules (flags, claims, rulings, illegal moves, penalties and late arrivals): the engine is
//! compared with an independent, naive model.

mod compare;
mod enumeration;
mod inputs;
mod model;
mod offered;
mod random;
mod way_on;
