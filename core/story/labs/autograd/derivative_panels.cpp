// The panels of the lab of autograd: derivatives of one node, versions, refusals, and texts that cannot be played.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/labs/autograd/autograd.h"

namespace warpwalk::story {
namespace {

double largest_difference(const TapeDerivative& derivative) {
  double largest = 0;
  for (std::size_t i = 0; i < derivative.by_autograd.values.size(); ++i) {
    const double difference = std::abs(derivative.by_autograd.values[i] - derivative.by_differences.values[i]);
    if (!(difference <= largest)) largest = difference;  // NaN too
  }
  return largest;
}

TapeTensor as_row(const TapeTensor& tensor) {
  return {{1, static_cast<std::int64_t>(tensor.values.size())}, tensor.values};
}

// A sentence in place of a picture.
Panel words_panel(std::string heading, std::string text) {
  TablePicture table;
  table.columns = {{std::move(heading), 1, false, false, true}};
  table.rows = {{{word_cell(std::move(text))}}};
  return {"", 1, std::move(table)};
}

}  // namespace

std::vector<Panel> product_panels(const AutogradLab& lab) {
  const TapeNode& node = lab.chosen();
  if (node.is_leaf() || !node.gradient) return {words_panel("", lab.word("no_product"))};
  std::vector<Panel> panels;
  panels.push_back(
      tensor_panel(lab, lab.word("incoming_head", {{"tensor", node.tensor}}), *node.gradient, Tone::shared));
  const std::string argument = node.next[lab.edge].argument;
  if (const auto derivative = lab.derivative(lab.edge)) {
    panels.push_back(
        tensor_panel(lab, lab.word("by_autograd", {{"argument", argument}}), derivative->by_autograd, Tone::work));
    panels.push_back(tensor_panel(lab, lab.word("by_differences", {{"argument", argument}}), derivative->by_differences,
                                  Tone::shared));
  }
  return panels;
}

Panel rules_panel(const AutogradLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("argument_head"), 1.2},
                   {lab.word("rule_head"), 3, false, false, true},
                   {lab.word("difference_head"), 1.6, true}};
  const TapeNode& node = lab.chosen();
  for (std::size_t e = 0; e < node.next.size(); ++e) {
    if (!node.next[e].to) continue;
    const auto derivative = lab.derivative(e);
    TableCell difference = word_cell("");
    if (derivative && derivative->kink)
      difference = word_cell(lab.word("kink"), Tone::refused);
    else if (derivative)
      difference =
          figure_cell(Figure::derived(real_text(largest_difference(*derivative), 2), lab.word("difference_formula")));
    table.rows.push_back(
        {{code_cell(node.next[e].argument), code_cell(lab.rule(node, node.next[e])), std::move(difference)},
         e == lab.edge});
  }
  return {"", 1.5, std::move(table)};
}

Panel jacobian_panel(const AutogradLab& lab) {
  const auto derivative = lab.chosen().is_leaf() ? std::nullopt : lab.derivative(lab.edge);
  if (!derivative || derivative->jacobian.empty()) return words_panel("", lab.word("no_product"));
  TapeTensor matrix{{static_cast<std::int64_t>(derivative->jacobian.size()),
                     static_cast<std::int64_t>(derivative->jacobian.front().size())},
                    {}};
  for (const std::vector<double>& row : derivative->jacobian)
    matrix.values.insert(matrix.values.end(), row.begin(), row.end());
  return tensor_panel(
      lab,
      lab.word("jacobian_head", {{"tensor", lab.chosen().tensor}, {"argument", lab.chosen().next[lab.edge].argument}}),
      matrix, Tone::memory);
}

std::vector<Panel> jacobian_product_panels(const AutogradLab& lab) {
  std::vector<Panel> panels;
  const auto derivative = lab.chosen().is_leaf() ? std::nullopt : lab.derivative(lab.edge);
  if (!derivative) return panels;
  panels.push_back(tensor_panel(lab, lab.word("vector_head"), as_row(*lab.chosen().gradient), Tone::shared));
  panels.push_back(tensor_panel(lab, lab.word("product_head"), as_row(derivative->by_autograd), Tone::work));
  return panels;
}

Panel versions_panel(const AutogradLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("saved_by"), 2.4},
                   {lab.word("argument_head"), 1.4},
                   {lab.word("tensor"), 1},
                   {lab.word("version_saved"), 1.8, true},
                   {lab.word("version_now"), 1.8, true},
                   {lab.word("state_head"), 1.8}};
  const Tape& tape = lab.written;
  const Tape& before = lab.tape;
  for (const TapeNode& node : before.nodes)
    for (const TapeSaved& saved : node.saved) {
      const TapeVariable* const variable = tape.find(saved.tensor);
      const std::uint32_t now = variable == nullptr ? saved.version : variable->version;
      const bool changed = now != saved.version;
      const auto version = [&](std::uint32_t value) {
        return figure_cell(Figure::derived(value, Unit::count, lab.word("version_formula")));
      };
      table.rows.push_back(
          {{code_cell(node.name), code_cell(saved.argument), code_cell(saved.tensor), version(saved.version),
            version(now), word_cell(lab.word(changed ? "changed" : "unchanged"), changed ? Tone::refused : Tone::work)},
           changed});
    }
  if (table.rows.empty()) return words_panel("", lab.word("nothing_saved"));
  return {"", 1, std::move(table)};
}

std::string refusal_text(const Tape& tape, const TapeWrite& write) {
  if (tape.refused_at_write)
    return fmt::format("RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.");
  if (const std::string text = pytorch_refusal(tape); !text.empty()) return "RuntimeError: " + text;
  if (!tape.root && write.tensor.empty())
    return "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn";
  return {};
}

Panel refusal_panel(const AutogradLab& lab) {
  const bool writes = !lab.written.refused.empty();
  const std::string text =
      writes && lab.rounds.refused.empty() ? refusal_text(lab.written, lab.write) : refusal_text(lab.rounds, {});
  return words_panel(lab.word("pytorch_says"), text);
}

Panel fault_panel(const AutogradLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("fault_head"), 1, false, false, true}};
  const std::string text = lab.fault.error.text(lab.expression);
  const std::size_t first = text.find('\n'), second = first == std::string::npos ? first : text.find('\n', first + 1);
  table.rows.push_back({{code_cell(text.substr(0, first))}});
  if (first != std::string::npos) table.rows.push_back({{code_cell(text.substr(first + 1, second - first - 1))}});
  if (!lab.fault.error.hint.empty()) table.rows.push_back({{word_cell(lab.fault.error.hint, Tone::quiet)}});
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
