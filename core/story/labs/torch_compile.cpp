// Lab: what torch.compile makes of a line of PyTorch: launches, bytes, cycles and code of an H200, beside eager mode.
#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/records/hardware.h"
#include "core/records/triton_record.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {
namespace {

using records::LineKernel;

constexpr std::string_view ways[] = {"eager", "compiled", "autotuned"};
constexpr std::string_view lines_of_lab[] = {"pointwise", "gelu", "normalise", "matmul"};

/// What one way of running the line launches.
struct LaunchesOfLine {
  std::vector<const LineKernel*> kernels;
  double us = 0, cycles = 0, read = 0, written = 0, instructions = 0;
};

bool is_of_triton(const LineKernel& kernel) { return kernel.kernel.starts_with("triton_"); }

struct TorchCompile {
  static constexpr std::string_view name = "lab/torch-compile";

  const SceneInput& input;
  const records::TritonRecord* record;  ///< null if there are no recordings
  ControlSet controls{input, name};
  std::string line;  ///< the name of the line
  std::string way;   ///< "compiled" or "autotuned"
  LaunchesOfLine eager, made;

  explicit TorchCompile(const SceneInput& in) : input(in), record(in.hardware.triton.get()) {
    const auto chosen = [&](std::string_view control, std::span<const std::string_view> keys) {
      std::vector<std::string> names;
      for (const std::string_view key : keys)
        names.push_back(input.narration.text(fmt::format("{}.control", name), key));
      return std::string(keys[controls.choice(control, std::move(names), 0, "example")]);
    };
    line = chosen("line", lines_of_lab);
    way = chosen("way", std::span(ways).subspan(1));
    if (record == nullptr) return;
    eager = launches("eager");
    made = launches(way);
  }

  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text(fmt::format("{}.word", name), key, values);
  }
  bool complete() const { return !eager.kernels.empty() && !made.kernels.empty(); }
  double progress() const { return part(input.moment.phase, 0.05, 0.9); }
  std::string text() const {
    const std::string_view all = record->text(fmt::format("{}.line", line));
    return std::string(all.substr(0, all.find('\n')));
  }
  LaunchesOfLine launches(std::string_view of_way) const {
    LaunchesOfLine all;
    for (const LineKernel& kernel : record->lines) {
      if (kernel.line != line || kernel.way != of_way) continue;
      all.kernels.push_back(&kernel);
      all.us += kernel.us;
      all.cycles += kernel.cycles;
      all.read += kernel.read;
      all.written += kernel.written;
      all.instructions += kernel.instructions;
    }
    return all;
  }
  /// The kernels that a library has, which are not fused with others.
  std::ptrdiff_t of_libraries() const {
    return std::ranges::count_if(made.kernels, [](const LineKernel* kernel) { return !is_of_triton(*kernel); });
  }
  std::string_view source() const { return record->text(fmt::format("{}.{}.py", line, way)); }
};

std::string kernel_label(const LineKernel& kernel) { return analysis::short_kernel_name(kernel.kernel); }

// The launches of eager mode, in their order, beside the Triton source that was generated.
Panel code_panel(const TorchCompile& lab) {
  std::vector<std::string> launched;
  for (const LineKernel* const kernel : lab.eager.kernels) launched.push_back(kernel_label(*kernel));
  std::vector<std::string> source;
  for (const LineKernel* const kernel : lab.made.kernels)
    if (!is_of_triton(*kernel)) source.push_back(lab.word("library", {{"kernel", kernel_label(*kernel)}}));
  for (const std::string_view one : base::lines_of(lab.source())) source.emplace_back(one);
  const auto at = [&](std::size_t count) {
    return static_cast<std::size_t>(1 + std::lround(lab.progress() * static_cast<double>(count - 1)));
  };
  const std::size_t left = at(launched.size()), right = at(source.size());
  CodePicture code;
  code.columns = {text_column(lab.word("eager_kernels"), std::move(launched), left, 1),
                  text_column(lab.word(lab.way), std::move(source), right, 1.5)};
  code.columns[0].window.focus = left - 1;
  code.columns[1].window.focus = right - 1;
  return {"", 1, std::move(code)};
}

