//! The pages of the menu. A page imports only pages to which it leads, and none imports a page that leads
//! to it.

pub(crate) mod about;
pub(crate) mod backup;
pub(crate) mod button_test;
pub(crate) mod confirm;
pub(crate) mod controls;
pub(crate) mod correct;
pub(crate) mod draft;
pub(crate) mod first;
pub(crate) mod more;
pub(crate) mod own;
pub(crate) mod penalties;
pub(crate) mod questions;
pub(crate) mod report;
pub(crate) mod result;
pub(crate) mod settings;
