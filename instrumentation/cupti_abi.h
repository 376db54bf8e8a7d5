#pragma once

#include <cstddef>
#include <cstdint>

/// The part of CUPTI's binary interface that the recorder uses. Declaring it here lets the recorder build without CUPTI
/// installed and run with any CUPTI from 12.0 on. The records follow the CUPTI 13.0 documentation. Only the leading
/// fields of each record are declared; later versions of a record keep them. tests/instrumentation compares these
/// declarations with NVIDIA's headers.
namespace warpwalk::instrumentation::cupti {

/// The values of CUptiResult that the recorder distinguishes.
enum Result : int {
  success = 0,
  max_limit_reached = 12,
  not_initialized = 15,
  insufficient_privileges = 35,
  multiple_subscribers = 39,
  virtualized_privileges = 40,
};

/// CUpti_ActivityKind.
enum Kind : std::uint32_t {
  kind_memcpy = 1,
  kind_memset = 2,
  kind_driver = 4,
  kind_runtime = 5,
  kind_device = 8,
  kind_context = 9,
  kind_concurrent_kernel = 10,
  kind_overhead = 17,
  kind_memcpy_peer = 22,
  kind_cuda_event = 36,
  kind_stream = 37,
  kind_synchronization = 38,
  kind_external_correlation = 39,
  kind_memory = 49,
  kind_memory_pool = 50,
};

/// CUpti_CallbackDomain.
enum Domain : std::uint32_t { domain_driver = 1, domain_runtime = 2, domain_resource = 3 };
/// CUPTI_CBID_RESOURCE_MODULE_LOADED, in domain_resource.
constexpr std::uint32_t module_loaded = 6;

/// CUpti_ActivityThreadIdType: CUPTI's own, and thread IDs as returned by gettid().
constexpr std::uint32_t default_thread_ids = 0, system_thread_ids = 1;
/// CUPTI_ACTIVITY_FLAG_FLUSH_FORCED.
constexpr std::uint32_t flush_forced = 1;
/// CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT: the maximum number of device buffers per context, a std::size_t.
constexpr std::uint32_t attribute_device_buffers = 2;
/// CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC and CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC.
constexpr std::uint32_t flag_async = 1;
/// CUpti_ActivityObjectKind of an overhead record: a thread.
constexpr std::uint32_t object_thread = 2;
/// CUpti_ActivityMemoryPoolType: a pool owned by this process.
constexpr std::uint32_t local_pool = 1;

/// The leading fields of CUpti_ActivityKernel10, which CUpti_ActivityKernel9 has too.
struct Kernel {
  std::uint32_t kind;
  std::uint8_t cache_config, shared_config;
  std::uint16_t registers;
  std::uint32_t partitioned_requested, partitioned_executed;
  std::uint64_t start, end, completed;
  std::uint32_t device, context, stream;
  std::int32_t grid[3], block[3];
  std::int32_t static_shared, dynamic_shared;
  std::uint32_t local_per_thread, local_total, correlation;
  std::int64_t grid_id;
  const char* name;
  void* reserved;
  std::uint64_t queued, submitted;
  std::uint8_t launch_type, carveout_requested, carveout, padding;
  std::uint32_t shared_executed;
  std::uint64_t graph_node;
  std::uint32_t shared_limit;
  std::uint32_t graph;
  void* access_policy;
  std::uint32_t channel, channel_type;
  std::uint32_t cluster[3];
};

/// CUpti_ActivityAPI.
struct Api {
  std::uint32_t kind, cbid;
  std::uint64_t start, end;
  std::uint32_t process, thread, correlation, result;
};

/// CUpti_ActivityMemcpy6.
struct Memcpy {
  std::uint32_t kind;
  std::uint8_t copy_kind, from, to, flags;
  std::uint64_t bytes, start, end;
  std::uint32_t device, context, stream, correlation, runtime_correlation, pad;
  void* reserved;
  std::uint64_t graph_node;
  std::uint32_t graph;
};

/// CUpti_ActivityMemcpyPtoP4.
struct MemcpyPeer {
  std::uint32_t kind;
  std::uint8_t copy_kind, from, to, flags;
  std::uint64_t bytes, start, end;
  std::uint32_t device, context, stream, from_device, from_context, to_device, to_context, correlation;
  void* reserved;
  std::uint64_t graph_node;
  std::uint32_t graph;
};

/// CUpti_ActivityMemset4.
struct Memset {
  std::uint32_t kind, value;
  std::uint64_t bytes, start, end;
  std::uint32_t device, context, stream, correlation;
  std::uint16_t flags, memory;
  std::uint32_t pad;
  void* reserved;
  std::uint64_t graph_node;
  std::uint32_t graph;
};

/// CUpti_ActivitySynchronization2.
struct Synchronization {
  std::uint32_t kind, type;
  std::uint64_t start, end;
  std::uint32_t correlation, context, stream, event;
};

/// CUpti_ActivityOverhead3. For a thread, `object` holds the process ID, then the thread ID.
struct Overhead {
  std::uint32_t kind, overhead_kind, object_kind, object[3];
  std::uint64_t start, end;
};

/// CUpti_ActivityExternalCorrelation.
struct ExternalCorrelation {
  std::uint32_t kind, external_kind;
  std::uint64_t external_id;
  std::uint32_t correlation;
};

/// CUpti_ActivityMemory4.
struct Memory {
  std::uint32_t kind, operation, memory_kind, correlation;
  std::uint64_t address, bytes, timestamp, pc;
  std::uint32_t process, device, context, stream;
  const char* name;
  std::uint32_t is_async, pad1;
  std::uint32_t pool_type, pad2;
  std::uint64_t pool_address, release_threshold;
  std::uint64_t pool_size_or_process;  ///< local pool: its size; imported pool: the ID of the owning process
  std::uint64_t pool_used;
};

/// CUpti_ActivityMemoryPool2, also the leading fields of CUpti_ActivityMemoryPool3.
struct MemoryPool {
  std::uint32_t kind, operation, pool_type, correlation, process, device;
  std::size_t min_bytes_to_keep;
  std::uint64_t address, size, release_threshold, timestamp, used;
};

/// CUpti_ActivityDevice5.
struct Device {
  std::uint32_t kind, flags;
  std::uint64_t memory_bandwidth, memory_bytes;
  std::uint32_t constant_memory, l2_bytes, warp_size, core_clock, copy_engines, sms, max_ipc;
  std::uint32_t max_warps_per_sm, max_blocks_per_sm, shared_per_sm, registers_per_sm, registers_per_block;
  std::uint32_t shared_per_block, max_threads_per_block, max_block[3], max_grid[3];
  std::uint32_t compute_major, compute_minor, id, ecc;
  std::uint8_t uuid[16];
  const char* name;
};

/// CUpti_ActivityContext3.
struct Context {
  std::uint32_t kind, context, device;
  std::uint16_t compute_api, null_stream;
};

/// CUpti_ActivityCudaEvent2: a cudaEventRecord on a stream.
struct CudaEvent {
  std::uint32_t kind, correlation, context, stream, event;
};

/// CUpti_ActivityStream.
struct Stream {
  std::uint32_t kind, context, stream, priority, flag, correlation;
};

/// CUpti_ResourceData, the argument of callbacks in domain_resource.
struct ResourceData {
  void* context;
  void* handle;
  const void* descriptor;  ///< for a module, a ModuleData
};

/// CUpti_ModuleResourceData. The cubin is valid only during the callback.
struct ModuleData {
  std::uint32_t module;
  std::size_t bytes;
  const char* cubin;
};

/// CUpti_CallbackData, the argument of callbacks in domain_driver.
struct CallbackData {
  std::uint32_t site;  ///< CUpti_ApiCallbackSite
  const char* function;
  const void* parameters;  ///< of the call, e.g. a LaunchKernelParameters
  const void* result;      ///< after the call: a CUresult
  const char* symbol;      ///< of a launch: the kernel's mangled name
  void* context;
  std::uint32_t context_id;
  std::uint64_t* correlation_data;
  std::uint32_t correlation;
};
constexpr std::uint32_t call_enters = 0, call_exits = 1;

}  // namespace warpwalk::instrumentation::cupti
