#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Where a track's events go in a file, so that Perfetto and chrome://tracing take them: pid a whole number from 0, tid
/// one from 1, no two tracks in one place, and slices that overlap without nesting (kernels side by side on one stream)
/// on lines of their own. A "warpwalk_track" metadata event says for each line what it stands for wherever its pid and
/// tid do not.
class ExportTracks {
 public:
  struct Line {
    std::int64_t pid = 0;
    std::int64_t tid = 0;
  };

  explicit ExportTracks(const Trace& trace);

  Line line_of(SliceId slice) const;
  /// Of a moment on a track that is no slice: the line of the slice that starts then, else the track's first line.
  Line line_at(TrackId track, std::int64_t time) const;

  /// Metadata events for all lines, each element of the array as JSON text.
  template <class Write>
  void describe(Write write) const {
    for (TrackId id = 0; id < trace_.tracks.size(); ++id)
      for (const std::string& event : descriptions(id)) write(event);
  }

 private:
  struct Place {
    std::vector<Line> lines;    // the first is the track's own
    bool pid_is_other = false;  // than the model's
    bool described = false;     // pid and tid alone would not be read back as this track
    bool first_of_process = false;
  };

  void find_places();
  void find_lanes(TrackId id);
  std::vector<std::string> descriptions(TrackId id) const;
  std::int64_t unused_number();

  const Trace& trace_;
  std::vector<Place> places_;
  std::unordered_map<SliceId, std::uint32_t> lanes_;  // of the slices that are not on their track's first line
  std::vector<std::int64_t> taken_;                   // numbers of pids and tids in the trace, sorted
  std::int64_t next_number_;
};

}  // namespace warpwalk::trace
