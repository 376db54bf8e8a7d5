#pragma once

// The binary interface of CUDA's driver API, as NVIDIA's cuda.h and the CUDA Driver API reference describe it: handles,
// structs and the numbers of enumerations, for CUDA 12 and 13.

#include <array>
#include <cstddef>
#include <cstdint>

#include "instrumentation/simulated/device/array.h"
#include "instrumentation/simulated/device/error.h"
#include "instrumentation/simulated/device/graph.h"
#include "instrumentation/simulated/device/module.h"
#include "instrumentation/simulated/device/stream.h"

namespace warpwalk::simulated {

struct Context;
struct LinkState;
struct MemoryPool;

using CUresult = Error;
using CUdevice = int;
using CUdeviceptr = std::uint64_t;
using CUcontext = Context*;
using CUmodule = Module*;
using CUlibrary = Module*;
using CUfunction = Kernel*;
using CUkernel = Kernel*;
using CUstream = Stream*;  ///< or one of the numbers 1 and 2: Streams::find() knows them
using CUevent = Event*;
using CUarray = Array*;
using CUlinkState = LinkState*;
using CUmemoryPool = MemoryPool*;
using CUhostFn = void (*)(void* data);
using CUstreamCallback = void (*)(CUstream stream, CUresult status, void* data);
using CUoccupancyB2DSize = std::size_t (*)(int block_size);

/// The version that cuDriverGetVersion reports.
inline constexpr int driver_version = 13000;

struct CUuuid {
  std::array<char, 16> bytes;
};

struct CUdevprop {
  int max_threads_per_block;
  std::array<int, 3> max_block, max_grid;
  int shared_per_block, constant_bytes, warp_size, max_pitch, registers_per_block, clock_khz, texture_alignment;
};
static_assert(sizeof(CUdevprop) == 56);

struct CUctxCreateParams {
  void* affinity;
  int affinity_count;
  void* graphics;
};
static_assert(sizeof(CUctxCreateParams) == 24);

enum class MemoryType : int { host = 1, device = 2, array = 3, unified = 4 };

/// One side of a CUDA_MEMCPY2D.
struct CopySide2D {
  std::size_t x_bytes, y;
  MemoryType type;
  std::uint64_t host;
  CUdeviceptr device;
  CUarray array;
  std::size_t pitch;
};

struct CUDA_MEMCPY2D {
  CopySide2D from, to;
  std::size_t width_bytes, height;
};
static_assert(sizeof(CUDA_MEMCPY2D) == 128);

/// One side of a CUDA_MEMCPY3D or CUDA_MEMCPY3D_PEER.
struct CopySide3D {
  std::size_t x_bytes, y, z, level;
  MemoryType type;
  std::uint64_t host;
  CUdeviceptr device;
  CUarray array;
  CUcontext context;  ///< reserved in CUDA_MEMCPY3D
  std::size_t pitch, height;
};

struct CUDA_MEMCPY3D {
  CopySide3D from, to;
  std::size_t width_bytes, height, depth;
};
static_assert(sizeof(CUDA_MEMCPY3D) == 200);

enum class LocationType : int { none = 0, device = 1, host = 2, host_numa = 3, host_numa_current = 4 };

struct CUmemLocation {
  LocationType type;
  int id;
};
static_assert(sizeof(CUmemLocation) == 8);

struct CUmemAccessDesc {
  CUmemLocation location;
  int flags;  ///< 0: none, 1: read, 3: read and write
};
static_assert(sizeof(CUmemAccessDesc) == 12);

struct CUmemAllocationProp {
  int type = 0;          ///< 1: pinned, 2: managed
  int handle_types = 0;  ///< 0: not shared between processes
  CUmemLocation location;
  void* security = nullptr;
  unsigned char compression = 0;
  unsigned char direct_access = 0;
  unsigned short usage = 0;
  std::array<unsigned char, 4> reserved{};
};
static_assert(sizeof(CUmemAllocationProp) == 32);

struct CUmemPoolProps {
  int type;          ///< 1: pinned, 2: managed
  int handle_types;  ///< 0: not shared between processes
  CUmemLocation location;
  void* security;
  std::size_t max_bytes;
  unsigned short usage;
  std::array<unsigned char, 54> reserved;
};
static_assert(sizeof(CUmemPoolProps) == 88);

struct CUmemcpyAttributes {
  int source_order;
  CUmemLocation from, to;
  unsigned flags;
};
static_assert(sizeof(CUmemcpyAttributes) == 24);

struct CUaccessPolicyWindow {
  void* base;
  std::size_t bytes;
  float hit_ratio;
  int hit_property, miss_property;
};
static_assert(sizeof(CUaccessPolicyWindow) == 32);

enum class LaunchAttributeId : int {
  ignore = 0,
  access_policy_window = 1,
  cooperative = 2,
  synchronization_policy = 3,
  cluster_dimension = 4,
  cluster_scheduling_policy = 5,
  programmatic_stream_serialization = 6,
  programmatic_event = 7,
  priority = 8,
  mem_sync_domain_map = 9,
  mem_sync_domain = 10,
  preferred_cluster_dimension = 11,
  launch_completion_event = 12,
  device_updatable_kernel_node = 13,
  preferred_shared_memory_carveout = 14,
  nvlink_centric_scheduling = 16,
};

union LaunchAttributeValue {
  std::array<char, 64> bytes;
  CUaccessPolicyWindow window;
  std::array<std::uint32_t, 3> cluster;
  struct {
    CUevent event;
    int flags;
    int at_block_start;
  } event;
  int number;  ///< of all other attributes
};
static_assert(sizeof(LaunchAttributeValue) == 64);

struct CUlaunchAttribute {
  LaunchAttributeId id;
  int padding;
  LaunchAttributeValue value;
};
static_assert(sizeof(CUlaunchAttribute) == 72);

struct CUlaunchConfig {
  std::array<std::uint32_t, 3> grid, block;
  std::uint32_t shared_bytes;
  CUstream stream;
  CUlaunchAttribute* attributes;
  std::uint32_t attribute_count;
};
static_assert(sizeof(CUlaunchConfig) == 56);

enum class StreamMemoryOperation : int {
  wait_value_32 = 1,
  write_value_32 = 2,
  flush_remote_writes = 3,
  wait_value_64 = 4,
  write_value_64 = 5,
  barrier = 6,
};

/// A CUstreamBatchMemOpParams.
struct StreamMemoryOperationParameters {
  StreamMemoryOperation operation;
  CUdeviceptr address;
  std::uint64_t value;
  std::uint32_t flags;
  CUdeviceptr alias;
  std::uint64_t padding;
};
static_assert(sizeof(StreamMemoryOperationParameters) == 48);

/// CUfunction_attribute.
enum class FunctionAttribute : int {
  max_threads_per_block = 0,
  static_shared_bytes = 1,
  constant_bytes = 2,
  local_bytes = 3,
  registers = 4,
  ptx_version = 5,
  binary_version = 6,
  cache_mode_ca = 7,
  max_dynamic_shared_bytes = 8,
  preferred_carveout = 9,
  cluster_must_be_set = 10,
  cluster_width = 11,
  cluster_height = 12,
  cluster_depth = 13,
  nonportable_cluster = 14,
  cluster_scheduling = 15,
};

/// CUjitInputType.
enum class LinkInput : int { cubin = 0, ptx = 1, fat_binary = 2, object = 3, library = 4, nvvm = 5 };

}  // namespace warpwalk::simulated
