// The panels of the lab of autograd: the tape and its tensors.
#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

#include "core/story/labs/autograd/autograd.h"

namespace warpwalk::story {
namespace {

// At most five characters for the usual magnitudes, so that a matrix stays a matrix.
std::string matrix_number(double value) {
  const double size = std::abs(value);
  if (!std::isfinite(value)) return real_text(value, 2);
  if (size < 5e-3) return size == 0 ? "0" : real_text(value, 1);
  const int digits = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  return size < 99999 ? with_marks(fmt::format("{}{:.{}f}", value < 0 ? "−" : "", size, digits)) : real_text(value, 2);
}

std::string place_text(std::size_t i, std::size_t columns) { return fmt::format("[{}, {}]", i / columns, i % columns); }

// One row per leading index.
std::string tensor_text(const TapeTensor& tensor, std::size_t columns) {
  std::string text;
  for (std::size_t i = 0; i < tensor.values.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i % columns == 0 ? "; " : " ", matrix_number(tensor.values[i]));
  return text;
}

std::string saved_names(const TapeNode& node) {
  std::string names;
  for (const TapeSaved& saved : node.saved) names.append(names.empty() ? "" : ", ").append(saved.argument);
  return names;
}

// Places for the arrows that cross columns, and the rows of each column: near the nodes that lead there.
void set_rows(GraphPicture& graph) {
  for (GraphEdge& edge : graph.edges)
    for (std::size_t column = graph.nodes[edge.from].column; column-- > graph.nodes[edge.to].column + 1;) {
      edge.through.push_back(graph.nodes.size());
      GraphNode bend;
      bend.column = column;
      graph.nodes.push_back(std::move(bend));
    }
  std::size_t columns = 0;
  for (const GraphNode& node : graph.nodes) columns = std::max(columns, node.column + 1);
  std::vector<double> height(graph.nodes.size(), 0.5);  // 0 is the top, 1 the bottom
  for (std::size_t column = columns; column-- > 0;) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      if (graph.nodes[n].column != column) continue;
      double sum = 0;
      int count = 0;
      for (const GraphEdge& edge : graph.edges) {
        std::vector<std::size_t> way = {edge.from};
        way.insert(way.end(), edge.through.begin(), edge.through.end());
        way.push_back(edge.to);
        for (std::size_t i = 1; i < way.size(); ++i)
          if (way[i] == n) {
            sum += height[way[i - 1]];
            ++count;
          }
      }
      order.emplace_back(count == 0 ? 0.5 : sum / count, n);
    }
    std::ranges::stable_sort(order, {}, &std::pair<double, std::size_t>::first);
    for (std::size_t row = 0; row < order.size(); ++row) {
      graph.nodes[order[row].second].row = row;
      height[order[row].second] = (static_cast<double>(row) + 0.5) / static_cast<double>(order.size());
    }
  }
}

}  // namespace

std::string tape_sizes(const AutogradLab& lab, const ops::Sizes& sizes) {
  return sizes.empty() ? lab.word("scalar") : fmt::format("{}", fmt::join(sizes, " × "));
}

Panel tensor_panel(const AutogradLab& lab, std::string heading, const TapeTensor& tensor, Tone tone, double share) {
  CellGrid cells;
  cells.fitted = true;
  cells.columns = tensor.sizes.empty() ? 1 : static_cast<std::size_t>(std::max<std::int64_t>(1, tensor.sizes.back()));
  for (std::size_t i = 0; i < tensor.values.size(); ++i)
    cells.cells.push_back(
        {tensor.values[i] == 0 ? Tone::quiet : tone, matrix_number(tensor.values[i]),
         lab.word("element_tip", {{"at", place_text(i, cells.columns)}, {"value", real_text(tensor.values[i], 10)}})});
  cells.summary = tensor_text(tensor, cells.columns);
  cells.note = tape_sizes(lab, tensor.sizes);
  return {std::move(heading), share, std::move(cells)};
}

