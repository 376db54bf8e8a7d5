#include "app/lessons/lesson_slide.h"

#include <utility>

#include <fmt/format.h>

#include "app/draw/image.h"
#include "core/platform/read_file.h"

namespace warpwalk::lessons {
namespace {

constexpr std::uint64_t max_picture_bytes = std::uint64_t{20} << 20;
// Pictures are kept no larger: projectors show no more pixels.
constexpr int max_kept_width = 2560, max_kept_height = 1600;

// FNV-1a over whole pixels.
std::uint64_t key_of_pixels(const draw::Image& image) {
  std::uint64_t key = 0xcbf29ce484222325;
  const auto add = [&](std::uint64_t value) { key = (key ^ value) * 0x100000001b3; };
  add(static_cast<std::uint64_t>(image.width));
  add(static_cast<std::uint64_t>(image.height));
  for (const std::uint32_t pixel : image.pixels) add(pixel);
  return key;
}

}  // namespace

base::Result<LessonSlide> read_lesson_slide(const rapidjson::Value& from) {
  constexpr const char* form = R"(write {"title": ..., "text": ...})";
  if (!from.IsObject()) return base::Error{fmt::format("\"slide\" is not an object; {}", form)};
  LessonSlide slide;
  for (const auto& member : from.GetObject()) {
    const std::string_view key = member.name.GetString();
    if ((key != "title" && key != "text") || !member.value.IsString())
      return base::Error{fmt::format("\"slide\": \"{}\" is not one of its keys, or not a string; {}", key, form)};
    (key == "title" ? slide.title : slide.text) = member.value.GetString();
  }
  if (slide.empty()) return base::Error{fmt::format("\"slide\" has neither title nor text; {}", form)};
  return slide;
}

std::shared_ptr<const story::Photo> photo_of(draw::Image image, std::string name) {
  while (image.width > max_kept_width || image.height > max_kept_height) image = draw::halved(image);
  auto photo = std::make_shared<story::Photo>();
  photo->name = std::move(name);
  constexpr int smallest = 16;
  for (;;) {
    draw::Image half = image.width > smallest && image.height > smallest ? draw::halved(image) : draw::Image();
    const std::uint64_t key = key_of_pixels(image);
    photo->levels.push_back({image.width, image.height, std::move(image.pixels), key});
    if (half.pixels.empty()) break;
    image = std::move(half);
  }
  return photo;
}

base::Result<std::shared_ptr<const story::Photo>> read_photo(const std::filesystem::path& file) {
  const auto read = platform::read_text_file(file, max_picture_bytes);
  if (!read) return base::Error{read.error()};
  auto image = draw::decoded_picture(read->text);
  if (!image) return base::Error{fmt::format("{}: {}", file.string(), image.error())};
  return photo_of(*std::move(image), file.filename().string());
}

std::vector<story::SlideLine> slide_lines(std::string_view text) {
  std::vector<story::SlideLine> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) line.remove_suffix(1);
    const bool bullet = line.starts_with("- ") || line.starts_with("* ") || line.starts_with("• ");
    if (bullet) line.remove_prefix(line.find(' ') + 1);
    lines.push_back({std::string(line), bullet});
  }
  while (!lines.empty() && lines.back().text.empty()) lines.pop_back();
  return lines;
}

}  // namespace warpwalk::lessons
