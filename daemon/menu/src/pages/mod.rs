//! The pages of the menu. A page imports only pages to which it leads, and none imports a page that leads
//! to it.

pub(crate) mod backup;
pub(crate) mod confirm;
pub(crate) mod controls;
pub(crate) mod correct;
pub(crate) mod draft;
pub(crate) mod first;
pub(crate) mod more;
pub(crate) mod report;
pub(crate) mod result;
pub(crate) mod rulings;
pub(crate) mod settings;
