// Chosen ops whose kernels become one.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/predict/apply.h"
#include "core/analysis/slices.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

class OpFuser {
 public:
  OpFuser(const ChangeInput& input, WorkGraph& graph, const Change& change, Doubt doubt)
      : trace_(input.trace), input_(input), graph_(graph), share_(choose(doubt, 0.25, 0.4, 0.8)) {
    for (std::size_t from = 0; from <= change.name.size();) {
      const std::size_t end = std::min(change.name.find('+', from), change.name.size());
      if (end > from) names_.push_back(change.name.substr(from, end - from));
      from = end + 1;
    }
  }

  base::Result<AppliedChange> fuse(const Change& change) {
    for (std::size_t stream = graph_.threads; stream < graph_.resources.size(); ++stream) fuse_stream(stream);
    if (found_ == 0) {
      std::string list;
      for (const std::string& name : others_) list += (list.empty() ? "" : ", ") + name;
      return base::Error{fmt::format("{}: no op that launches a kernel has such a name; the trace has {}", change.text,
                                     list.empty() ? "no kernels" : list)};
    }
    AppliedChange applied;
    applied.origin = BasisOrigin::scaled;
    if (groups_ == 0) {
      applied.cannot = "no two kernels of these ops follow each other on a stream";
      return applied;
    }
    remove_launches();
    applied.text = fmt::format(
        "{} kernels that follow each other become {}; all but products take {:.0f} % of their time, since a result "
        "stays in registers, and the ops of the other kernels take no time of the CPU.",
        fused_, groups_, 100 * share_);
    return applied;
  }

 private:
  bool is_named(NodeId n) {
    const SliceId kernel = graph_.nodes[n].slice, op = trace::op_of(trace_, kernel);
    const std::string label = label_of(trace_, op == no_slice ? kernel : op);
    const auto in = [&](const std::string& name) { return label.find(name) != std::string::npos; };
    if (std::ranges::any_of(names_, in)) return true;
    if (others_.size() < 8) others_.insert(label);
    return false;
  }

  void fuse_stream(std::size_t stream) {
    std::vector<NodeId> group;
    const auto end_group = [&] {
      if (group.size() > 1) fuse_group(group);
      group.clear();
    };
    for (NodeId n = graph_.resources[stream].first; n < graph_.resources[stream].second; ++n) {
      const WorkNode& node = graph_.nodes[n];
      if (node.removed) continue;
      if (!group.empty() && node.phase != graph_.nodes[group.back()].phase) end_group();
      const bool named = trace_.slices.kind[node.slice] == trace::SliceKind::kernel && is_named(n);
      found_ += named;
      if (named)
        group.push_back(n);
      else
        end_group();
    }
    end_group();
  }

  void fuse_group(const std::vector<NodeId>& group) {
    double time = 0, longest = 0;
    for (const NodeId n : group) {
      const WorkCategory category = input_.categories.of(graph_.nodes[n].slice);
      const bool product = category == WorkCategory::gemm || category == WorkCategory::convolution ||
                           category == WorkCategory::attention;
      time += graph_.nodes[n].duration * (product ? 1 : share_);
      longest = std::max(longest, graph_.nodes[n].duration);
    }
    const NodeId last = group.back();
    for (const NodeId n : group) {
      if (n == last) continue;
      if (graph_.nodes[n].launcher != no_node) launchers_.insert(graph_.nodes[n].launcher);
      remove_node(graph_, n);
    }
    graph_.nodes[last].duration = std::max(longest, time);
    fused_ += group.size();
    ++groups_;
  }

  // The calls that launch nothing any more, and the rest of their ops.
  void remove_launches() {
    for (const WorkNode& node : graph_.nodes)
      if (node.gpu && !node.removed && node.launcher != no_node) launchers_.erase(node.launcher);
    std::set<SliceId> kept, gone;
    for (const NodeId n : launchers_) gone.insert(outermost_op(trace_, graph_.nodes[n].slice));
    for (const WorkNode& node : graph_.nodes)
      if (node.gpu && !node.removed && node.launcher != no_node)
        kept.insert(outermost_op(trace_, graph_.nodes[node.launcher].slice));
    for (std::size_t thread = 0; thread < graph_.threads; ++thread)
      for (NodeId n = graph_.resources[thread].first; n < graph_.resources[thread].second; ++n) {
        const SliceId op = outermost_op(trace_, graph_.nodes[n].slice);
        if (launchers_.contains(n) || (op != no_slice && gone.contains(op) && !kept.contains(op)))
          remove_node(graph_, n);
      }
  }

  const Trace& trace_;
  const ChangeInput& input_;
  WorkGraph& graph_;
  double share_;
  std::vector<std::string> names_;
  std::set<std::string> others_;  // names of ops that are not meant
  std::set<NodeId> launchers_;    // of kernels that are gone
  std::size_t found_ = 0, fused_ = 0, groups_ = 0;
};

}  // namespace

base::Result<AppliedChange> fuse_ops(const ChangeInput& input, WorkGraph& graph, const Change& change, Doubt doubt) {
  return OpFuser(input, graph, change, doubt).fuse(change);
}

}  // namespace warpwalk::analysis
