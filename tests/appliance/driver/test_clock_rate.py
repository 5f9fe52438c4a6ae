"""CLOCK_MONOTONIC runs faster or slower, as when a time service slews the wall clock."""

from board import FAULT, GAME, objects, script
from machine import MachineTest

# `slew PPM TICK` tells the kernel a frequency, as time services do: PPM (500 at most), and how many microseconds
# a tick of 10 ms has. The numbers are the fields modes, freq and tick of `struct timex`.
SLEW = """
slew() {
    python3 -c "
import ctypes
timex = (ctypes.c_long * 26)()
timex[0], timex[2], timex[11] = 0x4002, $1 << 16, $2
assert ctypes.CDLL(None).adjtimex(timex) >= 0
"
}
number() { property Health $1 | grep -o -- '-\\?[0-9]\\+' | tail -1; }
# How often the clock loop has been on the processor: in PREEMPT_RT more than once for each time it is woken.
wakes() {
    local loop
    loop=$(grep -lx clock-loop /proc/$(pidof clockd)/task/*/comm)
    awk '/ctxt/ { sum += $2 } END { print sum }' ${loop%comm}status
}
seconds() { cut -d' ' -f1 /proc/uptime; }
"""
SLEWED = "slewed by more than 200 ppm"


class ClockRate(MachineTest):
    def do(self, text):
        return self.machine.run(script(GAME + SLEW) + script(text))

    def setUp(self):
        self.do("fresh-clock; is_up; until_prints '^[1-9]' number ClockRateWindows")

    def tearDown(self):
        self.do("slew 0 10000; until_prints '@as \\[\\]' faults")

    def test_it_is_measured_without_waking_the_loop(self):
        idle, = objects(self.do("""
            before=$(wakes) windows=$(number ClockRateWindows)
            sleep 30
            printf '{"wakes": %s, "windows": %s, "ppb": %s, "worst": %s}\\n' $(($(wakes) - before)) \\
                $(($(number ClockRateWindows) - windows)) $(number ClockRatePpb) $(number WorstClockRatePpb)
        """))
        self.assertEqual(idle["wakes"], 0)
        self.assertIn(idle["windows"], range(12, 17))
        # Reading both clocks has an error of 10 ppm at most; it is much less where nothing interrupts it.
        self.assertLess(abs(idle["worst"]), 10_000)
        self.assertLessEqual(abs(idle["ppb"]), abs(idle["worst"]))

    def test_a_fault_comes_at_once_and_goes(self):
        """Each change wakes the idle loop, which then sleeps again although the clock is still slewed."""
        came, stays, went = objects(self.do(f"""
            mark
            before=$(wakes) begun=$(seconds)
            slew 500 10000
            until_prints '{SLEWED}' faults
            printf '{{"after": %s, "wakes": %s}}\\n' $(awk "BEGIN {{ print $(seconds) - $begun }}") $(($(wakes) - before))
            before=$(wakes)
            sleep 10
            printf '{{"wakes": %s, "ppb": %s}}\\n' $(($(wakes) - before)) $(number ClockRatePpb)
            before=$(wakes)
            slew 0 10000
            until_prints '@as \\[\\]' faults
            printf '{{"wakes": %s, "worst": %s}}\\n' $(($(wakes) - before)) $(number WorstClockRatePpb)
            # One entry of the journal, although the fault was there for several windows.
            said MESSAGE_ID={FAULT} -o json | grep -c '{SLEWED}' | grep -x 1
        """))
        # Two windows of 2 s, and the time that the calls of gdbus take here.
        self.assertLess(came["after"], 6)
        self.assertIn(came["wakes"], range(1, 8))
        self.assertEqual(stays["wakes"], 0)
        self.assertAlmostEqual(stays["ppb"], 500_000, delta=10_000)
        self.assertIn(went["wakes"], range(1, 8))
        self.assertAlmostEqual(went["worst"], 500_000, delta=10_000)

    def test_a_rate_close_to_the_limit_is_one_fault(self):
        """A tick of 9990 µs is -1000 ppm. At 170 ppm a fault stays; without one, there is none."""
        slow, close, = objects(self.do(f"""
            slew 170 10000
            sleep 6
            faults | grep -x '(<@as \\[\\]>,)'
            slew 0 9990
            until_prints '{SLEWED}' faults
            sleep 5
            printf '{{"ppb": %s, "worst": %s}}\\n' $(number ClockRatePpb) $(number WorstClockRatePpb)
            slew 170 10000
            sleep 6
            faults | grep '{SLEWED}'
            printf '{{"ppb": %s, "worst": %s}}\\n' $(number ClockRatePpb) $(number WorstClockRatePpb)
            slew 140 10000
            until_prints '@as \\[\\]' faults
        """))
        self.assertAlmostEqual(slow["ppb"], -1_000_000, delta=10_000)
        self.assertAlmostEqual(close["ppb"], 170_000, delta=10_000)
        self.assertAlmostEqual(close["worst"], -1_000_000, delta=10_000)
