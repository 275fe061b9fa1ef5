// Asks NVIDIA's cuda_occupancy.h for resident blocks. Reads lines of
//   major minor threads_sm shared_sm reserved registers_sm | threads registers shared
// (without the bar) and prints one number for each.
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cuda_occupancy.h>

int main() {
    int major, minor, threads_sm, shared_sm, reserved, registers_sm, threads, registers, shared;
    while (std::scanf("%d %d %d %d %d %d %d %d %d", &major, &minor, &threads_sm, &shared_sm, &reserved, &registers_sm,
                      &threads, &registers, &shared) == 9) {
        cudaOccDeviceProp device;
        device.computeMajor = major;
        device.computeMinor = minor;
        device.maxThreadsPerBlock = 1024;
        device.maxThreadsPerMultiprocessor = threads_sm;
        device.regsPerBlock = registers_sm;
        device.regsPerMultiprocessor = registers_sm;
        device.warpSize = 32;
        device.sharedMemPerBlock = 48 * 1024;
        device.sharedMemPerMultiprocessor = shared_sm;
        device.numSms = 1;
        device.sharedMemPerBlockOptin = shared_sm - reserved;
        device.reservedSharedMemPerBlock = reserved;
        cudaOccFuncAttributes kernel = {};
        kernel.maxThreadsPerBlock = INT_MAX;
        kernel.numRegs = registers;
        kernel.sharedSizeBytes = 0;
        kernel.partitionedGCConfig = PARTITIONED_GC_OFF;
        kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        kernel.maxDynamicSharedSizeBytes = shared_sm - reserved;
        cudaOccDeviceState state;
        state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
        cudaOccResult result = {};
        cudaOccError error =
            cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, threads, shared);
        std::printf("%d\n", error == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : -1 - static_cast<int>(error));
    }
}
