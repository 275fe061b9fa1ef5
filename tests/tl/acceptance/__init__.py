"""Kernels that nobody here wrote, in sim.tl and on Triton's interpreter (`python -m tests.tl.acceptance.generate`)."""
