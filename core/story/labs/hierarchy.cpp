// Lab: grid, cluster, block, warp and thread in one to three dimensions.
#include <algorithm>

#include <fmt/format.h>

#include "core/story/labs/lab_parts.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view hierarchy_name = "lab/hierarchy";
constexpr std::string_view hierarchy_words = "lab/hierarchy.word";
constexpr std::int64_t threads_per_warp = 32, max_threads = 1024, max_block_z = 64, max_block_cells = 1024;

// What a beat says of its settings.
struct HierarchyStart {
  std::int64_t cluster = 1;  // blocks, if the grid's width allows it
};

struct Hierarchy : gpu::LaunchShape {
  const SceneInput& input;
  ControlSet controls{input, hierarchy_name};
  std::int64_t cluster = 1;  ///< blocks, neighbours in x
  std::int64_t in_grid = 0, in_block = 0;

  Hierarchy(const SceneInput& in, const HierarchyStart& start) : LaunchShape{{8, 4, 1}, {16, 8, 2}}, input(in) {
    const trace::KernelDetail* const kernel = kernel_detail(in.trace, in.walk);
    const bool recorded = kernel != nullptr && kernel->grid[0] > 0 && kernel->block[0] > 0;
    if (recorded) {
      std::ranges::copy(kernel->grid, grid.begin());
      std::ranges::copy(kernel->block, block.begin());
    }
    const std::string_view source = recorded ? "launched" : "example";
    const auto slider = [&](std::string_view part, std::int64_t max, std::int64_t& value) {
      value = controls.slider(part, steps_growing(1, static_cast<double>(max)), std::min(value, max), source);
    };
    slider("grid_x", 4096, grid[0]);
    slider("grid_y", 128, grid[1]);
    slider("grid_z", 128, grid[2]);
    // No setting asks for more threads than a block may have.
    slider("block_x", max_threads, block[0]);
    slider("block_y", max_threads / block[0], block[1]);
    slider("block_z", std::min(max_block_z, max_threads / (block[0] * block[1])), block[2]);
    std::vector<double> sizes;
    for (const std::int64_t size : {1, 2, 4, 8})
      if (grid[0] % size == 0) sizes.push_back(static_cast<double>(size));
    cluster = controls.slider("cluster", std::move(sizes), grid[0] % start.cluster == 0 ? start.cluster : 1, "example");
    in_grid = controls.pointed("block", std::min(blocks(), max_block_cells) - 1, 0);
    in_block = controls.pointed("thread", threads_per_block() - 1, 37);
  }

  std::int64_t warp() const { return in_block / threads_per_warp; }
  std::int64_t lane() const { return in_block % threads_per_warp; }
  std::int64_t in_last_warp() const { return threads_per_block() - (warps_per_block() - 1) * threads_per_warp; }
  std::int64_t dimensions(const gpu::Shape& shape) const { return shape[2] > 1 ? 3 : shape[1] > 1 ? 2 : 1; }
  std::int64_t cluster_of(std::int64_t number) const { return number / cluster; }  // rows hold whole clusters
  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text(hierarchy_words, key, values);
  }
};

std::string shape_words(const gpu::Shape& shape) { return fmt::format("{} × {} × {}", shape[0], shape[1], shape[2]); }

// The warps around the right one.
Options warp_options(const Hierarchy& h) {
  Options options;
  const std::int64_t last = h.warps_per_block() - 1, from = std::max<std::int64_t>(0, std::min(h.warp() - 1, last - 3));
  for (std::int64_t warp = from; warp <= std::min(from + 3, last); ++warp) {
    if (warp == h.warp()) options.right = options.words.size();
    options.values.push_back({{"first", fmt::to_string(32 * warp)}, {"end", fmt::to_string(32 * warp + 31)}});
    options.words.push_back(h.word("warp_n", {{"n", fmt::to_string(warp)}}));
  }
  return options;
}

// The levels, each with its size in this launch.
Panel levels_panel(const Hierarchy& h) {
  TablePicture table;
  table.columns = {{h.word("cuda"), 2}, {h.word("hardware"), 4}, {h.word("holds"), 3}, {h.word("in_launch"), 2, true}};
  const auto row = [&](std::string_view level, const std::string& holds, std::int64_t all, std::string_view formula) {
    const Figure figure = Figure::derived(static_cast<double>(all), Unit::count, h.word(formula));
    table.rows.push_back({{word_cell(h.word(level)), word_cell(h.word(fmt::format("{}.hardware", level))),
                           word_cell(holds), figure_cell(figure)},
                          false});
  };
  const auto count = [&](std::string_view thing, std::int64_t n) { return count_text(h.input.narration, thing, n); };
  row("grid", count("block", h.blocks()), 1, "grid.formula");
  row("cluster", count("block", h.cluster), h.blocks() / h.cluster, "cluster.formula");
  row("block", count("warp", h.warps_per_block()), h.blocks(), "block.formula");
  row("warp", count("thread", std::min(threads_per_warp, h.threads_per_block())), h.blocks() * h.warps_per_block(),
      "warp.formula");
  row("thread", h.word("one_lane"), h.threads(), "thread.formula");
  return {"", 1, std::move(table)};
}

