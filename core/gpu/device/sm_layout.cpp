#include "core/gpu/device/sm_layout.h"

namespace warpwalk::gpu {

SmLayout layout_of(const Device& device) {
  SmLayout layout;
  layout.positions.resize(static_cast<std::size_t>(*device.sm_count));
  layout.tpc_sms = static_cast<std::size_t>(*device.tpc_sms);
  if (!device.gpcs) {
    if (layout.sm_count() % layout.tpc_sms != 0) layout.tpc_sms = 1;
    auto& all = layout.gpcs.emplace_back();
    for (std::size_t sm = 0; sm < layout.sm_count(); ++sm) all.push_back(static_cast<SmId>(sm));
    return layout;
  }
  for (const auto& group : *device.gpcs) {
    const int number = static_cast<int>(layout.gpcs.size());
    auto& gpc = layout.gpcs.emplace_back();
    for (const std::int64_t sm : group) {
      gpc.push_back(static_cast<SmId>(sm));
      layout.positions[static_cast<std::size_t>(sm)] = {false, number};
    }
  }
  if (!device.small_groups) return layout;
  for (const auto& group : *device.small_groups) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (i % layout.tpc_sms == 0) layout.small_tpcs.push_back({layout.small_groups, {}});
      layout.small_tpcs.back().sms.push_back(static_cast<SmId>(group[i]));
      layout.positions[static_cast<std::size_t>(group[i])] = {true, layout.small_groups};
    }
    ++layout.small_groups;
  }
  return layout;
}

}  // namespace warpwalk::gpu
