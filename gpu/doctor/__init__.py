"""What this machine can run of the lab, and the one next step for what it cannot: `python -m gpu.doctor`.

Standard library only. Each question to PyTorch, Triton, OpenCL or the driver is put by a process of its own, so a
broken installation ends that process and not the doctor.
"""
