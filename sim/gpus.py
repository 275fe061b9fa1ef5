"""What NVIDIA publishes about some of its GPUs: limits of one multiprocessor, and peaks of the whole GPU.

Limits of a multiprocessor (SM) belong to the compute capability. They are those of NVIDIA's
CUDA C++ Core Libraries, ``libcudacxx/include/cuda/__device/arch_traits.h`` (``arch_traits<sm_70>`` to
``<sm_100>``; it lists the values of the CUDA Programming Guide's table "Technical Specifications per Compute
Capability"). Allocation units, blocks per SM and the four sub-partitions are those of NVIDIA's
``cuda_occupancy.h``, section "Architectural Properties"; a test compiles that header and asks it.

Peaks are *published*, not measured: FP16 products added up in FP32 on the tensor cores, dense (where a data
sheet gives the doubled number for sparse matrices, half of it), and memory bandwidth. ``peak_source`` names
NVIDIA's document and, where the document was read at second hand, where.
"""

from dataclasses import dataclass
from fractions import Fraction

KB = 1024


@dataclass(frozen=True)
class Capability:
    """Limits of one multiprocessor of a compute capability. Bytes are bytes, registers are 32-bit registers.

    ``reserved_bytes`` is what the driver keeps of the shared memory of each block. Shared memory is handed
    out in units of ``shared_unit`` bytes; registers in units of 256 for each warp.
    """

    name: str
    threads: int
    blocks: int
    shared_bytes: int
    reserved_bytes: int
    shared_unit: int
    registers: int = 65_536
    block_threads: int = 1024
    thread_registers: int = 255
    register_unit: int = 256
    partitions: int = 4
    warp: int = 32

    @property
    def block_shared_bytes(self) -> int:
        """Shared memory that one block may ask for (with the opt-in that Triton makes)."""
        return self.shared_bytes - self.reserved_bytes


@dataclass(frozen=True)
class Gpu:
    """A GPU: its capability, and its published peaks (TFLOP/s of dense FP16 with FP32 sums; GB/s, 10**9 bytes)."""

    name: str
    capability: Capability
    peak_tflops: Fraction
    bandwidth_gb_s: int
    peak_source: str


CAPABILITIES = {
    found.name: found
    for found in (
        Capability("7.0", 2048, 32, 96 * KB, 0, 256),
        Capability("7.5", 1024, 16, 64 * KB, 0, 256),
        Capability("8.0", 2048, 32, 164 * KB, KB, 128),
        Capability("8.6", 1536, 16, 100 * KB, KB, 128),
        Capability("8.9", 1536, 24, 100 * KB, KB, 128),
        Capability("9.0", 2048, 32, 228 * KB, KB, 128),
        Capability("10.0", 2048, 32, 228 * KB, KB, 128),
    )
}

_LIGHTNING = "as listed in PyTorch Lightning's fabric/utilities/throughput.py"
_TITAN = "as listed in torchtitan's tools/utils.py"


def _gpu(name: str, capability: str, tenths: int, bandwidth_gb_s: int, source: str) -> Gpu:
    return Gpu(name, CAPABILITIES[capability], Fraction(tenths, 10), bandwidth_gb_s, source)


GPUS = {
    found.name: found
    for found in (
        _gpu("V100 SXM2", "7.0", 1250, 900, f"NVIDIA V100 data sheet, {_LIGHTNING}; bandwidth from spec lists"),
        _gpu("T4", "7.5", 650, 320, f"NVIDIA T4 data sheet, {_LIGHTNING}; bandwidth from spec lists"),
        _gpu("A100 SXM 80 GB", "8.0", 3120, 2039, f"NVIDIA A100 data sheet, {_LIGHTNING} and PyTorch's device_info.py"),
        _gpu("A10", "8.6", 1250, 600, f"NVIDIA A10 data sheet, {_LIGHTNING}; bandwidth from spec lists"),
        _gpu("RTX 3090", "8.6", 712, 936, "NVIDIA RTX Blackwell white paper (its column for RTX 3090), as quoted"),
        _gpu("L4", "8.9", 1210, 300, "NVIDIA L4 data sheet (242 with sparsity), as listed by resellers"),
        _gpu("RTX 4090", "8.9", 1652, 1008, "NVIDIA Ada white paper, appendix A, table 2, as quoted"),
        _gpu(
            "H100 SXM",
            "9.0",
            9895,
            3350,
            f"NVIDIA H100 data sheet (1,979 with sparsity), {_LIGHTNING} and device_info.py",
        ),
        _gpu(
            "H200 SXM",
            "9.0",
            9895,
            4800,
            f"NVIDIA H200 page (1,979 with sparsity), {_TITAN}; bandwidth from spec lists",
        ),
        _gpu("B200", "10.0", 22500, 8000, f"NVIDIA Blackwell data sheet, {_TITAN}; bandwidth from spec lists"),
    )
}
