//! What was found out about a clock. A value that could not be found out is `None`.

use clock_dbus::{Fault, HealthProperties};

/// Everything that was found out.
pub struct Facts {
    /// What the service says, or why it says nothing.
    pub clock: Result<Clock, String>,
    pub bus: BusFacts,
    pub system: System,
    /// What the machine of the clock says; `None` if it is another machine.
    pub machine: Option<Machine>,
}

/// What the clock service says.
pub struct Clock {
    pub version: String,
    pub health: HealthProperties,
    pub faults: Vec<Fault>,
}

/// What the bus says.
#[derive(Default)]
pub struct BusFacts {
    /// Whether it is the system bus, which the installed policy is for.
    pub is_system: bool,
    /// Whether the caller may send to the name for commands.
    pub may_command: Option<bool>,
    /// The users of the two names of the service.
    pub users: Option<(u32, u32)>,
}

/// What systemd's services say over the bus, also on another machine.
#[derive(Default)]
pub struct System {
    /// The release and the version, such as `6.12.47` and `#1 SMP PREEMPT_RT Debian 6.12.47-1`.
    pub kernel: Option<(String, String)>,
    /// The model of the machine, such as `Raspberry Pi 4 Model B Rev 1.5`.
    pub model: Option<String>,
    /// How often systemd has restarted the service.
    pub restarts: Option<u32>,
    pub time: Option<TimeService>,
}

/// The time service of the machine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TimeService {
    pub is_synchronized: bool,
    pub has_chrony: bool,
    pub has_timesyncd: bool,
}

/// What the machine says.
#[derive(Default)]
pub struct Machine {
    /// The threads of the service.
    pub threads: Option<Vec<Thread>>,
    /// The kernel's threads for the interrupts of the buttons' lines.
    pub interrupt_threads: Vec<Thread>,
    pub gpio_chips: usize,
    /// Lines of the kernel's configuration, such as `CONFIG_GPIO_CDEV=y`.
    pub kernel_options: Option<Vec<String>>,
    pub policy: Option<PolicyFile>,
    /// The members of the group `gpio`.
    pub gpio_members: Option<Vec<String>>,
    pub storage: Option<Storage>,
    pub power: Option<Power>,
    /// What `clockd --check` says.
    pub configuration: Option<Checked>,
    /// Whether chrony has the drop-in that is installed with the clock.
    pub has_chrony_drop_in: bool,
}

/// A thread and its scheduling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    pub name: String,
    /// The priority if the policy is SCHED_FIFO.
    pub fifo: Option<u32>,
}

/// The installed bus policy.
pub struct PolicyFile {
    /// Whether it is the policy of this version.
    pub is_ours: bool,
    /// Other policy files that name the clock.
    pub others: Vec<String>,
}

/// Where the record is.
pub struct Storage {
    pub folder: String,
    /// The kind of the file system, such as `ext4`; empty if it is not known.
    pub kind: String,
    pub is_read_only: bool,
    pub free_bytes: u64,
    pub flushes: Option<Flushes>,
}

/// How long the disk took to write its cache to the medium, since the machine was started.
#[derive(Clone, Copy)]
pub struct Flushes {
    pub count: u64,
    pub milliseconds: u64,
}

/// The power supply and the temperature.
#[derive(Default)]
pub struct Power {
    /// The firmware's bits: `vcgencmd get_throttled`.
    pub throttled: Option<u32>,
    /// Whether the voltage is too low now.
    pub is_low: Option<bool>,
    /// In thousandths of a degree Celsius.
    pub temperature: Option<i64>,
}

/// What `clockd --check` said.
pub enum Checked {
    Good(String),
    Wrong(String),
    /// It could not be run, or the file cannot be read by this user.
    Unknown(String),
}
