"""Hardware counters beside the load model's closed form: `python -m gpu.counters --output FILE`.

Two studies, each measured with Nsight Compute and timed once more without it:

- `loads`: downloads/tiled_matmul.cu. Does a GPU really load 2 N**3 / T inputs? And what do fewer loads do to sectors,
  bytes and time?
- `grouping`: the teaching Triton kernel. What does GROUP_M do to the L2 cache's hit rate and to time, and
  where nothing?

Only the `grouping` study needs torch and Triton. Nothing here knows `sim`: the model's count is worked out again below,
and tests/results compares the two.
"""