// The kernels one after the other on one axis of time.
Panel times_of_kernels(const TorchCompile& lab) {
  TimelinePicture picture;
  picture.to = 1;
  for (const std::string_view way : ways) {
    const LaunchesOfLine launches = lab.launches(way);
    Row row;
    double at = 0;
    for (const LineKernel* const kernel : launches.kernels) {
      Bar bar;
      bar.label = kernel_label(*kernel);
      bar.start = std::llround(1000 * at);
      at += kernel->us;
      bar.end = std::llround(1000 * at);
      bar.role = is_of_triton(*kernel) ? Role::kernel : Role::copy;
      bar.followed = way == lab.way || way == ways[0];
      row.bars.push_back(std::move(bar));
    }
    picture.to = std::max(picture.to, 1030 * at);
    picture.groups.push_back({lab.word(way), {std::move(row)}});
  }
  picture.legend = {{Role::copy, lab.word("of_pytorch")}, {Role::kernel, lab.word("of_inductor")}};
  return {"", 1, std::move(picture)};
}

Panel totals_table(const TorchCompile& lab) {
  TablePicture table;
  table.columns = {{lab.word("way"), 1.4}};
  for (const std::string_view column : {"launches", "read", "written", "instructions", "cycles", "time"})
    table.columns.push_back({lab.word(column), 1, true});
  for (const std::string_view way : ways) {
    const LaunchesOfLine all = lab.launches(way);
    TableRow& row = table.rows.emplace_back();
    row.cells = {word_cell(lab.word(way))};
    const auto measured = [&](double value, Unit unit) {
      row.cells.push_back(figure_cell(all.kernels.size() == 1 ? Figure::recorded(value, unit, Origin::measured)
                                                              : Figure::derived(value, unit, lab.word("sum_formula"))));
    };
    row.cells.push_back(
        figure_cell(Figure::recorded(static_cast<double>(all.kernels.size()), Unit::count, Origin::measured)));
    measured(all.read, Unit::bytes);
    measured(all.written, Unit::bytes);
    measured(all.instructions, Unit::count);
    measured(all.cycles, Unit::count);
    measured(1000 * all.us, Unit::nanoseconds);
    row.followed = way == lab.way;
  }
  return {lab.word("totals"), 1, std::move(table)};
}

void code_facts(const TorchCompile& lab, FactWriter& facts) {
  facts.fact("eager", Figure::recorded(static_cast<double>(lab.eager.kernels.size()), Unit::count, Origin::measured));
  facts.fact("made", Figure::recorded(static_cast<double>(lab.made.kernels.size()), Unit::count, Origin::measured));
  const LineKernel& last = *lab.made.kernels.back();
  facts.fact("registers", Figure::recorded(last.registers, Unit::count, Origin::measured));
  facts.fact("grid", Figure::recorded(last.grid, Unit::count, Origin::measured));
  facts.fact("block", Figure::recorded(last.block, Unit::count, Origin::measured));
}

void time_facts(const TorchCompile& lab, FactWriter& facts) {
  facts.derived("eager_time", 1000 * lab.eager.us, Unit::nanoseconds);
  facts.derived("made_time", 1000 * lab.made.us, Unit::nanoseconds);
  facts.derived("ratio", with_marks(fmt::format("{:.2f}", lab.eager.us / lab.made.us)));
}

void bytes_facts(const TorchCompile& lab, FactWriter& facts) {
  facts.derived("eager_bytes", lab.eager.read + lab.eager.written, Unit::bytes);
  facts.derived("made_bytes", lab.made.read + lab.made.written, Unit::bytes);
  // Bytes of the fused kernel per time: how near the memory's bandwidth it comes.
  facts.derived("bandwidth", (lab.made.read + lab.made.written) / (1000 * lab.made.us), Unit::gigabytes_per_second);
}

