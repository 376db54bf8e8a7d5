#include "app/draw/image.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <stb_image.h>
#include <zlib.h>

#include "core/platform/output_file.h"

namespace warpwalk::draw {
namespace {

using Bytes = std::vector<unsigned char>;

// This file writes PNG itself: stb's deflate is several times slower than zlib on a screen-sized picture.
constexpr std::array<unsigned char, 8> kSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr unsigned char kFilterNone = 0;
constexpr unsigned char kFilterUp = 2;
// Levels above 1 shrink the files of flat pictures by a few percent but take twice as long.
constexpr int kCompression = 1;

void put_u32(Bytes& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<unsigned char>(value >> shift));
}

void put_chunk(Bytes& out, std::string_view type, const Bytes& data) {
  put_u32(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t start = out.size();
  out.insert(out.end(), type.begin(), type.end());
  out.insert(out.end(), data.begin(), data.end());
  put_u32(out, static_cast<std::uint32_t>(crc32(0, out.data() + start, static_cast<uInt>(out.size() - start))));
}

bool is_opaque(const Image& image) {
  return std::all_of(image.pixels.begin(), image.pixels.end(), [](std::uint32_t p) { return p >> 24 == 0xff; });
}

void put_row(unsigned char* to, const std::uint32_t* pixels, int width, int channels) {
  for (int x = 0; x < width; ++x, to += channels) {
    const std::uint32_t pixel = pixels[x];
    to[0] = static_cast<unsigned char>(pixel);
    to[1] = static_cast<unsigned char>(pixel >> 8);
    to[2] = static_cast<unsigned char>(pixel >> 16);
    if (channels == 4) to[3] = static_cast<unsigned char>(pixel >> 24);
  }
}

/// A zlib stream that takes one row at a time, so that no second copy of the picture is needed.
class Deflater {
 public:
  Deflater() : ok_(deflateInit(&stream_, kCompression) == Z_OK) {}
  ~Deflater() {
    if (ok_) deflateEnd(&stream_);
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  bool add(const unsigned char* data, std::size_t size, bool last) {
    if (!ok_) return false;
    stream_.next_in = const_cast<unsigned char*>(data);  // zlib's API lacks const here, but only reads
    stream_.avail_in = static_cast<uInt>(size);
    int status = Z_OK;
    do {
      stream_.next_out = buffer_.data();
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      status = deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      if (status == Z_STREAM_ERROR) return false;
      out_.insert(out_.end(), buffer_.data(), stream_.next_out);
    } while (stream_.avail_out == 0);
    return !last || status == Z_STREAM_END;
  }
  const Bytes& out() const { return out_; }

 private:
  z_stream stream_{};
  bool ok_;
  std::array<unsigned char, 65536> buffer_;
  Bytes out_;
};

std::optional<Bytes> encode(const Image& image) {
  const int channels = is_opaque(image) ? 3 : 4;
  const std::size_t row_bytes = static_cast<std::size_t>(image.width) * channels;
  Bytes header;
  put_u32(header, static_cast<std::uint32_t>(image.width));
  put_u32(header, static_cast<std::uint32_t>(image.height));
  const unsigned char colour_type = channels == 3 ? 2 : 6;
  header.insert(header.end(), {8, colour_type, 0, 0, 0});  // 8 bits; deflate, adaptive filters, not interlaced

  auto deflater = std::make_unique<Deflater>();
  Bytes row(1 + row_bytes, kFilterNone);
  Bytes repeat(1 + row_bytes, 0);  // a row equal to the one above: all zeros with the filter Up
  repeat[0] = kFilterUp;
  const std::size_t pixel_row_bytes = static_cast<std::size_t>(image.width) * sizeof(std::uint32_t);
  for (int y = 0; y < image.height; ++y) {
    const std::uint32_t* pixels = image.pixels.data() + static_cast<std::size_t>(y) * image.width;
    // In a user interface, half of the rows equal the row above, and zeros compress fastest.
    const bool repeats = y > 0 && std::memcmp(pixels, pixels - image.width, pixel_row_bytes) == 0;
    if (!repeats) put_row(row.data() + 1, pixels, image.width, channels);
    if (!deflater->add((repeats ? repeat : row).data(), row.size(), y + 1 == image.height)) return std::nullopt;
  }

  Bytes file(kSignature.begin(), kSignature.end());
  put_chunk(file, "IHDR", header);
  put_chunk(file, "IDAT", deflater->out());
  put_chunk(file, "IEND", {});
  return file;
}

// Decoded, a picture takes eight bytes a pixel for a moment.
constexpr std::int64_t max_picture_pixels = 64'000'000;

using Decoded = std::unique_ptr<unsigned char, void (*)(void*)>;

// Of four bytes a pixel.
Image image_of(const unsigned char* bytes, int width, int height) {
  Image image = filled(width, height, 0);
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    const unsigned char* p = bytes + 4 * i;
    image.pixels[i] = p[0] | p[1] << 8 | p[2] << 16 | static_cast<std::uint32_t>(p[3]) << 24;
  }
  return image;
}

}  // namespace

Image filled(int width, int height, std::uint32_t colour) {
  if (width <= 0 || height <= 0) return {};
  return {width, height, std::vector<std::uint32_t>(static_cast<std::size_t>(width) * height, colour)};
}

std::optional<std::string> png_of(const Image& image) {
  const bool sound = image.width > 0 && image.height > 0 &&
                     image.pixels.size() == static_cast<std::size_t>(image.width) * image.height;
  if (!sound) return {};
  const std::optional<Bytes> bytes = encode(image);
  if (!bytes) return {};
  return std::string(bytes->begin(), bytes->end());
}

base::Result<void> write_png(const Image& image, const std::filesystem::path& file) {
  const std::optional<std::string> bytes = png_of(image);
  if (!bytes) return base::Error{"cannot write " + file.string() + ": the picture has no pixels"};
  platform::OutputFile out(file);
  out.write(*bytes);
  return out.finish();
}

Image halved(const Image& image) {
  Image half = filled((image.width + 1) / 2, (image.height + 1) / 2, 0);
  for (int y = 0; y < half.height; ++y) {
    for (int x = 0; x < half.width; ++x) {
      const int right = std::min(2 * x + 1, image.width - 1), below = std::min(2 * y + 1, image.height - 1);
      const std::array<std::uint32_t, 4> four = {image.at(2 * x, 2 * y), image.at(right, 2 * y), image.at(2 * x, below),
                                                 image.at(right, below)};
      // Transparent pixels have no colour: each counts as much as it covers.
      std::array<std::uint32_t, 3> sums = {};
      std::uint32_t cover = 0;
      for (const std::uint32_t pixel : four) {
        const std::uint32_t alpha = pixel >> 24;
        cover += alpha;
        for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += (pixel >> 8 * c & 255) * alpha;
      }
      std::uint32_t mean = (cover + 2) / 4 << 24;
      for (std::size_t c = 0; c < sums.size() && cover > 0; ++c) mean |= (sums[c] + cover / 2) / cover << 8 * c;
      half.pixels[static_cast<std::size_t>(y) * half.width + x] = mean;
    }
  }
  return half;
}

std::optional<Image> read_png(const std::filesystem::path& file) {
  int width = 0, height = 0, channels = 0;
  const Decoded data(stbi_load(file.c_str(), &width, &height, &channels, 4), stbi_image_free);
  if (!data) return std::nullopt;
  return image_of(data.get(), width, height);
}

base::Result<Image> decoded_picture(std::string_view bytes) {
  constexpr std::string_view png = "\x89PNG\r\n\x1a\n", jpeg = "\xff\xd8\xff";
  if (!bytes.starts_with(png) && !bytes.starts_with(jpeg)) return base::Error{"is not a PNG or JPEG picture"};
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  const int size = static_cast<int>(std::min<std::size_t>(bytes.size(), std::numeric_limits<int>::max()));
  int width = 0, height = 0, channels = 0;
  if (stbi_info_from_memory(data, size, &width, &height, &channels) == 0)
    return base::Error{"is damaged: it does not say how large it is"};
  if (width > max_picture_side || height > max_picture_side)
    return base::Error{fmt::format("has {} x {} pixels; a picture has at most {} x {}", width, height, max_picture_side,
                                   max_picture_side)};
  if (std::int64_t{width} * height > max_picture_pixels)
    return base::Error{fmt::format("has {} x {} pixels; a picture has at most {} million", width, height,
                                   max_picture_pixels / 1'000'000)};
  const Decoded decoded(stbi_load_from_memory(data, size, &width, &height, &channels, 4), stbi_image_free);
  if (!decoded) return base::Error{"is damaged: its pixels cannot be read"};
  return image_of(decoded.get(), width, height);
}

}  // namespace warpwalk::draw
