#include "core/analysis/modules/backward_pairs.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace warpwalk::analysis {
namespace {

using trace::no_slice;
using trace::SliceId;
using trace::SliceKind;
using trace::StringId;
using trace::Trace;
using trace::TrackId;

constexpr std::string_view engine_prefix = "autograd::engine::evaluate_function";

bool is_engine_call(const Trace& trace, SliceId op) { return trace.name(op).starts_with(engine_prefix); }

// "MmBackward0", "CheckpointFunctionBackward": the name of a backward function.
bool is_backward_name(std::string_view name) {
  constexpr std::string_view digits = "0123456789", word = "Backward";
  const std::size_t last = name.find_last_not_of(digits);
  if (last == std::string_view::npos) return false;
  return name.substr(0, last + 1).ends_with(word) && name.find("::") == std::string_view::npos;
}

// The innermost op of a thread at a moment.
SliceId op_at(const Trace& trace, TrackId track, std::int64_t time) {
  const trace::Slices& rows = trace.slices;
  SliceId low = trace.tracks[track].first, high = trace.tracks[track].last;
  const SliceId first = low;
  while (low < high) {  // the first slice that starts later
    const SliceId middle = low + (high - low) / 2;
    if (rows.start[middle] <= time)
      low = middle + 1;
    else
      high = middle;
  }
  // Rows of the profiler's own work nest in nothing.
  while (low > first && (rows.kind[low - 1] == SliceKind::overhead || rows.kind[low - 1] == SliceKind::profiler)) --low;
  if (low == first) return no_slice;
  SliceId at = low - 1;
  while (at != no_slice && (rows.kind[at] != SliceKind::op || rows.end(at) < time)) at = rows.parent[at];
  return at;
}

// What a sequence number is looked up by: the numbers of two processes of one file are not related.
struct SequenceKey {
  StringId process = 0;
  std::int64_t sequence = 0;
  friend auto operator<=>(const SequenceKey&, const SequenceKey&) = default;
};

struct ForwardOp {
  SequenceKey key;
  TrackId track = 0;
  std::int64_t start = 0;
  SliceId slice = no_slice;
};

// Threads with an op of one number that are looked at: PyTorch has one forward thread per replica.
constexpr std::size_t most_threads = 64;

class PairFinder {
 public:
  explicit PairFinder(const Trace& trace) : trace_(trace), rows_(trace.slices) {}

  std::vector<std::pair<SliceId, SliceId>> find() {
    add_arrows();
    add_sequences();
    std::vector<std::pair<SliceId, SliceId>> pairs(pairs_.begin(), pairs_.end());
    std::ranges::sort(pairs);
    return pairs;
  }

 private:
  const trace::OpDetail& detail(SliceId op) const { return trace_.ops[rows_.detail[op]]; }

  void add(SliceId backward, SliceId forward) {
    pairs_.try_emplace(backward, forward);
    for (SliceId s = rows_.parent[backward]; s != no_slice; s = rows_.parent[s]) {
      if (rows_.kind[s] != SliceKind::op || !is_engine_call(trace_, s)) continue;
      if (rows_.start[forward] < rows_.start[s]) pairs_.try_emplace(s, forward);
      return;
    }
  }

  void vote(SliceId backward, SliceId forward) {
    if (const std::int64_t thread = detail(backward).forward_thread; thread > 0)
      ++votes_[{trace_.tracks[rows_.track[backward]].pid, thread}][rows_.track[forward]];
  }

  void add_arrows() {
    const StringId category = trace_.strings.find("fwdbwd");
    if (category == 0) return;
    for (const trace::Flow& flow : trace_.flows) {
      if (flow.category != category) continue;
      const SliceId forward = op_at(trace_, flow.from_track, flow.from_time);
      const SliceId backward = op_at(trace_, flow.to_track, flow.to_time);
      if (forward == no_slice || backward == no_slice || rows_.start[forward] >= rows_.start[backward]) continue;
      add(backward, forward);
      vote(backward, forward);
    }
  }

