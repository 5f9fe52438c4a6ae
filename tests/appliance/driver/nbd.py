"""The network block device protocol (NBD), the part of it that QEMU needs: one export, simple replies."""

import struct

READ, WRITE, DISCONNECT, FLUSH = range(4)
# Errors of a reply.
EIO, ENOSPC = 5, 28

_OPTION_MAGIC, _OPTION_REPLY_MAGIC = b"IHAVEOPT", 0x0003E889045565A9
_REQUEST, _REQUEST_MAGIC = struct.Struct(">IHHQQI"), 0x25609513
_REPLY, _REPLY_MAGIC = struct.Struct(">IIQ"), 0x67446698
_FIXED_NEWSTYLE, _NO_ZEROES = 1, 2
_ABORT, _INFO, _GO = 2, 6, 7
_ACKNOWLEDGED, _INFORMATION, _UNSUPPORTED = 1, 3, 0x80000001
# What the export can do: it has flags, and flushes. So the guest sees a disk with a volatile cache.
_FLAGS = 1 | 4


class Disconnected(Exception):
    """The other side has gone."""


def receive(connection, length):
    """Exactly so many bytes."""
    parts = []
    while length:
        part = connection.recv(min(length, 1 << 20))
        if not part:
            raise Disconnected
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def serve_handshake(connection, size):
    """Tells a client about the export."""
    connection.sendall(b"NBDMAGIC" + _OPTION_MAGIC + struct.pack(">H", _FIXED_NEWSTYLE | _NO_ZEROES))
    receive(connection, 4)

    def reply(option, kind, data=b""):
        connection.sendall(struct.pack(">QIII", _OPTION_REPLY_MAGIC, option, kind, len(data)) + data)

    while True:
        _, option, length = struct.unpack(">8sII", receive(connection, 16))
        receive(connection, length)
        if option in (_INFO, _GO):
            reply(option, _INFORMATION, struct.pack(">HQH", 0, size, _FLAGS))
            reply(option, _ACKNOWLEDGED)
            if option == _GO:
                return
        elif option == _ABORT:
            reply(option, _ACKNOWLEDGED)
            raise Disconnected
        else:
            reply(option, _UNSUPPORTED)


def receive_request(connection):
    """The next request: its kind, its handle, where and how much, and what is to be written."""
    magic, _, kind, handle, offset, length = _REQUEST.unpack(receive(connection, _REQUEST.size))
    if magic != _REQUEST_MAGIC:
        raise Disconnected
    data = receive(connection, length) if kind == WRITE else b""
    return kind, handle, offset, length, data


def send_reply(connection, handle, error=0, data=b""):
    connection.sendall(_REPLY.pack(_REPLY_MAGIC, error, handle) + data)


class Client:
    """The other side, for the test of the disk."""

    def __init__(self, connection):
        self._connection, self._handle = connection, 0
        receive(connection, 18)
        connection.sendall(struct.pack(">I", _FIXED_NEWSTYLE | _NO_ZEROES))
        # An export without a name, and no questions about it.
        connection.sendall(struct.pack(">8sIIIH", _OPTION_MAGIC, _GO, 6, 0, 0))
        kind = None
        while kind != _ACKNOWLEDGED:
            _, _, kind, length = struct.unpack(">QIII", receive(connection, 20))
            data = receive(connection, length)
            if kind == _INFORMATION:
                _, self.size, self.flags = struct.unpack(">HQH", data)

    def request(self, kind, offset=0, length=0, data=b""):
        """Returns the error and what was read."""
        self._handle += 1
        length = len(data) or length
        self._connection.sendall(_REQUEST.pack(_REQUEST_MAGIC, 0, kind, self._handle, offset, length) + data)
        _, error, handle = _REPLY.unpack(receive(self._connection, _REPLY.size))
        assert handle == self._handle
        return error, receive(self._connection, length) if kind == READ and not error else b""
