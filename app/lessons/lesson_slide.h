#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include "app/draw/image.h"
#include "core/base/result.h"
#include "core/story/pictures/slide.h"

namespace warpwalk::lessons {

/// A lecturer's own words, in place of a scene.
struct LessonSlide {
  std::string title;
  std::string text;  ///< paragraphs and bullets, see slide_lines()
  bool empty() const { return title.empty() && text.empty(); }
  friend bool operator==(const LessonSlide&, const LessonSlide&) = default;
};

/// A lecturer's own picture, in place of a scene.
struct LessonPicture {
  std::filesystem::path file;
  std::shared_ptr<const story::Photo> photo;  ///< null only in a draft whose file cannot be read
};

/// Reads {"title": ..., "text": ...}. On failure: one line.
base::Result<LessonSlide> read_lesson_slide(const rapidjson::Value& from);

/// Reads a PNG or JPEG of at most 20 MiB, 10,000 pixels per side and 64 million pixels; one larger than a screen is
/// scaled down. On failure: one line that names the file.
base::Result<std::shared_ptr<const story::Photo>> read_photo(const std::filesystem::path& file);

/// The picture at all of its sizes, after it was scaled down to that of a screen.
std::shared_ptr<const story::Photo> photo_of(draw::Image image, std::string name);

/// The lines of a slide's text: each line is a paragraph, or a bullet if it begins with "- " or "* "; an empty line
/// stays, as a gap.
std::vector<story::SlideLine> slide_lines(std::string_view text);

}  // namespace warpwalk::lessons
