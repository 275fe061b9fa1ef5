"""Triton kernels for matrix multiplication, a bench for them, and the stored evidence.

`gpu` imports neither `sim` nor `lab`: the tests compare them from outside.
"""
