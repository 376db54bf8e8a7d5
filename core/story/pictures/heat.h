#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/story/pictures/rank_target.h"
#include "core/story/pictures/tone.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// A unit over time.
struct HeatRow {
  /// The share of a column in which the unit had nothing at all to do.
  static constexpr float nothing = -1;

  std::string label;          ///< "SM 12"
  double value = 0;           ///< the value that a click sets HeatPicture::controls to
  bool followed = false;      ///< framed
  std::vector<float> shares;  ///< by column: 0 to 1, or `nothing`
  /// By column; a click on it follows this in the trace of its rank. Empty: a click sets HeatPicture::controls.
  std::vector<RankTarget> ranks = {};

  /// Mean of the columns; `nothing` counts as 0.
  double mean() const;

  template <class V>
  void visit(V& v) const {
    v.data(label, value, followed, shares);
    v.each(ranks);
  }
};

struct HeatGroup {
  std::string name;  ///< "GPC 0"; may be empty
  std::vector<HeatRow> rows;

  template <class V>
  void visit(V& v) const {
    v.data(name);
    v.each(rows);
    if (!rows.empty()) v.line(name, name.empty() ? "" : ": ", summary());
  }

 private:
  std::string summary() const;
};

/// Many units by time, each cell coloured by a share: a whole GPU at a glance.
struct HeatPicture {
  std::int64_t from = 0, to = 1;  ///< cycles, `to` exclusive
  std::int64_t column = 1;        ///< cycles per column
  Tone tone = Tone::work;
  double top = 1;                     ///< the share that has the full colour
  HeatRow whole;                      ///< mean of all units, drawn as a profile above them
  std::vector<HeatGroup> groups;      ///< of units
  std::optional<std::int64_t> now;    ///< a line at the beginning of this cycle
  double swept = 1;                   ///< of the time, 0 to 1: later columns are not drawn yet
  std::vector<std::string> controls;  ///< those that a click on a unit sets: "sm.sm"
  bool picks_cycle = false;           ///< a click or a drag goes to the cycle under the pointer
  std::string word_cycle;             ///< under the axis: "cycle"
  std::string word_share;             ///< what the shares are of: "of the issue slots used"
  std::string word_zero;              ///< what a share of exactly 0 means
  std::string word_nothing;           ///< what HeatRow::nothing means

  template <class V>
  void visit(V& v) const {
    v.data(from, to, column, tone, top, now, swept, controls, picks_cycle, word_cycle, word_share, word_zero,
           word_nothing);
    v.line(word_cycle, " ", from, " - ", to);
    v.part(whole);
    v.line(whole.label, ": ", share_text(whole.mean()), " ", word_share);
    v.each(groups);
    for (const HeatGroup& group : groups)
      for (const HeatRow& row : group.rows)
        if (row.followed) v.line(row.label, ": ", share_text(row.mean()));
  }

  /// "34.1 %".
  static std::string share_text(double share);
};

}  // namespace warpwalk::story
