// The sanitizer's checks of uses of memory, and of errors that nobody asks for.
#include "instrumentation/simulated/engine/checks.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "instrumentation/simulated/device/code_place.h"
#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {
namespace {

/// ", launched in main (prog.cu:12)" or ", of cudaMemcpyAsync in main (prog.cu:12)".
std::string origin_of_use(std::uint32_t site, const std::string& kernel) {
  if (site == 0) return {};
  if (kernel.empty()) return fmt::format(" of {}", call_sites::describe(site));
  const std::string where = call_sites::place(site, kernel);
  return where.empty() ? std::string() : fmt::format(", launched {},", where);
}

}  // namespace

std::string describe_memory(const Allocation& allocation) {
  if (allocation.owned && allocation.kind != MemoryKind::device)
    return fmt::format("variable `{}`", plain_name(allocation.call));
  return fmt::format("the {} bytes of allocation {} ({})", allocation.bytes, allocation.number, allocation.call);
}

void Checks::find(const std::string& line) { gpu_.find(line, call_sites::current().correlation); }

std::string Checks::here() { return call_sites::describe(call_sites::current().site); }

void Checks::forget(const Allocation& allocation) {
  host_access.forget(allocation);
  const std::lock_guard lock(mutex_);
  uses_.erase(allocation.number);
  allocations_.erase(allocation.number);
}

void Checks::allocated(const Allocation& allocation, Stream& stream) {
  // Work that does nothing has the place of the allocation in its stream.
  const auto work = std::make_shared<Work>();
  work->submitted = gpu_.clock.now();
  gpu_.streams.submit(stream, work);
  const std::lock_guard lock(mutex_);
  allocations_[allocation.number] = {work->stream, work->number};
}

bool Checks::is_before_allocation(const Allocation& allocation, const Work& work) {
  const std::lock_guard lock(mutex_);
  const auto found = allocations_.find(allocation.number);
  if (found == allocations_.end()) return false;
  const auto& [stream, number] = found->second;
  const auto done = work.order.find(stream);
  if (done != work.order.end() && done->second >= number) return false;
  return used_early_.emplace(allocation.number, work.call.site).second;
}

void Checks::begin_call() {
  for (const EarlyAccess& access : host_access.take()) {
    const MemoryUse& use = *access.use;
    const std::string where = call_sites::place(access.frames);
    gpu_.find(fmt::format("host code {}{}{} byte {} of {} while {}{} may still {} it: wait first, for example with "
                          "cudaDeviceSynchronize",
                          where, where.empty() ? "" : " ", access.kind == HostAccessKind::write ? "writes" : "reads",
                          access.offset, describe_memory(*use.place), use.what, origin_of_use(use.site, use.kernel),
                          access.use_writes ? "write" : "read"),
              use.correlation);
  }
}

void Checks::use(const DeviceMemory::Place& place, std::vector<UsedRange> ranges, const std::string& what,
                 const std::string& kernel) {
  const Work* const work = WorkQueue::running();
  if (work == nullptr || work->stream == 0 || ranges.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    LastUse& last = uses_[place->number][work->stream];
    last = {work->number, what, kernel, work->call.site};
  }
  if (is_before_allocation(*place, *work)) {
    find(
        fmt::format("{}{} uses {} without waiting for the stream that allocates them, by {}: wait for it with "
                    "cudaStreamWaitEvent",
                    what, origin_of_use(work->call.site, kernel), describe_memory(*place),
                    call_sites::describe(place->allocated_at)));
  }
  // Kernels and the host may exchange signals through mapped pinned memory.
  const bool shared = place->kind == MemoryKind::managed || (place->kind == MemoryKind::pinned && kernel.empty());
  if (!shared || reinterpret_cast<std::uint64_t>(place->data) == place->address) return;
  MemoryUse use;
  use.what = what;
  use.kernel = kernel;
  use.site = work->call.site, use.correlation = work->call.correlation;
  use.stream = work->stream, use.number = work->number;
  use.place = place;
  use.ranges = std::move(ranges);
  host_access.add(std::move(use));
}

void Checks::use(const CopiedPart& part, const std::array<std::uint64_t, 3>& extent, bool written) {
  if (part.place == nullptr) return;
  std::vector<UsedRange> ranges;
  for (std::uint64_t z = 0; z < extent[2]; ++z)
    for (std::uint64_t y = 0; y < extent[1]; ++y) {
      const std::uint64_t first = part.offset + y * part.pitch + z * part.slice;
      if (!ranges.empty() && ranges.back().end == first)
        ranges.back().end += extent[0];
      else
        ranges.push_back({first, first + extent[0], written});
    }
  use(part.place, std::move(ranges), "the copy", {});
}

void Checks::ran(const KernelLaunch& launch, const std::vector<gpu::TouchedRange>& touched) {
  const std::string& kernel = launch.kernel->name;
  const std::string what = fmt::format("kernel `{}`", plain_name(kernel));
  for (std::size_t first = 0; first < touched.size();) {
    const DeviceMemory::Place place = gpu_.memory.find(touched[first].address);
    if (place == nullptr) {
      ++first;
      continue;
    }
    std::vector<UsedRange> ranges;
    for (; first < touched.size() && touched[first].address < place->address + place->bytes; ++first) {
      const gpu::TouchedRange& range = touched[first];
      const std::uint64_t offset = range.address - std::min(range.address, place->address);
      ranges.push_back({offset, std::min(offset + range.bytes, place->bytes), range.written});
    }
    use(place, std::move(ranges), what, kernel);
  }
}

void Checks::failed(const char* call, int error) {
  const std::lock_guard lock(mutex_);
  const call_sites::Call& at = call_sites::current();
  if (failed_.empty()) failed_.push_back({call, at.kernel == nullptr ? std::string() : *at.kernel, error, at});
}

void Checks::asked() {
  const std::lock_guard lock(mutex_);
  failed_.clear();
}

void Checks::report_unasked(int exit_status) {
  std::vector<FailedCall> failed;
  {
    const std::lock_guard lock(mutex_);
    failed.swap(failed_);
  }
  // A program that ends with an error has looked at what the function returned.
  if (exit_status != 0) return;
  for (const FailedCall& one : failed) {
    const std::string where = call_sites::place(one.at.site, one.kernel);
    const std::string line =
        fmt::format("{}{}{}{} failed with {}, and the program never asked for the error (cudaGetLastError)", one.call,
                    one.kernel.empty() ? "" : fmt::format(" of `{}`", plain_name(one.kernel)), where.empty() ? "" : " ",
                    where, runtime_name(one.error));
    // Whether the program looks at what a function returns cannot be seen. A launch with <<<...>>> returns nothing.
    if (!one.kernel.empty())
      gpu_.find(line, one.at.correlation);
    else
      gpu_.tell(line);
  }
}

}  // namespace warpwalk::simulated