Panel tape_panel(const AutogradLab& lab, const Tape& tape, bool steps, bool legend) {
  GraphPicture graph;
  const std::optional<std::size_t> running = lab.running();
  for (std::size_t i = 0; i < tape.nodes.size(); ++i) {
    const TapeNode& node = tape.nodes[i];
    GraphNode box;
    box.name = node.name;
    box.text = node.is_leaf() ? fmt::format("{}.grad", node.tensor) : fmt::format("{} = {}", node.tensor, node.call);
    if (!node.saved.empty()) box.below = lab.word("saves", {{"names", saved_names(node)}});
    box.tip = lab.word(node.is_leaf() ? "leaf_tip" : "node_tip",
                       {{"tensor", node.tensor}, {"n", fmt::to_string(node.sequence)}});
    box.column = node.column;
    const bool ran = node.turn && *node.turn < lab.step;
    box.tone = steps ? ran ? Tone::work : Tone::quiet : node.is_leaf() ? Tone::memory : Tone::host;
    box.followed = steps ? running == i : lab.node == i;
    box.sets = {{fmt::format("{}.node", AutogradLab::name), static_cast<double>(i)}};
    graph.nodes.push_back(std::move(box));
    for (const TapeEdge& edge : node.next)
      if (edge.to)
        graph.edges.push_back({i, *edge.to, edge.argument, {}, steps && ran && edge.sent ? Tone::work : Tone::quiet});
  }
  set_rows(graph);
  if (!legend) return {"", 1, std::move(graph)};
  if (steps)
    graph.legend = {{Tone::work, lab.word("has_run")}, {Tone::quiet, lab.word("waits")}};
  else
    graph.legend = {{Tone::host, lab.word("op_node")}, {Tone::memory, lab.word("leaf_node")}};
  return {"", 1, std::move(graph)};
}

std::vector<Panel> saved_panels(const AutogradLab& lab) {
  const TapeNode& node = lab.chosen();
  std::vector<Panel> panels;
  panels.push_back(tensor_panel(lab,
                                node.is_leaf() ? lab.word("leaf_head", {{"tensor", node.tensor}})
                                               : fmt::format("{} = {}", node.tensor, node.call),
                                node.forward, Tone::host));
  for (const TapeSaved& saved : node.saved)
    panels.push_back(tensor_panel(lab, lab.word("saved_head", {{"argument", saved.argument}, {"tensor", saved.tensor}}),
                                  saved.value, Tone::memory));
  if (node.saved.empty()) {
    TablePicture none;
    none.columns = {{"", 1, false, false, true}};
    none.rows = {{{word_cell(lab.word(node.is_leaf() ? "accumulates" : "saves_nothing"))}}};
    panels.push_back({"", 1, std::move(none)});
  }
  return panels;
}

std::vector<Panel> step_panels(const AutogradLab& lab) {
  const std::optional<std::size_t> running = lab.running();
  std::vector<Panel> panels;
  if (!running) {
    panels.push_back(tensor_panel(lab, lab.word("seed_head"), lab.tape.seed, Tone::shared));
    panels.push_back(
        tensor_panel(lab, lab.word("result_head", {{"expression", lab.expression}}), lab.tape.result, Tone::host));
    return panels;
  }
  const TapeNode& node = lab.tape.nodes[*running];
  if (node.gradient)
    panels.push_back(tensor_panel(lab,
                                  lab.word(node.is_leaf() ? "grad_head" : "incoming_head", {{"tensor", node.tensor}}),
                                  *node.gradient, node.is_leaf() ? Tone::work : Tone::shared));
  for (const TapeEdge& edge : node.next)
    if (edge.sent)
      panels.push_back(
          tensor_panel(lab, lab.word("outgoing_head", {{"argument", edge.argument}}), *edge.sent, Tone::work));
  return panels;
}

Panel variables_panel(const AutogradLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("tensor"), 1.2}, {lab.word("made_by"), 3}, {"is_leaf", 1.4},
                   {"requires_grad", 2},      {"grad_fn", 3.2},         {".grad", 1.4}};
  const auto truth = [](bool value) {
    TableCell cell = word_cell(value ? "True" : "False", value ? Tone::plain : Tone::quiet);
    cell.code = true;
    return cell;
  };
  const auto code = [](std::string text, Tone tone = Tone::plain) {
    TableCell cell = word_cell(std::move(text), tone);
    cell.code = true;
    return cell;
  };
  for (const TapeVariable& variable : lab.rounds.variables) {
    const bool leaf = variable.call.empty();
    table.rows.push_back({{code(variable.name), leaf ? word_cell(lab.word("given"), Tone::quiet) : code(variable.call),
                           truth(variable.is_leaf), truth(variable.requires_grad),
                           variable.grad_fn.empty() ? code("None", Tone::quiet) : code(variable.grad_fn),
                           variable.grad ? word_cell(lab.word("below"), Tone::work) : code("None", Tone::quiet)},
                          variable.grad.has_value()});
  }
  return {"", 1, std::move(table)};
}

std::vector<Panel> gradient_panels(const AutogradLab& lab) {
  std::vector<Panel> panels;
  for (const TapeVariable& variable : lab.rounds.variables)
    if (variable.grad)
      panels.push_back(tensor_panel(lab, fmt::format("{}.grad", variable.name), *variable.grad, Tone::work));
  if (panels.empty()) panels.push_back(refusal_panel(lab));
  return panels;
}

}  // namespace warpwalk::story
