#include "core/story/receipt.h"

#include <algorithm>

#include "core/story/rows.h"

namespace warpwalk::story {

std::optional<Receipt> receipt_of(const Trace& trace, const Walk& walk) {
  if (walk.kernel == no_slice || walk.launch == no_slice) return {};
  const auto& rows = trace.slices;
  Receipt receipt;
  receipt.op_start = rows.start[walk.ops.empty() ? walk.launch : walk.ops.front()];
  receipt.launch_start = rows.start[walk.launch];
  receipt.launch_end = rows.end(walk.launch);
  receipt.kernel_start = rows.start[walk.kernel];
  receipt.kernel_end = rows.end(walk.kernel);

  std::int64_t longest = 0;
  for (const trace::Track& track : trace.tracks) {
    for (SliceId s = track.first; s < track.last; ++s) {
      if (rows.start[s] >= receipt.launch_start) break;
      if (rows.kind[s] != trace::SliceKind::overhead) continue;
      const std::int64_t from = std::max(rows.start[s], receipt.op_start);
      const std::int64_t to = std::min(rows.end(s), receipt.launch_start);
      if (to <= from) continue;
      if (receipt.overhead == 0) receipt.overhead_start = from;
      receipt.overhead_start = std::min(receipt.overhead_start, from);
      receipt.overhead_end = std::max(receipt.overhead_end, to);
      receipt.overhead += to - from;
      if (to - from > longest) {
        longest = to - from;
        receipt.overhead_slice = s;
      }
    }
  }
  receipt.overhead = std::min(receipt.overhead, receipt.cpu());  // several threads of the profiler can overlap
  if (receipt.overhead == 0) receipt.overhead_start = receipt.overhead_end = receipt.op_start;

  // Work on one stream runs in order: the piece before this one is what it may have waited for.
  const trace::Track& stream = trace.tracks[rows.track[walk.kernel]];
  for (SliceId s = walk.kernel; s-- > stream.first;) {
    if (!trace::is_gpu_work(rows.kind[s])) continue;
    if (rows.end(s) > receipt.launch_end && rows.end(s) <= receipt.kernel_start) receipt.waited_for = s;
    break;
  }
  return receipt;
}

Aftermath aftermath_of(const Trace& trace, const Walk& walk, const Receipt& receipt) {
  const auto& rows = trace.slices;
  Aftermath found;
  const trace::Track& track = trace.tracks[rows.track[walk.launch]];
  constexpr SliceId look_ahead = 200000;  // a wait that is further away explains nothing here
  const SliceId last = std::min<SliceId>(track.last, walk.launch + look_ahead);
  for (SliceId s = walk.launch + 1; s < last && found.wait == no_slice; ++s) {
    if (rows.start[s] < receipt.launch_end) continue;
    if (found.next_op == no_slice && rows.kind[s] == trace::SliceKind::op && rows.start[s] < receipt.kernel_end)
      found.next_op = s;
    if (is_wait(trace, s)) found.wait = s;
  }
  return found;
}

}  // namespace warpwalk::story
