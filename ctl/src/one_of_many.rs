//! What the run of a verb on one board of many has of its own, while other runs have it once for the
//! process: how commands begin, what was printed, and for which revision a command was sent.

use std::{cell::RefCell, io, rc::Rc};

/// The longest output that is kept of one board, in bytes: the longest game of the record as text.
pub const OUTPUT_LIMIT: usize = 32 * 1024 * 1024;

tokio::task_local! {
    static HERE: Rc<OneOfMany>;
}

/// The run on one board. Its answers are read by [`crate::many`], and nobody can be asked.
pub struct OneOfMany {
    beginning: String,
    kept: RefCell<Kept>,
}

#[derive(Default)]
struct Kept {
    printed: String,
    sent_for: Option<u64>,
}

impl OneOfMany {
    /// `beginning` is how a command for the board begins, such as `clockctl -H clock-12`.
    pub fn new(beginning: String) -> Rc<OneOfMany> {
        Rc::new(OneOfMany { beginning, kept: RefCell::default() })
    }

    pub fn beginning(&self) -> &str {
        &self.beginning
    }

    /// Carries out what is for this board. A task that it starts is not a part of it.
    pub async fn scope<T>(self: Rc<OneOfMany>, verb: impl Future<Output = T>) -> T {
        HERE.scope(self, verb).await
    }

    /// What was printed, and the revision for which a command was sent; also of a run that was given up.
    pub fn take(&self) -> (String, Option<u64>) {
        let Kept { printed, sent_for } = self.kept.take();
        (printed, sent_for)
    }
}

/// Whether this is a part of the run on one board of many.
pub fn is_here() -> bool {
    HERE.try_with(|_| ()).is_ok()
}

/// How commands begin; `None` outside of such a run.
pub fn beginning() -> Option<String> {
    HERE.try_with(|here| here.beginning.clone()).ok()
}

/// Keeps what is printed; `None` outside of such a run.
pub fn print(text: &str) -> Option<io::Result<()>> {
    let keep = |here: &Rc<OneOfMany>| {
        let printed = &mut here.kept.borrow_mut().printed;
        printed.push_str(text);
        match printed.len() > OUTPUT_LIMIT {
            true => Err(io::Error::other(format!("more than {OUTPUT_LIMIT} bytes"))),
            false => Ok(()),
        }
    };
    HERE.try_with(keep).ok()
}

/// Notes that a command is about to be sent for this revision. This is done before it is sent, because the
/// answer may never arrive.
pub fn note_sent(revision: u64) {
    let _ = HERE.try_with(|here| here.kept.borrow_mut().sent_for = Some(revision));
}
