// Copies and memsets: checks, the bytes themselves, and their simulated times.
#include "instrumentation/simulated/device/copy.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {
namespace {

/// CUPTI's numbers for kinds of copies (CUpti_ActivityMemcpyKind).
enum : std::uint32_t {
  to_device = 1,
  to_host = 2,
  host_to_array = 3,
  array_to_host = 4,
  array_to_array = 5,
  array_to_device = 6,
  device_to_array = 7,
  device_to_device = 8,
  host_to_host = 9
};

/// The shortest copies and memsets, as CUPTI times them on an H200 (docs/record.md, "Agreement with torch.profiler").
constexpr std::int64_t shortest_copy_ns = 1408, shortest_fill_ns = 736;
/// From the call to its start on the GPU, when that is idle.
constexpr std::int64_t call_latency_ns = 1500;

/// One side of a copy, found in memory.
struct FoundSide {
  std::uint8_t* first = nullptr;
  std::uint64_t pitch = 0, slice = 0;  ///< bytes from row to row and from slice to slice
  std::uint32_t kind = memory_pageable;
  DeviceMemory::Place place;  ///< null: host memory that the GPU does not know
  std::uint64_t offset = 0;   ///< of `first` in `place`

  bool on_device() const { return kind == memory_device || kind == memory_array || kind == memory_static; }
  bool on_host() const { return kind == memory_pageable || kind == memory_pinned; }
};

std::uint32_t kind_of(const Allocation& allocation) {
  switch (allocation.kind) {
    case MemoryKind::device: return memory_device;
    case MemoryKind::managed: return memory_managed;
    case MemoryKind::array: return memory_array;
    case MemoryKind::variable: return memory_static;
    default: return memory_pinned;
  }
}

/// Bytes from the first byte of a copy to its last on one side.
std::uint64_t span(const std::array<std::uint64_t, 3>& extent, std::uint64_t pitch, std::uint64_t slice) {
  if (extent[0] == 0 || extent[1] == 0 || extent[2] == 0) return 0;
  return extent[0] + (extent[1] - 1) * pitch + (extent[2] - 1) * slice;
}

/// Nothing if the copy leaves the memory that it starts in.
std::optional<FoundSide> find_side(const DeviceMemory& memory, const CopySide& side,
                                   const std::array<std::uint64_t, 3>& extent) {
  FoundSide found;
  std::uint64_t address = side.address;
  if (side.array != nullptr) {
    found.pitch = side.array->row_bytes();
    found.slice = found.pitch * side.array->rows();
    address = side.array->memory->address + side.array->offset;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint64_t limits[] = {found.pitch, side.array->rows(), side.array->slices()};
      if (side.at[i] + extent[i] > limits[i]) return {};
    }
  } else {
    found.pitch = side.pitch != 0 ? side.pitch : extent[0];
    found.slice = found.pitch * std::max<std::uint64_t>(side.height, side.height == 0 ? extent[1] : 1);
  }
  address += side.at[0] + side.at[1] * found.pitch + side.at[2] * found.slice;
  found.place = memory.find(address);
  if (found.place == nullptr && memory.reserves(address)) return {};
  if (found.place == nullptr) {
    found.first = reinterpret_cast<std::uint8_t*>(address);
    return found;
  }
  found.kind = kind_of(*found.place);
  found.offset = address - found.place->address;
  found.first = found.place->data + found.offset;
  const std::uint64_t bytes = span(extent, found.pitch, found.slice);
  // Registered memory may continue as ordinary host memory.
  if (bytes > found.place->bytes - found.offset && found.place->kind != MemoryKind::registered) return {};
  return found;
}

/// The written flags of a side; null if they are not kept.
std::uint8_t* flags_of(const FoundSide& side) {
  return side.place == nullptr || side.place->written.empty() ? nullptr : side.place->written.data() + side.offset;
}

CopiedPart checked_part(const FoundSide& side) { return {side.place, side.offset, side.pitch, side.slice}; }

Transferred transferred(const FoundSide& side) {
  if (side.place == nullptr || side.on_host()) return {Transferred::Place::host, 0, 0, 0};
  return {Transferred::Place::device, side.place->address + side.offset, side.pitch, side.slice};
}

void copy_rows(const FoundSide& from, const FoundSide& to, const std::array<std::uint64_t, 3>& extent) {
  std::uint8_t* const to_flags = flags_of(to);
  const std::uint8_t* const from_flags = flags_of(from);
  for (std::uint64_t z = 0; z < extent[2]; ++z)
    for (std::uint64_t y = 0; y < extent[1]; ++y) {
      const std::uint64_t source = y * from.pitch + z * from.slice, target = y * to.pitch + z * to.slice;
      std::memmove(to.first + target, from.first + source, extent[0]);
      if (to_flags == nullptr) continue;
      if (from_flags != nullptr)
        std::memmove(to_flags + target, from_flags + source, extent[0]);
      else
        std::memset(to_flags + target, 1, extent[0]);
    }
}

