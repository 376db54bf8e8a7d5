// The sanitizer's checks of frees, and of what is never freed.
#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "instrumentation/simulated/device/code_place.h"
#include "instrumentation/simulated/engine/checks.h"
#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {
namespace {

/// With thousands separators, as in other messages.
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

void Checks::refused_free(std::uint64_t address, bool host) {
  if (address == 0) return;
  const auto place = gpu_.memory.find(address);
  if (place != nullptr && place->address != address)
    return find(fmt::format("{}: frees byte {} of {}; only their first byte can be freed", here(),
                            address - place->address, describe_memory(*place)));
  if (place != nullptr) {
    const char* right = "cudaFree";
    switch (place->kind) {
      case MemoryKind::pinned: right = "cudaFreeHost"; break;
      case MemoryKind::registered: right = "cudaHostUnregister"; break;
      case MemoryKind::array: right = "cudaFreeArray"; break;
      case MemoryKind::variable: right = nullptr; break;
      default: break;
    }
    const bool is_host = place->kind == MemoryKind::pinned || place->kind == MemoryKind::registered;
    if (right == nullptr || (place->owned && place->kind == MemoryKind::managed))
      return find(fmt::format("{}: frees {}, which is freed with its module", here(), describe_memory(*place)));
    if (is_host != host || place->kind == MemoryKind::array || place->kind == MemoryKind::registered)
      return find(fmt::format("{}: frees {}; {} frees them", here(), describe_memory(*place), right));
    return find(fmt::format("{}: frees {}, which a stream is about to free", here(), describe_memory(*place)));
  }
  if (const auto freed = gpu_.memory.find_freed(address); freed != nullptr) {
    const std::string by =
        freed->freed_at == 0 ? std::string() : fmt::format(" by {}", call_sites::describe(freed->freed_at));
    if (freed->address == address)
      return find(fmt::format("{}: frees {} again; they have been freed{}", here(), describe_memory(*freed), by));
    return find(fmt::format("{}: frees byte {} of {}, which have been freed{}", here(), address - freed->address,
                            describe_memory(*freed), by));
  }
  if (gpu_.memory.reserves(address))
    return find(fmt::format("{}: frees {:#x}, device memory where nothing is allocated", here(), address));
  const std::string memory = host_memory(address);
  find(fmt::format("{}: frees {:#x}, {}: only what CUDA allocated can be freed", here(), address,
                   memory.empty() ? "where nothing is allocated" : "which is " + memory));
}

void Checks::frees(const Allocation& allocation) {
  const Work* const work = WorkQueue::running();
  if (work == nullptr) return;
  if (is_before_allocation(allocation, *work)) {
    find(
        fmt::format("{}: frees {} without waiting for the stream that allocates them, by {}: wait for it with "
                    "cudaStreamWaitEvent",
                    here(), describe_memory(allocation), call_sites::describe(allocation.allocated_at)));
  }
  std::map<std::uint32_t, LastUse> uses;
  {
    const std::lock_guard lock(mutex_);
    const auto found = uses_.find(allocation.number);
    if (found == uses_.end()) return;
    uses = found->second;
  }
  for (const auto& [stream, use] : uses) {
    const auto done = work->order.find(stream);
    if (done != work->order.end() && done->second >= use.number) continue;
    const std::string where = call_sites::place(use.site, use.kernel);
    find(
        fmt::format("{}: frees {} while {} of another stream{} may still use them: wait for it with "
                    "cudaStreamWaitEvent",
                    here(), describe_memory(allocation), use.what, where.empty() ? "" : ", started " + where + ","));
  }
}

void Checks::report_leaks(std::string_view when) {
  // After a kernel's error, nothing can be freed.
  if (gpu_.queue.error() != Error::success) return;
  struct Leak {
    std::size_t count = 0;
    std::uint64_t bytes = 0, first = 0;
    std::uint32_t site = 0;
    std::string call;
  };
  std::map<std::pair<std::uint32_t, std::string>, Leak> leaks;
  for (const DeviceMemory::Place& place : gpu_.memory.all()) {
    if (place->owned || place->kind == MemoryKind::variable || place->kind == MemoryKind::registered) continue;
    Leak& leak = leaks[{place->allocated_at, place->call}];
    if (leak.count++ == 0 || place->number < leak.first) leak.first = place->number;
    leak.bytes += place->bytes;
    leak.site = place->allocated_at, leak.call = place->call;
  }
  std::vector<Leak> sorted;
  for (auto& [key, leak] : leaks) sorted.push_back(std::move(leak));
  std::ranges::sort(sorted, {}, &Leak::first);
  const std::string until = when.empty() ? std::string() : fmt::format(" {}", when);
  for (const Leak& leak : sorted) {
    const std::string where = call_sites::place(leak.site);
    const std::string call = fmt::format("{}{}{}", leak.call, where.empty() ? "" : " ", where);
    if (leak.count == 1)
      find(fmt::format("{}: the {} bytes of allocation {} are never freed{}", call, grouped(leak.bytes), leak.first,
                       until));
    else
      find(fmt::format("{}: {} allocations with {} bytes in all are never freed{}", call, grouped(leak.count),
                       grouped(leak.bytes), until));
  }
  std::size_t streams = 0;
  for (const Stream* const stream : gpu_.streams.all())
    if (!stream->is_default && !stream->per_thread) ++streams;
  // cudaDeviceReset does not destroy graphs.
  const std::size_t all_graphs = gpu_.graphs.count(), graphs = all_graphs - std::min(all_graphs, reported_graphs_);
  reported_graphs_ = all_graphs;
  std::string objects;
  for (const auto& [count, name] : {std::pair<std::size_t, const char*>{streams, "stream"},
                                    {gpu_.streams.event_count(), "event"},
                                    {graphs, "graph"}}) {
    if (count == 0) continue;
    objects += fmt::format("{}{}", objects.empty() ? "" : ", ", counted(count, name));
  }
  if (!objects.empty()) find(fmt::format("never destroyed{}: {}", until, objects));
}

}  // namespace warpwalk::simulated
