#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/story/pictures/rank_target.h"
#include "core/story/pictures/tone.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// One axis of a scatter plot.
struct ScatterAxis {
  std::string label;
  double from = 1, to = 10;
  bool logarithmic = false;
  std::vector<std::pair<double, std::string>> ticks;

  template <class V>
  void visit(V& v) const {
    v.data(label, from, to, logarithmic, ticks);
  }
};

/// A straight line across the plot, with a word at its end.
struct ScatterLine {
  std::pair<double, double> from, to;  ///< x and y
  std::string text;
  bool dashed = false;

  template <class V>
  void visit(V& v) const {
    v.data(from, to, text, dashed);
  }
};

/// The points of one kind, with their entry in the legend. Each kind has a shape of its own, by its position.
struct ScatterGroup {
  std::string name;
  Tone tone = Tone::plain;

  template <class V>
  void visit(V& v) const {
    v.data(name, tone);
  }
};

struct ScatterPoint {
  double x = 0, y = 0;
  std::size_t group = 0;
  std::string name;
  std::string text;                     ///< its values, at the pointer and in the transcript
  bool named = false;                   ///< the name stands beside it
  std::optional<RankTarget> rank = {};  ///< a click follows this in the trace of its rank

  template <class V>
  void visit(V& v) const {
    v.data(x, y, group, name, text, named);
    v.part(rank);
    v.line(name, ": ", text);
  }
};

/// Points over two axes, with lines to compare them with. Points outside the axes are drawn at the edge.
struct ScatterPicture {
  ScatterAxis across, up;
  std::vector<std::pair<double, double>> band;  ///< corners of a shaded convex area, x and y; may be empty
  std::vector<ScatterLine> lines;
  std::vector<ScatterGroup> groups;
  std::vector<ScatterPoint> points;

  template <class V>
  void visit(V& v) const {
    v.part(across);
    v.part(up);
    v.data(band);
    v.each(lines);
    v.each(groups);
    v.each(points);
  }
};

}  // namespace warpwalk::story
