#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/story/pictures/tone.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// A node of a graph, in a column and a row of its own.
struct GraphNode {
  std::string name;   ///< "MmBackward0"; empty: not drawn, an arrow passes here
  std::string text;   ///< in the code font below the name; may be empty
  std::string below;  ///< a quieter line; may be empty
  std::string tip;    ///< at the pointer
  Tone tone = Tone::plain;
  bool followed = false;                                  ///< framed
  std::size_t column = 0;                                 ///< from the left
  std::size_t row = 0;                                    ///< from the top of its column
  std::vector<std::pair<std::string, double>> sets = {};  ///< the controls that a click sets

  template <class V>
  void visit(V& v) const {
    v.data(tip, tone, followed, column, row, sets);
    if (!name.empty())
      v.line(name, text.empty() ? "" : ": ", text, below.empty() ? "" : ", ", below, followed ? " (followed)" : "");
  }
};

/// An arrow between two nodes, by their indices.
struct GraphEdge {
  std::size_t from = 0, to = 0;
  std::string label;                      ///< at the middle of its first part; may be empty
  std::vector<std::size_t> through = {};  ///< nodes that are not drawn, in order
  Tone tone = Tone::quiet;

  template <class V>
  void visit(V& v) const {
    v.data(from, to, label, through, tone);
  }
};

/// Boxes in columns with arrows between them: a tape, a chain of calls.
struct GraphPicture {
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
  std::vector<std::pair<Tone, std::string>> legend;  ///< what the tones mean here

  template <class V>
  void visit(V& v) const {
    v.data(legend);
    v.each(nodes);
    v.each(edges);
    for (const GraphEdge& edge : edges)
      v.line(nodes[edge.from].name, " → ", nodes[edge.to].name, edge.label.empty() ? "" : ": ", edge.label);
  }
};

}  // namespace warpwalk::story
