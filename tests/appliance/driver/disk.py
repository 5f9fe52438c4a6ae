"""A disk for the record: kept by the driver, with the volatile cache of a real disk, and with faults on demand.

QEMU reaches it over the NBD protocol. What the guest has written and not flushed is in the cache only. A pulled
plug loses any part of the cache: each write is kept, lost or torn, whatever came before or after it. Without
this, the host would keep all that QEMU has written, and a database that never flushes would survive.
"""

import os
import socket
import struct
import subprocess
import tempfile
import threading
import time

SECTOR = 512
SIZE = 24 << 20
EIO, ENOSPC = 5, 28

_OPTION = b"IHAVEOPT"
_OPTION_REPLY, _REQUEST_MAGIC, _REPLY_MAGIC = 0x3E889045565A9, 0x25609513, 0x67446698
_GO, _ABORT = 7, 2
_ACKNOWLEDGED, _INFO, _UNSUPPORTED = 1, 3, 0x80000001
_READ, _WRITE, _DISCONNECT, _FLUSH = 0, 1, 2, 3
# The export has flags, and takes flushes.
_EXPORT_FLAGS = 1 | 4


class Disk:
    """One disk with an empty ext4 file system. It outlives the machines that use it.

    `fault`: the error number that every write and flush is answered with, or 0.
    `delay`: so many seconds pass before a write or a flush is done.
    `flushes`: how many flushes were asked for.
    """

    def __init__(self, *mke2fs_options):
        self.fault, self.delay, self.flushes = 0, 0, 0
        self._cache = []
        self._lock = threading.Lock()
        self._durable = _formatted(mke2fs_options)
        self._content = bytearray(self._durable)
        self._folder = tempfile.mkdtemp(prefix="clock-disk-")
        self.path = f"{self._folder}/nbd"
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(self.path)
        self._server.listen(1)
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self):
        self._server.close()
        os.unlink(self.path)
        os.rmdir(self._folder)

    def lose_cache(self, random):
        """The power has gone. Returns how many writes were in the cache. QEMU must have ended."""
        with self._lock:
            count = len(self._cache)
            for offset, data in self._cache:
                kept = random.choice((0, len(data), random.randrange(len(data) // SECTOR + 1) * SECTOR))
                self._durable[offset:offset + kept] = data[:kept]
            self._cache.clear()
            self._content[:] = self._durable
            return count

    def _serve(self):
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            with client:
                try:
                    if self._negotiate(client):
                        self._answer(client)
                except (ConnectionError, OSError):
                    # QEMU was killed.
                    pass

    def _negotiate(self, client):
        client.sendall(b"NBDMAGIC" + _OPTION + struct.pack(">H", 1 | 2))
        _receive(client, 4)
        while True:
            _, option, length = struct.unpack(">8sII", _receive(client, 16))
            _receive(client, length)

            def reply(kind, data=b""):
                client.sendall(struct.pack(">QIII", _OPTION_REPLY, option, kind, len(data)) + data)

            if option == _GO:
                reply(_INFO, struct.pack(">HQH", 0, SIZE, _EXPORT_FLAGS))
                reply(_ACKNOWLEDGED)
                return True
            reply(_ACKNOWLEDGED if option == _ABORT else _UNSUPPORTED)
            if option == _ABORT:
                return False

    def _answer(self, client):
        while True:
            magic, _, kind, handle, offset, length = struct.unpack(">IHHQQI", _receive(client, 28))
            assert magic == _REQUEST_MAGIC
            if kind == _DISCONNECT:
                return
            data = _receive(client, length) if kind == _WRITE else b""
            error, content = self._do(kind, offset, length, data)
            client.sendall(struct.pack(">IIQ", _REPLY_MAGIC, error, handle) + content)

    def _do(self, kind, offset, length, data):
        if kind == _READ:
            return 0, bytes(self._content[offset:offset + length])
        if self.delay:
            time.sleep(self.delay)
        if self.fault:
            return self.fault, b""
        with self._lock:
            if kind == _WRITE:
                self._content[offset:offset + length] = data
                self._cache.append((offset, data))
            elif kind == _FLUSH:
                self.flushes += 1
                for at, written in self._cache:
                    self._durable[at:at + len(written)] = written
                self._cache.clear()
        return 0, b""


def _formatted(options):
    with tempfile.NamedTemporaryFile() as file:
        file.truncate(SIZE)
        subprocess.run(["mke2fs", "-q", "-F", "-t", "ext4", "-L", "record", "-m", "0", *options, file.name], check=True)
        file.seek(0)
        return bytearray(file.read())


def _receive(client, length):
    data = b""
    while len(data) < length:
        more = client.recv(length - len(data))
        if not more:
            raise ConnectionError
        data += more
    return data
