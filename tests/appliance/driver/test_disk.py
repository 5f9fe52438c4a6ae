"""The disk of the power cuts itself: what it loses, keeps and refuses. It needs no machine."""

import os
import socket
import tempfile
import threading
import unittest

import nbd
from disk import SECTOR, Disk

SECTORS = 64
BEFORE, AFTER = b"b" * SECTOR, b"a" * SECTOR


class DiskTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="clock-disk-")
        self.addCleanup(folder.cleanup)
        self.path, self.address = f"{folder.name}/disk", f"{folder.name}/nbd"
        with open(self.path, "wb") as file:
            file.write(BEFORE * SECTORS)

    def disk(self, **options):
        disk = Disk(self.path, self.address, **options)
        self.addCleanup(disk.close)
        return disk

    def client(self):
        self.connection = socket.socket(socket.AF_UNIX)
        self.addCleanup(self.connection.close)
        self.connection.settimeout(10)
        self.connection.connect(self.address)
        return nbd.Client(self.connection)

    def not_answered(self, client, *request, **options):
        self.connection.settimeout(0.1)
        with self.assertRaises(TimeoutError):
            client.request(*request, **options)
        self.connection.close()

    def sectors(self):
        """What the file has in each sector."""
        with open(self.path, "rb") as file:
            return [file.read(SECTOR) for _ in range(SECTORS)]

    def test_what_was_not_flushed_is_lost_in_part_and_what_was_flushed_is_not(self):
        disk, client = self.disk(), self.client()
        self.assertEqual(client.size, SECTORS * SECTOR)
        for number in range(16):
            self.assertEqual(client.request(nbd.WRITE, number * SECTOR, data=AFTER), (0, b""))
        self.assertEqual(client.request(nbd.FLUSH), (0, b""))
        for number in range(16, SECTORS, 4):
            client.request(nbd.WRITE, number * SECTOR, data=AFTER * 4)
        self.assertEqual(client.request(nbd.READ, 0, SECTORS * SECTOR), (0, AFTER * SECTORS))
        cut = disk.cut_power()
        self.assertEqual(sum(cut), 12)
        found = self.sectors()
        self.assertEqual(found[:16], [AFTER] * 16)
        self.assertEqual(set(found[16:]), {BEFORE, AFTER})
        quarters = [set(found[number:number + 4]) for number in range(16, SECTORS, 4)]
        self.assertGreaterEqual(quarters.count({AFTER}), cut.whole)
        self.assertGreaterEqual(quarters.count({BEFORE}), cut.lost)
        self.assertGreater(quarters.count({BEFORE, AFTER}), 0, "none was torn")

    def test_after_the_power_cut_nothing_is_answered_until_there_is_power(self):
        disk, client = self.disk(), self.client()
        disk.cut_power()
        self.not_answered(client, nbd.WRITE, 0, data=AFTER)
        disk.power_on()
        client = self.client()
        self.assertEqual(client.request(nbd.READ, 0, SECTOR), (0, BEFORE))
        client.request(nbd.WRITE, 0, data=AFTER)
        client.request(nbd.FLUSH)
        self.assertEqual(self.sectors()[0], AFTER)

    def test_the_power_is_cut_after_a_number_of_requests(self):
        disk, client = self.disk(), self.client()
        is_off = threading.Event()
        disk.cut_power_after(2, is_off.set)
        client.request(nbd.WRITE, 0, data=AFTER)
        self.assertFalse(is_off.is_set())
        self.not_answered(client, nbd.FLUSH)
        self.assertTrue(is_off.wait(10))

    def test_a_later_write_of_a_sector_is_never_replaced_by_an_earlier_one(self):
        for seed in range(20):
            os.truncate(self.path, 0)
            os.truncate(self.path, SECTORS * SECTOR)
            if os.path.exists(self.address):
                os.remove(self.address)
            disk, client = self.disk(seed=seed), self.client()
            for data in (BEFORE, AFTER):
                client.request(nbd.WRITE, 0, data=data)
            client.request(nbd.FLUSH)
            disk.cut_power()
            self.assertEqual(self.sectors()[0], AFTER)

    def test_errors_are_told_and_end(self):
        disk, client = self.disk(), self.client()
        disk.fail(nbd.WRITE, nbd.FLUSH)
        self.assertEqual(client.request(nbd.WRITE, 0, data=AFTER)[0], nbd.EIO)
        self.assertEqual(client.request(nbd.FLUSH)[0], nbd.EIO)
        self.assertEqual(client.request(nbd.READ, 0, SECTOR), (0, BEFORE))
        disk.work()
        self.assertEqual(client.request(nbd.WRITE, 0, data=AFTER)[0], 0)

    def test_a_flush_waits_until_the_disk_works(self):
        disk, client = self.disk(), self.client()
        disk.hold()
        client.request(nbd.WRITE, 0, data=AFTER)
        threading.Timer(0.1, disk.work).start()
        self.assertEqual(self.sectors()[0], BEFORE)
        self.assertEqual(client.request(nbd.FLUSH), (0, b""))
        self.assertEqual(self.sectors()[0], AFTER)

    def test_a_disk_out_of_order_loses_what_it_has_acknowledged(self):
        disk, client = self.disk(ignores_flushes=True), self.client()
        for number in range(SECTORS):
            client.request(nbd.WRITE, number * SECTOR, data=AFTER)
        self.assertEqual(client.request(nbd.FLUSH)[0], 0)
        disk.cut_power()
        self.assertIn(BEFORE, self.sectors())


if __name__ == "__main__":
    unittest.main()
