#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warpwalk::draw {

/// A picture: RGBA8, R in the low byte, straight alpha, rows from the top without gaps.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> pixels;

  std::uint32_t at(int x, int y) const { return pixels[static_cast<std::size_t>(y) * width + x]; }
  bool operator==(const Image&) const = default;
};

/// A picture of one colour; no picture (0 x 0) where a side is not positive.
Image filled(int width, int height, std::uint32_t colour);

/// The bytes of a PNG file, RGB where every pixel is opaque; none where there are no pixels.
std::optional<std::string> png_of(const Image& image);

/// Writes a PNG, as RGB where every pixel is opaque. The file is written aside and renamed, so that nobody reads half
/// of one and a failure leaves what was there. Answers what went wrong, in one line that names the file.
std::optional<std::string> write_png(const Image& image, const std::filesystem::path& file);

/// Reads a PNG; nothing where the file is missing or is none.
std::optional<Image> read_png(const std::filesystem::path& file);

}  // namespace warpwalk::draw
