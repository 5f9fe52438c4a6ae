"""How the benchmarks print what they have measured."""


def quantile(values, part):
    """The smallest value that the fraction `part` of all values does not exceed."""
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))]


def row(name, values, unit=1000):
    print(f"  {name:<38} p50 {quantile(values, .5) / unit:>9.1f}  p99 {quantile(values, .99) / unit:>9.1f}"
          f"  max {max(values) / unit:>9.1f} µs  ({len(values)})")


def ratio(name, ours, peer, wanted):
    print(f"  {name:<38} {ours / peer:.3f}   (target: {wanted})")