// The memory that the threads of each level share, and how they wait for each other.
Panel shares_panel(const Hierarchy& h) {
  TablePicture table;
  table.columns = {{h.word("cuda"), 1}, {h.word("shares"), 3}, {h.word("waits"), 4}};
  for (const std::string_view level : {"thread", "warp", "block", "cluster", "grid"})
    table.rows.push_back({{word_cell(h.word(level)), word_cell(h.word(fmt::format("{}.shares", level))),
                           word_cell(h.word(fmt::format("{}.waits", level)))},
                          false});
  return {"", 1, std::move(table)};
}

// The threads of a block as its coordinates have them: a row for each y and z.
Panel threads_panel(const Hierarchy& h) {
  CellGrid cells;
  cells.columns = static_cast<std::size_t>(std::min<std::int64_t>(h.block[0], 64));
  cells.control = fmt::format("{}.thread", hierarchy_name);
  cells.followed = static_cast<std::size_t>(h.in_block);
  for (std::int64_t i = 0; i < h.threads_per_block(); ++i) {
    const std::int64_t warp = i / threads_per_warp;
    cells.cells.push_back({warp == h.warp() ? Tone::memory
                           : warp % 2 == 0  ? Tone::plain
                                            : Tone::quiet,
                           fmt::to_string(i),
                           h.word("thread_tip", {{"at", analysis::coordinates_text(i, h.block)},
                                                 {"i", fmt::to_string(i)},
                                                 {"warp", fmt::to_string(warp)},
                                                 {"lane", fmt::to_string(i % threads_per_warp)}})});
  }
  cells.legend = legend(cells, h.input, hierarchy_words,
                        {{Tone::memory, "same_warp"}, {Tone::plain, "even_warps"}, {Tone::quiet, "odd_warps"}});
  return {h.word("threads", {{"block", shape_words(h.block)}}), 1, std::move(cells)};
}

// The blocks of the grid by number, coloured by cluster.
Panel blocks_panel(const Hierarchy& h) {
  const std::int64_t own = h.cluster_of(h.in_grid);
  CellGrid cells;
  cells.columns = static_cast<std::size_t>(std::min<std::int64_t>(h.grid[0], 64));
  cells.control = fmt::format("{}.block", hierarchy_name);
  cells.followed = static_cast<std::size_t>(h.in_grid);
  for (std::int64_t i = 0; i < std::min(h.blocks(), max_block_cells); ++i) {
    const std::int64_t cluster = h.cluster_of(i);
    cells.cells.push_back({cluster == own     ? Tone::memory
                           : cluster % 2 == 0 ? Tone::plain
                                              : Tone::quiet,
                           fmt::to_string(i),
                           h.word("block_tip", {{"at", analysis::coordinates_text(i, h.grid)},
                                                {"i", fmt::to_string(i)},
                                                {"cluster", fmt::to_string(cluster)}})});
  }
  cells.legend = legend(cells, h.input, hierarchy_words, {{Tone::memory, "same_cluster"}});
  if (h.blocks() > max_block_cells) cells.note = h.word("first_drawn");
  return {h.word("blocks", {{"grid", shape_words(h.grid)}}), 1, std::move(cells)};
}

// The arithmetic of the chosen thread.
Panel index_panel(const Hierarchy& h) {
  CodePicture code;
  code.columns = {text_column(h.word("source"),
                              {"int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);",
                               "int warp = t / warpSize, lane = t % warpSize;",
                               "int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);",
                               "int i = b * (blockDim.x * blockDim.y * blockDim.z) + t;"},
                              2, 1.9),
                  text_column(h.word("values", {{"thread", analysis::coordinates_text(h.in_block, h.block)}}),
                              {linear_text(h.in_block, h.block), fmt::format("{}, {}", h.warp(), h.lane()),
                               linear_text(h.in_grid, h.grid),
                               fmt::format("{} * {} + {} = {}", h.in_grid, h.threads_per_block(), h.in_block,
                                           h.global_index(h.in_grid, h.in_block))},
                              2)};
  return {{}, 1, std::move(code)};
}

