#pragma once

// The structures of CUDA's runtime API with the layouts of driver_types.h and vector_types.h, whose names are in the
// comments. Enumerations have the type int where any value may come.

#include <array>
#include <cstddef>
#include <cstdint>

#include "instrumentation/simulated/device/error.h"

namespace warpwalk::simulated {

/// dim3
struct Dim3 {
  unsigned x = 1, y = 1, z = 1;

  std::array<std::uint32_t, 3> extents() const { return {x, y, z}; }
};
static_assert(sizeof(Dim3) == 12);

/// cudaPitchedPtr
struct PitchedPointer {
  void* at;
  std::size_t pitch, width, height;
};
static_assert(sizeof(PitchedPointer) == 32);

/// cudaExtent
struct Extent {
  std::size_t width, height, depth;
};

/// cudaPos, cudaOffset3D
struct Position {
  std::size_t x, y, z;
};

/// cudaMemcpy3DParms
struct Copy3D {
  const void* from_array;
  Position from_position;
  PitchedPointer from;
  const void* to_array;
  Position to_position;
  PitchedPointer to;
  Extent extent;
  int kind;
};
static_assert(sizeof(Copy3D) == 160);

/// cudaMemcpy3DPeerParms
struct Copy3DPeer {
  const void* from_array;
  Position from_position;
  PitchedPointer from;
  int from_device;
  const void* to_array;
  Position to_position;
  PitchedPointer to;
  int to_device;
  Extent extent;
};
static_assert(sizeof(Copy3DPeer) == 168);

/// cudaMemLocation
struct Location {
  enum Type : int { none = 0, device = 1, host = 2, host_numa = 3, host_numa_current = 4 };
  int type;
  int id;
};
static_assert(sizeof(Location) == 8);

/// cudaMemcpyAttributes
struct CopyAttributes {
  int source_order;
  Location from, to;
  unsigned flags;
};
static_assert(sizeof(CopyAttributes) == 24);

/// cudaMemcpy3DOperand
struct CopyOperand {
  enum Type : int { pointer_operand = 1, array_operand = 2 };
  int type;
  union {
    struct {
      void* at;
      std::size_t row, rows;  ///< bytes per row and rows per slice; 0: as many as are copied
      Location location;
    } pointer;
    struct {
      const void* array;
      Position offset;
    } array;
  };
};
static_assert(sizeof(CopyOperand) == 40);

/// cudaMemcpy3DBatchOp
struct Copy3DOperation {
  CopyOperand from, to;
  Extent extent;
  int source_order;
  unsigned flags;
};
static_assert(sizeof(Copy3DOperation) == 112);

/// cudaMemAccessDesc
struct AccessDescription {
  Location location;
  int flags;
};
static_assert(sizeof(AccessDescription) == 12);

/// cudaMemPoolProps
struct PoolProperties {
  int type;
  int handle_types;
  Location location;
  void* security;
  std::size_t largest;
  unsigned short usage;
  unsigned char reserved[54];
};
static_assert(sizeof(PoolProperties) == 88);

/// cudaPointerAttributes
struct PointerAttributes {
  int type;
  int device;
  void* on_device;
  void* on_host;
  long reserved[8];
};
inline constexpr std::size_t pointer_attributes_12 = 24;  ///< without the reserved fields, which came with CUDA 13

/// cudaFuncAttributes
struct FunctionAttributes {
  std::size_t shared_bytes, constant_bytes, local_bytes;
  int max_threads_per_block, registers, ptx_version, binary_version, cache_mode, max_dynamic_shared_bytes, carveout;
  int cluster_must_be_set, cluster_width, cluster_height, cluster_depth, cluster_policy, nonportable_cluster;
  int reserved[16];
};
static_assert(sizeof(FunctionAttributes) == 144);

/// cudaAccessPolicyWindow
struct AccessWindow {
  void* at;
  std::size_t bytes;
  float hit_ratio;
  int on_hit, on_miss;
};

/// The numbers of cudaLaunchAttributeID.
enum class LaunchAttributeId : int {
  ignore = 0,
  access_window = 1,
  cooperative = 2,
  synchronization = 3,
  cluster = 4,
  cluster_policy = 5,
  programmatic_serialization = 6,
  programmatic_event = 7,
  priority = 8,
  domain_map = 9,
  domain = 10,
  preferred_cluster = 11,
  completion_event = 12,
  updatable_node = 13,
  carveout = 14,
  nvlink_scheduling = 16,
};

/// cudaLaunchAttributeValue
union LaunchAttributeValue {
  char bytes[64];
  AccessWindow window;
  int number;
  Dim3 cluster;
  struct {
    void* event;
    int flags;
    int at_block_start;
  } event;
  struct {
    unsigned char ordinary, remote;
  } domains;
  LaunchAttributeValue() : bytes{} {}
};
static_assert(sizeof(LaunchAttributeValue) == 64);

/// cudaLaunchAttribute
struct LaunchAttribute {
  LaunchAttributeId id;
  char padding[4];
  LaunchAttributeValue value;
};
static_assert(sizeof(LaunchAttribute) == 72);

/// cudaLaunchConfig_t
struct LaunchConfiguration {
  Dim3 grid, block;
  std::size_t dynamic_shared_bytes;
  const void* stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};
static_assert(sizeof(LaunchConfiguration) == 56);

/// Handles of the two default streams, and the devices that are none (cudaCpuDeviceId, cudaInvalidDeviceId).
inline const void* const per_thread_stream = reinterpret_cast<const void*>(2);
inline constexpr int cpu_device = -1, invalid_device_id = -2;

/// The stream that a handle means in functions with the suffix _ptsz, for which 0 is the thread's own default stream.
inline const void* of_thread(const void* stream) { return stream == nullptr ? per_thread_stream : stream; }

}  // namespace warpwalk::simulated
