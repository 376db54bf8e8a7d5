#include "core/story/labs/allocator/costs.h"

#include <cmath>

namespace warpwalk::story::allocator_lab {

std::optional<double> call_time(const std::vector<records::CoreTimes>& times, std::string_view call,
                                std::int64_t bytes) {
  const auto size = static_cast<double>(bytes);
  const records::CoreTimes* below = nullptr;
  const records::CoreTimes* above = nullptr;
  for (const records::CoreTimes& one : times) {
    if (one.work != call) continue;
    if (one.size <= size && (below == nullptr || one.size > below->size)) below = &one;
    if (one.size >= size && (above == nullptr || one.size < above->size)) above = &one;
  }
  if (below == nullptr && above == nullptr) return {};
  if (below == nullptr) return above->one_core;
  if (above == nullptr || above->size <= below->size) return below->one_core;
  const double share = std::log(size / below->size) / std::log(above->size / below->size);
  return below->one_core + share * (above->one_core - below->one_core);
}

std::optional<Costs> costs_of(const std::vector<Shot>& shots, std::size_t steps,
                              const std::vector<records::CoreTimes>& times) {
  Costs costs;
  const auto add = [&](double& sum, std::string_view call, std::int64_t bytes) {
    const std::optional<double> time = call_time(times, call, bytes);
    sum += time.value_or(0);
    return time.has_value();
  };
  for (std::size_t i = 0; i < steps && i < shots.size(); ++i) {
    const Shot& shot = shots[i];
    bool known = true;
    for (const std::int64_t bytes : shot.taken) known = known && add(costs.cached, cuda_malloc, bytes);
    for (const std::int64_t bytes : shot.given) known = known && add(costs.cached, cuda_free, bytes);
    costs.cached_calls += shot.taken.size() + shot.given.size();
    const bool allocates = shot.action.kind == Action::Kind::allocate && !is_refused(shot.outcome);
    if (allocates || shot.outcome == Outcome::freed) {
      known = known && add(costs.cached, allocates ? cached_alloc : cached_free, shot.action.bytes) &&
              add(costs.plain, allocates ? cuda_malloc : cuda_free, shot.action.bytes);
      ++costs.plain_calls;
    }
    if (!known) return {};
  }
  return costs;
}

}  // namespace warpwalk::story::allocator_lab
