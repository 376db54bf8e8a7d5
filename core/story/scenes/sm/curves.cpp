// Resident warps by the resources that a kernel's author can choose: the step curves of an occupancy calculator.
#include "core/story/scenes/sm/curves.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/story/scenes/sm/values.h"

namespace warpwalk::story {
namespace {

template <class NeedsWith>
SmStep level_at(const SmSubject& sm, double value, const NeedsWith& needs_with) {
  const gpu::Occupancy fit = gpu::occupancy_of(*sm.device, needs_with(static_cast<std::int64_t>(value)));
  return {value, value, fit.blocks_per_sm, fit.warps_per_sm};
}

// The steps between `from` and `to` of a function that never grows; the end of each step is found by bisection.
template <class NeedsWith>
std::vector<SmStep> falling(const SmSubject& sm, std::int64_t from, std::int64_t to, const NeedsWith& needs_with) {
  std::vector<SmStep> steps;
  while (from <= to) {
    SmStep step = level_at(sm, static_cast<double>(from), needs_with);
    std::int64_t low = from, high = to + 1;
    while (high - low > 1) {
      const std::int64_t middle = (low + high) / 2;
      (level_at(sm, static_cast<double>(middle), needs_with).blocks == step.blocks ? low : high) = middle;
    }
    step.to = static_cast<double>(low);
    steps.push_back(step);
    from = low + 1;
  }
  return steps;
}

struct Words {
  const SceneInput& input;
  SmCurve operator()(std::string_view control, const SmStep& here, const std::string& at, double value,
                     const std::string& launched) const {
    SmCurve curve;
    const Narration& n = input.narration;
    curve.control = control;
    curve.label = n.text("sm.control", control);
    curve.tip = n.text("sm.curve", control);
    curve.here = n.text(
        "sm.curve", "here",
        {{"at", at}, {"blocks", counted(input, "block", here.blocks)}, {"warps", counted(input, "warp", here.warps)}});
    curve.set_text = n.text("sm.curve", "set", {{"launched", launched}});
    curve.at = value;
    curve.warps = here.warps;
    return curve;
  }
};

template <class NeedsWith>
void mark_better(SmCurve& curve, const SmSubject& sm, const std::optional<std::int64_t>& better, std::string text,
                 const NeedsWith& needs_with) {
  if (!better) return;
  curve.better = static_cast<double>(*better);
  curve.better_text = std::move(text);
  curve.better_warps = level_at(sm, *curve.better, needs_with).warps;
}

}  // namespace

std::vector<SmCurve> sm_curves(const SceneInput& input, const SmSubject& sm, const SmGains& gains) {
  const gpu::Device& device = *sm.device;
  const Words words{input};
  const SmStep here = {0, 0, sm.fit.blocks_per_sm, sm.fit.warps_per_sm};
  const std::vector<Control> controls = sm_controls(input, sm);
  const auto stops_of = [&](std::string_view name) {
    for (const Control& control : controls)
      if (control.name == name) return control.steps;
    return std::vector<double>();
  };
  std::vector<SmCurve> curves;
  {
    const auto needs = [&](std::int64_t r) { return with_registers(sm.needs, r); };
    SmCurve curve = words("registers", here, with_thousands(sm.needs.registers),
                          static_cast<double>(sm.needs.registers), with_thousands(sm.launched.registers));
    curve.stops = stops_of("registers");
    curve.steps = falling(sm, 1, static_cast<std::int64_t>(curve.stops.back()), needs);
    for (std::int64_t r = 32; r <= *device.registers_per_thread; r += 32)
      curve.ticks.emplace_back(static_cast<double>(r), std::to_string(r));
    mark_better(curve, sm, gains.registers, with_thousands(gains.registers.value_or(0)), needs);
    if (sm.registers_set) curve.launched = static_cast<double>(sm.launched.registers);
    curves.push_back(std::move(curve));
  }
  {
    const auto needs = [&](std::int64_t bytes) { return with_shared(device, sm.needs, bytes); };
    SmCurve curve = words("shared", here, size_text(sm.shared()), static_cast<double>(sm.shared()),
                          size_text(sm.launched.static_shared));
    curve.stops = stops_of("shared");
    const auto last = static_cast<std::int64_t>(curve.stops.back());
    curve.steps = falling(sm, 0, last, needs);
    std::int64_t apart = 8192;
    while (last / apart > 8) apart *= 2;
    for (std::int64_t bytes = 0; bytes <= last; bytes += apart)
      curve.ticks.emplace_back(static_cast<double>(bytes), size_text(bytes));
    mark_better(curve, sm, gains.shared, size_text(gains.shared.value_or(0)), needs);
    if (sm.shared_set) curve.launched = static_cast<double>(sm.launched.static_shared);
    curves.push_back(std::move(curve));
  }
  {
    const std::int64_t lanes = *device.threads_per_warp;
    const auto needs = [&](std::int64_t threads) { return with_threads(sm.needs, threads); };
    SmCurve curve = words("block", here, with_thousands(sm.needs.threads), static_cast<double>(sm.needs.threads),
                          with_thousands(sm.launched.threads));
    curve.stops = stops_of("block");
    for (std::int64_t threads = lanes; threads <= *device.threads_per_block; threads += lanes) {
      SmStep step = level_at(sm, static_cast<double>(threads), needs);
      step.from -= static_cast<double>(lanes - 1);
      curve.steps.push_back(step);
    }
    for (std::int64_t threads = 128; threads <= *device.threads_per_block; threads += 128)
      curve.ticks.emplace_back(static_cast<double>(threads), with_thousands(threads));
    mark_better(curve, sm, gains.threads, with_thousands(gains.threads.value_or(0)), needs);
    if (sm.threads_set) curve.launched = static_cast<double>(sm.launched.threads);
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::vector<Control> sm_controls(const SceneInput& input, const SmSubject& sm) {
  const Narration& n = input.narration;
  std::vector<Control> controls;
  const auto add = [&](std::string_view name, std::vector<double> steps, std::int64_t value, std::string shown,
                       bool set) {
    Control control;
    control.name = name;
    control.label = n.text("sm.control", name);
    control.value = static_cast<double>(value);
    control.steps = with_step(std::move(steps), control.value);
    control.shown = std::move(shown);
    control.set = set;
    control.source = n.text("sm.control", "launched");
    controls.push_back(std::move(control));
  };
  if (sm.device) {
    const gpu::Device& device = *sm.device;
    add("registers", steps_by(1, static_cast<double>(*device.registers_per_thread), 1), sm.needs.registers,
        with_thousands(sm.needs.registers), sm.registers_set);
    add("shared", steps_by(0, static_cast<double>(*device.shared_per_block_optin), 1024), sm.shared(),
        size_text(sm.shared()), sm.shared_set);
    const auto lanes = static_cast<double>(*device.threads_per_warp);
    add("block", steps_by(lanes, static_cast<double>(*device.threads_per_block), lanes), sm.needs.threads,
        with_thousands(sm.needs.threads), sm.threads_set);
  }
  Control gpu;
  gpu.kind = Control::Kind::hidden;
  gpu.name = "gpu";
  gpu.label = n.text("sm.control", "gpu");
  gpu.words.push_back(n.text("sm.control", "recorded"));
  for (const gpu::Device& device : input.hardware.devices)
    gpu.words.push_back(fmt::format("{}, {}", device.name, *device.compute_capability));
  gpu.value = static_cast<double>(sm.gpu_choice);
  gpu.shown = gpu.words[sm.gpu_choice];
  gpu.set = sm.gpu_choice > 0;
  gpu.source = gpu.words.front();
  controls.push_back(std::move(gpu));
  return controls;
}

}  // namespace warpwalk::story
