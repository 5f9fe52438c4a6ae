#!/usr/bin/env python3
"""A button reader such as hobby clocks use: python3-libgpiod, with a line printed for each edge.

usage: reader.py CHIP LINE…
"""
import sys

import gpiod
from gpiod.line import Bias, Edge

chip, lines = sys.argv[1], tuple(map(int, sys.argv[2:]))
settings = gpiod.LineSettings(edge_detection=Edge.BOTH, bias=Bias.PULL_UP, active_low=True)
with gpiod.request_lines(chip, consumer="reader", config={lines: settings}) as request:
    while True:
        for event in request.read_edge_events():
            seconds, nanos = divmod(event.timestamp_ns, 1_000_000_000)
            print(f"{event.line_offset} {seconds}.{nanos:09}", flush=True)
