// Asynchronous copies to shared memory (cp.async), in order before compute capability 8.0.
#pragma once

#include "warpwalk/device.h"

// Copies `bytes` (4, 8 or 16), of which the last `zeros` are not read but become 0.
WARPWALK_DEVICE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const unsigned int shared = static_cast<unsigned int>(__cvta_generic_to_shared(to));
  const unsigned int read = static_cast<unsigned int>(bytes - zeros);
  if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(read) : "memory");
  else if (bytes == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(shared), "l"(from), "r"(read) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(from), "r"(read) : "memory");
#else
  for (size_t i = 0; i < bytes; i += 4)
    *reinterpret_cast<int*>(static_cast<char*>(to) + i) =
        i < bytes - zeros ? *reinterpret_cast<const int*>(static_cast<const char*>(from) + i) : 0;
#endif
}
WARPWALK_DEVICE void __pipeline_commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Waits until at most `left` of the latest groups are in progress. The instruction takes a constant.
WARPWALK_DEVICE void __pipeline_wait_prior(size_t left) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  switch (left) {
    case 0: asm volatile("cp.async.wait_group 0;" ::: "memory"); break;
    case 1: asm volatile("cp.async.wait_group 1;" ::: "memory"); break;
    case 2: asm volatile("cp.async.wait_group 2;" ::: "memory"); break;
    case 3: asm volatile("cp.async.wait_group 3;" ::: "memory"); break;
    case 4: asm volatile("cp.async.wait_group 4;" ::: "memory"); break;
    case 5: asm volatile("cp.async.wait_group 5;" ::: "memory"); break;
    case 6: asm volatile("cp.async.wait_group 6;" ::: "memory"); break;
    case 7: asm volatile("cp.async.wait_group 7;" ::: "memory"); break;
    default: asm volatile("cp.async.wait_group 8;" ::: "memory"); break;
  }
#else
  (void)left;
#endif
}
