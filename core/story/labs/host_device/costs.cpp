#include "core/story/labs/host_device/costs.h"

#include <algorithm>
#include <cmath>

namespace warpwalk::story {

double done_between(const records::HostDeviceRecord& record, std::string_view name, double bytes) {
  const std::vector<double> sizes = record.sizes(name);
  if (sizes.empty()) return 0;
  const auto at = [&](double size) { return record.find(name, size)->done_ns(); };
  if (bytes <= sizes.front()) return at(sizes.front());
  if (bytes >= sizes.back()) return at(sizes.back()) * bytes / sizes.back();
  const auto above = std::ranges::lower_bound(sizes, bytes);
  const double high = *above, low = *(above - 1);
  const double part = std::log(bytes / low) / std::log(high / low);
  return std::exp(std::log(at(low)) * (1 - part) + std::log(at(high)) * part);
}

std::optional<UseCosts> use_costs(const records::HostDeviceRecord& record, double bytes, int uses) {
  bool complete = true;
  const auto find = [&](std::string_view name) -> const records::HostDeviceTime* {
    const records::HostDeviceTime* const one = record.find(name, bytes);
    complete = complete && one != nullptr;
    return one;
  };
  const auto done = [&](std::string_view name) {
    const records::HostDeviceTime* const one = find(name);
    return one == nullptr ? 0 : one->done_ns();
  };
  // Launches follow each other without a wait, so that only the time on the GPU counts.
  const auto each = [&](std::string_view name) {
    const records::HostDeviceTime* const one = find(name);
    return one == nullptr ? 0 : one->gpu ? one->gpu->median : one->done_ns();
  };
  const double n = uses;
  UseCosts costs;
  costs.copied = done("h2d_pinned") + n * each("kernel") + done("d2h_pinned") + done("host_read");
  costs.mapped = n * each("kernel_mapped") + done("host_read");
  costs.managed = done("managed_kernel_first") + (n - 1) * each("kernel") + done("managed_host_read");
  costs.prefetched = done("managed_prefetch_gpu") + n * each("kernel") + done("managed_prefetch_cpu") +
                     done("managed_host_read_prefetched");
  return complete ? std::optional(costs) : std::nullopt;
}

std::vector<ComparedSize> compared_sizes(const records::HostDeviceRecord& record,
                                         const std::vector<records::CoreTimes>& cores, double multiply_adds,
                                         bool pinned) {
  std::vector<ComparedSize> all;
  for (const records::CoreTimes& one : cores) {
    if (one.work != "saxpy") continue;
    const auto busy = std::ranges::find_if(
        cores, [&](const records::CoreTimes& other) { return other.work == "busy" && other.size == one.size; });
    if (busy == cores.end()) continue;
    const auto line = [&](double with_1, double with_256) {
      return std::max(with_1 + (with_256 - with_1) * (multiply_adds - 1) / 255, std::min(with_1, with_256));
    };
    const double core = line(one.one_core, busy->one_core);
    const double every = line(one.all_cores.value_or(one.one_core), busy->all_cores.value_or(busy->one_core));
    const double bytes = 4 * one.size;
    all.push_back({one.size, std::min(core, every), line(one.gpu, busy->gpu),
                   done_between(record, pinned ? "h2d_pinned" : "h2d_pageable", bytes) +
                       done_between(record, pinned ? "d2h_pinned" : "d2h_pageable", bytes)});
  }
  std::ranges::sort(all, {}, &ComparedSize::elements);
  return all;
}

std::optional<double> break_even(const std::vector<ComparedSize>& sizes) {
  std::optional<double> from;
  for (std::size_t i = sizes.size(); i-- > 0 && sizes[i].gpu() < sizes[i].cpu;) from = sizes[i].elements;
  return from;
}

}  // namespace warpwalk::story
