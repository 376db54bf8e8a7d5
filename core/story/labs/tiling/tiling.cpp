// Lab: c = a b by tiles: bytes, reuse, the roofline, measured kernels, and copies that overlap with the arithmetic.
#include "core/story/labs/tiling/tiling.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "core/gpu/device/device.h"
#include "core/records/hardware.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {

std::vector<OverlapStep> overlapped(int steps, double copy, double multiply, int buffers) {
  std::vector<OverlapStep> all;
  const auto apart = static_cast<std::size_t>(std::max(buffers, 1));
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::max(steps, 0)); ++i) {
    OverlapStep step;
    if (i > 0) step.copy_start = all[i - 1].copy_end;
    if (i >= apart) step.copy_start = std::max(step.copy_start, all[i - apart].multiply_end);
    step.copy_end = step.copy_start + copy;
    step.multiply_start = i > 0 ? std::max(step.copy_end, all[i - 1].multiply_end) : step.copy_end;
    step.multiply_end = step.multiply_start + multiply;
    all.push_back(step);
  }
  return all;
}

Tiling::Tiling(const SceneInput& in) : input(in), device(described_gpu(in.hardware, gpu)) {
  tile = controls.slider("tile", steps_growing(1, 256), 64, "example");
  copy = static_cast<double>(controls.slider("copy", steps_by(50, 1000, 50), 350, "example", "ns"));
  multiply = static_cast<double>(controls.slider("multiply", steps_by(50, 1000, 50), 300, "example", "ns"));
  buffers = static_cast<int>(controls.slider("buffers", steps_by(1, 4, 1), 2, "example"));
}

std::string Tiling::word(std::string_view key, const Narration::Values& values) const {
  return input.narration.text(fmt::format("{}.word", name), key, values);
}

std::string Tiling::tflops_text(double flops) const {
  return word("n_tflops", {{"n", with_marks(fmt::format("{:.1f}", flops / 1e12))}});
}

std::string Tiling::intensity_text(double intensity) const {
  return word("n_intensity", {{"n", with_marks(fmt::format("{:.4g}", intensity))}});
}

const records::LabRun* Tiling::run(std::string_view kernel) const {
  return find_run(input.hardware.lab_runs, fmt::format("tiling_{}", kernel), gpu);
}

bool Tiling::recorded() const {
  return std::ranges::all_of(kernels, [&](std::string_view kernel) { return run(kernel) != nullptr; });
}

double Tiling::peak() const {
  return 2.0 * static_cast<double>(*device.fp32_lanes * *device.sm_count) * *device.sm_clock;
}

