//! Scenario tables in virtual time.
