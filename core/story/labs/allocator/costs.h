#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/records/lab_runs.h"
#include "core/story/labs/allocator/plan.h"

namespace warpwalk::story::allocator_lab {

// Names of the rows of Hardware::core_times that h200_allocator.csv becomes.
constexpr std::string_view cached_alloc = "cached_alloc", cached_free = "cached_free", cuda_malloc = "cuda_malloc",
                           cuda_free = "cuda_free";

/// The measured time of a call in ns, between two measured sizes in proportion to the logarithm of the size; the first
/// or the last one outside. None without a record.
std::optional<double> call_time(const std::vector<records::CoreTimes>& times, std::string_view call,
                                std::int64_t bytes);

/// ns of all calls up to a step: with the cache (its own work, and its calls of the driver), and with cudaMalloc and
/// cudaFree for each allocation and free.
struct Costs {
  double cached = 0, plain = 0;
  std::size_t cached_calls = 0, plain_calls = 0;  ///< of the driver
};
std::optional<Costs> costs_of(const std::vector<Shot>& shots, std::size_t steps,
                              const std::vector<records::CoreTimes>& times);

}  // namespace warpwalk::story::allocator_lab