Narration::Values values_of_lab(const TorchCompile& lab) {
  if (lab.record == nullptr || !lab.complete()) return {};
  const double ratio = lab.eager.us / lab.made.us;
  return {{"line", lab.text()},
          {"eager", count_text(lab.input.narration, "kernel", std::ssize(lab.eager.kernels))},
          {"made", count_text(lab.input.narration, "kernel", std::ssize(lab.made.kernels))},
          {"eager_time", time_text(1000 * lab.eager.us)},
          {"made_time", time_text(1000 * lab.made.us)},
          {"times", with_marks(fmt::format("{:.1f}", ratio >= 1 ? ratio : 1 / ratio))},
          {"eager_bytes", bytes_text(lab.eager.read + lab.eager.written)},
          {"made_bytes", bytes_text(lab.made.read + lab.made.written)}};
}

std::vector<Task> tasks_of_lab(const TorchCompile& lab) {
  return {{"three", lab.eager.us >= 3 * lab.made.us},
          {"library", lab.of_libraries() > 0},
          {"slower", lab.made.us > lab.eager.us},
          {"epilogue", lab.line == "matmul" && lab.made.kernels.size() == 1}};
}

std::optional<MissingData> no_line_recordings(const TorchCompile& lab) {
  return lab.record == nullptr || !lab.complete() ? std::optional(MissingData{"recordings"}) : std::nullopt;
}

// How many kernels the compiled line launches. The other options are what eager mode launches, and an op each.
std::optional<Ask> launches_question(const TorchCompile& lab) {
  if (lab.line == "matmul") return {};  // eager mode has as many
  Options options;
  options.words = {lab.word("option.one"), lab.word("option.two"),
                   lab.word("option.eager", {{"n", fmt::to_string(lab.eager.kernels.size())}})};
  options.keys = {"", "two", "eager"};
  options.right = 0;
  Ask asked{"launches", lab.line, std::move(options), {}};
  asked.hide = [](Panels& panels) {
    if (auto* const code = picture_at<CodePicture>(panels, 0, 0)) {
      code->columns.resize(1);
      for (CodeLine& one : code->columns[0].window.lines) one.lit = false;
      code->columns[0].window.focus = 0;
    }
  };
  return asked;
}

ControlNames line_controls(const TorchCompile&) { return {"line", "way"}; }

constexpr Frame<TorchCompile> torch_compile_frame = {
    .subject = [](const Here& here) { return TorchCompile(here.input); },
    .stop = "translator",
    .values = values_of_lab,
    .complete = take_controls<TorchCompile>};

constexpr BeatOf<TorchCompile> torch_compile_beats[] = {
    {.key = "line",
     .missing = no_line_recordings,
     .section = [](const TorchCompile& lab) -> std::string { return lab.of_libraries() > 0 ? "line_library" : "line"; },
     .facts = code_facts,
     .panels = [](const TorchCompile& lab) -> PanelRows {
       return {{1, {code_panel(lab)}}};
     },
     .controls = line_controls,
     .question = launches_question},
    {.key = "times",
     .missing = no_line_recordings,
     .section = [](const TorchCompile& lab) -> std::string {
       return lab.made.us <= lab.eager.us ? "times" : "times_slower";
     },
     .facts = time_facts,
     .panels = [](const TorchCompile& lab) -> PanelRows {
       return {{1, {times_of_kernels(lab)}}};
     },
     .controls = line_controls},
    {.key = "bytes",
     .missing = no_line_recordings,
     .section = [](const TorchCompile& lab) -> std::string {
       return lab.eager.read + lab.eager.written > 1.1 * (lab.made.read + lab.made.written) ? "bytes" : "bytes_same";
     },
     .facts = bytes_facts,
     .panels = [](const TorchCompile& lab) -> PanelRows {
       return {{1, {totals_table(lab)}, true}};
     },
     .controls = line_controls},
    {.key = "tasks",
     .missing = no_line_recordings,
     .facts = time_facts,
     .panels = [](const TorchCompile& lab) -> PanelRows {
       return {{1.4, {tasks_panel(lab.input, TorchCompile::name, tasks_of_lab(lab))}, true},
               {1, {totals_table(lab)}, true}};
     },
     .controls = line_controls}};

}  // namespace

const Contents& torch_compile_lab() {
  static const BeatTable table(TorchCompile::name, torch_compile_frame, torch_compile_beats);
  return table;
}

}  // namespace warpwalk::story
