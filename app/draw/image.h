#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::draw {

/// A picture: RGBA8, R in the low byte, straight alpha, rows from the top without gaps.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> pixels;

  std::uint32_t at(int x, int y) const { return pixels[static_cast<std::size_t>(y) * width + x]; }
  bool operator==(const Image&) const = default;
};

/// Returns a picture of one colour; an empty one (0 x 0) if a side is not positive.
Image filled(int width, int height, std::uint32_t colour);

/// Encodes the picture as PNG: RGB if every pixel is opaque, else RGBA. Returns nullopt if the picture is empty.
std::optional<std::string> png_of(const Image& image);

/// Writes a PNG, as RGB if every pixel is opaque. Writes a temporary file and renames it, so no reader sees a partial
/// file and a failure keeps the previous file. On failure: one line that names the file.
base::Result<void> write_png(const Image& image, const std::filesystem::path& file);

/// The sides of a picture that is read from a person's file.
constexpr int max_picture_side = 10000;

/// Decodes a PNG or JPEG. On failure: what is wrong, as the end of a sentence: "is not a PNG or JPEG picture".
base::Result<Image> decoded_picture(std::string_view bytes);

/// Half as wide and as high: each pixel is the mean of four. A side of one pixel stays.
Image halved(const Image& image);

/// Reads a PNG. Returns nullopt if the file is missing or is not a PNG.
std::optional<Image> read_png(const std::filesystem::path& file);

}  // namespace warpwalk::draw
