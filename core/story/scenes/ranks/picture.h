#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/story/pictures/rank_target.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// A stretch of a rank's time.
struct GateBar {
  enum class Kind : std::uint8_t {
    work,      ///< before a collective: its GPU, or without GPU work its CPU, has something to do
    idle,      ///< before a collective: nothing is left on its GPU, and the collective was not launched yet
    waiting,   ///< in the collective, before the last rank comes
    transfer,  ///< in the collective, after that
  };
  Kind kind = Kind::work;
  std::int64_t from = 0, to = 0;  ///< ns since the start of the run, like all times of this picture
  std::size_t lane = 0;           ///< 0, unless it overlaps with another collective of its rank
  bool followed = false;          ///< of the chosen collective
  std::string tip;                ///< at the pointer
  std::optional<RankTarget> target;

  template <class V>
  void visit(V& v) const {
    v.data(kind, from, to, lane, followed, tip);
    v.part(target);
    if (followed) v.line(tip);
  }
};

struct GateRow {
  std::string name;       ///< "rank 1"
  std::size_t rank = 0;   ///< index in RankReport::ranks
  std::size_t lanes = 1;  ///< of its bars
  bool late = false;      ///< it arrives last at the chosen collective
  std::vector<GateBar> bars;
  std::string cause;                 ///< beside the row: why it comes late; may be empty
  std::string place;                 ///< below that: the line of the program
  std::optional<RankTarget> target;  ///< of the cause

  template <class V>
  void visit(V& v) const {
    v.data(rank, lanes, late, place);
    v.part(target);
    v.line(name, cause.empty() ? "" : ": ", cause);
    v.each(bars);
  }
};

/// A collective, which opens when its last rank comes.
struct Gate {
  std::int64_t at = 0;            ///< the last arrival
  std::string label;              ///< over the rows: "all-reduce"; drawn if there is room
  std::string tip;                ///< at the pointer
  std::vector<std::size_t> rows;  ///< of its ranks, as far as they are drawn
  double open = 1;                ///< 0 closed, 1 open
  bool followed = false;          ///< the chosen one
  double number = 0;              ///< the value that a click sets GatesPicture::control to

  template <class V>
  void visit(V& v) const {
    v.data(at, label, rows, open, followed, number);
    v.line(followed ? "gate (followed): " : "gate: ", tip);
  }
};

/// Ranks as rows over one clock, and the collectives as gates between their bars.
struct GatesPicture {
  std::int64_t from = 0, to = 1;
  std::vector<GateRow> rows;
  std::vector<Gate> gates;
  double swept = 1;  ///< of the time, 0 to 1: what comes later is not drawn yet
  std::vector<std::pair<GateBar::Kind, std::string>> legend;
  std::string note;     ///< under the axis: which ranks are left out, how well the clocks agree
  std::string control;  ///< the control that a click on a gate sets: "ranks.collective"

  template <class V>
  void visit(V& v) const {
    v.data(from, to, swept, legend, control);
    v.each(rows);
    v.each(gates);
    if (!note.empty()) v.line(note);
  }
};

}  // namespace warpwalk::story
