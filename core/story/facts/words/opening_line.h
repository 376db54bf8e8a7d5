#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/story/elements/walk.h"

namespace warpwalk::story {

/// One word or sign of a line of code.
struct LineToken {
  std::string text;
  bool followed = false;  ///< the token of the followed op or kernel
};

/// The line that a walk begins with: what the trace has of it.
struct OpeningLine {
  enum class From : std::uint8_t {
    typed,   ///< the expression that warpwalk evaluated
    ops,     ///< two recorded ops, of which the second one takes a tensor of the first one's shape
    op,      ///< one recorded op
    launch,  ///< a launch outside of any op
  };
  From from = From::op;
  std::vector<LineToken> tokens;
  SliceId first = no_slice, second = no_slice;  ///< the ops in the line
  std::string result;                           ///< the text of the followed op with its inputs: "a @ b"

  std::string text() const;
};

/// Nullopt for a walk without an op and without a launch.
std::optional<OpeningLine> opening_line(const Trace& trace, const Walk& walk);

}  // namespace warpwalk::story
