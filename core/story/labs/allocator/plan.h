#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/ops/dispatch/caching_allocator.h"

namespace warpwalk::story::allocator_lab {

constexpr std::int64_t kib = 1024, mib = 1024 * kib;

/// One step of a plan: an allocation, or the free of an earlier one.
struct Action {
  enum class Kind : std::uint8_t { allocate, free, empty_cache };
  Kind kind = Kind::allocate;
  std::int64_t bytes = 0;  ///< of an allocation
  std::size_t which = 0;   ///< of a free: the number of the step that allocated
};
using Plan = std::vector<Action>;

/// Two steps of a training loop: `layers` activations, each with a workspace that is freed at once, then freed
/// backwards.
Plan training_plan();
/// A batch that grows by 4 MiB each time; the one before is freed after the next was made.
Plan growing_plan();
/// Batches that are freed; then as many results that are kept, each smaller than a batch; then a request.
Plan kept_plan(std::int64_t batches, std::int64_t batch, std::int64_t kept, std::int64_t request);

/// How a step went.
enum class Outcome : std::uint8_t {
  cached,     ///< from a free block
  driver,     ///< from a new segment, or a part of one that was added
  retried,    ///< from a new segment, after free segments went back to the driver
  freed,      ///< the block is free again
  nothing,    ///< a free of a block that was refused or is free already, or an empty cache
  full,       ///< refused: the bytes that are not in use would not suffice
  fragmented  ///< refused, although the bytes that are not in use would suffice
};
constexpr bool is_refused(Outcome outcome) { return outcome == Outcome::full || outcome == Outcome::fragmented; }

/// The allocator after a step.
struct Shot {
  Action action;
  Outcome outcome = Outcome::nothing;
  std::uint64_t address = 0;  ///< of the block that was allocated or freed
  std::int64_t allocated = 0, reserved = 0, inactive = 0;
  std::int64_t largest_free = 0;           ///< of the pool that the step's size belongs to
  std::vector<std::int64_t> taken, given;  ///< bytes of the driver's calls in this step
  std::vector<ops::CachingAllocator::Segment> segments;
};

/// Runs a plan through core/ops' caching allocator, with `settings.limit` bytes of memory. A refused request changes
/// the state only by the segments that went back.
std::vector<Shot> run_plan(const Plan& plan, const ops::AllocatorSettings& settings);

}  // namespace warpwalk::story::allocator_lab
