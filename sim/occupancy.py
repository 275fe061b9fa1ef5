"""How many blocks can live on one multiprocessor at a time, and what limits them.

The rules are those of NVIDIA's ``cuda_occupancy.h`` (functions cudaOccMaxBlocksPerSM…Limit): warps, blocks,
shared memory in units and with the driver's part, registers in units for each warp and in four
sub-partitions. It assumes that all shared memory that a multiprocessor can give is given to blocks.
Resident blocks are not a time: more of them hide waiting, and may still be slower.
"""

from dataclasses import dataclass

from sim.gpus import Capability
from sim.tiling import ceil_div


@dataclass(frozen=True)
class Residency:
    """Blocks on one multiprocessor. ``limits`` gives, for threads, blocks, shared memory and registers, how many
    blocks each would allow (None: this resource is not asked for); ``limiting`` names the smallest of them.
    """

    blocks: int
    limits: tuple[tuple[str, int | None], ...]
    limiting: tuple[str, ...]
    threads: int
    capability: Capability

    @property
    def warps(self) -> int:
        """Resident warps of the multiprocessor."""
        return self.blocks * ceil_div(self.threads, self.capability.warp)

    @property
    def most_warps(self) -> int:
        """Warps that the multiprocessor has room for; ``warps`` of them is the occupancy."""
        return self.capability.threads // self.capability.warp


def resident_blocks(
    capability: Capability, threads: int, registers_per_thread: int = 0, shared_bytes: int = 0
) -> Residency:
    """Blocks of ``threads`` threads that fit, each with ``shared_bytes`` of shared memory. 0 blocks: none can start.

    Raises ValueError for fewer than 1 thread or a negative amount.
    """
    if threads < 1:
        raise ValueError(f"threads: given {threads}; allowed: 1 or more")
    for name, amount in (("registers per thread", registers_per_thread), ("shared bytes", shared_bytes)):
        if amount < 0:
            raise ValueError(f"{name}: given {amount}; allowed: 0 or more")
    limits = (
        ("threads", _by_threads(capability, threads)),
        ("blocks", capability.blocks),
        ("shared memory", _by_shared(capability, shared_bytes)),
        ("registers", _by_registers(capability, threads, registers_per_thread)),
    )
    blocks = min(limit for _, limit in limits if limit is not None)
    return Residency(blocks, limits, tuple(name for name, limit in limits if limit == blocks), threads, capability)


def allocated_shared_bytes(capability: Capability, shared_bytes: int) -> int:
    """Bytes that a block takes away from the multiprocessor: the driver's part added, rounded up to a whole unit."""
    return ceil_div(shared_bytes + capability.reserved_bytes, capability.shared_unit) * capability.shared_unit


def _by_threads(capability: Capability, threads: int) -> int:
    if threads > capability.block_threads:
        return 0
    return capability.threads // capability.warp // ceil_div(threads, capability.warp)


def _by_shared(capability: Capability, shared_bytes: int) -> int | None:
    taken = allocated_shared_bytes(capability, shared_bytes)
    if taken > capability.shared_bytes:
        return 0
    return capability.shared_bytes // taken if taken else None


def _by_registers(capability: Capability, threads: int, registers: int) -> int | None:
    if not registers:
        return None
    if registers > capability.thread_registers:
        return 0
    warps = ceil_div(threads, capability.warp)
    unit, partitions = capability.register_unit, capability.partitions
    for_warp = ceil_div(registers * capability.warp, unit) * unit
    if for_warp * ceil_div(warps, partitions) * partitions > capability.registers:
        return 0
    return capability.registers // partitions // for_warp * partitions // warps
