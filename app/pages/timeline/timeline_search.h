#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/time/timeline.h"

namespace warpwalk::pages {

/// The slices of a trace, prepared for searching them by name.
class NameIndex {
 public:
  explicit NameIndex(const trace::Trace& trace);

  /// By StringId: whether a name of a slice contains the text, ignoring the case of ASCII letters.
  std::vector<char> holding(std::string_view text) const;
  /// All slices with a time, by start.
  const std::vector<trace::SliceId>& by_start() const { return by_start_; }

 private:
  struct Name {
    trace::StringId id = 0;
    std::size_t end = 0;  // in `text_`
  };
  std::size_t strings_ = 0;
  std::vector<Name> names_;
  std::string text_;  // the names in lower case, one behind the other
  std::vector<trace::SliceId> by_start_;
};

/// The slices whose names contain a text.
struct SliceMatches {
  std::vector<trace::SliceId> slices;  ///< by start
  /// By track and lane: the indices of the matches in the lane, in order.
  std::vector<std::vector<std::vector<std::uint32_t>>> lanes;

  /// The first match that starts at this time or later, ns since the trace's start; the number of matches if none does.
  std::size_t starting_at(const trace::Trace& trace, std::int64_t time) const;
};
SliceMatches find_slices(const trace::Trace& trace, const NameIndex& names,
                         const std::vector<analysis::TimelineTrack>& tracks, std::string_view text);

/// Whether one of the rows first .. last-1 is among these increasing indices.
bool any_between(const std::vector<std::uint32_t>& indices, std::size_t first, std::size_t last);

}  // namespace warpwalk::pages
