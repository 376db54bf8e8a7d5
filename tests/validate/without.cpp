#include "tests/validate/without.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/gpu/device/parameters.h"
#include "core/gpu/timing/timing.h"
#include "tests/reference/compared.h"

namespace warpwalk::validate {

namespace {

using gpu::Device;

/// The value that a parameter gets when it is left out. It may depend on other parameters.
struct Rule {
  std::string_view name;
  std::string_view meaning;
  double (*value)(const Device&);
};

double zero(const Device&) { return 0; }
double one(const Device&) { return 1; }
double unlimited(const Device&) { return 1e6; }
double infinite_rate(const Device&) { return 1e18; }

/// The parameters for which less than zero cycles or a rate of nothing would be no sensible "without".
const auto& rules() {
  static const auto table = std::to_array<Rule>({
      {"l1_bytes", "no L1 cache beyond one set", zero},
      {"l2_bytes", "L2 of 1 GiB", [](const Device&) { return 1073741824.0; }},
      {"l2_partitions", "one partition", one},
      {"l2_ways", "direct-mapped", one},
      {"l2_slices", "4,096 slices", [](const Device&) { return 4096.0; }},
      {"latency_l2", "as L1, and the way there", [](const Device& d) { return *d.latency_l1 + *d.latency_l1_miss; }},
      {"latency_l2_far", "as the near partition", [](const Device& d) { return static_cast<double>(*d.latency_l2); }},
      {"latency_memory", "as L2",
       [](const Device& d) {
         return (static_cast<double>(*d.latency_l2) + static_cast<double>(*d.latency_l2_far)) / 2;
       }},
      {"memory_bandwidth", "unlimited", infinite_rate},
      {"memory_efficiency", "the peak", one},
      {"memory_write_batch", "writes are never in the way", [](const Device&) { return 1e9; }},
      {"icache_l0_lines", "4,096 lines", [](const Device&) { return 4096.0; }},
      {"icache_l1_lines", "unlimited", unlimited},
      {"icache_prefetch", "no prefetch", zero},
      {"register_read_window", "operands are always read in time", unlimited},
      {"mio_queue", "unlimited", unlimited},
      {"lg_queue", "unlimited", unlimited},
      {"l1_misses", "unlimited", unlimited},
      {"l1_miss_queue", "unlimited", unlimited},
      {"l1_tags", "one line per cycle", one},
      {"l1_ways", "direct-mapped", one},
      {"store_merge_lines", "stores never merge", zero},
      {"stores_in_flight", "unlimited", unlimited},
      {"l1_fill_bandwidth", "unlimited", infinite_rate},
      {"sm_write_bandwidth", "unlimited", infinite_rate},
      {"gpc_bandwidth", "unlimited", infinite_rate},
      {"l2_bandwidth_far", "unlimited", infinite_rate},
  });
  return table;
}

/// Whether the timing model needs the parameter, so that there is no timing without a value for it.
bool is_read(const gpu::ParameterInfo& info) {
  static const Device complete = reference::h200();
  Device device = complete;
  std::visit([&](auto field) { device.*field = {}; }, info.field);
  return !gpu::timing_of(device);
}

const Rule* rule_of(const gpu::ParameterInfo& info) {
  static constexpr Rule no_time = {"", "no time", zero};
  if (!is_read(info)) return nullptr;
  if (const auto found = std::ranges::find(rules(), info.name, &Rule::name); found != rules().end()) return &*found;
  // memory_refresh_interval only says how often memory_refresh acts, so it cannot be zero.
  return info.unit == "cycles" && info.name != "memory_refresh_interval" ? &no_time : nullptr;
}

}  // namespace

std::vector<Without> withouts() {
  std::vector<Without> all;
  for (const gpu::ParameterInfo& info : gpu::parameter_infos())
    if (const Rule* const rule = rule_of(info)) all.push_back({std::string(info.name), std::string(rule->meaning)});
  return all;
}

std::optional<std::string> leave_out(Device& device, std::string_view name) {
  const gpu::ParameterInfo* const info = gpu::find_parameter(name);
  if (info == nullptr) return fmt::format("{}: is not a device parameter", name);
  const Rule* const rule = rule_of(*info);
  if (rule == nullptr) return fmt::format("{}: the model cannot do without it; see --list-parameters", name);
  const double value = rule->value(device);
  if (auto* const real = std::get_if<gpu::RealParameter Device::*>(&info->field)) {
    (device.**real).value = value;
  } else if (auto* const whole = std::get_if<gpu::IntParameter Device::*>(&info->field)) {
    (device.**whole).value = std::llround(value);
  } else {
    return fmt::format("{}: is not a number", name);
  }
  return {};
}

}  // namespace warpwalk::validate
