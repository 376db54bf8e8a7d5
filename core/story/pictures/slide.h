#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// A picture in pixels at one size: RGBA8, R in the low byte, straight alpha, rows from the top without gaps.
struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> values;
  std::uint64_t key = 0;  ///< of the content: two with the same key look the same
};

/// A picture that a lecturer brings along. It is kept at several sizes, each half as wide and as high as the one
/// before, so that it can be drawn small without noise.
struct Photo {
  std::string name;            ///< of its file
  std::vector<Pixels> levels;  ///< the largest first; never empty

  int width() const { return levels.front().width; }
  int height() const { return levels.front().height; }
};

/// A paragraph or a bullet of a slide.
struct SlideLine {
  std::string text;
  bool bullet = false;

  template <class V>
  void visit(V& v) const {
    v.data(text, bullet);
    v.line(bullet ? "• " : "", text);
  }
};

/// A lecturer's own words and picture, in place of the picture of a scene.
struct SlidePicture {
  std::vector<SlideLine> lines;
  std::shared_ptr<const Photo> photo;  ///< null: none

  template <class V>
  void visit(V& v) const {
    v.each(lines);
    if (photo == nullptr) return;
    v.data(photo->name, photo->levels.front().key);
    v.line("picture: ", photo->name);
  }
};

}  // namespace warpwalk::story
