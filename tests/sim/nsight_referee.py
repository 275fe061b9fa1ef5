"""Asks the occupancy calculator that comes with Nsight Compute, in a process of its own.

Standard input is {"launches": {capability: [[threads, registers, shared bytes], ...]}}; standard output is, for each
capability, null when this Nsight Compute does not know it, else its limits and the resident blocks of every launch. The
interface is NVIDIA's: https://docs.nvidia.com/nsight-compute/OccupancyCalculatorPythonInterface/index.html
"""

import json
import sys

import ncu_occupancy  # type: ignore[import-not-found]  # in extras/python of Nsight Compute, put on the path by nsight.py


def answers(capability, launches):
    """What it says of one capability; None when it does not know it."""
    major, minor = map(int, capability.split("."))
    try:
        limits = ncu_occupancy.get_gpu_data(major, minor)
        calculator = ncu_occupancy.OccupancyCalculator(major, minor)
    except ValueError:
        return None
    most = max(limits["shared_mem_size_configs"])
    return {"limits": limits, "blocks": [blocks(calculator, most, *launch) for launch in launches]}


def blocks(calculator, most, threads, registers, shared):
    """Resident blocks, with all the shared memory that a multiprocessor can give; what is refused cannot start."""
    asked = ncu_occupancy.OccupancyParameters(
        threads_per_block=threads, registers_per_thread=registers, shared_mem_per_block=shared, shared_mem_size=most
    )
    try:
        return int(calculator.get_resource_utilization(asked)["allocated_blocks"])
    except ValueError:
        return 0


if __name__ == "__main__":
    wanted = json.load(sys.stdin)["launches"]
    json.dump({capability: answers(capability, launches) for capability, launches in wanted.items()}, sys.stdout)