/// True if copying this way is possible: the direction fits the memory.
bool direction_fits(CopyKind kind, const FoundSide& from, const FoundSide& to) {
  switch (kind) {
    case CopyKind::host_to_host: return !from.on_device() && !to.on_device();
    case CopyKind::host_to_device: return !from.on_device() && to.place != nullptr;
    case CopyKind::device_to_host: return from.place != nullptr && !to.on_device();
    case CopyKind::device_to_device: return from.place != nullptr && to.place != nullptr;
    default: return true;
  }
}

std::uint32_t row_kind(const FoundSide& from, const FoundSide& to) {
  const bool from_array = from.kind == memory_array, to_array = to.kind == memory_array;
  if (from_array && to_array) return array_to_array;
  if (to_array) return from.on_host() ? host_to_array : device_to_array;
  if (from_array) return to.on_host() ? array_to_host : array_to_device;
  if (from.on_host() && to.on_host()) return host_to_host;
  if (from.on_host()) return to_device;
  return to.on_host() ? to_host : device_to_device;
}

/// CUPTI reports variables of modules as device memory.
std::uint32_t row_memory(std::uint32_t kind) { return kind == memory_static ? memory_device : kind; }

bool is_empty(const Copy& copy) { return copy.extent[0] == 0 || copy.extent[1] == 0 || copy.extent[2] == 0; }

}  // namespace

Error Gpu::check_order(Stream& stream, bool waits) {
  if (waits)
    if (const Error wrong = graphs.check_unsafe(); wrong != Error::success) return wrong;
  if (waits && stream.capture != nullptr) {
    stream.capture->invalid = true;
    return Error::stream_capture_unsupported;
  }
  return graphs.check_implicit(stream);
}

Error Gpu::check(const Copy& copy) const {
  const int kind = static_cast<int>(copy.kind);
  if (kind < 0 || kind > 4) return Error::invalid_memcpy_direction;
  if (is_empty(copy)) return Error::success;
  if ((copy.from.array == nullptr && copy.from.address == 0) || (copy.to.array == nullptr && copy.to.address == 0)) {
    if (checks != nullptr) checks->refused(copy);
    return Error::invalid_value;
  }
  for (const CopySide* const side : {&copy.from, &copy.to})
    if (side->array == nullptr && side->pitch != 0 && side->pitch < copy.extent[0]) return Error::invalid_pitch_value;
  const auto from = find_side(memory, copy.from, copy.extent), to = find_side(memory, copy.to, copy.extent);
  if (from && to && direction_fits(copy.kind, *from, *to)) return Error::success;
  if (checks != nullptr) checks->refused(copy);
  return Error::invalid_value;
}

WorkPtr Gpu::work_of(const Copy& copy, const Stream& stream, const GraphPlace& graph) {
  const auto from = *find_side(memory, copy.from, copy.extent), to = *find_side(memory, copy.to, copy.extent);
  const std::uint64_t bytes = copy.extent[0] * copy.extent[1] * copy.extent[2];
  const auto work = std::make_shared<Work>();
  const std::uint32_t kind = row_kind(from, to);
  const bool over_link = from.on_host() != to.on_host();
  work->unit = !over_link ? Unit::none : to.on_host() ? Unit::to_host : Unit::to_device;
  work->submitted = clock.now();
  work->latency = call_latency_ns;
  const double bandwidth = over_link && device.pcie_bandwidth ? *device.pcie_bandwidth : *device.memory_bandwidth / 2;
  const auto duration = shortest_copy_ns + std::llround(static_cast<double>(bytes) / bandwidth * 1e9);
  work->run = [this, from, to, extent = copy.extent, duration] {
    if (checks != nullptr) checks->runs(checked_part(from), checked_part(to), extent, to.on_host());
    copy_rows(from, to, extent);
    pass_through_caches(transferred(from), transferred(to), extent);
    return Outcome{duration};
  };
  if (recorder.on())
    work->recorded = [this, kind, bytes, from = row_memory(from.kind), to = row_memory(to.kind), id = stream.id, graph,
                      correlation = Recorder::correlation(), is_async = Recorder::call_is_async()](const Work& done) {
      instrumentation::MemcpyRow row;
      row.start = static_cast<std::uint64_t>(done.start), row.end = static_cast<std::uint64_t>(done.end);
      row.bytes = bytes, row.kind = kind, row.from = from, row.to = to, row.is_async = is_async ? 1 : 0;
      row.context = 1, row.stream = id, row.correlation = correlation;
      row.graph = graph.graph, row.graph_node = graph.node;
      recorder.add(row);
    };
  return work;
}

