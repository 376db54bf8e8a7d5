#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/story/pictures/tone.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// A cell of one of the two rows of a LinkPicture.
struct LinkCell {
  Tone tone = Tone::plain;
  std::string label;  ///< drawn if the labels of all cells of its row fit
  std::string below;  ///< likewise, under the cell
  std::string tip;    ///< at the pointer
  /// Parts of its width, 0 to 1, that have the tone LinkPicture::part_tone.
  std::vector<std::pair<double, double>> parts = {};

  template <class V>
  void visit(V& v) const {
    v.data(tone, label, below, tip, parts);
  }
};

/// An arrow from a cell of the upper row to one of the lower row.
struct Link {
  std::size_t from = 0, to = 0;
  double at = 0.5;  ///< where it ends, as a part of the lower cell's width
  Tone tone = Tone::memory;

  template <class V>
  void visit(V& v) const {
    v.data(from, to, at, tone);
  }
};

/// Two rows of cells with straight arrows between them: the lanes of a warp, and the memory that they access.
struct LinkPicture {
  std::string from_name, to_name, group_name;        ///< left of the rows; may be empty
  std::vector<LinkCell> from, to;                    ///< the upper and the lower row
  std::size_t group = 1;                             ///< so many lower cells belong together: 4 sectors in a line
  std::vector<std::string> groups;                   ///< labels of these groups, some perhaps empty; may be empty
  std::vector<Link> links;                           ///< in the order of their upper cells
  std::optional<std::size_t> followed;               ///< an upper cell, framed with its arrows
  std::string control;                               ///< the control that a click sets to an upper cell's index
  Tone part_tone = Tone::work;                       ///< of LinkCell::parts
  std::vector<std::pair<Tone, std::string>> legend;  ///< what the tones mean here
  std::string note;                                  ///< under the picture; may be empty

  template <class V>
  void visit(V& v) const {
    v.data(from_name, to_name, group_name, group, groups, followed, control, part_tone, legend, note);
    v.each(from);
    v.each(to);
    v.each(links);
    if (followed) v.line(from[*followed].tip);
    for (const LinkCell& cell : to)
      if (cell.tone != Tone::quiet && !cell.tip.empty()) v.line(cell.tip);
    if (!note.empty()) v.line(note);
  }
};

}  // namespace warpwalk::story
