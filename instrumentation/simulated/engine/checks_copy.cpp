// The sanitizer's checks of copies and memsets.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "instrumentation/simulated/device/code_place.h"
#include "instrumentation/simulated/engine/checks.h"
#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {
namespace {

const char* name_of_kind(CopyKind kind) {
  switch (kind) {
    case CopyKind::host_to_host: return "cudaMemcpyHostToHost";
    case CopyKind::host_to_device: return "cudaMemcpyHostToDevice";
    case CopyKind::device_to_host: return "cudaMemcpyDeviceToHost";
    case CopyKind::device_to_device: return "cudaMemcpyDeviceToDevice";
    default: return "cudaMemcpyDefault";
  }
}

/// Bytes from the first byte of a copy to its last in linear memory.
std::uint64_t bytes_across(const CopySide& side, const std::array<std::uint64_t, 3>& extent) {
  const std::uint64_t pitch = side.pitch != 0 ? side.pitch : extent[0];
  const std::uint64_t slice = pitch * (side.height != 0 ? side.height : extent[1]);
  return extent[0] + (extent[1] - 1) * pitch + (extent[2] - 1) * slice;
}

std::uint64_t first_byte(const CopySide& side, const std::array<std::uint64_t, 3>& extent) {
  const std::uint64_t pitch = side.pitch != 0 ? side.pitch : extent[0];
  const std::uint64_t slice = pitch * (side.height != 0 ? side.height : extent[1]);
  return side.address + side.at[0] + side.at[1] * pitch + side.at[2] * slice;
}

/// A pointer of a copy for the message about its kind.
std::string describe_pointer(const DeviceMemory& memory, const CopySide& side) {
  if (side.array != nullptr) return "a CUDA array";
  if (const auto place = memory.find(side.address); place != nullptr) return describe_memory(*place);
  const std::string host = host_memory(side.address);
  return host.empty() ? fmt::format("{:#x}, where nothing is allocated", side.address) : host;
}

bool has_nothing(const Copy& copy) { return copy.extent[0] == 0 || copy.extent[1] == 0 || copy.extent[2] == 0; }

}  // namespace

std::string Checks::freed_memory(const Allocation& freed) const {
  const std::string by =
      freed.freed_at == 0 ? std::string() : fmt::format(" by {}", call_sites::describe(freed.freed_at));
  return fmt::format("{}, which {} been freed{}", describe_memory(freed), freed.owned ? "has" : "have", by);
}

std::string Checks::problem_of_range(std::uint64_t first, std::uint64_t bytes, bool writes) const {
  const char* const verb = writes ? "writes" : "reads";
  const auto place = gpu_.memory.find(first);
  if (place == nullptr) {
    if (const auto freed = gpu_.memory.find_freed(first); freed != nullptr)
      return fmt::format("{} {} bytes at byte {} of {}", verb, bytes, first - freed->address, freed_memory(*freed));
    if (gpu_.memory.reserves(first))
      return fmt::format("{} {} bytes at {:#x}, device memory where nothing is allocated", verb, bytes, first);
    return {};
  }
  const std::uint64_t offset = first - place->address, left = place->bytes - std::min(place->bytes, offset);
  if (bytes <= left || place->kind == MemoryKind::registered) return {};
  return fmt::format("{} {} bytes from byte {} of {}: {} bytes past {} end", verb, bytes, offset,
                     describe_memory(*place), bytes - left, place->owned ? "its" : "their");
}

std::string Checks::problem_of(const CopySide& side, const std::array<std::uint64_t, 3>& extent, bool writes) const {
  if (side.array == nullptr) return problem_of_range(first_byte(side, extent), bytes_across(side, extent), writes);
  const std::uint64_t limits[] = {side.array->row_bytes(), side.array->rows(), side.array->slices()};
  static constexpr const char* units[] = {"bytes of a row", "rows", "slices"};
  for (std::size_t i = 0; i < 3; ++i)
    if (side.at[i] + extent[i] > limits[i])
      return fmt::format("{} {} {} from number {} of an array that has {}", writes ? "writes" : "reads", extent[i],
                         units[i], side.at[i], limits[i]);
  return {};
}

