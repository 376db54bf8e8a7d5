#include "core/platform/deflate.h"

#include <limits>

#include <zlib.h>

namespace warpwalk::platform {

std::vector<std::uint8_t> deflated(std::span<const std::uint8_t> bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::vector<std::uint8_t> data(size);
  compress2(data.data(), &size, bytes.data(), static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  data.resize(size);
  return data;
}

std::optional<std::vector<std::uint8_t>> inflated(std::span<const std::uint8_t> data, std::size_t bytes) {
  // zlib expands data to at most 1032 times its size, so a larger claim is refused before memory is taken for it.
  constexpr std::size_t most_expansion = 1032;
  if (bytes / most_expansion > data.size() || data.size() > std::numeric_limits<uLong>::max()) return {};
  std::vector<std::uint8_t> out(bytes);
  uLongf size = static_cast<uLongf>(bytes);
  uLong used = static_cast<uLong>(data.size());
  if (uncompress2(out.data(), &size, data.data(), &used) != Z_OK || size != bytes || used != data.size()) return {};
  return out;
}

}  // namespace warpwalk::platform
