#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/story/elements/walk.h"
#include "core/story/pictures/rank_target.h"

namespace warpwalk::story {

/// The kind of a bar; its colour and pattern follow from it.
enum class Role : std::uint8_t { python, op, call, launch, wait, kernel, copy, fill, overhead };
/// The name of a kind in the narration, for example "kernel".
std::string_view name_of(Role role);

struct Bar {
  SliceId slice = no_slice;
  std::string label;
  std::int64_t start = 0;  ///< ns since the trace's start, like all times on a stage
  std::int64_t end = 0;
  Role role = Role::op;
  bool followed = false;
  std::uint32_t merged = 1;  ///< number of neighbours that are one bar because they are too short to be distinguished
  std::optional<RankTarget> rank = {};  ///< a click follows this in the trace of its rank

  /// Only bars that a sentence may refer to are in transcripts.
  bool in_transcript() const { return followed || role == Role::overhead || role == Role::wait; }
};

struct Row {
  std::string name;
  std::vector<Bar> bars;  ///< by start
  double shown = 1;       ///< 0 not yet, 1 fully there
};

struct RowGroup {
  std::string name;
  std::vector<Row> rows;
};

/// A range of time with its length, between two groups of rows.
struct Measure {
  std::string label;
  std::int64_t start = 0;
  std::int64_t end = 0;
  double shown = 1;
  bool along_arrow = false;  ///< it is the time of the arrow's way, and is written on the arrow
};

/// An arrow from a bar to the work that it started; `travelled` is the progress of its packet.
struct Arrow {
  SliceId from = no_slice;
  SliceId to = no_slice;
  double travelled = 1;
};

/// Rows of bars over one time axis; without times, in their order.
struct TimelinePicture {
  double from = 0;  ///< ns: the ends of the axis
  double to = 1;
  bool untimed = false;  ///< without an axis: a bar's start is its place in the order, from 0
  std::vector<RowGroup> groups;
  std::vector<Measure> measures;
  std::vector<Arrow> arrows;
  std::vector<std::pair<Role, std::string>> legend;  ///< words for the roles; only those of visible bars are shown
  std::string scale_note;

  template <class V>
  void visit(V& v) const {
    v.data(from, to, untimed, scale_note, legend);
    v.line("axis: ", axis_text());
    for (const RowGroup& group : groups) {
      v.data(group.name);
      for (const Row& row : group.rows) {
        v.data(row.name, row.shown);
        for (const Bar& bar : row.bars) {
          v.data(bar.label, bar.slice, bar.start, bar.end, bar.role, bar.followed, bar.merged);
          v.part(bar.rank);
          if (row.shown > 0 && bar.in_transcript())
            v.line("bar: ", group.name, " / ", row.name, ": ", bar.label, untimed ? "" : ", ", span_text(bar));
        }
      }
    }
    for (const Measure& measure : measures) {
      v.data(measure.label, measure.start, measure.end, measure.shown);
      if (measure.shown > 0) v.line("measure: ", measure.label);
    }
    for (const Arrow& arrow : arrows) v.data(arrow.from, arrow.to, arrow.travelled);
  }

 private:
  std::string axis_text() const;
  std::string span_text(const Bar& bar) const;  ///< empty without times
};

}  // namespace warpwalk::story