Error Gpu::copy(const Copy& copy, Stream& stream, bool waits) {
  if (const Error wrong = check_order(stream, waits); wrong != Error::success) return wrong;
  if (const Error wrong = check(copy); wrong != Error::success) return wrong;
  if (stream.capture != nullptr) return add_captured(stream, copy);
  if (is_empty(copy)) return Error::success;
  const auto from = find_side(memory, copy.from, copy.extent), to = find_side(memory, copy.to, copy.extent);
  const bool pageable = from->kind == memory_pageable || to->kind == memory_pageable;
  const WorkPtr work = work_of(copy, stream, {});
  streams.submit(stream, work);
  // A GPU copies pageable memory by way of pinned memory of the driver, while the call waits. A copy within the device
  // never waits.
  const bool on_device = from->on_device() && to->on_device();
  if (pageable || (waits && !on_device))
    queue.wait(work);
  else if (checks != nullptr)
    queue.settle(work);
  if (waits) flush_printf();
  return queue.error();
}

Error Gpu::check(const Fill& fill) const {
  if (fill.width == 0 || fill.height == 0) return Error::success;
  const std::uint64_t row = fill.width * fill.value_bytes;
  if (fill.height > 1 && fill.pitch < row) return Error::invalid_value;
  const auto place = memory.find(fill.address);
  const std::uint64_t bytes = row + (fill.height - 1) * fill.pitch;
  if (place != nullptr && bytes <= place->bytes - (fill.address - place->address)) return Error::success;
  if (checks != nullptr) checks->refused(fill);
  return Error::invalid_value;
}

WorkPtr Gpu::work_of(const Fill& fill, const Stream& stream, const GraphPlace& graph) {
  const auto place = memory.find(fill.address);
  const std::uint64_t row_bytes = fill.width * fill.value_bytes, bytes = row_bytes * fill.height;
  const auto work = std::make_shared<Work>();
  work->submitted = clock.now();
  work->latency = call_latency_ns;
  const auto duration = shortest_fill_ns + std::llround(static_cast<double>(bytes) / *device.memory_bandwidth * 1e9);
  work->run = [this, place, fill, row_bytes, duration] {
    const std::uint64_t offset = fill.address - place->address;
    if (checks != nullptr) checks->fills({place, offset, fill.pitch, 0}, row_bytes, fill.height);
    if (row_memory(kind_of(*place)) != memory_pinned)
      pass_through_caches({}, {Transferred::Place::device, fill.address, fill.pitch, 0}, {row_bytes, fill.height, 1});
    if (place->data == nullptr) return Outcome{duration};
    for (std::uint64_t y = 0; y < fill.height; ++y) {
      std::uint8_t* const row = place->data + offset + y * fill.pitch;
      if (fill.value_bytes == 1)
        std::memset(row, static_cast<int>(fill.value), row_bytes);
      else
        for (std::uint64_t i = 0; i < fill.width; ++i)
          std::memcpy(row + i * fill.value_bytes, &fill.value, fill.value_bytes);
      if (!place->written.empty()) std::memset(place->written.data() + offset + y * fill.pitch, 1, row_bytes);
    }
    return Outcome{duration};
  };
  if (recorder.on())
    work->recorded = [this, bytes, value = fill.value, kind = row_memory(kind_of(*place)), id = stream.id, graph,
                      correlation = Recorder::correlation(), is_async = Recorder::call_is_async()](const Work& done) {
      instrumentation::MemsetRow row;
      row.start = static_cast<std::uint64_t>(done.start), row.end = static_cast<std::uint64_t>(done.end);
      row.bytes = bytes, row.value = value, row.memory = kind, row.is_async = is_async ? 1 : 0;
      row.context = 1, row.stream = id, row.correlation = correlation;
      row.graph = graph.graph, row.graph_node = graph.node;
      recorder.add(row);
    };
  return work;
}

Error Gpu::fill(const Fill& fill, Stream& stream, bool waits) {
  if (const Error wrong = check_order(stream, waits); wrong != Error::success) return wrong;
  if (const Error wrong = check(fill); wrong != Error::success) return wrong;
  if (stream.capture != nullptr) return add_captured(stream, fill);
  if (fill.width == 0 || fill.height == 0) return Error::success;
  const auto place = memory.find(fill.address);
  const WorkPtr work = work_of(fill, stream, {});
  streams.submit(stream, work);
  // cudaMemset: "asynchronous with respect to the host except when the target is pinned host memory".
  const bool host = place->kind == MemoryKind::pinned || place->kind == MemoryKind::registered;
  if (host || place->kind == MemoryKind::managed)
    queue.wait(work);
  else if (checks != nullptr)
    queue.settle(work);
  return queue.error();
}

}  // namespace warpwalk::simulated