void Checks::refused(const Copy& copy) {
  if (has_nothing(copy)) return;
  bool found = false;
  for (const bool writes : {false, true})
    if (const std::string problem = problem_of(writes ? copy.to : copy.from, copy.extent, writes); !problem.empty()) {
      find(fmt::format("{}: {}", here(), problem));
      found = true;
    }
  for (const bool writes : {false, true}) {
    const CopySide& side = writes ? copy.to : copy.from;
    if (found || side.array != nullptr || side.address != 0) continue;
    find(fmt::format("{}: the {} is a null pointer", here(), writes ? "destination" : "source"));
    found = true;
  }
  if (found) return;
  find(fmt::format("{}: {} does not fit: the source is {}, the destination is {}", here(), name_of_kind(copy.kind),
                   describe_pointer(gpu_.memory, copy.from), describe_pointer(gpu_.memory, copy.to)));
}

void Checks::refused(const Fill& fill) {
  const std::uint64_t row = fill.width * fill.value_bytes;
  const std::string problem = problem_of_range(fill.address, row + (fill.height - 1) * fill.pitch, true);
  if (!problem.empty()) return find(fmt::format("{}: {}", here(), problem));
  if (gpu_.memory.find(fill.address) != nullptr) return;
  if (fill.address == 0) return find(fmt::format("{}: the destination is a null pointer", here()));
  const std::string host = host_memory(fill.address);
  find(fmt::format("{}: writes {} bytes at {:#x}, which is {}: memset sets host memory", here(), row, fill.address,
                   host.empty() ? "no memory of CUDA" : host));
}

void Checks::refused_part(const Allocation& variable, std::uint64_t offset, std::uint64_t bytes) {
  find(fmt::format("{}: copies {} bytes from byte {} of {}, which has {}", here(), bytes, offset,
                   describe_memory(variable), variable.bytes));
}

void Checks::runs(const CopiedPart& from, const CopiedPart& to, const std::array<std::uint64_t, 3>& extent,
                  bool to_host) {
  for (const bool writes : {false, true}) {
    const CopiedPart& part = writes ? to : from;
    if (part.place != nullptr && part.place->data == nullptr)
      find(fmt::format("{}: {} {}", here(), writes ? "writes" : "reads", freed_memory(*part.place)));
  }
  const DeviceMemory::Place& place = from.place;
  if (to_host && place != nullptr && !place->written.empty()) {
    std::uint64_t missing = 0, first = 0;
    for (std::uint64_t z = 0; z < extent[2]; ++z)
      for (std::uint64_t y = 0; y < extent[1]; ++y) {
        const std::uint64_t begin = from.offset + y * from.pitch + z * from.slice;
        const std::uint8_t* const row = place->written.data() + begin;
        if (std::memchr(row, 0, extent[0]) == nullptr) continue;
        for (std::uint64_t i = 0; i < extent[0]; ++i)
          if (row[i] == 0 && missing++ == 0) first = begin + i;
      }
    bool is_new = false;
    if (missing != 0) {
      const std::lock_guard lock(mutex_);
      is_new = uninitialized_.emplace(place->number, call_sites::current().site).second;
    }
    if (is_new)
      find(fmt::format("{}: copies {} bytes to the host of which {} were never written, the first at byte {} of {}",
                       here(), extent[0] * extent[1] * extent[2], missing, first, describe_memory(*place)));
  }
  use(from, extent, false);
  use(to, extent, true);
}

void Checks::fills(const CopiedPart& to, std::uint64_t row_bytes, std::uint64_t rows) {
  if (to.place->data == nullptr) find(fmt::format("{}: writes {}", here(), freed_memory(*to.place)));
  use(to, {row_bytes, rows, 1}, true);
}

}  // namespace warpwalk::simulated
