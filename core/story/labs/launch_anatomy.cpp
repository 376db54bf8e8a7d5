// Lab: the launch line <<<grid, block, shared, stream>>>, and the index arithmetic of any thread.
#include <algorithm>

#include <fmt/ranges.h>

#include "core/records/hardware.h"
#include "core/story/facts/launch/launch_limits.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view launch_anatomy_name = "lab/launch-anatomy";
constexpr std::string_view launch_anatomy_words = "lab/launch-anatomy.word";
constexpr std::int64_t max_thread_cells = 1024;

// The launch as set, and the thread that is followed.
struct Launch : gpu::LaunchShape {
  const SceneInput& input;
  ControlSet controls{input, launch_anatomy_name};
  std::int64_t shared = 0, stream = 0, elements = 0, in_grid = 0, in_block = 0;
  std::vector<LaunchLimit> limits;
  const LaunchLimit* broken = nullptr;  // the limit that the launch exceeds; null if it runs

  explicit Launch(const SceneInput& in) : LaunchShape{{4, 1, 1}, {256, 1, 1}}, input(in) {
    const trace::KernelDetail* const kernel = kernel_detail(in.trace, in.walk);
    const bool recorded = kernel != nullptr && kernel->grid[0] > 0 && kernel->block[0] > 0;
    if (recorded) {
      std::ranges::copy(kernel->grid, grid.begin());
      std::ranges::copy(kernel->block, block.begin());
    }
    const std::string_view source = recorded ? "launched" : "example";
    const auto sliders = [&](std::string_view part, gpu::Shape& shape, std::int64_t max_x, std::int64_t max) {
      for (std::size_t i = 0; i < 3; ++i)
        shape[i] = controls.slider(fmt::format("{}_{}", part, "xyz"[i]), steps_growing(1, i == 0 ? max_x : max),
                                   shape[i], source);
    };
    sliders("grid", grid, 4096, 128);
    sliders("block", block, 1536, 96);
    // The launch gives the dynamic part. Profilers record it added to the static one, so only walks that warpwalk ran
    // have it, and kernels without any.
    const trace::KernelRecord* const record = recorded ? kernel_record(in.trace, in.walk) : nullptr;
    const bool known = record != nullptr || (recorded && kernel->shared_bytes == 0);
    shared = controls.slider("shared", steps_by(0, 240 * 1024, 1024),
                             record == nullptr ? 0 : static_cast<std::int64_t>(record->dynamic_shared_bytes),
                             known ? source : "example", "B");
    stream = controls.slider("stream", steps_by(0, 8, 1), recorded ? kernel->stream : 0, source);
    elements = controls.slider("elements", steps_growing(1, 1 << 20), threads() - threads_per_block() / 3, "example");
    in_grid = controls.pointed("block", std::min(blocks(), max_thread_cells) - 1, blocks() - 1);
    in_block = controls.pointed("thread", std::min(threads_per_block(), max_thread_cells) - 1, 33);
    limits = launch_limits(in.narration, *this, shared, in.hardware.find("h200"));
    broken = broken_limit(limits);
  }

  std::int64_t index() const { return global_index(in_grid, in_block); }
  std::int64_t idle() const { return std::max<std::int64_t>(0, threads() - elements); }
  Narration::Values values() const {
    const auto c = [&](std::string_view thing, std::int64_t n) { return count_text(input.narration, thing, n); };
    const LaunchLimit& limit = broken == nullptr ? limits.front() : *broken;
    return {{"blocks", c("block", blocks())},
            {"per_block", c("thread", threads_per_block())},
            {"threads", c("thread", threads())},
            {"elements", c("element", elements)},
            {"idle", c("thread", idle())},
            {"n", with_thousands(elements)},
            {"i", with_thousands(index())},
            {"block", analysis::coordinates_text(in_grid, grid)},
            {"thread", analysis::coordinates_text(in_block, block)},
            {"part", input.narration.text(launch_anatomy_words, limit.part)},
            {"asked", limit.in_bytes() ? shared_bytes_text(limit.asked) : with_thousands(limit.asked)},
            {"most", limit.most.text()}};
  }
  std::string word(std::string_view key) const { return input.narration.text(launch_anatomy_words, key, values()); }
};

// The source, and beside each line its value for the followed thread.
Panel code_panel(const Launch& l, std::size_t lit) {
  const std::vector<std::string> values =
      l.broken != nullptr
          ? std::vector{l.word("error"), l.word("why"), l.word("no_thread")}
          : std::vector{l.word("starts"), linear_text(l.in_grid, l.grid), linear_text(l.in_block, l.block),
                        fmt::format("{} * {} + {} = {}", l.in_grid, l.threads_per_block(), l.in_block, l.index()),
                        l.word(l.index() < l.elements ? "in_range" : "out_of_range")};
  CodePicture code;
  code.columns = {
      text_column(l.word("source"),
                  {fmt::format("scale<<<dim3({}), dim3({}), {}, stream{}>>>(x, {});", fmt::join(l.grid, ", "),
                               fmt::join(l.block, ", "), l.shared, l.stream, l.elements),
                   "int block  = blockIdx.x  + gridDim.x  * (blockIdx.y  + gridDim.y  * blockIdx.z);",
                   "int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);",
                   "int i = block * (blockDim.x * blockDim.y * blockDim.z) + thread;", "if (i < n) x[i] *= 2.0f;"},
                  lit, 1.9),
      text_column(l.word(l.broken == nullptr ? "values" : "outcome"), values, lit)};
  return {{}, 1, std::move(code)};
}