std::vector<Task> tasks_of(const Hierarchy& h) {
  return {{"three_d", h.dimensions(h.block) == 3 && h.threads_per_block() == 256},
          {"partial", h.in_last_warp() < threads_per_warp},
          {"rows", h.block[0] == threads_per_warp && h.block[1] > 1},
          {"lane", h.warp() == 1 && h.lane() == 0},
          {"neighbours", h.block[1] > 1 && h.block[0] < threads_per_warp && h.block[0] * 2 > threads_per_warp},
          {"cluster", h.cluster > 1 && h.blocks() / h.cluster == 4}};
}

using HierarchyBeat = BeatOf<Hierarchy, HierarchyStart>;

Narration::Values hierarchy_values(const Hierarchy& h) {
  const auto count = [&](std::string_view thing, std::int64_t n) { return count_text(h.input.narration, thing, n); };
  return {{"threads", count("thread", h.threads())},
          {"blocks", count("block", h.blocks())},
          {"per_block", count("thread", h.threads_per_block())},
          {"warps", count("warp", h.warps_per_block())},
          {"last", count("thread", h.in_last_warp())},
          {"thread", analysis::coordinates_text(h.in_block, h.block)},
          {"block", analysis::coordinates_text(h.in_grid, h.grid)},
          {"shape", shape_words(h.block)},
          {"warp", fmt::to_string(h.warp())},
          {"lane", fmt::to_string(h.lane())},
          {"i", with_thousands(h.global_index(h.in_grid, h.in_block))},
          {"cluster", count("block", h.cluster)}};
}

void size_facts(const Hierarchy& h, FactWriter& facts) {
  facts.counted("threads", static_cast<std::size_t>(h.threads()));
  facts.counted("warps", static_cast<std::size_t>(h.warps_per_block()));
  facts.counted("last", static_cast<std::size_t>(h.in_last_warp()));
  facts.counted("linear", static_cast<std::size_t>(h.in_block));
}

void index_facts(const Hierarchy& h, FactWriter& facts) {
  facts.counted("index", static_cast<std::size_t>(h.global_index(h.in_grid, h.in_block)));
}

void lane_facts(const Hierarchy& h, FactWriter& facts) {
  facts.derived("lane", fmt::format("{}, {}", h.warp(), h.lane()));
  index_facts(h, facts);
}

ControlNames block_controls(const Hierarchy&) { return {"block_x", "block_y", "block_z"}; }

std::optional<Ask> warp_question(const Hierarchy& h) {
  if (h.warps_per_block() == 1) return {};
  Ask warp{"warp", fmt::format("{} {} {}", h.block[0], h.block[1], h.in_block), warp_options(h), {"threads", "warps"}};
  warp.hide = [](Panels& panels) {  // the thread stays framed among those of its block
    if (auto* const threads = picture_at<CellGrid>(panels, 0, 0)) {
      const auto followed = threads->followed;
      hide_tones(*threads);
      threads->followed = followed;
    }
  };
  return warp;
}

constexpr Frame<Hierarchy, HierarchyStart> hierarchy_frame = {
    .subject = [](const Here& here) { return Hierarchy(here.input, here.shown<HierarchyBeat>()->more); },
    .stop = "front_end",
    .values = hierarchy_values,
    .facts = size_facts,
    .complete = take_controls};

constexpr HierarchyBeat hierarchy_beats[] = {
    {.key = "levels",
     .facts = index_facts,  // the lane would answer the next beat's question
     .panels = [](const Hierarchy& h) -> PanelRows {
       return {{1, {levels_panel(h)}}};
     }},
    {.key = "block",
     .facts = lane_facts,
     .panels = [](const Hierarchy& h) -> PanelRows {
       return {{1, {threads_panel(h)}}};
     },
     .controls = block_controls,
     .question = warp_question},
    {.key = "index",
     .facts = lane_facts,
     .panels = [](const Hierarchy& h) -> PanelRows {
       return {{2, {index_panel(h)}}, {3, {threads_panel(h)}}};
     },
     .controls = block_controls},
    {.key = "grid",
     .facts = lane_facts,
     .panels = [](const Hierarchy& h) -> PanelRows {
       return {{1, {blocks_panel(h)}}};
     },
     .controls = [](const Hierarchy&) -> ControlNames {
       return {"grid_x", "grid_y", "grid_z", "cluster"};
     },
     .more = {.cluster = 2}},
    {.key = "share",
     .facts = lane_facts,
     .panels = [](const Hierarchy& h) -> PanelRows {
       return {{1, {shares_panel(h)}}};
     },
     .controls = no_controls},
    {.key = "tasks", .facts = lane_facts, .panels = [](const Hierarchy& h) -> PanelRows {
       return {{3, {tasks_panel(h.input, hierarchy_name, tasks_of(h))}, true}, {3, {threads_panel(h)}}};
     }}};

}  // namespace

const Contents& hierarchy_lab() {
  static const BeatTable table(hierarchy_name, hierarchy_frame, hierarchy_beats);
  return table;
}

}  // namespace warpwalk::story
