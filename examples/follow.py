#!/usr/bin/env python3
"""Follows the clock on the system bus, also over restarts of the service, and prints what it shows whenever that changes.

Needs dbus-fast: pip install dbus-fast
"""

import asyncio
import time

from dbus_fast import BusType, DBusError, Message, MessageType
from dbus_fast.aio import MessageBus

SERVICE = INTERFACE = "org.chessclock.Clock1"
PATH = "/org/chessclock/Clock1"
BUS = "org.freedesktop.DBus"


async def call(bus, destination, path, interface, member, signature="", *body):
    message = Message(destination, path, interface, member, signature=signature, body=list(body))
    answer = await asyncio.wait_for(bus.call(message), 5)
    if answer.message_type == MessageType.ERROR:
        raise DBusError(answer.error_name, str(answer.body))
    return answer.body


async def read(bus, owner):
    """Returns the state of this owner, and the monotonic clock of this machine minus that of the service's machine."""
    (state,) = await call(bus, owner, PATH, INTERFACE, "GetState")
    (monotonic, _realtime, _boot) = await call(bus, owner, PATH, INTERFACE, "GetTimebase")
    return plain(state), time.monotonic_ns() - monotonic


def plain(state):
    return {key: variant.value for key, variant in state.items()}


def at(state, now):
    """Both main numbers at the instant `now`, in nanoseconds: the section "How to show a running clock" of docs/dbus.rst."""
    numbers = {"White": state["WhiteRemainingNSec"], "Black": state["BlackRemainingNSec"]}
    side = state["Running"].capitalize()
    if not side or state[side + "OutOfTime"]:
        return numbers
    used = max(0, now - state["AtNSec"] - state[side + "DelayNSec"])
    if state["Counting"] == "up":
        limit = state[side + "LimitNSec"]
        numbers[side] += used
        if limit != -1:
            numbers[side] = min(numbers[side], limit)
        return numbers
    used = min(used, numbers[side])
    numbers[side] -= used
    if state["Counting"] == "hourglass":
        numbers["Black" if side == "White" else "White"] += used
    return numbers


def face(nsec):
    """A time as the face shows it: rounded up, with tenths below 20 s."""
    if nsec <= 19_900_000_000:
        tenths = -(-nsec // 100_000_000)
        return f"{tenths // 10}.{tenths % 10}"
    seconds = -(-nsec // 1_000_000_000)
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


async def main():
    bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
    signals = asyncio.Queue()
    bus.add_message_handler(lambda message: signals.put_nowait(message) if message.member in ("Transition", "NameOwnerChanged") else None)
    for rule in (
        f"type='signal',sender='{SERVICE}',path='{PATH}',interface='{INTERFACE}',member='Transition'",
        f"type='signal',sender='{BUS}',member='NameOwnerChanged',arg0='{SERVICE}'",
    ):
        await call(bus, BUS, "/org/freedesktop/DBus", BUS, "AddMatch", "s", rule)
    try:
        (owner,) = await call(bus, BUS, "/org/freedesktop/DBus", BUS, "GetNameOwner", "s", SERVICE)
    except DBusError:
        owner = ""
    state, printed, is_read = None, None, False
    while True:
        try:
            if owner and not is_read:
                state, ahead = await read(bus, owner)
                is_read = True
        except (DBusError, TimeoutError, asyncio.TimeoutError):
            # Either the service has gone, which a signal reports, or it was slow, and is asked again.
            state = None
        shown = "no clock service"
        if state:
            numbers = at(state, time.monotonic_ns() - ahead)
            shown = f"White {face(numbers['White'])}  Black {face(numbers['Black'])}  {state['Phase']}"
        if shown != printed:
            print(shown, flush=True)
            printed = shown
        try:
            signal = await asyncio.wait_for(signals.get(), 0.1)
        except (TimeoutError, asyncio.TimeoutError):
            continue
        if signal.member == "NameOwnerChanged" and signal.sender == BUS:
            # The sequence numbers of a restarted service begin at 1 again.
            owner, state, is_read = signal.body[2], None, False
        elif signal.member == "Transition" and signal.sender == owner and state:
            changed = plain(signal.body[1])
            if changed["Sequence"] == state["Sequence"] + 1:
                state = changed
            elif changed["Sequence"] > state["Sequence"]:
                is_read = False  # signals are missing


asyncio.run(main())
