#include "core/gpu/blocks/occupancy.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/enum_names.h"

namespace warpwalk::gpu {
namespace {

std::int64_t round_up(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

/// Larger than any launch can have, and small enough that the arithmetic below cannot overflow.
constexpr std::int64_t max_plausible = std::int64_t{1} << 30;

std::string invalid_input(const BlockNeeds& needs) {
  if (needs.threads < 1) return fmt::format("a block of {} threads: it must have at least 1", needs.threads);
  for (const auto& [value, what] : {std::pair{needs.registers, "registers"},
                                    {needs.static_shared, "bytes of static shared memory"},
                                    {needs.dynamic_shared, "bytes of dynamic shared memory"},
                                    {needs.barriers, "barriers"},
                                    {needs.threads, "threads"}})
    if (value < 0 || value > max_plausible) return fmt::format("{} {}: out of range", value, what);
  if (needs.carveout_percent && (*needs.carveout_percent < 0 || *needs.carveout_percent > 100))
    return fmt::format("a preferred carve-out of {}%: it must be from 0 to 100", *needs.carveout_percent);
  return {};
}

/// Returns why this resource alone makes the block impossible; empty if it does not.
std::string too_many_threads(const Device& device, const BlockNeeds& needs) {
  if (needs.threads <= *device.threads_per_block) return {};
  return fmt::format("{} threads per block; this GPU allows at most {}", needs.threads, *device.threads_per_block);
}

std::string too_many_registers(const Device& device, const BlockNeeds& needs, const Occupancy& result) {
  if (needs.registers > *device.registers_per_thread)
    return fmt::format("{} registers per thread; this GPU allows at most {}", needs.registers,
                       *device.registers_per_thread);
  const std::int64_t checked = result.registers_per_warp * round_up(result.warps_per_block, *device.sub_partitions);
  if (checked <= *device.registers_per_block) return {};
  return fmt::format(
      "{} threads with {} registers each need {} allocated registers; this GPU allows at most {} per block",
      needs.threads, needs.registers, checked, *device.registers_per_block);
}

std::string too_much_shared(const Device& device, const BlockNeeds& needs) {
  const std::int64_t shared = needs.static_shared + needs.dynamic_shared;
  if (shared > *device.shared_per_block_optin)
    return fmt::format("{} B of shared memory per block; this GPU allows at most {}", shared,
                       *device.shared_per_block_optin);
  if (shared <= *device.shared_per_block || needs.shared_optin) return {};
  return fmt::format(
      "{} B of shared memory per block; more than {} requires the kernel to opt in "
      "(cudaFuncSetAttribute, up to {})",
      shared, *device.shared_per_block, *device.shared_per_block_optin);
}

/// Returns the smallest carve-out of at least this many bytes, or the largest if all are smaller.
std::int64_t carveout_for(const Device& device, std::int64_t bytes) {
  const auto& sizes = *device.carveouts;
  const auto found = std::lower_bound(sizes.begin(), sizes.end(), bytes);
  return found == sizes.end() ? sizes.back() : *found;
}

/// Returns the carve-out that limits the blocks.
std::int64_t carveout_bound(const Device& device, const BlockNeeds& needs, std::int64_t shared_per_block) {
  if (!needs.carveout_percent) return device.carveouts.value->back();
  const std::int64_t preferred = *device.shared_per_sm * *needs.carveout_percent / 100;
  return carveout_for(device, std::max(preferred, shared_per_block));
}

}  // namespace

std::string_view name_of(Limiter limiter) { return base::enum_name(limiter); }

Occupancy occupancy_of(const Device& device, const BlockNeeds& needs) {
  Occupancy result;
  result.failure = invalid_input(needs);
  if (!result.failure.empty()) return result;

  result.warps_per_block = (needs.threads + *device.threads_per_warp - 1) / *device.threads_per_warp;
  result.registers_per_warp = round_up(needs.registers * *device.threads_per_warp, *device.register_allocation);
  result.registers_per_block = result.registers_per_warp * result.warps_per_block;
  result.shared_per_block = round_up(needs.static_shared + *device.shared_reserved_per_block + needs.dynamic_shared,
                                     *device.shared_allocation);

  // A resource that makes the block impossible has the limit 0. The first such resource is reported.
  const auto set = [&](Limiter limiter, std::string failure, Occupancy::Limit blocks) {
    result.limits[static_cast<std::size_t>(limiter)] = failure.empty() ? blocks : 0;
    if (result.failure.empty()) result.failure = std::move(failure);
  };
  set(Limiter::warps, too_many_threads(device, needs), *device.warps_per_sm / result.warps_per_block);
  Occupancy::Limit by_registers;
  if (result.registers_per_warp > 0) {
    const std::int64_t warps = *device.registers_per_sm / *device.sub_partitions / result.registers_per_warp;
    by_registers = warps * *device.sub_partitions / result.warps_per_block;
  }
  set(Limiter::registers, too_many_registers(device, needs, result), by_registers);
  result.carveout = carveout_bound(device, needs, result.shared_per_block);
  Occupancy::Limit by_shared;
  if (result.shared_per_block > 0) by_shared = result.carveout / result.shared_per_block;
  set(Limiter::shared, too_much_shared(device, needs), by_shared);
  set(Limiter::blocks, {}, *device.blocks_per_sm);
  if (device.barriers_per_sm && needs.barriers > 0)
    set(Limiter::barriers, {}, *device.barriers_per_sm / needs.barriers);

  result.blocks_per_sm = *device.blocks_per_sm;
  for (const Occupancy::Limit& limit : result.limits)
    result.blocks_per_sm = std::min(result.blocks_per_sm, limit.value_or(result.blocks_per_sm));
  for (std::size_t i = 0; i < limiter_count; ++i)
    if (result.limits[i] == result.blocks_per_sm) result.limiters.push_back(static_cast<Limiter>(i));
  if (result.blocks_per_sm == 0 && result.failure.empty())
    result.failure = fmt::format("no block fits on an SM; limited by {}", name_of(result.limiters.front()));
  if (!needs.carveout_percent) result.carveout = carveout_for(device, result.blocks_per_sm * result.shared_per_block);
  result.warps_per_sm = result.blocks_per_sm * result.warps_per_block;
  result.percent = 100.0 * static_cast<double>(result.warps_per_sm) / static_cast<double>(*device.warps_per_sm);
  return result;
}

}  // namespace warpwalk::gpu
