"""The model behind the lab: how tiled matrix multiplication uses its inputs.

Standard library only, no HTML, no files, no clock. Every number on a page comes from here,
and the tests compare this package with NumPy, torch, Triton's interpreter and a GPU.

Read in this order: ``tiling`` (who owns what), ``matmul`` (one output), ``trace`` (one tile,
phase by phase), ``cost`` (what is loaded), ``order`` (which program owns which tile),
``cache`` (what is still at hand).
"""
