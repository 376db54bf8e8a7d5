#include "core/story/facts/launch/warps_per_scheduler.h"

#include <algorithm>
#include <array>

#include "core/story/facts/memory/resources.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t threads_per_warp = 32;
constexpr std::int64_t schedulers_per_sm = 4;  // of all GPUs since compute capability 5.0, but 6.0, which has 2

std::int64_t product_of(const std::array<std::int32_t, 3>& sizes) {
  std::int64_t product = 1;
  for (const std::int32_t size : sizes) product *= std::max(size, 1);
  return product;
}

}  // namespace

bool one_warp_per_scheduler(const Trace& trace, const Walk& walk) {
  const trace::KernelDetail* const kernel = kernel_detail(trace, walk);
  const trace::KernelRecord* const record = kernel_record(trace, walk);
  const auto sms = sms_of(trace, walk);
  if (kernel == nullptr || record == nullptr || (record->arguments.empty() && !record->state) || !sms || *sms <= 0) return false;
  if (kernel->grid[0] <= 0 || kernel->block[0] <= 0) return false;
  const std::int64_t warps = (product_of(kernel->block) + threads_per_warp - 1) / threads_per_warp;
  // The block scheduler spreads the blocks over all SMs before one gets a second block.
  const std::int64_t blocks = (product_of(kernel->grid) + *sms - 1) / *sms;
  return blocks * warps <= schedulers_per_sm;
}

}  // namespace warpwalk::story
