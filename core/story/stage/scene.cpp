#include "core/story/stage/scene.h"

#include <algorithm>

namespace warpwalk::story {

Stage::Stage() = default;
Stage::Stage(const Stage&) = default;
Stage::Stage(Stage&&) noexcept = default;
Stage& Stage::operator=(const Stage&) = default;
Stage& Stage::operator=(Stage&&) noexcept = default;
Stage::~Stage() = default;

std::vector<Beat> in_order(std::vector<Beat> beats) {
  for (std::size_t b = 1; b < beats.size(); ++b) beats[b].anchor = std::max(beats[b].anchor, beats[b - 1].anchor);
  return beats;
}

std::int64_t beat_at(const std::vector<Beat>& beats, std::int64_t time) {
  std::int64_t beat = 1;
  for (std::size_t b = 0; b < beats.size(); ++b)
    if (beats[b].anchor <= time) beat = static_cast<std::int64_t>(b) + 1;
  return beat;
}

std::string shapes_text(std::string_view dims) {
  std::string out, shape;
  bool number = false;
  const auto end_shape = [&] {
    if (shape.empty()) return;
    if (!out.empty()) out += ", ";
    out += shape;
    shape.clear();
  };
  for (const char c : dims) {
    if (c >= '0' && c <= '9') {
      if (!number && !shape.empty()) shape += " × ";
      shape += c;
      number = true;
    } else {
      number = false;
      if (c == ']' || c == '[') end_shape();
    }
  }
  return out;
}

}  // namespace warpwalk::story
