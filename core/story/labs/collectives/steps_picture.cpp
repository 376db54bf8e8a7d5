// Pictures of the lab "collectives" that go through the steps of a plan: what GPUs hold, send, and their trees.
#include <algorithm>

#include <fmt/format.h>

#include "core/story/labs/collectives/collectives.h"
#include "core/story/labs/collectives/gradients.h"
#include "core/story/labs/collectives/tree.h"

namespace warpwalk::story {
namespace {

// "0", "013": the GPUs whose data is in the sum.
std::string digits_of(const ChunkSum& sum) {
  std::string digits;
  for (int gpu = 0; gpu < max_collective_gpus; ++gpu)
    if (sum.has(gpu)) digits += static_cast<char>('0' + gpu);
  return digits;
}

// Chunks go to other places: a cell is one GPU's chunk and not a sum.
bool moves_chunks(const CollectivePlan& plan) { return std::ranges::any_of(plan.sends, &CollectiveSend::from_input); }

Cell cell_of(const Collectives& lab, const CollectivePlan& plan, const ChunkSum& sum, int gpu, int chunk) {
  Cell cell;
  if (sum.empty()) {
    cell.tip = lab.word("empty_tip", {{"gpu", fmt::to_string(gpu)}, {"chunk", fmt::to_string(chunk)}});
    return cell;
  }
  const std::string digits = digits_of(sum);
  cell.label = moves_chunks(plan) ? fmt::format("{}.{}", digits, sum.chunk) : digits;
  cell.tip = lab.word("holds_tip", {{"gpu", fmt::to_string(gpu)},
                                    {"chunk", fmt::to_string(sum.chunk)},
                                    {"parts", fmt::format("{}", fmt::join(digits, ", "))}});
  cell.tone = sum.complete(plan.gpus) ? Tone::work : digits.size() == 1 ? Tone::memory : Tone::shared;
  return cell;
}

std::string sends_text(const Collectives& lab, const CollectivePlan& plan, int gpu, int step) {
  std::string text;
  for (const CollectiveSend& send : plan.sends) {
    if (send.step != step || send.from != gpu) continue;
    if (!text.empty()) text += "; ";
    text += lab.word(send.adds ? "send_adds" : "send_copies",
                     {{"chunk", fmt::to_string(send.source)}, {"to", fmt::to_string(send.to)}});
  }
  return text;
}

// One of the trees of a picture, and the chunks that it carries.
struct DrawnTree {
  TreeParents parents;
  int first = 0, last = 0;  ///< chunks, `last` exclusive
};

std::vector<DrawnTree> drawn_trees(const Collectives& lab) {
  const int chunks = lab.tree.chunks, half = lab.trees == 1 ? chunks : (chunks + 1) / 2;
  std::vector<DrawnTree> trees = {{binary_tree(lab.gpus, 0), 0, half}};
  if (lab.trees == 2) trees.push_back({binary_tree(lab.gpus, 1), half, chunks});
  return trees;
}

// Whether a chunk of this tree goes from one GPU to the other in a step.
bool sends_between(const Collectives& lab, const DrawnTree& tree, int from, int to, int step) {
  return std::ranges::any_of(lab.tree.sends, [&](const CollectiveSend& send) {
    return send.step == step && send.from == from && send.to == to && send.source >= tree.first &&
           send.source < tree.last;
  });
}

// The chunks of this tree that a GPU sends in a step: "c3 c1".
std::string chunks_sent(const Collectives& lab, const DrawnTree& tree, int gpu, int step) {
  std::vector<int> chunks;
  for (const CollectiveSend& send : lab.tree.sends)
    if (send.step == step && send.from == gpu && send.source >= tree.first && send.source < tree.last &&
        std::ranges::find(chunks, send.source) == chunks.end())
      chunks.push_back(send.source);
  std::string text;
  for (const int chunk : chunks) text += (text.empty() ? "" : " ") + lab.number_word("chunk_short", chunk);
  return text;
}

// Adds a tree below those that are there: every column has room for as many nodes of each.
void add_tree(const Collectives& lab, const DrawnTree& tree, std::size_t above, int step, GraphPicture& graph) {
  const std::size_t base = graph.nodes.size();
  std::vector<std::size_t> in_column(tree.parents.size(), 0);
  for (int gpu = 0; gpu < lab.gpus; ++gpu) ++in_column[static_cast<std::size_t>(depth_in(tree.parents, gpu))];
  std::vector<std::size_t> row(tree.parents.size(), 0);
  for (int gpu = 0; gpu < lab.gpus; ++gpu) {
    const int parent = tree.parents[static_cast<std::size_t>(gpu)];
    GraphNode& node = graph.nodes.emplace_back();
    node.name = lab.number_word("gpu_n", gpu);
    node.text = chunks_sent(lab, tree, gpu, step);
    node.column = static_cast<std::size_t>(depth_in(tree.parents, gpu));
    node.row = above * in_column[node.column] + row[node.column]++;
    node.tone = parent < 0 ? Tone::work : Tone::plain;
    node.tip = lab.word(parent < 0 ? "root_tip" : "child_tip",
                        {{"gpu", fmt::to_string(gpu)}, {"parent", fmt::to_string(parent)}});
  }
  for (int gpu = 0; gpu < lab.gpus; ++gpu) {
    const int parent = tree.parents[static_cast<std::size_t>(gpu)];
    if (parent < 0) continue;
    const std::size_t child = base + static_cast<std::size_t>(gpu), up_to = base + static_cast<std::size_t>(parent);
    const bool up = sends_between(lab, tree, gpu, parent, step), down = sends_between(lab, tree, parent, gpu, step);
    if (up || !down) graph.edges.push_back({child, up_to, "", {}, up ? Tone::shared : Tone::quiet});
    if (down) graph.edges.push_back({up_to, child, "", {}, Tone::work});
  }
}

TableCell gradient_cell(double value, std::string formula) {
  return figure_cell(Figure::derived(real_text(value, 4), std::move(formula)));
}

}  // namespace

Panel gradients_panel(const Collectives& lab, double shown) {
  const DataParallelGradients all = data_parallel_gradients(lab.gpus);
  TablePicture table;
  table.columns = {{lab.word("gradient_head"), 1.4}};
  for (int j = 0; j < DataParallelGradients::weights; ++j)
    table.columns.push_back({lab.number_word("weight_head", j), 1, true});
  const auto add = [&](std::string name, const DataParallelGradients::Gradient& gradient, std::string_view formula,
                       Tone tone) {
    TableRow row{{word_cell(std::move(name), tone)}, tone == Tone::work};
    for (const double value : gradient) row.cells.push_back(gradient_cell(value, lab.word(formula)));
    table.rows.push_back(std::move(row));
  };
  for (std::size_t gpu = 0; gpu < all.by_gpu.size(); ++gpu)
    add(lab.number_word("gpu_samples", static_cast<std::int64_t>(gpu)), all.by_gpu[gpu], "gradient_formula",
        Tone::plain);
  if (shown >= 0.4) add(lab.word("sum_row"), all.sum, "sum_formula", Tone::plain);
  if (shown >= 0.8) {
    add(lab.word("mean_row"), all.mean, "mean_formula", Tone::work);
    add(lab.word("whole_row"), all.whole, "whole_formula", Tone::plain);
  }
  return {lab.word("gradients_heading"), 1, std::move(table)};
}

Panel holdings_panel(const Collectives& lab, const CollectivePlan& plan, int step, std::string heading) {
  const std::vector<ChunkSum> now = sums_after(plan, step);
  CellGrid grid;
  grid.fitted = true;
  grid.columns = static_cast<std::size_t>(plan.chunks) + 1;
  grid.cells.push_back({Tone::quiet, "", ""});
  for (int chunk = 0; chunk < plan.chunks; ++chunk)
    grid.cells.push_back({Tone::quiet, lab.number_word("chunk_short", chunk), lab.number_word("chunk_n", chunk)});
  for (int gpu = 0; gpu < plan.gpus; ++gpu) {
    const std::string name = lab.number_word("gpu_n", gpu);
    grid.cells.push_back({Tone::quiet, name, name});
    grid.summary += fmt::format("{}{}:", grid.summary.empty() ? "" : "; ", name);
    for (int chunk = 0; chunk < plan.chunks; ++chunk) {
      Cell cell = cell_of(lab, plan, now[plan.index(gpu, chunk)], gpu, chunk);
      grid.summary += fmt::format(" {}", cell.label.empty() ? "-" : cell.label);
      const bool arrived = std::ranges::any_of(plan.sends, [&](const CollectiveSend& send) {
        return send.step == step && send.to == gpu && send.target == chunk;
      });
      if (arrived) cell.tone = Tone::followed;
      grid.cells.push_back(std::move(cell));
    }
  }
  grid.legend = legend(grid, lab.input, fmt::format("{}.word", Collectives::name),
                       {{Tone::memory, "one_part"},
                        {Tone::shared, "partial_sum"},
                        {Tone::work, "complete_sum"},
                        {Tone::followed, "arrived"}});
  grid.note = lab.word(moves_chunks(plan) ? "cells_of_chunks" : "cells_of_sums");
  return {std::move(heading), 1.3, std::move(grid)};
}

Panel sends_panel(const Collectives& lab, const CollectivePlan& plan, int step) {
  TablePicture table;
  table.columns = {{lab.word("gpu_head"), 1, false, true}, {lab.word("sends_head"), 3, false, false, true}};
  for (int gpu = 0; gpu < plan.gpus; ++gpu) {
    std::string text = sends_text(lab, plan, gpu, step);
    if (text.empty()) text = "–";
    table.rows.push_back({{word_cell(lab.number_word("gpu_n", gpu)), word_cell(std::move(text))}, false});
  }
  return {lab.word(step == 0 ? "before_sends" : "step_sends", {{"step", fmt::to_string(step)}}), 1, std::move(table)};
}

Panel trees_panel(const Collectives& lab, int step) {
  const std::vector<DrawnTree> trees = drawn_trees(lab);
  GraphPicture graph;
  for (std::size_t i = 0; i < trees.size(); ++i) add_tree(lab, trees[i], i, step, graph);
  graph.legend = {{Tone::work, lab.word("root_or_down")}, {Tone::shared, lab.word("going_up")}};
  return {
      lab.word(trees.size() == 1 ? "tree_heading" : "trees_heading", {{"last", fmt::to_string(lab.tree.chunks - 1)},
                                                                      {"first_last", fmt::to_string(trees[0].last - 1)},
                                                                      {"second", fmt::to_string(trees[0].last)}}),
      1, std::move(graph)};
}

std::string step_heading(const Collectives& lab, const CollectivePlan& plan, int step, bool all_reduce) {
  if (step == 0) return lab.word("at_start");
  const Narration::Values values = {{"step", fmt::to_string(step)}, {"steps", fmt::to_string(plan.steps)}};
  return lab.word(!all_reduce ? "step_of" : step <= plan.steps / 2 ? "step_of_first" : "step_of_second", values);
}

}  // namespace warpwalk::story
