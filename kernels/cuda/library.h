// The interface of libwarpwalk_cuda.so for programs that open it at run time: the kernels and the CUDA runtime calls to
// run them. Plain C types only, since the two sides may be built by different compilers.
#pragma once

#include <stdint.h>

extern "C" {

enum { warpwalk_cuda_interface = 1 };  // changes whenever this file does

struct WarpwalkCudaDevice {
  char name[256];
  int64_t total_memory;  // bytes
  int64_t compute_major, compute_minor;
  int64_t sms, warp_size, max_threads_per_block, max_threads_per_sm;
  int64_t registers_per_block, registers_per_sm;
  int64_t shared_per_block, shared_per_block_optin, shared_per_sm;  // bytes
};

struct WarpwalkCudaKernel {
  const char* entry;   // name in assets/ptx
  const char* module;  // kernels/MODULE.cu
};

// Every function returns null, or CUDA's error message (static text).
struct WarpwalkCudaLibrary {
  int interface;
  int runtime_version;  // 13000 is 13.0
  const char* (*device)(int ordinal, struct WarpwalkCudaDevice* out);  // also makes it the current device
  const char* (*allocate)(uint64_t bytes, uint64_t* address);
  const char* (*free)(uint64_t address);
  const char* (*copy_in)(uint64_t to, const void* from, uint64_t bytes, void* stream);   // synchronous
  const char* (*copy_out)(void* to, uint64_t from, uint64_t bytes, void* stream);        // the same
  const char* (*make_stream)(void** stream);
  const char* (*drop_stream)(void* stream);
  // entry<<<grid, block, dynamic_shared_bytes, stream>>>(*arguments[0], *arguments[1], ...). Asynchronous. Sets `found`
  // to 0 if the library lacks the entry.
  const char* (*launch)(const char* entry, const uint32_t grid[3], const uint32_t block[3],
                        uint32_t dynamic_shared_bytes, void* stream, void** arguments, int* found);
  const char* (*synchronize)(void);
  // Registers per thread of an entry, in the code for the current device.
  const char* (*registers)(const char* entry, int* out);
  const struct WarpwalkCudaKernel* kernels;
  uint64_t kernel_count;
};

// The only exported symbol to look up.
const struct WarpwalkCudaLibrary* warpwalk_cuda_library(void);
}
