#include "core/story/facts/launch/work_ahead.h"

#include <algorithm>

#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/story/elements/figure.h"

namespace warpwalk::story {

void WorkAhead::add(const Trace& trace, SliceId piece, std::int64_t time) {
  if (count++ == 0 || time > longest_time) {
    longest = piece;
    longest_time = time;
  }
  if (last == no_slice || trace.slices.end(piece) > trace.slices.end(last)) last = piece;
}

WorkAhead work_ahead_of(const Trace& trace, SliceId followed, std::int64_t from) {
  const auto& rows = trace.slices;
  const trace::Track& stream = trace.tracks[rows.track[followed]];
  WorkAhead ahead;
  for (SliceId s = followed; s-- > stream.first;) {
    if (!trace::is_gpu_work(rows.kind[s])) continue;
    if (rows.end(s) <= from) break;
    if (rows.end(s) > rows.start[followed]) continue;  // it overlaps, so the followed work did not wait for it
    ahead.add(trace, s, rows.end(s) - std::max(rows.start[s], from));
  }
  return ahead;
}

void add_work_ahead(const Trace& trace, const WorkAhead& ahead, Narration::Values& values) {
  if (ahead.count == 0) return;
  const std::size_t longest_label = ahead.count == 1 ? 48 : 32;  // so that a sentence keeps to its two lines
  const auto label = [&](SliceId s) { return analysis::shortened(analysis::label_of(trace, s), longest_label); };
  values["longest"] = label(ahead.longest);
  values["longest_time"] = time_text(static_cast<double>(ahead.longest_time));
  values["waited_for"] = label(ahead.last);
}

}  // namespace warpwalk::story
