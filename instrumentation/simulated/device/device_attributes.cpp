#include "instrumentation/simulated/device/device_attributes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>

namespace warpwalk::simulated {
namespace {

struct FixedAttribute {
  int attribute, value;
};

/// By number. Texture and surface limits are those of the CUDA programming guide for compute capability 7.5 and later.
constexpr FixedAttribute fixed_attributes[] = {
    {2, 1024},         // block: x
    {3, 1024},         // y
    {4, 64},           // z
    {5, 2147483647},   // grid: x
    {6, 65535},        // y
    {7, 65535},        // z
    {9, 65536},        // constant memory
    {11, 2147483647},  // pitch of copies
    {14, 512},         // alignment of textures
    {15, 1},           // copies beside kernels
    {17, 0},           // time limit of kernels
    {18, 0},           // integrated
    {19, 1},           // maps host memory
    {20, 0},           // compute mode: default
    {21, 131072},      // texture: 1D
    {22, 131072},      // 2D width
    {23, 65536},       // 2D height
    {24, 16384},       // 3D width
    {25, 16384},       // 3D height
    {26, 16384},       // 3D depth
    {27, 32768},       // 2D layered width
    {28, 32768},       // 2D layered height
    {29, 2048},        // 2D layers
    {30, 512},         // alignment of surfaces
    {31, 1},           // concurrent kernels
    {33, 1},           // PCI bus
    {34, 0},           // PCI device
    {35, 0},           // TCC driver
    {41, 1},           // unified addresses
    {42, 32768},       // texture: 1D layered width
    {43, 2048},        // 1D layers
    {44, 1},           // texture gather
    {45, 32768},       // 2D gather width
    {46, 32768},       // 2D gather height
    {47, 8192},        // 3D, other shape: width
    {48, 8192},        // height
    {49, 32768},       // depth
    {50, 0},           // PCI domain
    {51, 32},          // alignment of texture pitches
    {52, 32768},       // texture: cubemap
    {53, 32768},       // layered cubemap width
    {54, 2046},        // layered cubemap layers
    {55, 32768},       // surface: 1D
    {56, 131072},      // 2D width
    {57, 65536},       // 2D height
    {58, 16384},       // 3D width
    {59, 16384},       // 3D height
    {60, 16384},       // 3D depth
    {61, 32768},       // 1D layered width
    {62, 2048},        // 1D layers
    {63, 32768},       // 2D layered width
    {64, 32768},       // 2D layered height
    {65, 2048},        // 2D layers
    {66, 32768},       // cubemap
    {67, 32768},       // layered cubemap width
    {68, 2046},        // layered cubemap layers
    {69, 268435456},   // texture: 1D linear
    {70, 131072},      // 2D linear width
    {71, 65000},       // 2D linear height
    {72, 2097120},     // 2D linear pitch
    {73, 32768},       // 2D mipmapped width
    {74, 32768},       // 2D mipmapped height
    {77, 32768},       // 1D mipmapped
    {78, 1},           // priorities of streams
    {79, 1},           // global memory in L1
    {80, 1},           // local memory in L1
    {83, 1},           // managed memory
    {84, 0},           // several GPUs on a board
    {85, 0},           // ID of the board
    {86, 0},           // atomics between host and GPU
    {88, 0},           // kernels access pageable memory
    {89, 1},           // managed memory is shared while kernels run
    {90, 1},           // preemption
    {91, 1},           // registered memory has the same address
    {92, 1},           // stream memory operations, version 1
    {93, 1},           // of 64 bits
    {94, 1},           // wait for "nor"
    {95, 1},           // cooperative launches
    {96, 0},           // on several devices
    {98, 0},           // remote writes are flushed
    {99, 1},           // host memory can be registered
    {100, 0},          // kernels use the host's page tables
    {101, 0},          // the host accesses managed memory on the GPU
    {102, 1},          // virtual memory management
    {103, 0},          // handles: file descriptor
    {104, 0},          // Win32
    {105, 0},          // Win32 KMT
    {107, 0},          // compressed memory
    {110, 0},          // RDMA with virtual memory management
    {112, 0},          // sparse arrays
    {113, 1},          // read-only registration
    {114, 0},          // timeline semaphores
    {115, 1},          // memory pools
    {116, 0},          // RDMA
    {117, 0},          // RDMA: flushes
    {118, 0},          // RDMA: order of writes
    {119, 0},          // handle types of pools
    {121, 0},          // deferred mapping of arrays
    {122, 1},          // stream memory operations, version 2
    {123, 1},          // "nor", version 2
    {124, 0},          // DMA-BUF
    {125, 0},          // events between processes
    {127, 0},          // tensor maps
    {128, 0},          // handles: fabric
    {129, 0},          // unified function pointers
    {130, 0},          // NUMA configuration
    {131, -1},         // NUMA node
    {132, 0},          // multicast
    {133, 0},          // MPS
    {134, -1},         // NUMA node of the host
    {135, 0},          // D3D12 CIG
    {136, 0},          // memory decompression: algorithms
    {137, 0},          // memory decompression: largest size
    {138, 0},          // Vulkan CIG
    {140, 0},          // PCI subsystem
    {141, 0},          // pools in the host's NUMA memory, with virtual memory management
    {142, 0},          // pools in the host's NUMA memory
    {143, 0},          // shared between nodes
    {144, 0},          // pools in host memory
    {145, 0},          // host memory with virtual memory management
    {146, 0},          // DMA-BUF of host memory
    {147, 0},          // some atomics between host and GPU
};

int value_or(const gpu::IntParameter& parameter, std::int64_t other) {
  constexpr std::int64_t largest = 2147483647;
  return static_cast<int>(std::min(parameter ? *parameter : other, largest));
}

int kilohertz(const gpu::RealParameter& clock) { return clock ? static_cast<int>(std::lround(*clock / 1e3)) : 0; }

/// Bits of the memory bus: bandwidth = 2 transfers per cycle of the memory clock. HBM has 1024 bits a stack.
int bus_bits(const gpu::Device& device) {
  if (!device.memory_clock || !device.memory_bandwidth) return 0;
  const double bits = 8 * *device.memory_bandwidth / (2 * *device.memory_clock);
  constexpr int stack = 1024, chip = 32;
  const int step = bits > stack ? stack : chip;
  return static_cast<int>(std::lround(bits / step)) * step;
}

/// The part of L2 that can be set aside, as GPUs of this compute capability report it.
int persisting_l2(int major, int minor, int l2_bytes) {
  if (major < 8) return 0;
  const double part = major >= 9 ? 0.625 : minor == 0 ? 0.75 : 0.6875;
  return static_cast<int>(part * l2_bytes);
}

int single_to_double(const gpu::Device& device) {
  const int doubles = value_or(device.fp64_lanes, 0);
  return doubles == 0 ? 1 : value_or(device.fp32_lanes, 0) / doubles;
}

}  // namespace

std::optional<int> device_attribute(const gpu::Device& device, int attribute) {
  const std::string& capability = *device.compute_capability;
  const int major = std::atoi(capability.c_str());
  const int minor = std::atoi(capability.c_str() + std::min(capability.find('.'), capability.size() - 1) + 1);
  const bool data_center = major >= 9 || minor == 0;
  constexpr int window_bytes = 134213632;
  switch (attribute) {
    case 1: return value_or(device.threads_per_block, 1024);
    case 8: return value_or(device.shared_per_block, 49152);
    case 10: return value_or(device.threads_per_warp, 32);
    case 12: return value_or(device.registers_per_block, 65536);
    case 13: return kilohertz(device.sm_clock);
    case 16: return value_or(device.sm_count, 1);
    case 32: return device.name.find("GeForce") == std::string::npos ? 1 : 0;  // ECC
    case 36: return kilohertz(device.memory_clock);
    case 37: return bus_bits(device);
    case 38: return value_or(device.l2_bytes, 0);
    case 39: return value_or(device.warps_per_sm, 64) * value_or(device.threads_per_warp, 32);
    case 40: return data_center ? 3 : 2;
    case 75: return major;
    case 76: return minor;
    case 81: return value_or(device.shared_per_sm, 49152);
    case 82: return value_or(device.registers_per_sm, 65536);
    case 87: return single_to_double(device);
    case 97: return value_or(device.shared_per_block_optin, 49152);
    case 106: return value_or(device.blocks_per_sm, 16);
    case 108: return persisting_l2(major, minor, value_or(device.l2_bytes, 0));
    case 109: return major >= 8 ? window_bytes : 0;
    case 111: return value_or(device.shared_reserved_per_block, 0);
    case 120: return major >= 9 ? 1 : 0;  // clusters
    case 126: return major >= 9 ? 4 : 1;  // memory domains
    case 139: return 0;                   // PCI device and vendor
    default: break;
  }
  const auto found = std::ranges::find(fixed_attributes, attribute, &FixedAttribute::attribute);
  if (found == std::end(fixed_attributes)) return {};
  return found->value;
}

std::array<char, 16> device_uuid(const gpu::Device& device) {
  const std::string hash = gpu::hash_of(device);
  std::array<char, 16> bytes{};
  hash.copy(bytes.data(), bytes.size());
  return bytes;
}

}  // namespace warpwalk::simulated