namespace {

std::vector<Task> tasks_of(const Tiling& lab) {
  const double least = Tiling::steps * std::max(lab.copy, lab.multiply);
  const bool hidden = lab.total(lab.buffers) <= least + std::min(lab.copy, lab.multiply) + 0.5;
  return {{"largest", lab.fits() && Tiling::shared(2 * lab.tile) > *lab.device.shared_per_block_optin},
          {"compute_bound", static_cast<double>(lab.tile) / 4 >= lab.peak() / lab.bandwidth() &&
                                static_cast<double>(lab.tile) / 8 < lab.peak() / lab.bandwidth()},
          {"hidden", lab.buffers > 1 && hidden && lab.multiply > lab.copy},
          {"useless", lab.buffers == 1 && lab.copy * 10 <= lab.multiply},
          {"double", lab.buffers == 2 && lab.copy == lab.multiply}};
}

using TilingBeat = BeatOf<Tiling>;

// How much of a motion has been shown, 0 to 1.
double shown_of(const Tiling& lab) { return part(lab.input.moment.phase, 0.05, 0.9); }

std::string bound_text(const Tiling& lab) {
  return lab.word(static_cast<double>(lab.tile) / 4 < lab.peak() / lab.bandwidth() ? "memory_bound" : "compute_bound");
}

std::string buffers_text(const Tiling& lab) {
  return lab.word(lab.buffers == 1 ? "pair" : "pairs", {{"n", fmt::to_string(lab.buffers)}});
}

void tile_facts(const Tiling& lab, FactWriter& facts) {
  facts.derived("loaded", Tiling::loaded(lab.tile), Unit::bytes);
  facts.derived("reuse", fmt::to_string(lab.tile));
  facts.derived("shared", static_cast<double>(Tiling::shared(lab.tile)), Unit::bytes);
  facts.derived("intensity", lab.intensity_text(static_cast<double>(lab.tile) / 4));
}

void roofline_facts(const Tiling& lab, FactWriter& facts) {
  tile_facts(lab, facts);
  facts.derived("peak", lab.tflops_text(lab.peak()));
  facts.derived("bound", bound_text(lab));
  facts.derived("ridge", lab.intensity_text(lab.peak() / lab.bandwidth()));
}

void cycle_facts(const Tiling& lab, FactWriter& facts) {
  for (const std::string_view kernel : Tiling::kernels)
    if (const auto& cycles = lab.run(kernel)->cycles.measured)
      facts.named(
          lab.word(kernel),
          Figure::recorded(lab.word("n_cycles", {{"n", with_thousands(std::llround(*cycles))}}), Origin::measured));
}

void overlap_facts(const Tiling& lab, FactWriter& facts) {
  facts.derived("buffers", buffers_text(lab));
  facts.derived("total", lab.total(lab.buffers), Unit::nanoseconds);
  facts.derived("one_buffer", lab.total(1), Unit::nanoseconds);
  facts.derived("faster",
                lab.word("n_times", {{"n", with_marks(fmt::format("{:.2f}", lab.total(1) / lab.total(lab.buffers)))}}));
}

Narration::Values values_of(const Tiling& lab) {
  const auto times = [&](std::string_view slow, std::string_view fast) {
    const records::LabRun *const a = lab.run(slow), *const b = lab.run(fast);
    const double cycles = a == nullptr ? 0 : a->cycles.measured.value_or(0);
    return b == nullptr ? 0 : cycles / std::max(1.0, b->cycles.measured.value_or(1));
  };
  const records::LabRun* const barrier = lab.run("barrier");
  const double barrier_error =
      barrier == nullptr ? 0
                         : barrier->cycles.simulated.value_or(0) / std::max(1.0, barrier->cycles.measured.value_or(1));
  return {{"n", with_thousands(Tiling::n)},
          {"tile", fmt::to_string(lab.tile)},
          {"tiles", with_thousands(Tiling::n / lab.tile)},
          {"loaded", bytes_text(Tiling::loaded(lab.tile))},
          {"without", bytes_text(Tiling::loaded(1))},
          {"intensity", with_marks(fmt::format("{:g}", static_cast<double>(lab.tile) / 4))},
          {"bound", bound_text(lab)},
          {"tiled_times", with_marks(fmt::format("{:.1f}", times("naive", "tiled")))},
          {"all_times", with_marks(fmt::format("{:.1f}", times("naive", "pipeline")))},
          {"barrier_error", with_marks(fmt::format("{:.1f}", barrier_error))},
          {"buffers", buffers_text(lab)},
          {"total", time_text(lab.total(lab.buffers))},
          {"one_buffer", time_text(lab.total(1))}};
}

std::optional<Ask> less_question(const Tiling& lab) {
  Ask less{"less",
           fmt::to_string(lab.tile),
           range_options(lab.input.narration, static_cast<double>(lab.tile), {2, 10, 50, 200}, ""),
           {"shared"}};
  less.hide = [](Panels& panels) {  // what is loaded without tiles stays
    auto* const bytes = picture_at<ScatterPicture>(panels, 0, 0);
    if (bytes == nullptr) return;
    bytes->lines.clear();
    std::erase_if(bytes->points, [](const ScatterPoint& point) { return point.x > 1; });
  };
  return less;
}

constexpr Frame<Tiling> tiling_frame = {.subject = [](const Here& here) { return Tiling(here.input); },
                                        .stop = "memory",
                                        .values = values_of,
                                        .complete = take_controls};

ControlNames tile_controls(const Tiling&) { return {"tile"}; }

constexpr TilingBeat tiling_beats[] = {
    {.key = "tile",
     .facts = tile_facts,
     .panels = [](const Tiling& lab) -> PanelRows {
       const double shown = shown_of(lab);
       return {{1, {matrix_panel(lab, 'a', shown), matrix_panel(lab, 'b', shown), matrix_panel(lab, 'c', shown)}}};
     },
     .controls = tile_controls},
    {.key = "bytes",
     .facts = tile_facts,
     .panels = [](const Tiling& lab) -> PanelRows {
       return {{1, {bytes_panel(lab)}}};
     },
     .controls = tile_controls,
     .question = less_question},
    {.key = "roofline",
     .facts = roofline_facts,
     .panels = [](const Tiling& lab) -> PanelRows {
       return {{1, {roofline_panel(lab)}}};
     },
     .controls = tile_controls},
    {.key = "cycles",
     .missing = [](const Tiling& lab) { return lab.recorded() ? std::nullopt : std::optional(MissingData{"runs"}); },
     .facts = cycle_facts,
     .panels = [](const Tiling& lab) -> PanelRows {
       return {{1, {cycles_panel(lab)}}, {1, {cycles_table(lab)}, true}};
     },
     .controls = no_controls},
    {.key = "overlap",
     .facts = overlap_facts,
     .panels = [](const Tiling& lab) -> PanelRows {
       return {{1, {overlap_panel(lab, shown_of(lab))}}};
     },
     .controls = [](const Tiling&) -> ControlNames {
       return {"copy", "multiply", "buffers"};
     }},
    {.key = "calls",
     .panels = [](const Tiling& lab) -> PanelRows {
       return {{1, {calls_panel(lab)}}};
     },
     .controls = no_controls},
    {.key = "tasks", .panels = [](const Tiling& lab) -> PanelRows {
       return {{1, {tasks_panel(lab.input, Tiling::name, tasks_of(lab))}, true}, {1, {settings_panel(lab)}, true}};
     }}};

}  // namespace

const Contents& tiling_lab() {
  static const BeatTable table(Tiling::name, tiling_frame, tiling_beats);
  return table;
}

}  // namespace warpwalk::story
