// The settings of the lab "observe", and its record.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/gpu/device/device.h"
#include "core/records/hardware.h"
#include "core/story/labs/observe/observe.h"

namespace warpwalk::story {

Observe::Observe(const SceneInput& in) : input(in), record(in.hardware.observers.get()) {
  std::vector<std::string> words;
  for (const std::string_view key : moments) words.push_back(word(fmt::format("short_{}", key)));
  moment = controls.choice("moment", std::move(words), 1, "example");
  instrument = static_cast<std::size_t>(controls.pointed("instrument", std::size(instruments) - 1, 0));
  duty.kernel = static_cast<double>(
      controls.slider("kernel", {10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000}, 1000, "example", "µs"));
  duty.gap = static_cast<double>(controls.slider(
      "gap", {0, 10, 20, 50, 100, 250, 500, 1000, 2000, 3000, 5000, 9000, 20000}, 1000, "example", "µs"));
  blocks = controls.slider("blocks", {1, 2, 4, 8, 16, 33, 66, 99, 132, 264, 528, 1056, 2112}, 1, "example");
  burst = controls.choice("burst", {word("burst_0"), word("burst_1")}, 0, "example");
  window = static_cast<double>(
      controls.slider("window", {50, 100, 150, 200, 250, 300, 400, 500, 1000, 2000}, 200, "example", "ms"));
  offset = static_cast<double>(controls.slider("offset", steps_by(0, 400, 20), 0, "example", "ms"));
}

std::string Observe::word(std::string_view key, const Narration::Values& values) const {
  return input.narration.text(fmt::format("{}.word", name), key, values);
}

const Instrument& Observe::find(std::string_view key) { return *std::ranges::find(instruments, key, &Instrument::key); }

std::optional<double> Observe::number(std::string_view of_moment, const Instrument& one) const {
  return record == nullptr ? std::nullopt : record->number(of_moment, one.tool, one.figure);
}

std::optional<Figure> Observe::figure(std::string_view of_moment, const Instrument& one) const {
  const auto value = number(of_moment, one);
  if (!value) return {};
  switch (one.unit) {
    case Instrument::Unit::bytes: return Figure::recorded(*value, Unit::bytes, Origin::measured);
    case Instrument::Unit::watts:
      return Figure::recorded(word("n_watts", {{"n", fmt::format("{:.0f}", *value)}}), Origin::measured);
    case Instrument::Unit::time:
      return Figure::derived(percent_text(*percent(of_moment, one.key)), word("busy_formula"));
    case Instrument::Unit::percent: break;
  }
  return Figure::recorded(shown(of_moment, one.key), Origin::measured);
}

std::string Observe::shown(std::string_view of_moment, std::string_view key) const {
  const double value = percent(of_moment, key).value_or(0);
  // nvidia-smi reports whole percents.
  return find(key).tool == "smi" ? with_marks(fmt::format("{:g} %", value)) : percent_text(value);
}

std::optional<double> Observe::percent(std::string_view of_moment, std::string_view key) const {
  const Instrument& one = find(key);
  const auto value = number(of_moment, one);
  if (!value) return {};
  const auto whole = one.whole.empty() ? std::optional(100.0) : record->number(of_moment, one.tool, one.whole);
  return whole && *whole > 0 ? std::optional(100 * *value / *whole) : std::nullopt;
}

GpuShare Observe::gpu() const {
  const gpu::Device& device = described_gpu(input.hardware, "h200");
  return gpu_share(static_cast<double>(blocks), warps_per_block, sms(), static_cast<double>(*device.warps_per_sm));
}

std::string percent_text(double percent) {
  return percent == 0      ? "0 %"
         : percent < 0.001 ? with_marks("< 0.001 %")
         : percent < 0.1   ? with_marks(fmt::format("{:.3f} %", percent))
         : percent < 10    ? with_marks(fmt::format("{:.2f} %", percent))
                           : with_marks(fmt::format("{:.1f} %", percent));
}

double MeasuredDuty::utilization() const {
  double sum = 0;
  for (const auto& [at, value] : readings) sum += value;
  return readings.empty() ? 0 : sum / static_cast<double>(readings.size());
}

std::optional<double> MeasuredDuty::renewed() const {
  std::vector<double> gaps;
  double changed = -1;
  for (std::size_t i = 1; i < readings.size(); ++i) {
    if (readings[i].second == readings[i - 1].second) continue;
    if (changed >= 0) gaps.push_back(readings[i].first - changed);
    changed = readings[i].first;
  }
  if (gaps.empty()) return {};
  std::ranges::sort(gaps);
  return gaps[gaps.size() / 4];
}

std::vector<MeasuredDuty> measured_duties(const records::ObserverRecord& record) {
  std::vector<MeasuredDuty> all;
  for (const records::DutyReading& one : record.duty) {
    auto at = std::ranges::find_if(all, [&](const MeasuredDuty& duty) {
      return duty.blocks == one.blocks && duty.kernel_us == one.kernel_us && duty.gap_us == one.gap_us;
    });
    if (at == all.end()) {
      all.push_back({one.blocks, one.kernel_us, one.gap_us, 0, {}});
      at = all.end() - 1;
    }
    if (one.kind == "busy")
      at->busy = one.value;
    else
      at->readings.emplace_back(one.at_ms, one.value);
  }
  return all;
}

}  // namespace warpwalk::story
