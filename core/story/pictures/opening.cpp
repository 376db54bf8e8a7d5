#include "core/story/pictures/opening.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpwalk::story {

std::string OpeningMatrix::first_row() const {
  if (corner.empty()) return {};
  return fmt::format("{}{}", fmt::join(corner.front(), ", "), more_columns ? " …" : "");
}

std::string OpeningPicture::line() const {
  std::string text;
  for (const OpeningToken& token : tokens) text += token.text;
  return text;
}

}  // namespace warpwalk::story
