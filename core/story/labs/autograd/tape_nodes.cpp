#include "core/story/labs/autograd/tape_nodes.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/ops/definitions/all_definitions.h"

namespace warpwalk::story {
namespace {

std::string number_words(const ops::Argument& argument, const TapeSession& session) {
  struct Writer {
    const TapeSession& session;
    std::string operator()(ops::None) const { return {}; }
    std::string operator()(const ops::Tensor& tensor) const {
      return tensor.defined() ? session.name_of(tensor) : std::string();
    }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return fmt::format("{}", value); }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(const ops::Sizes& sizes) const { return fmt::format("[{}]", fmt::join(sizes, ", ")); }
    std::string operator()(ops::DType dtype) const { return std::string(ops::name_of(dtype)); }
    std::string operator()(const std::string& text) const { return fmt::format("'{}'", text); }
  };
  return std::visit(Writer{session}, argument);
}

}  // namespace

std::string call_text(const TapeOp& op, const TapeSession& session) {
  std::string arguments;
  for (const ops::Argument& argument : op.arguments) {
    const std::string text = number_words(argument, session);
    if (text.empty()) continue;
    arguments.append(arguments.empty() ? "" : ", ").append(text);
  }
  std::string_view name = ops::without_overload(op.op);
  name.remove_prefix(std::min(name.size(), name.find("::") == std::string_view::npos ? 0 : name.find("::") + 2));
  return fmt::format("{}({})", name, arguments);
}

std::vector<TapeSaved> saved_of(const TapeOp& op, const TapeSession& session) {
  std::vector<TapeSaved> saved;
  const std::vector<std::string> names = argument_names(ops::find_definition(op.op)->schema);
  std::vector<bool> used(op.arguments.size());
  for (std::size_t i = 0; i < op.node->saved.size(); ++i) {
    const ops::Tensor tensor = op.node->saved[i].use(*op.node);
    if (!tensor.defined()) continue;
    TapeSaved one{"result", session.name_of(tensor), TapeSession::read(tensor), op.saved_versions[i]};
    for (std::size_t a = 0; a < op.arguments.size() && a < names.size(); ++a) {
      const auto* const argument = std::get_if<ops::Tensor>(&op.arguments[a]);
      if (used[a] || argument == nullptr || !argument->defined() || argument->storage() != tensor.storage() ||
          argument->geometry() != tensor.geometry())
        continue;
      used[a] = true;
      one.argument = names[a];
      break;
    }
    saved.push_back(std::move(one));
  }
  return saved;
}

std::vector<std::shared_ptr<ops::Node>> reachable(const std::shared_ptr<ops::Node>& root,
                                                  const std::vector<ops::Tensor>& leaves) {
  std::vector<std::shared_ptr<ops::Node>> nodes = {root};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::vector<ops::Edge> next = nodes[i]->next;
    for (const ops::Edge& edge : next)
      if (edge.node != nullptr && std::ranges::find(nodes, edge.node) == nodes.end()) nodes.push_back(edge.node);
  }
  const auto place = [&](const std::shared_ptr<ops::Node>& node) {
    if (!node->leaf.defined()) return node->sequence;
    const auto at = std::ranges::find_if(leaves, [&](const ops::Tensor& leaf) { return leaf.same_as(node->leaf); });
    return std::int64_t{1} << 40 | (at - leaves.begin());
  };
  std::ranges::stable_sort(nodes, {}, place);
  return nodes;
}

void set_columns(std::vector<TapeNode>& nodes) {
  // Ops come by sequence: what an op reads was computed before it.
  for (TapeNode& node : nodes) {
    if (node.is_leaf()) continue;
    node.column = 1;
    for (const TapeEdge& edge : node.next)
      if (edge.to && !nodes[*edge.to].is_leaf()) node.column = std::max(node.column, nodes[*edge.to].column + 1);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].is_leaf()) continue;
    std::size_t before = 1;
    bool first = true;
    for (const TapeNode& node : nodes)
      for (const TapeEdge& edge : node.next)
        if (edge.to == i) {
          before = first ? node.column : std::min(before, node.column);
          first = false;
        }
    nodes[i].column = before - 1;
  }
}

}  // namespace warpwalk::story
