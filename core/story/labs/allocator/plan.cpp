#include "core/story/labs/allocator/plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/ops/tensor/error.h"

namespace warpwalk::story::allocator_lab {
namespace {

using ops::AllocatorSettings;
using ops::CachingAllocator;

/// The driver: the lowest free addresses, in steps of 2 MiB, and the calls of the current step.
class Driver : public ops::SegmentSource {
 public:
  explicit Driver(std::uint64_t capacity) : capacity_(capacity) {}
  std::vector<std::int64_t> taken, given;

  std::optional<std::uint64_t> allocate(std::uint64_t bytes) override {
    if (bytes > capacity_ || held_ > capacity_ - bytes) return {};
    constexpr std::uint64_t step = 2 * mib;
    std::uint64_t at = base;
    for (const auto& [address, size] : segments_) {
      if (address - at >= bytes) break;
      at = (address + size + step - 1) / step * step;
    }
    segments_[at] = bytes;
    take(bytes);
    return at;
  }
  void free(std::uint64_t address, std::uint64_t bytes) override {
    segments_.erase(address);
    give(bytes);
  }
  std::optional<std::pair<std::uint64_t, std::uint64_t>> reserve_addresses() override {
    constexpr std::uint64_t reach = std::uint64_t{1} << 40;
    return std::pair((std::uint64_t{1} << 44) + reach * regions_++, reach);
  }
  bool map(std::uint64_t, std::uint64_t bytes) override {
    if (bytes > capacity_ || held_ > capacity_ - bytes) return false;
    take(bytes);
    return true;
  }
  void unmap(std::uint64_t, std::uint64_t bytes) override { give(bytes); }

 private:
  static constexpr std::uint64_t base = std::uint64_t{1} << 32;
  void take(std::uint64_t bytes) {
    held_ += bytes;
    taken.push_back(static_cast<std::int64_t>(bytes));
  }
  void give(std::uint64_t bytes) {
    held_ -= bytes;
    given.push_back(static_cast<std::int64_t>(bytes));
  }

  std::uint64_t capacity_, held_ = 0, regions_ = 0;
  std::map<std::uint64_t, std::uint64_t> segments_;
};

}  // namespace

Plan training_plan() {
  constexpr std::int64_t layers = 4, activation = 6 * mib, workspace = 3 * mib;
  Plan plan;
  for (int round = 0; round < 2; ++round) {
    std::vector<std::size_t> held;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
      held.push_back(plan.size());
      plan.push_back({Action::Kind::allocate, activation + layer * mib, 0});
      plan.push_back({Action::Kind::allocate, workspace, 0});
      plan.push_back({Action::Kind::free, 0, plan.size() - 1});
    }
    plan.push_back({Action::Kind::allocate, 40 * kib, 0});
    held.push_back(plan.size() - 1);
    for (std::size_t i = held.size(); i-- > 0;) plan.push_back({Action::Kind::free, 0, held[i]});
  }
  return plan;
}

Plan growing_plan() {
  Plan plan;
  std::size_t before = 0;
  for (std::int64_t i = 0; i < 7; ++i) {
    plan.push_back({Action::Kind::allocate, (16 + 4 * i) * mib, 0});
    if (i > 0) plan.push_back({Action::Kind::free, 0, before});
    before = plan.size() - (i > 0 ? 2 : 1);
  }
  return plan;
}

Plan kept_plan(std::int64_t batches, std::int64_t batch, std::int64_t kept, std::int64_t request) {
  Plan plan;
  for (std::int64_t i = 0; i < batches; ++i) plan.push_back({Action::Kind::allocate, batch, 0});
  for (std::int64_t i = 0; i < batches; ++i) plan.push_back({Action::Kind::free, 0, static_cast<std::size_t>(i)});
  for (std::int64_t i = 0; i < batches; ++i) plan.push_back({Action::Kind::allocate, kept, 0});
  plan.push_back({Action::Kind::allocate, request, 0});
  return plan;
}

std::vector<Shot> run_plan(const Plan& plan, const AllocatorSettings& settings) {
  Driver driver(settings.limit);
  CachingAllocator allocator(driver, nullptr, settings);
  std::vector<std::uint64_t> held(plan.size(), 0);  // addresses by step; 0: refused or free
  std::vector<Shot> shots;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const Action& action = plan[i];
    Shot& shot = shots.emplace_back();
    shot.action = action;
    driver.taken.clear();
    driver.given.clear();
    const std::uint64_t before = allocator.allocated();
    if (action.kind == Action::Kind::empty_cache) {
      allocator.empty_cache();
    } else if (action.kind == Action::Kind::free) {
      shot.action.bytes = action.which < i ? plan[action.which].bytes : 0;
      if (action.which < i && held[action.which] != 0) {
        shot.address = std::exchange(held[action.which], 0);
        allocator.free(shot.address);
        shot.outcome = Outcome::freed;
      }
    } else {
      try {
        shot.address = held[i] = allocator.allocate(static_cast<std::uint64_t>(action.bytes));
        shot.outcome = driver.taken.empty()   ? Outcome::cached
                       : driver.given.empty() ? Outcome::driver
                                              : Outcome::retried;
      } catch (const ops::OpError&) {
        const std::uint64_t need = CachingAllocator::rounded(static_cast<std::uint64_t>(action.bytes), settings);
        shot.outcome = settings.limit - before >= need ? Outcome::fragmented : Outcome::full;
      }
    }
    shot.allocated = static_cast<std::int64_t>(allocator.allocated());
    shot.reserved = static_cast<std::int64_t>(allocator.reserved());
    shot.inactive = static_cast<std::int64_t>(allocator.inactive_split());
    shot.largest_free = static_cast<std::int64_t>(
        allocator.largest_free(static_cast<std::uint64_t>(std::max<std::int64_t>(1, shot.action.bytes))));
    shot.taken = driver.taken;
    shot.given = driver.given;
    shot.segments = allocator.segments();
  }
  return shots;
}

}  // namespace warpwalk::story::allocator_lab
