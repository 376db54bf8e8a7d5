#include "core/story/labs/forward_pass/linear_call.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/analysis/names/kernel_name.h"
#include "core/analysis/slices.h"
#include "core/trace/link.h"

namespace warpwalk::story {
namespace {

using trace::no_slice;
using trace::SliceId;
using trace::SliceKind;
using trace::Trace;

constexpr std::string_view module_frame = "nn.Module: ";
constexpr std::string_view evaluate = "autograd::engine::evaluate_function";

// The meaning of frames with these names. `whole`: the name is exactly this; else it contains this.
struct Known {
  SliceKind kind;
  std::string_view text;
  bool whole;
  std::string_view what;
};
constexpr Known known[] = {
    {SliceKind::python, module_frame, false, "module"},
    {SliceKind::python, "_call_impl", false, "call_impl"},
    {SliceKind::python, "_get_tracing_state", false, "tracing"},
    {SliceKind::python, "__getattr__", false, "getattr"},
    {SliceKind::python, ": forward", false, "forward"},
    {SliceKind::python, "<built-in function linear>", true, "binding"},
    {SliceKind::op, "aten::linear", true, "linear"},
    {SliceKind::op, "aten::t", true, "view"},
    {SliceKind::op, "aten::transpose", true, "view"},
    {SliceKind::op, "aten::as_strided", true, "view"},
    {SliceKind::op, "aten::addmm", true, "addmm"},
    {SliceKind::op, "aten::mm", true, "product"},
    {SliceKind::op, "aten::sum", true, "sum"},
    {SliceKind::op, evaluate, false, "evaluate"},
    {SliceKind::op, "Backward", false, "node"},
};

Level level_of(SliceKind kind) {
  if (kind == SliceKind::python) return Level::python;
  return trace::is_call(kind) ? Level::cuda : Level::pytorch;
}

std::string_view what_of(const Trace& trace, SliceId slice) {
  const SliceKind kind = trace.slices.kind[slice];
  const std::string_view name = trace.name(slice);
  if (trace::is_call(kind)) {
    const std::size_t row = trace::first_launched(trace, slice);
    const bool starts = row < trace.launched.size() && trace.launched[row].first == slice;
    if (!starts) return "call";
    return trace.slices.kind[trace.launched[row].second] == SliceKind::kernel ? "launch" : "fill";
  }
  for (const Known& one : known)
    if (one.kind == kind && (one.whole ? name == one.text : name.find(one.text) != std::string_view::npos))
      return one.what;
  return kind == SliceKind::python ? "python" : "op";
}

// The slice after the last one inside `root`: rows are sorted by track and start, parents first.
SliceId end_of_tree(const Trace& trace, SliceId root) {
  const SliceId last = trace.tracks[trace.slices.track[root]].last;
  const std::int64_t end = trace.slices.end(root);
  SliceId s = root + 1;
  while (s < last && trace.slices.start[s] < end) ++s;
  return s;
}

SliceId root_of(const Trace& trace, SliceId op) {
  SliceId binding = op;
  for (SliceId s = trace.slices.parent[op]; s != no_slice; s = trace.slices.parent[s]) {
    if (trace.slices.kind[s] != SliceKind::python) continue;
    const std::string_view what = what_of(trace, s);
    if (what == "binding") binding = s;
    if (what != "module") continue;
    // A layer that calls F.linear for itself, such as attention, does more than this product.
    return trace.name(s).find("Linear") != std::string_view::npos ? s : binding;
  }
  return binding;
}

}  // namespace

std::vector<SliceId> linear_ops(const Trace& trace) {
  std::vector<SliceId> found;
  const trace::StringId name = trace.strings.find("aten::linear");
  if (name == 0) return found;
  for (std::size_t i = 0; i < trace.op_order.size() && found.size() < max_linear_ops; ++i)
    if (const SliceId op = trace.op_order[i]; trace.slices.name[op] == name && trace.slices.duration[op] > 0)
      found.push_back(op);
  return found;
}

CallTree tree_of(const Trace& trace, SliceId root) {
  CallTree tree;
  tree.root = root;
  const SliceId end = end_of_tree(trace, root);
  std::map<SliceId, std::size_t> place;  // of the frames that were taken
  for (SliceId s = root; s < end; ++s) {
    const SliceKind kind = trace.slices.kind[s];
    if (kind != SliceKind::python && kind != SliceKind::op && !trace::is_call(kind)) continue;
    CallFrame frame{s, 0, trace.slices.duration[s], level_of(kind), what_of(trace, s)};
    if (s != root) {
      SliceId parent = trace.slices.parent[s];
      while (parent != no_slice && parent != root && !place.contains(parent)) parent = trace.slices.parent[parent];
      const auto above = place.find(parent);
      if (above == place.end()) continue;  // overlaps the root without lying in it
      frame.depth = tree.frames[above->second].depth + 1;
      tree.frames[above->second].own -= frame.own;
    }
    if (tree.frames.size() == CallTree::max_frames) {
      tree.cut = true;
      break;
    }
    place.emplace(s, tree.frames.size());
    tree.frames.push_back(frame);
  }
  for (CallFrame& frame : tree.frames) frame.own = std::max<std::int64_t>(0, frame.own);
  for (std::size_t row = trace::first_launched(trace, root); row < trace.launched.size(); ++row) {
    const auto& [launch, work] = trace.launched[row];
    if (launch >= end) break;
    if (place.contains(launch)) tree.started.push_back({launch, work});
  }
  return tree;
}

LinearCall linear_call(const Trace& trace, const std::vector<SliceId>& ops, std::size_t number) {
  LinearCall call;
  call.op = ops[number];
  const SliceId root = root_of(trace, call.op);
  call.tree = tree_of(trace, root);
  if (const std::string_view name = trace.name(root); name.starts_with(module_frame))
    call.layer = name.substr(module_frame.size());
  for (std::size_t i = 0; i < number; ++i)
    if (const SliceId other = root_of(trace, ops[i]); !call.layer.empty() && trace.name(other) == trace.name(root))
      ++call.number;

  // Each op that makes an autograd node has the node's sequence number, and so has the node when it runs.
  std::vector<std::int64_t> sequences;
  for (const CallFrame& frame : call.tree.frames)
    if (trace.slices.kind[frame.slice] == SliceKind::op)
      if (const std::int64_t sequence = trace.ops[trace.slices.detail[frame.slice]].sequence; sequence >= 0)
        sequences.push_back(sequence);
  for (std::size_t i = 0; i < trace.op_order.size(); ++i) {
    const SliceId op = trace.op_order[i];
    const std::int64_t sequence = trace.ops[trace.slices.detail[op]].sequence;
    if (sequence < 0 || trace.slices.start[op] < trace.slices.end(root)) continue;
    if (std::ranges::find(sequences, sequence) == sequences.end()) continue;
    const std::string_view name = trace.name(op);
    if (name.find("Backward") == std::string_view::npos || name.starts_with(evaluate)) continue;
    const SliceId parent = trace.slices.parent[op];
    const bool inside = parent != no_slice && trace.name(parent).starts_with(evaluate);
    call.backward.push_back(tree_of(trace, inside ? parent : op));
    if (call.backward.size() == sequences.size()) break;
  }
  return call;
}

std::int64_t own_time(const CallTree& tree, Level level) {
  std::int64_t sum = 0;
  for (const CallFrame& frame : tree.frames)
    if (frame.level == level) sum += frame.own;
  return sum;
}

std::int64_t gpu_time(const Trace& trace, const CallTree& tree) {
  std::int64_t sum = 0;
  for (const StartedWork& one : tree.started) sum += trace.slices.duration[one.work];
  return sum;
}

const StartedWork* longest_work(const Trace& trace, const CallTree& tree) {
  const StartedWork* longest = nullptr;
  for (const StartedWork& one : tree.started)
    if (longest == nullptr || trace.slices.duration[one.work] > trace.slices.duration[longest->work]) longest = &one;
  return longest;
}

std::int64_t gpu_busy(const Trace& trace, std::int64_t from, std::int64_t to) {
  std::vector<std::pair<std::int64_t, std::int64_t>> spans;
  for (const trace::Track& track : trace.tracks) {
    if (!track.gpu) continue;
    const auto add = [&](SliceId s) {
      if (!trace::is_gpu_work(trace.slices.kind[s])) return;
      const std::int64_t start = std::max(from, trace.slices.start[s]), end = std::min(to, trace.slices.end(s));
      if (start < end) spans.emplace_back(start, end);
    };
    const analysis::Reaching reaching = analysis::reaching_into(trace, track, from);
    std::ranges::for_each(reaching.before, add);
    for (SliceId s = reaching.first; s < track.last && trace.slices.start[s] < to; ++s) add(s);
  }
  std::ranges::sort(spans);
  std::int64_t busy = 0, reached = from;
  for (const auto& [start, end] : spans) {
    busy += std::max<std::int64_t>(0, end - std::max(start, reached));
    reached = std::max(reached, end);
  }
  return busy;
}

TensorCores tensor_cores_of(std::string_view kernel_name) {
  bool product = false;
  for (const analysis::NamePart& part : analysis::read_kernel_name(kernel_name).parts) {
    if (part.meaning == "tensorop" || part.meaning == "tensor") return TensorCores::yes;
    // sgemm multiplies float32 numbers; Tensor Cores take them only after rounding to TF32.
    if (part.meaning == "simt" || part.meaning == "ffma" || (part.meaning == "precision" && part.value == "float32"))
      return TensorCores::no;
    product = product || part.meaning == "gemm" || part.meaning == "precision";
  }
  if (product || kernel_name.find("gemm") != std::string_view::npos || kernel_name.starts_with("nvjet"))
    return TensorCores::unknown;
  return TensorCores::not_a_product;
}

}  // namespace warpwalk::story
