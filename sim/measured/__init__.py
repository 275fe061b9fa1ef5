"""Measured results, read strictly: what kernel-bench and the load counters wrote, as exact numbers.

Times are whole picoseconds, so that a rate, a ratio or a byte count a second is an exact fraction: operations for each
picosecond are TFLOP/s, bytes for each picosecond are TB/s. Nothing here measures anything.
"""
