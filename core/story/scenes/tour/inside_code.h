#pragma once

// The line of the followed kernel that adds up the products, with its names.

#include <string>
#include <vector>

#include "core/story/scenes/tour/tour.h"

namespace warpwalk::story {

/// The statement that adds a product to the sum. If the source is not known, `sum += a * b` and the elements' names.
struct SumLine {
  struct Line {
    std::string text;
    bool lit = false;  ///< the statement
  };
  std::string line;          ///< without indentation
  std::string sum, a, b;     ///< its names: "sum", "a_tile[y][i]", "b_tile[i][x]"
  std::vector<Line> around;  ///< some lines of the source, the statement among them; empty: not known
  bool known() const { return !around.empty(); }
};
SumLine sum_line(const Tour& s);

}  // namespace warpwalk::story