  // Backward ops without an arrow that have a sequence number.
  std::vector<SliceId> unpaired() const {
    std::vector<SliceId> ops;
    for (const SliceId op : trace_.op_order) {
      if (detail(op).sequence < 0 || detail(op).forward_thread <= 0) continue;
      if (!pairs_.contains(op)) ops.push_back(op);
    }
    return ops;
  }

  SequenceKey key_of(SliceId op) const { return {trace_.tracks[rows_.track[op]].pid, detail(op).sequence}; }

  // The forward ops with the numbers of these ops, sorted by number, thread and start.
  std::vector<ForwardOp> forward_ops(const std::vector<SliceId>& backward) const {
    std::vector<SequenceKey> wanted;
    for (const SliceId op : backward) wanted.push_back(key_of(op));
    std::ranges::sort(wanted);
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    std::vector<ForwardOp> found;
    for (const SliceId op : trace_.op_order) {
      if (detail(op).sequence < 0 || is_backward_op(trace_, op)) continue;
      if (const SequenceKey key = key_of(op); std::ranges::binary_search(wanted, key))
        found.push_back({key, rows_.track[op], rows_.start[op], op});
    }
    std::ranges::stable_sort(found, {}, [](const ForwardOp& op) { return std::tuple(op.key, op.track, op.start); });
    return found;
  }

  void add_sequences() {
    const std::vector<SliceId> backward = unpaired();
    if (backward.empty()) return;
    const std::vector<ForwardOp> forward = forward_ops(backward);
    std::vector<SliceId> open;  // several threads have an op with the number
    for (const SliceId op : backward) {
      const Threads threads = candidates(forward, op);
      if (threads.size() > 1) open.push_back(op);
      if (threads.size() != 1) continue;
      add(op, threads.begin()->second);
      vote(op, threads.begin()->second);
    }
    for (const SliceId op : open) {
      const Threads threads = candidates(forward, op);
      const auto voted = votes_.find({trace_.tracks[rows_.track[op]].pid, detail(op).forward_thread});
      if (voted == votes_.end()) continue;
      const std::pair<const TrackId, SliceId>* best = nullptr;
      std::size_t most = 0;
      for (const auto& one : threads) {
        const auto votes = voted->second.find(one.first);
        if (votes == voted->second.end() || votes->second <= most) continue;
        most = votes->second;
        best = &one;
      }
      if (best != nullptr) add(op, best->second);
    }
  }

  using Threads = std::map<TrackId, SliceId>;

  // By thread, its last op with the number that started before the backward op.
  Threads candidates(const std::vector<ForwardOp>& forward, SliceId backward) const {
    Threads threads;
    const SequenceKey key = key_of(backward);
    auto at = std::ranges::lower_bound(forward, key, {}, &ForwardOp::key);
    while (at != forward.end() && at->key == key && threads.size() < most_threads) {
      const auto place = [](const ForwardOp& op) { return std::tuple(op.key, op.track, op.start); };
      const auto later =
          std::ranges::lower_bound(at, forward.end(), std::tuple(key, at->track, rows_.start[backward]), {}, place);
      if (later != at) threads[at->track] = std::prev(later)->slice;
      at = std::ranges::upper_bound(later, forward.end(), std::tuple(key, at->track), {},
                                    [](const ForwardOp& op) { return std::tuple(op.key, op.track); });
    }
    return threads;
  }

  const Trace& trace_;
  const trace::Slices& rows_;
  std::unordered_map<SliceId, SliceId> pairs_;  // by backward op
  // By process and "Fwd thread id", which is PyTorch's own number of a thread: how many pairs lead to a thread.
  std::map<std::pair<StringId, std::int64_t>, std::map<TrackId, std::size_t>> votes_;
};

}  // namespace

std::vector<std::pair<SliceId, SliceId>> backward_pairs(const Trace& trace) { return PairFinder(trace).find(); }

bool is_backward_op(const Trace& trace, SliceId op) {
  if (trace.slices.kind[op] != SliceKind::op) return false;
  if (trace.ops[trace.slices.detail[op]].forward_thread > 0) return true;
  const std::string_view name = trace.name(op);
  return name.starts_with(engine_prefix) || is_backward_name(name);
}

}  // namespace warpwalk::analysis
