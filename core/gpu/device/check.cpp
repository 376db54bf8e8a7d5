#include <algorithm>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/device/sm_layout.h"

namespace warpwalk::gpu {
namespace {

using Error = std::optional<std::string>;

Error capability_error(const Device& device) {
  const std::string& text = *device.compute_capability;
  const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  const std::size_t point = text.find('.');
  const bool right =
      (point == 1 || point == 2) && point + 2 == text.size() && digit(0) && digit(point - 1) && digit(point + 1);
  if (right) return {};
  return fmt::format("compute_capability: \"{}\" is not of the form 9.0", text);
}

Error shared_memory_error(const Device& device) {
  const auto& carveouts = *device.carveouts;
  if (std::adjacent_find(carveouts.begin(), carveouts.end(), std::greater_equal<>()) != carveouts.end())
    return "carveouts: must be in increasing order";
  if (carveouts.back() != *device.shared_per_sm)
    return fmt::format("carveouts: the largest is {}, but shared_per_sm is {}", carveouts.back(),
                       *device.shared_per_sm);
  if (*device.shared_per_block > *device.shared_per_block_optin)
    return "shared_per_block: must not exceed shared_per_block_optin";
  // Not as a sum, which may overflow.
  if (*device.shared_per_block_optin > *device.shared_per_sm - *device.shared_reserved_per_block)
    return "shared_per_block_optin: the sum with shared_reserved_per_block must not exceed shared_per_sm";
  if (device.l1_bytes && *device.l1_bytes < *device.shared_per_sm)
    return "l1_bytes: must not be less than shared_per_sm";
  return {};
}

Error group_error(const Device& device) {
  if (*device.sm_count > std::numeric_limits<SmId>::max())
    return fmt::format("sm_count: is {}; the model supports at most {}", *device.sm_count,
                       std::numeric_limits<SmId>::max());
  if (!device.gpcs) {
    if (device.small_groups) return "small_groups: requires gpcs";
    return {};
  }
  std::vector<bool> seen(static_cast<std::size_t>(*device.sm_count), false);
  std::int64_t count = 0;
  for (const NestedListParameter* lists : {&device.gpcs, &device.small_groups}) {
    if (!*lists) continue;
    const std::string_view name = lists == &device.gpcs ? "gpcs" : "small_groups";
    for (const auto& group : **lists) {
      if (static_cast<std::int64_t>(group.size()) % *device.tpc_sms != 0)
        return fmt::format("{}: a group of {} SMs does not divide into TPCs of {}", name, group.size(),
                           *device.tpc_sms);
      for (const std::int64_t sm : group) {
        if (sm >= *device.sm_count)
          return fmt::format("{}: SM {} does not exist; sm_count is {}", name, sm, *device.sm_count);
        if (seen[static_cast<std::size_t>(sm)]) return fmt::format("{}: SM {} is listed twice", name, sm);
        seen[static_cast<std::size_t>(sm)] = true;
        ++count;
      }
    }
  }
  if (count != *device.sm_count)
    return fmt::format("gpcs: {} SMs are listed, but sm_count is {}", count, *device.sm_count);
  if (device.small_groups && !(device.run_ahead_first && device.run_ahead_again && device.deal_base &&
                               device.deal_pass && device.deal_small && device.deal_gpc))
    return "small_groups: requires run_ahead_first, run_ahead_again, deal_base, deal_pass, deal_small and deal_gpc";
  return {};
}

}  // namespace

std::optional<std::string> consistency_error(const Device& device) {
  if (Error error = capability_error(device)) return error;
  if (*device.registers_per_sm % *device.sub_partitions != 0)
    return "registers_per_sm: must be divisible by sub_partitions";
  if (*device.registers_per_block > *device.registers_per_sm)
    return "registers_per_block: must not exceed registers_per_sm";
  if (Error error = shared_memory_error(device)) return error;
  return group_error(device);
}

}  // namespace warpwalk::gpu
