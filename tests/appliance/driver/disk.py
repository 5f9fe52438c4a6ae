"""A disk for a virtual machine, with a volatile cache, as SD cards, SSDs and hard disks have one.

What the guest writes is in memory until it asks for a flush. At a power cut each write since the last flush reaches the
file wholly, partly (some of its sectors of 512 bytes) or not at all. Killing QEMU alone would lose nothing, because the
system of the host writes what QEMU has given it. QEMU connects over NBD, on a Unix socket.

The disk also fails or answers late on request. It answers one request after the other.
"""

import os
import random
import socket
import subprocess
import threading
from collections import namedtuple

import nbd

SECTOR = 512
SIZE = 64 << 20

# What a power cut has done to the writes since the last flush.
Cut = namedtuple("Cut", "whole torn lost")


def make_file_system(path):
    """An empty ext4 in a file of SIZE bytes, whose folder is the clock's. At an error of the disk it becomes read-only, as
    Debian's are."""
    users = subprocess.run(["debugfs", "-R", "cat /etc/passwd", os.environ["APPLIANCE_DISK"]], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True, check=True).stdout
    owner, = (":".join(user.split(":")[2:4]) for user in users.splitlines() if user.startswith("chess-clock:"))
    subprocess.run(
        ["mke2fs", "-q", "-t", "ext4", "-L", "record", "-b", "4096", "-m", "0", "-e", "remount-ro",
         "-E", f"lazy_itable_init=0,lazy_journal_init=0,root_owner={owner}", path, f"{SIZE >> 20}M"],
        stdout=subprocess.DEVNULL, check=True)


class Disk:
    """Serves the file `path` on the socket `address`, one client after another, until it is closed.

    `seed`: chooses what a power cut loses. `ignores_flushes`: a disk that is out of order, to test the tests.
    """

    def __init__(self, path, address, seed=1, ignores_flushes=False):
        self.address = address
        self._file = os.open(path, os.O_RDWR)
        self._size = os.fstat(self._file).st_size
        self._random, self._ignores_flushes = random.Random(seed), ignores_flushes
        self._lock = threading.Lock()
        # Set while the disk has no power. A request that waits then is never answered.
        self._off = threading.Event()
        self._unflushed, self._newest = [], {}
        self._requests_left, self._then = None, None
        self._answers = threading.Event()
        self.flushes = 0
        self.work()
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(address)
        self._server.listen(1)
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self):
        self._off.set()
        self._server.close()
        os.close(self._file)

    def fail(self, *kinds):
        """From now on requests of these kinds (`nbd.READ` …) get an error."""
        self._failing = kinds

    def hold(self):
        """From now on no flush is answered."""
        self._answers.clear()

    def work(self):
        """Nothing fails any more, and what waits is answered."""
        self._failing = ()
        self._answers.set()

    def cut_power_after(self, requests, then):
        """The power is cut after so many further writes and flushes, the last of which is not answered. `then()` is
        called at that instant, in another thread."""
        with self._lock:
            self._requests_left, self._then = requests, then

    @property
    def is_off(self):
        """Whether the power is cut."""
        return self._off.is_set()

    def cut_power(self):
        """Nothing is answered any more, and the cache is lost. Returns what became of the writes in it."""
        with self._lock:
            self._off.set()
            cut = {"whole": 0, "torn": 0, "lost": 0}
            for offset, data in self._unflushed:
                cut[self._lose(offset, data)] += 1
            self._forget()
        return Cut(**cut)

    def power_on(self):
        """For the next machine. The disk works."""
        self.work()
        self._requests_left = None
        self._off.clear()

    def _lose(self, offset, data):
        """Writes what reaches the file. A later write of the same sector is in the list after this one, and replaces
        it, as in a cache that has only the newest contents of each sector."""
        sectors = range(0, len(data), SECTOR)
        kept = self._random.choice(("whole", "torn", "lost"))
        if kept == "torn":
            how_many = self._random.randrange(len(sectors))
            sectors = self._random.sample(sectors, how_many)
        elif kept == "lost":
            sectors = ()
        for start in sectors:
            os.pwrite(self._file, data[start:start + SECTOR], offset + start)
        return kept

    def _forget(self):
        self._unflushed, self._newest = [], {}

    def _serve(self):
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            with connection:
                try:
                    nbd.serve_handshake(connection, self._size)
                    while self._answer(connection, *nbd.receive_request(connection)):
                        pass
                    # Without power there is no answer, not even that the connection has ended.
                    while self._off.is_set() and connection.recv(1 << 16):
                        pass
                except (nbd.Disconnected, OSError):
                    pass

    def _answer(self, connection, kind, handle, offset, length, data):
        """Returns whether there can be another request."""
        if kind == nbd.FLUSH:
            self._answers.wait()
        with self._lock:
            if kind == nbd.DISCONNECT or self._off.is_set():
                return False
            if kind in self._failing:
                nbd.send_reply(connection, handle, nbd.EIO)
                return True
            result = b""
            if kind == nbd.READ:
                result = self._read(offset, length)
            elif kind == nbd.WRITE:
                self._write(offset, data)
            elif kind == nbd.FLUSH:
                self._flush()
            if kind != nbd.READ and self._requests_left is not None:
                self._requests_left -= 1
                if self._requests_left == 0:
                    self._off.set()
                    self._then()
                    return False
            nbd.send_reply(connection, handle, data=result)
            return True

    def _read(self, offset, length):
        data = bytearray(os.pread(self._file, length, offset))
        for start in range(0, length, SECTOR):
            newest = self._newest.get(offset + start)
            if newest:
                data[start:start + SECTOR] = newest
        return bytes(data)

    def _write(self, offset, data):
        assert offset % SECTOR == 0 and len(data) % SECTOR == 0
        self._unflushed.append((offset, data))
        for start in range(0, len(data), SECTOR):
            self._newest[offset + start] = data[start:start + SECTOR]

    def _flush(self):
        self.flushes += 1
        if self._ignores_flushes:
            return
        for offset, data in self._unflushed:
            os.pwrite(self._file, data, offset)
        self._forget()