// The grid's blocks, or the threads of the followed block, coloured by whether they have elements to work on.
Panel cells_panel(const Launch& l, bool threads) {
  const gpu::Shape& shape = threads ? l.block : l.grid;
  CellGrid cells;
  cells.columns = static_cast<std::size_t>(std::min<std::int64_t>(threads ? 32 : shape[0], 32));
  cells.control = fmt::format("{}.{}", launch_anatomy_name, threads ? "thread" : "block");
  cells.followed = static_cast<std::size_t>(threads ? l.in_block : l.in_grid);
  for (std::int64_t i = 0; i < std::min(gpu::count_of(shape), max_thread_cells); ++i) {
    const std::int64_t first = threads ? l.global_index(l.in_grid, i) : l.global_index(i, 0);
    const std::int64_t last = threads ? first : l.global_index(i + 1, 0) - 1;
    const Tone tone = last < l.elements ? Tone::work : first < l.elements ? Tone::shared : Tone::refused;
    cells.cells.push_back({tone, fmt::to_string(i), fmt::format("{}: i = {} ... {}", i, first, last)});
  }
  cells.legend = legend(cells, l.input, launch_anatomy_words,
                        {{Tone::work, "work"}, {Tone::shared, "some"}, {Tone::refused, "none"}});
  if (gpu::count_of(shape) > max_thread_cells) cells.note = l.word("first_drawn");
  if (l.broken != nullptr) refuse_all(cells, l.word("not_run"), l.word("fails"));
  return {l.word(threads ? "threads" : "blocks"), 1, std::move(cells)};
}

// Each part of the launch beside its limit.
Panel limits_panel(const Launch& l) {
  TablePicture table;
  table.columns = {{l.word("part"), 3}, {l.word("asked"), 1, true}, {l.word("limit"), 1, true}, {l.word("verdict"), 3}};
  for (const LaunchLimit& limit : l.limits) {
    const TableCell verdict = word_cell(l.word(limit.verdict()), limit.tone()), most = figure_cell(limit.most);
    table.rows.push_back({{word_cell(l.word(limit.part)),
                           limit.in_bytes() ? bytes_cell(limit.asked) : number_cell(limit.asked), most, verdict},
                          limit.fails()});
  }
  return {l.word("limits"), 1, std::move(table)};
}

Narration::Values launch_values(const Launch& l) { return l.values(); }

void launch_facts(const Launch& l, FactWriter& facts) {
  if (l.broken != nullptr) facts.derived("verdict", l.word("verdict_fails"));
  facts.counted(l.broken == nullptr ? "threads" : "asked", static_cast<std::size_t>(l.threads()));
  facts.counted("warps", static_cast<std::size_t>(l.warps_per_block()));
  if (l.broken != nullptr) return;
  facts.counted("index", static_cast<std::size_t>(l.index()));
  facts.derived("lane", fmt::format("{}, {}", l.in_block / 32, l.in_block % 32));
  facts.counted("idle", static_cast<std::size_t>(l.idle()));
}

PanelRow launch_cells(const Launch& l) { return {1, {cells_panel(l, false), cells_panel(l, true)}}; }

// The texts of a beat about a launch that runs.
std::string unless_it_fails(const Launch& l, std::string_view section) {
  return std::string(l.broken == nullptr ? section : "fails");
}

constexpr Frame<Launch> launch_frame = {.subject = [](const Here& here) { return Launch(here.input); },
                                        .stop = "front_end",
                                        .values = launch_values,
                                        .facts = launch_facts,
                                        .complete = take_controls};

constexpr BeatOf<Launch> launch_anatomy_beats[] = {
    {.key = "line",
     .section = [](const Launch& l) { return unless_it_fails(l, "line"); },
     .panels = [](const Launch& l) -> PanelRows {
       return {{1, {code_panel(l, 1)}}, launch_cells(l)};
     }},
    {.key = "grid",
     .section = [](const Launch& l) { return unless_it_fails(l, "grid"); },
     .panels = [](const Launch& l) -> PanelRows { return {launch_cells(l)}; }},
    {.key = "index",
     .section = [](const Launch& l) { return unless_it_fails(l, "index"); },
     .panels = [](const Launch& l) -> PanelRows {
       return {{1, {code_panel(l, l.broken == nullptr ? 4 : 1)}}, launch_cells(l)};
     }},
    {.key = "bounds",
     .section = [](const Launch& l) { return unless_it_fails(l, "bounds"); },
     .panels = [](const Launch& l) -> PanelRows { return {launch_cells(l)}; }},
    {.key = "limits", .panels = [](const Launch& l) -> PanelRows {
       return {{1, {limits_panel(l)}}};
     }}};

}  // namespace

const Contents& launch_anatomy_lab() {
  static const BeatTable table(launch_anatomy_name, launch_frame, launch_anatomy_beats);
  return table;
}

}  // namespace warpwalk::story
