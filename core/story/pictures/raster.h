#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/story/pictures/tone.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// How a stretch of a raster looks: one state of a unit.
struct RasterState {
  Tone tone = Tone::plain;
  bool pale = false;     ///< a weaker form of the tone's meaning
  bool hatched = false;  ///< waits for a resource, not for a result
  std::string word;      ///< what it means

  template <class V>
  void visit(V& v) const {
    v.data(tone, pale, hatched, word);
  }
};

/// A stretch of time in one state.
struct RasterSpan {
  std::int64_t from = 0, to = 0;  ///< cycles, `to` exclusive
  std::size_t state = 0;          ///< index into RasterPicture::states
  std::string tip;                ///< at the pointer; may be empty
  double value = 0;               ///< the value that a click sets RasterPicture::span_control to

  template <class V>
  void visit(V& v) const {
    v.data(from, to, state, tip, value);
  }
};

/// A unit over time.
struct RasterRow {
  std::string label;
  double value = 0;       ///< the value that a click sets RasterPicture::control to
  bool followed = false;  ///< framed
  std::vector<RasterSpan> spans = {};
  std::string note = {};                   ///< after the last span; may be empty
  std::optional<std::int64_t> cycle = {};  ///< a click goes to this cycle

  template <class V>
  void visit(V& v) const {
    v.data(label, value, followed, note, cycle);
    if (!note.empty()) v.line(label, ": ", note);
    v.each(spans);
  }
};

struct RasterGroup {
  std::string name, note;
  double weight = 1;  ///< of its rows' height, relative to the other groups
  std::vector<RasterRow> rows;

  template <class V>
  void visit(V& v) const {
    v.data(name, note, weight);
    v.line(name, ": ", note);
    v.each(rows);
  }
};

/// Units by cycles: what each of them does in every cycle of a window.
struct RasterPicture {
  std::int64_t from = 0, to = 1;  ///< cycles, `to` exclusive
  std::vector<RasterState> states;
  std::vector<RasterGroup> groups;
  std::optional<std::int64_t> now;  ///< a line at the beginning of this cycle
  std::string control;              ///< the control that a click on a row sets; empty: none
  std::string span_control;         ///< the control that a click on a stretch sets; beside them, it is reset
  std::string word_cycle;           ///< under the axis: "cycle"
  std::string word_rows;            ///< what the rows\' labels are: "block.warp"
  bool picks_cycle = false;         ///< a click or a drag goes to the cycle under the pointer
  std::string keeps;                ///< the control that keeps `from` while a cycle is picked
  std::int64_t axis_unit = 1;       ///< so many cycles are 1 on the axis
  std::string word_axis;            ///< the unit of the axis, if it is not a cycle
  bool powers_of_two = false;       ///< the numbers of the axis are a power of two apart: it is of memory

  template <class V>
  void visit(V& v) const {
    v.data(from, to, now, control, span_control, word_cycle, word_rows, picks_cycle, keeps, axis_unit, word_axis,
           powers_of_two);
    v.each(states);
    v.line(word_cycle, " ", from, " - ", to);
    v.each(groups);
    for (const RasterGroup& group : groups)
      for (const RasterRow& row : group.rows)
        for (const RasterSpan& span : row.spans)
          if (row.followed) v.line(row.label, ": ", span.from, " - ", span.to, " ", states[span.state].word);
  }
};

}  // namespace warpwalk::story
