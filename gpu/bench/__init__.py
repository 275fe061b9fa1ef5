"""kernel-bench: verify kernels, time them beside torch, and write down what was seen."""
