#include "instrumentation/decode_activity.h"

#include <algorithm>
#include <array>

#include "instrumentation/cupti_abi.h"

namespace warpwalk::instrumentation {
namespace {

std::string_view view_of(const char* text) { return text == nullptr ? std::string_view{} : text; }

std::array<std::uint32_t, 3> shape(const std::int32_t (&extents)[3]) {
  std::array<std::uint32_t, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = static_cast<std::uint32_t>(std::max(0, extents[i]));
  return out;
}

KernelRow to_row(const cupti::Kernel& record, RowSink& to) {
  KernelRow row;
  row.start = record.start;
  row.end = record.end;
  row.queued = record.queued;
  row.submitted = record.submitted;
  row.name = to.name(view_of(record.name));
  row.device = record.device;
  row.context = record.context;
  row.stream = record.stream;
  row.correlation = record.correlation;
  row.graph = record.graph;
  row.graph_node = record.graph_node;
  row.registers = record.registers;
  row.static_shared = static_cast<std::uint32_t>(std::max(0, record.static_shared));
  row.dynamic_shared = static_cast<std::uint32_t>(std::max(0, record.dynamic_shared));
  row.local_bytes = record.local_per_thread;
  row.grid = shape(record.grid);
  row.block = shape(record.block);
  std::copy(std::begin(record.cluster), std::end(record.cluster), row.cluster.begin());
  return row;
}

CallRow to_row(const cupti::Api& record, CallNameTable& calls, RowSink& to) {
  CallRow row;
  row.start = record.start;
  row.end = record.end;
  row.driver = record.kind == cupti::kind_driver ? 1 : 0;
  row.cbid = record.cbid;
  row.name = to.name(calls.name(row.driver != 0 ? cupti::domain_driver : cupti::domain_runtime, record.cbid));
  row.thread = record.thread;
  row.correlation = record.correlation;
  row.result = record.result;
  return row;
}

// The fields that copies within a device and between devices have in common.
template <class Record>
MemcpyRow to_memcpy_row(const Record& record) {
  MemcpyRow row;
  row.start = record.start;
  row.end = record.end;
  row.bytes = record.bytes;
  row.kind = record.copy_kind;
  row.from = record.from;
  row.to = record.to;
  row.is_async = record.flags & cupti::flag_async;
  row.device = record.device;
  row.context = record.context;
  row.stream = record.stream;
  row.correlation = record.correlation;
  row.graph = record.graph;
  row.graph_node = record.graph_node;
  return row;
}

MemcpyRow to_row(const cupti::MemcpyPeer& record) {
  MemcpyRow row = to_memcpy_row(record);
  row.peer = 1;
  row.from_device = record.from_device;
  row.to_device = record.to_device;
  return row;
}

MemsetRow to_row(const cupti::Memset& record) {
  MemsetRow row;
  row.start = record.start;
  row.end = record.end;
  row.bytes = record.bytes;
  row.value = record.value;
  row.memory = record.memory;
  row.is_async = record.flags & cupti::flag_async;
  row.device = record.device;
  row.context = record.context;
  row.stream = record.stream;
  row.correlation = record.correlation;
  row.graph = record.graph;
  row.graph_node = record.graph_node;
  return row;
}

MemoryRow to_row(const cupti::Memory& record) {
  MemoryRow row;
  row.time = record.timestamp;
  row.address = record.address;
  row.bytes = record.bytes;
  row.operation = record.operation;
  row.kind = record.memory_kind;
  row.device = record.device;
  row.context = record.context;
  row.stream = record.stream;
  row.correlation = record.correlation;
  row.pool = record.pool_address;
  if (record.pool_type == cupti::local_pool) {
    row.pool_bytes = record.pool_size_or_process;
    row.pool_used = record.pool_used;
  }
  return row;
}

PoolRow to_row(const cupti::MemoryPool& record) {
  PoolRow row;
  row.time = record.timestamp;
  row.address = record.address;
  row.bytes = record.size;
  row.release_threshold = record.release_threshold;
  row.used = record.used;
  row.operation = record.operation;
  row.device = record.device;
  row.correlation = record.correlation;
  return row;
}

DeviceRow to_row(const cupti::Device& record, RowSink& to) {
  DeviceRow row;
  row.id = record.id;
  row.name = to.name(view_of(record.name));
  row.compute_major = record.compute_major;
  row.compute_minor = record.compute_minor;
  row.sms = record.sms;
  row.warp_size = record.warp_size;
  row.max_warps_per_sm = record.max_warps_per_sm;
  row.max_threads_per_block = record.max_threads_per_block;
  row.registers_per_sm = record.registers_per_sm;
  row.registers_per_block = record.registers_per_block;
  row.shared_per_sm = record.shared_per_sm;
  row.shared_per_block = record.shared_per_block;
  row.memory_bytes = record.memory_bytes;
  return row;
}

template <class Record>
const Record& as(const void* record) {
  return *static_cast<const Record*>(record);
}

}  // namespace

bool decode_activity(const void* record, CallNameTable& calls, RowSink& to) {
  switch (as<std::uint32_t>(record)) {
    case cupti::kind_concurrent_kernel: to.add(to_row(as<cupti::Kernel>(record), to)); return true;
    case cupti::kind_runtime:
    case cupti::kind_driver: to.add(to_row(as<cupti::Api>(record), calls, to)); return true;
    case cupti::kind_memcpy: to.add(to_memcpy_row(as<cupti::Memcpy>(record))); return true;
    case cupti::kind_memcpy_peer: to.add(to_row(as<cupti::MemcpyPeer>(record))); return true;
    case cupti::kind_memset: to.add(to_row(as<cupti::Memset>(record))); return true;
    case cupti::kind_memory: to.add(to_row(as<cupti::Memory>(record))); return true;
    case cupti::kind_memory_pool: to.add(to_row(as<cupti::MemoryPool>(record))); return true;
    case cupti::kind_device: to.add(to_row(as<cupti::Device>(record), to)); return true;
    case cupti::kind_synchronization: {
      const auto& sync = as<cupti::Synchronization>(record);
      to.add(SyncRow{sync.start, sync.end, sync.type, sync.context, sync.stream, sync.event, sync.correlation});
      return true;
    }
    case cupti::kind_cuda_event: {
      const auto& event = as<cupti::CudaEvent>(record);
      to.add(EventRecordRow{event.context, event.stream, event.event, event.correlation});
      return true;
    }
    case cupti::kind_overhead: {
      const auto& overhead = as<cupti::Overhead>(record);
      const std::uint32_t thread = overhead.object_kind == cupti::object_thread ? overhead.object[1] : 0;
      to.add(OverheadRow{overhead.start, overhead.end, overhead.overhead_kind, thread});
      return true;
    }
    case cupti::kind_external_correlation: {
      const auto& external = as<cupti::ExternalCorrelation>(record);
      to.add(ExternalRow{external.external_id, external.external_kind, external.correlation});
      return true;
    }
    case cupti::kind_context: {
      const auto& context = as<cupti::Context>(record);
      to.add(ContextRow{context.context, context.device, context.null_stream});
      return true;
    }
    case cupti::kind_stream: {
      const auto& stream = as<cupti::Stream>(record);
      to.add(StreamRow{stream.context, stream.stream, static_cast<std::int32_t>(stream.priority)});
      return true;
    }
    default: return false;
  }
}

}  // namespace warpwalk::instrumentation
