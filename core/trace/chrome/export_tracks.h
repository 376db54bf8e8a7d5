#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Assigns each track a pid and tid that Perfetto and chrome://tracing accept: pid an integer >= 0, tid an integer >=
/// 1, unique per track. Slices that overlap without nesting (concurrent kernels on one stream) get separate lines. If a
/// line's pid and tid do not identify its track, a "warpwalk_track" metadata event does.
class ExportTracks {
 public:
  struct Line {
    std::int64_t pid = 0;
    std::int64_t tid = 0;
  };

  explicit ExportTracks(const Trace& trace);

  Line line_of(SliceId slice) const;

  /// The times that are written for a slice, ns. Viewers drop slices without a duration, and the arrows to them, so a
  /// call without times is written as a slice of 1 ns, and GPU work without times as a slice of 1 ns at the end of its
  /// launch. The reader recognises both by the argument "warpwalk untimed" and takes these times away again.
  struct Times {
    std::int64_t start = 0, duration = 0;
    bool stand_in = false;  ///< not the slice's own times
  };
  Times times_of(SliceId slice) const;

  /// The line for a point event (an instant, counter or flow end): that of the slice starting at `time`, else the
  /// track's first line.
  Line line_at(TrackId track, std::int64_t time) const;

  /// Writes the metadata events of all lines; `write` receives each as JSON text.
  template <class Write>
  void describe(Write write) const {
    for (TrackId id = 0; id < trace_.tracks.size(); ++id)
      for (const std::string& event : descriptions(id)) write(event);
  }

 private:
  struct TrackPlacement {
    std::vector<Line> lines;   // the first is the track's main line
    bool pid_changed = false;  // differs from the model's pid
    bool described = false;    // pid and tid alone do not identify this track when read back
    bool first_of_process = false;
  };

  void find_places();
  void find_lanes(TrackId id);
  std::vector<std::string> descriptions(TrackId id) const;
  std::int64_t unused_number();

  const Trace& trace_;
  std::vector<TrackPlacement> places_;
  std::unordered_map<SliceId, std::uint32_t> lanes_;  // only slices that are not on their track's first line
  std::vector<std::int64_t> used_ids_;                // pids and tids in the trace, sorted
  std::int64_t next_number_;
};

}  // namespace warpwalk::trace
