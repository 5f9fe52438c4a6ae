//! The state of the run of a verb on one board of many: how commands begin, what was printed, and what is
//! known of its command. If the verb runs on one board only, these belong to the process.

use std::{cell::RefCell, io, rc::Rc};

/// The longest output of one board that is kept, in bytes. The longest game on record has as much text.
pub const OUTPUT_LIMIT: usize = 32 * 1024 * 1024;

tokio::task_local! {
    static HERE: Rc<OneOfMany>;
}

/// The run of a verb on one board of many. [`crate::many`] reads its output. It cannot ask the user.
pub struct OneOfMany {
    beginning: String,
    kept: RefCell<Kept>,
}

#[derive(Default)]
struct Kept {
    printed: String,
    command: CommandSent,
}

/// What is known of the command of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CommandSent {
    /// None was sent.
    #[default]
    Not,
    /// It was sent for this revision, and not answered.
    For(u64),
    /// The clock has answered that it was carried out.
    CarriedOut,
}

impl OneOfMany {
    /// A new run. A command for the board begins with `beginning`, such as `clockctl -H clock-12`.
    pub fn new(beginning: String) -> Rc<OneOfMany> {
        Rc::new(OneOfMany { beginning, kept: RefCell::default() })
    }

    pub fn beginning(&self) -> &str {
        &self.beginning
    }

    /// Runs `verb` as a part of this run. Tasks that `verb` starts are not parts of it.
    pub async fn scope<T>(self: Rc<OneOfMany>, verb: impl Future<Output = T>) -> T {
        HERE.scope(self, verb).await
    }

    /// Takes out what was printed, and what is known of the command. This works also if the run was
    /// stopped at its deadline.
    pub fn take(&self) -> (String, CommandSent) {
        let Kept { printed, command } = self.kept.take();
        (printed, command)
    }
}

/// Whether the caller is a part of the run on one board of many.
pub fn is_here() -> bool {
    HERE.try_with(|_| ()).is_ok()
}

/// How commands begin in this run. `None` if the caller is not a part of such a run.
pub fn beginning() -> Option<String> {
    HERE.try_with(|here| here.beginning.clone()).ok()
}

/// Keeps this text, which the run prints. `None` if the caller is not a part of such a run.
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
    note(CommandSent::For(revision));
}

/// Notes that the clock has carried the command out.
pub fn note_carried_out() {
    note(CommandSent::CarriedOut);
}

fn note(command: CommandSent) {
    let _ = HERE.try_with(|here| here.kept.borrow_mut().command = command);
}
