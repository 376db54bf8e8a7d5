#include "core/trace/stream_overlap.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/trace/json/json_text.h"

namespace warpwalk::trace {
namespace {

struct StreamWork {
  std::int64_t context;
  std::int64_t stream;
  std::int64_t correlation;
  SliceId slice;
  bool in_graph;
  bool same_stream(const StreamWork& o) const { return context == o.context && stream == o.stream; }
};

StreamWork work_of(const Trace& trace, SliceId s) {
  const std::uint32_t detail = trace.slices.detail[s];
  if (trace.slices.kind[s] == SliceKind::kernel) {
    const KernelDetail& kernel = trace.kernels[detail];
    const bool in_graph =
        (kernel.graph_id != absent && kernel.graph_id != 0) || (kernel.graph_node != absent && kernel.graph_node != 0);
    return {kernel.context, kernel.stream, kernel.correlation, s, in_graph};
  }
  const TransferDetail& transfer = trace.transfers[detail];
  return {transfer.context, transfer.stream, transfer.correlation, s, false};
}

// The timed work of a track whose stream is recorded, by stream and start.
void timed_work(const Trace& trace, const Track& track, std::vector<StreamWork>& works) {
  const Slices& rows = trace.slices;
  works.clear();
  bool one_stream = true;
  for (SliceId s = track.first; s < track.last; ++s) {
    if (!is_gpu_work(rows.kind[s]) || (rows.start[s] == 0 && rows.duration[s] == 0)) continue;
    const StreamWork work = work_of(trace, s);
    if (work.stream == absent) continue;
    one_stream = one_stream && (works.empty() || works.back().same_stream(work));
    works.push_back(work);
  }
  if (!one_stream)
    std::ranges::stable_sort(works, [](const StreamWork& a, const StreamWork& b) {
      return std::tie(a.context, a.stream) < std::tie(b.context, b.stream);
    });
}

// Removes work whose launch started other work, too, on the same device: a graph without graph ids.
void remove_shared_launches(const Trace& trace, std::vector<StreamWork>& works) {
  const auto key = [&](const StreamWork& work) {
    return std::pair(trace.tracks[trace.slices.track[work.slice]].device, work.correlation);
  };
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> counts;
  for (const StreamWork& work : works)
    if (work.correlation != absent && work.correlation != 0) counts.try_emplace(key(work), 0);
  for (SliceId s = 0; s < trace.slices.size(); ++s) {
    if (!is_gpu_work(trace.slices.kind[s])) continue;
    if (const auto found = counts.find(key(work_of(trace, s))); found != counts.end()) ++found->second;
  }
  std::erase_if(works, [&](const StreamWork& work) {
    const auto found = counts.find(key(work));
    return found != counts.end() && found->second > 1;
  });
}

}  // namespace

std::vector<SliceId> doubtful_durations(const Trace& trace) {
  const Slices& rows = trace.slices;
  std::vector<StreamWork> works, doubtful;
  for (const Track& track : trace.tracks) {
    if (!track.gpu || track.first == track.last) continue;
    timed_work(trace, track, works);
    for (std::size_t i = 0; i + 2 < works.size(); ++i)
      if (!works[i].in_graph && works[i].same_stream(works[i + 2]) &&
          rows.end(works[i].slice) > rows.end(works[i + 2].slice))
        doubtful.push_back(works[i]);
  }
  if (!doubtful.empty()) remove_shared_launches(trace, doubtful);
  std::vector<SliceId> slices;
  for (const StreamWork& work : doubtful) slices.push_back(work.slice);
  return slices;
}

void check_stream_overlap(const Trace& trace, Problems& problems) {
  const Slices& rows = trace.slices;
  const std::vector<SliceId> doubtful = doubtful_durations(trace);
  if (doubtful.empty()) return;
  const SliceId longest = *std::ranges::max_element(doubtful, {}, [&](SliceId s) { return rows.duration[s]; });
  const StreamWork longest_work = work_of(trace, longest);
  std::vector<StreamWork> works;
  timed_work(trace, trace.tracks[rows.track[longest]], works);
  const auto covered = std::ranges::count_if(works, [&](const StreamWork& work) {
    return work.slice > longest && work.same_stream(longest_work) && rows.start[work.slice] < rows.end(longest);
  });
  if (problems.count(ProblemKind::stream_overlap, 0, doubtful.size()))
    problems.rows().back().message = fmt::format(
        "{} (at {:.3f} us) lasts {:.3f} us, past the start of {} later pieces of work on its stream; a stream works in "
        "order, so the duration cannot be right, and the times of such work are doubtful",
        excerpt(trace.name(longest)), static_cast<double>(rows.start[longest]) / 1e3,
        static_cast<double>(rows.duration[longest]) / 1e3, covered);
}

}  // namespace warpwalk::trace
