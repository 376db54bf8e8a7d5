#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "instrumentation/rows.h"

namespace warpwalk::instrumentation {

// A recording is a file of frames. A frame is an eight-byte header (frame_mark, then the payload length; both 32 bits,
// little-endian) followed by rows. A row is one byte for its type, then its members as LEB128 numbers; strings are
// preceded by their length. Frames are independent of each other, so a truncated recording is valid up to its last
// complete frame. The last character of the mark is the format version; it changes when the members of a row change.
constexpr std::uint32_t frame_mark = 0x31465757;  // "WWF1"
constexpr std::size_t frame_header_bytes = 8;
constexpr std::size_t max_frame_bytes = std::size_t{4} << 20;
/// Longer strings are truncated.
constexpr std::size_t max_text_bytes = std::size_t{16} << 10;

/// Collects rows into one frame.
class FrameEncoder {
 public:
  FrameEncoder() { clear(); }

  void add(const Row& row);
  bool empty() const { return rows_ == 0; }
  std::uint64_t rows() const { return rows_; }
  std::size_t bytes() const { return bytes_.size(); }
  /// The frame, including its header.
  std::string_view frame();
  void clear();

 private:
  std::string bytes_;
  std::uint64_t rows_ = 0;
  std::uint64_t last_time_ = 0;
  std::uint32_t last_number_ = 0;
};

/// Decodes the rows of one frame's payload in order.
class FrameDecoder {
 public:
  explicit FrameDecoder(std::string_view payload) : rest_(payload) {}

  /// Returns nullopt at the end, and if the bytes are not a valid row (then damaged() is true). Strings are views into
  /// the payload.
  std::optional<Row> next();
  bool damaged() const { return damaged_; }
  /// Bytes not decoded yet.
  std::size_t remaining_bytes() const { return rest_.size(); }

 private:
  std::string_view rest_;
  bool damaged_ = false;
  std::uint64_t last_time_ = 0;
  std::uint32_t last_number_ = 0;
};

}  // namespace warpwalk::instrumentation
