// Resident warps by the resources that a kernel's author can choose: the step curves of an occupancy calculator.
#include <algorithm>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/elements/figure.h"
#include "core/story/pictures/size_axis.h"
#include "core/story/scenes/sm/sm.h"

namespace warpwalk::story {
namespace {

template <class NeedsWith>
gpu::Occupancy fit_at(const SmSubject& sm, std::int64_t value, const NeedsWith& needs_with) {
  return gpu::occupancy_of(*sm.device, needs_with(value));
}

double warps_in(const gpu::Occupancy& fit) { return static_cast<double>(fit.warps_per_sm); }

// The steps between `from` and `to` of a function that never grows; the end of each step is found by bisection.
template <class NeedsWith>
std::vector<ChartStep> falling(const SmSubject& sm, std::int64_t from, std::int64_t to, const NeedsWith& needs_with) {
  std::vector<ChartStep> steps;
  while (from <= to) {
    const gpu::Occupancy fit = fit_at(sm, from, needs_with);
    std::int64_t low = from, high = to + 1;
    while (high - low > 1) {
      const std::int64_t middle = (low + high) / 2;
      (fit_at(sm, middle, needs_with).blocks_per_sm == fit.blocks_per_sm ? low : high) = middle;
    }
    steps.push_back({static_cast<double>(from), static_cast<double>(low), warps_in(fit)});
    from = low + 1;
  }
  return steps;
}

// The chart of one setting, without its curve: `at` is the setting in words, `value` as a number.
ChartPicture chart_of(const SmSubject& sm, std::string_view control, const std::string& at, std::int64_t value) {
  const Narration& n = sm.input.narration;
  ChartPicture chart;
  chart.control = fmt::format("sm.{}", control);
  chart.label = n.text("sm.control", control);
  chart.tip = n.text("sm.curve", control);
  chart.here = {static_cast<double>(value), warps_in(sm.fit),
                n.text("sm.curve", "here",
                       {{"at", at},
                        {"blocks", counted(sm.input, "block", sm.fit.blocks_per_sm)},
                        {"warps", counted(sm.input, "warp", sm.fit.warps_per_sm)}})};
  const std::int64_t slots = *sm.device->warps_per_sm;
  chart.top = static_cast<double>(slots);
  for (const std::int64_t warps : {std::int64_t{0}, slots / 2, slots})
    chart.levels.emplace_back(static_cast<double>(warps), std::to_string(warps));
  for (const Control& one : sm_controls(sm))
    if (one.name == control) chart.stops = one.steps;
  chart.from = chart.stops.front();
  chart.to = chart.stops.back();
  return chart;
}

template <class NeedsWith>
void mark_better(ChartPicture& chart, const SmSubject& sm, const std::optional<std::int64_t>& better, std::string text,
                 const NeedsWith& needs_with) {
  if (better) chart.better = {static_cast<double>(*better), warps_in(fit_at(sm, *better, needs_with)), std::move(text)};
}

void mark_launched(ChartPicture& chart, const SmSubject& sm, bool set, std::int64_t launched) {
  if (set) chart.reference = {static_cast<double>(launched), 0, sm.input.narration.text("sm.word", "launched")};
}

}  // namespace

std::vector<ChartPicture> sm_curves(const SmSubject& sm) {
  const gpu::Device& device = *sm.device;
  std::vector<ChartPicture> charts;
  {
    const auto needs = [&](std::int64_t r) { return with_registers(sm.needs, r); };
    ChartPicture chart = chart_of(sm, "registers", with_thousands(sm.needs.registers), sm.needs.registers);
    chart.steps = falling(sm, 1, static_cast<std::int64_t>(chart.to), needs);
    for (std::int64_t r = 32; r <= *device.registers_per_thread; r += 32)
      chart.ticks.emplace_back(static_cast<double>(r), std::to_string(r));
    mark_better(chart, sm, sm.gains.registers, with_thousands(sm.gains.registers.value_or(0)), needs);
    mark_launched(chart, sm, sm.registers_set, sm.launched.registers);
    charts.push_back(std::move(chart));
  }
  {
    const auto needs = [&](std::int64_t bytes) { return with_shared(device, sm.needs, bytes); };
    ChartPicture chart = chart_of(sm, "shared", shared_bytes_text(sm.shared()), sm.shared());
    const auto last = static_cast<std::int64_t>(chart.to);
    chart.steps = falling(sm, 0, last, needs);
    chart.ticks = even_size_ticks(chart.to, 8);
    mark_better(chart, sm, sm.gains.shared, shared_bytes_text(sm.gains.shared.value_or(0)), needs);
    mark_launched(chart, sm, sm.shared_set, sm.launched.static_shared);
    charts.push_back(std::move(chart));
  }
  {
    const std::int64_t lanes = *device.threads_per_warp;
    const auto needs = [&](std::int64_t threads) { return with_threads(sm.needs, threads); };
    ChartPicture chart = chart_of(sm, "block", with_thousands(sm.needs.threads), sm.needs.threads);
    for (std::int64_t threads = lanes; threads <= *device.threads_per_block; threads += lanes)
      chart.steps.push_back({static_cast<double>(threads - lanes + 1), static_cast<double>(threads),
                             warps_in(fit_at(sm, threads, needs))});
    for (std::int64_t threads = 128; threads <= *device.threads_per_block; threads += 128)
      chart.ticks.emplace_back(static_cast<double>(threads), with_thousands(threads));
    mark_better(chart, sm, sm.gains.threads, with_thousands(sm.gains.threads.value_or(0)), needs);
    mark_launched(chart, sm, sm.threads_set, sm.launched.threads);
    charts.push_back(std::move(chart));
  }
  return charts;
}

std::vector<Control> sm_controls(const SmSubject& sm) {
  const Narration& n = sm.input.narration;
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
        shared_bytes_text(sm.shared()), sm.shared_set);
    const auto lanes = static_cast<double>(*device.threads_per_warp);
    add("block", steps_by(lanes, static_cast<double>(*device.threads_per_block), lanes), sm.needs.threads,
        with_thousands(sm.needs.threads), sm.threads_set);
  }
  Control gpu;
  gpu.kind = Control::Kind::hidden;
  gpu.name = "gpu";
  gpu.label = n.text("sm.control", "gpu");
  gpu.words.push_back(n.text("sm.control", "recorded"));
  for (const gpu::Device& device : sm.input.hardware.devices)
    gpu.words.push_back(fmt::format("{}, {}", device.name, *device.compute_capability));
  gpu.value = static_cast<double>(sm.gpu_choice);
  gpu.shown = gpu.words[sm.gpu_choice];
  gpu.set = sm.gpu_choice > 0;
  gpu.source = gpu.words.front();
  controls.push_back(std::move(gpu));
  return controls;
}

}  // namespace warpwalk::story
