"""The interface of Nsight Compute's `ncu_occupancy` for a machine without it: two capabilities, the rules written out.

It shows that the comparison with the real one runs and can fail; it says nothing about NVIDIA's numbers.
"""

from dataclasses import dataclass

THREADS = {(8, 9): 1536, (9, 0): 2048}
BLOCKS = {(8, 9): 24, (9, 0): 32}
SHARED = {(8, 9): 102_400, (9, 0): 233_472}
RESERVED, UNIT = 1024, 128


@dataclass
class OccupancyParameters:
    """A launch; the names are NVIDIA's."""

    threads_per_block: int
    registers_per_thread: int
    shared_mem_per_block: int
    shared_mem_size: int = 0


def get_gpu_data(major, minor):
    """Limits by NVIDIA's names. Raises ValueError for a capability that is not known."""
    if (major, minor) not in THREADS:
        raise ValueError("unknown compute capability")
    return {
        "threads_per_warp": 32,
        "max_threads_per_sm": THREADS[major, minor],
        "max_thread_blocks_per_sm": BLOCKS[major, minor],
        "smem_per_sm": SHARED[major, minor],
        "shared_mem_allocation_unit_size": UNIT,
        "shared_mem_size_configs": [SHARED[major, minor], 65_536, 0],
        "registers_per_sm": 65_536,
        "max_regs_per_thread": 255,
        "reg_allocation_unit_size": 256,
        "max_thread_block_size": 1024,
    }


class OccupancyCalculator:
    """Of one capability."""

    def __init__(self, major, minor):
        self.limits = get_gpu_data(major, minor)

    def get_resource_utilization(self, asked):
        """Resident blocks. Raises ValueError for a launch that cannot start."""
        warps = -(-asked.threads_per_block // 32)
        by_warps = self.limits["max_threads_per_sm"] // 32 // warps
        taken = -(-(asked.shared_mem_per_block + RESERVED) // UNIT) * UNIT
        quarter = 16_384 // (-(-asked.registers_per_thread * 32 // 256) * 256)
        by_registers = 4 * quarter // warps
        if not by_registers:
            raise ValueError("too many registers")
        by_shared = asked.shared_mem_size // taken
        return {"allocated_blocks": min(by_warps, self.limits["max_thread_blocks_per_sm"], by_shared, by_registers)}
