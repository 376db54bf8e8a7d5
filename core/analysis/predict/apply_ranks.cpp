// More ranks, and another link between them.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/analysis/kernels/communication.h"
#include "core/analysis/predict/apply.h"
#include "core/analysis/ranks/collective_fields.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

// What a collective takes whatever its bytes: the launch of NCCL's kernel and its steps between GPUs of one host.
constexpr double shortest_collective = 12'000;  // ns

// Bytes that a rank sends of those that it has, in a ring of `ranks`; none of point-to-point work.
std::optional<double> sent_share(CollectiveKind kind, double ranks) {
  switch (kind) {
    case CollectiveKind::all_reduce: return 2 * (ranks - 1) / ranks;
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_to_all: return (ranks - 1) / ranks;
    default: return {};
  }
}

}  // namespace

AppliedChange change_ranks(const ChangeInput& input, WorkGraph& graph, const Change& change, Doubt doubt) {
  const Trace& trace = input.trace;
  AppliedChange applied;
  applied.origin = BasisOrigin::scaled;
  const Communication communication(trace);
  std::size_t found = 0, unknown = 0;
  for (WorkNode& node : graph.nodes) {
    if (!node.gpu || node.removed || !communication.is(node.slice)) continue;
    ++found;
    // A kernel of NCCL also waits for the other ranks; the trace of one rank does not say how long.
    const double fixed = std::min(node.duration, shortest_collective);
    const double sending = (node.duration - fixed) * choose(doubt, change.factor > 1 ? 0.5 : 1, 1, 1);
    const double waiting = node.duration - fixed - sending;
    if (change.kind == ChangeKind::link) {
      const double share =
          (node.duration - fixed) * choose(doubt, change.factor > 1 ? 1 : 0.4, 0.85, change.factor > 1 ? 0.4 : 1);
      node.duration = fixed + share / change.factor + (node.duration - fixed - share);
      continue;
    }
    const auto fields = collective_fields(trace.text(trace.slices.extra[node.slice]));
    const double before = fields ? static_cast<double>(fields->size) : -1, after = before * change.factor;
    const auto was = fields && before >= 2 ? sent_share(fields->kind, before) : std::nullopt;
    if (!was || after < 2) {
      ++unknown;
      continue;
    }
    const double steps = choose(doubt, 1, std::sqrt(change.factor), change.factor);  // by tree or ring
    node.duration = fixed * steps + waiting + sending * *sent_share(fields->kind, after) / *was;
  }
  if (found == 0) {
    applied.cannot = "the trace has no kernels that exchange data with other GPUs";
  } else if (unknown == found) {
    applied.cannot = "the number of ranks of its collectives is not recorded, or they go to one other rank";
  } else if (change.kind == ChangeKind::link) {
    applied.text = fmt::format(
        "{} kernels that exchange data with other GPUs take {:.3g} times their time beyond {:.0f} us; up to 60 % of it "
        "can be waiting for other ranks, which stays.",
        found, 1 / change.factor, shortest_collective / 1e3);
  } else {
    applied.text = fmt::format(
        "{} collectives are done by {} times the ranks, each with the same data: the bytes that a rank sends in a "
        "ring, "
        "and more steps. Links are as fast as before: inside one host.",
        found - unknown, change.factor);
  }
  return applied;
}

}  // namespace warpwalk::analysis
