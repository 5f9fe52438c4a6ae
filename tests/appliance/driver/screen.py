"""The cable between a machine and its screen."""

import socket
import struct


class Cable:
    """Takes the screen out of the machine and puts one in, while the machine runs.

    Over VNC, because QEMU's monitor has no command for it. The guest's driver gets an interrupt, asks what is connected
    and tells user space, as with a plug of HDMI; the screen's own data (EDID) name its size.
    """

    def __init__(self, path, size):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(60)
        self._socket.connect(path)
        # RFB 3.8, section 7: versions, security type "None" and its result, a shared session and its parameters.
        self._receive(12)
        self._socket.sendall(b"RFB 003.008\n")
        kinds = self._receive(self._receive(1)[0])
        assert 1 in kinds, kinds
        self._socket.sendall(b"\1")
        assert self._receive(4) == bytes(4)
        self._socket.sendall(b"\1")
        name_length, = struct.unpack(">20xI", self._receive(24))
        self._receive(name_length)
        # QEMU passes on only what differs from what it was told last, and has been told nothing yet.
        self.plug(*size)

    def close(self):
        self._socket.close()

    def plug(self, width, height):
        """Puts in a screen of this size."""
        # SetDesktopSize (RFB 7.4.10), with one screen.
        self._socket.sendall(struct.pack(">BxHHBxIHHHHI", 251, width, height, 1, 0, 0, 0, width, height, 0))

    def unplug(self):
        self.plug(0, 0)

    def _receive(self, count):
        data = b""
        while len(data) < count:
            more = self._socket.recv(count - len(data))
            if not more:
                raise ConnectionError("QEMU has ended")
            data += more
        return data
