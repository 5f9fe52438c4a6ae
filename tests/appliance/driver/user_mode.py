"""A machine of User-Mode Linux, which skips idle time and takes no time to compute."""

import os
import shutil
import signal
import subprocess
import sys
import time


def run(text, folder, seconds):
    """Boots, runs a script, turns the machine off. The folder is the guest's /mnt: the files that the script has
    left in /tmp are in it afterwards, and its `output` and `status`.

    A machine that has not ended after `seconds` is killed. If it used the processor to the end, something in it
    waits actively, which is an error. If it used none, User-Mode Linux waits for a signal of its host that never
    comes: in a machine that skips idle time, nothing else can wait. Then it is started once more."""
    with open(f"{folder}/script", "w") as script:
        script.write(text + "\ncp /tmp/* /mnt/ 2>/dev/null || true\n")
    before = set(os.listdir(folder))
    if ends(folder, seconds):
        return
    for name in set(os.listdir(folder)) - before:
        remove(f"{folder}/{name}")
    if not ends(folder, seconds):
        raise TimeoutError(f"two machines of User-Mode Linux waited for their host for {seconds} s")


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)


def ends(folder, seconds):
    """Whether the machine has ended. Returns `False` if it waited for its host."""
    machine = subprocess.Popen(
        [os.environ["APPLIANCE_KERNEL"], "time-travel=inf-cpu", "mem=512M", "con=null", "con0=null",
         "rootfstype=hostfs", f"rootflags={os.environ['APPLIANCE_DISK']}", "rw", "quiet",
         # In hostfs all files that the guest makes are root's, so clockd could not open its record again.
         "systemd.mount-extra=tmpfs:/var/lib/chess-clock:tmpfs", f"tests={folder}"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        env={"TMPDIR": folder, "HOME": folder, "PATH": os.environ["PATH"]})
    try:
        machine.wait(seconds)
        return True
    except subprocess.TimeoutExpired:
        before = processor_seconds(machine.pid)
        time.sleep(5)
        used = processor_seconds(machine.pid) - before
        said = f"a machine of User-Mode Linux did not end within {seconds} s; in 5 s more it used the processor for {used:.2f} s"
        if used > 0.05:
            raise TimeoutError(said) from None
        print(said, file=sys.stderr, flush=True)
        return False
    finally:
        # The processes of the guest are processes of the host, too.
        try:
            os.killpg(machine.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        machine.wait()


def processor_seconds(session):
    """The processor time of all processes of a session."""
    ticks = 0
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/stat") as file:
                # The name, in parentheses, can have spaces.
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
