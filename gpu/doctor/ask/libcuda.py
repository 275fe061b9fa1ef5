"""Asked by the doctor in a process of its own: the driver's own library, by ctypes, with no CUDA toolkit."""

import ctypes
import sys

NAMES = ("nvcuda.dll",) if sys.platform == "win32" else ("libcuda.so.1", "libcuda.so")


def answer():
    """A dict for the doctor: the CUDA version that the driver supports, the number of GPUs, an error code."""
    library = None
    for name in NAMES:
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        break
    if library is None:
        return {"library": False}
    version, count = ctypes.c_int(0), ctypes.c_int(0)
    library.cuDriverGetVersion(ctypes.byref(version))  # works before cuInit, and without a GPU
    code = library.cuInit(0)
    if code == 0:
        code = library.cuDeviceGetCount(ctypes.byref(count))
    cuda = f"{version.value // 1000}.{version.value % 1000 // 10}"
    return {"library": True, "cuda": cuda, "gpus": count.value, "error": code}
