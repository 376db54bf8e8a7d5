#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "instrumentation/rows.h"

namespace warpwalk::recording {

// A recording is a file of frames. A frame is eight bytes (frame_mark, then the payload's length, both 32 bits,
// little-endian) and rows: a byte that says which, then its members as LEB128 numbers, texts with their length before
// them. Frames stand alone, so that a recording cut off anywhere is good up to its last whole frame.
// The mark's last character is the format's number: it changes with what a row is made of.
constexpr std::uint32_t frame_mark = 0x31465757;  // "WWF1"
constexpr std::size_t frame_head_bytes = 8;
constexpr std::size_t max_frame_bytes = std::size_t{4} << 20;
/// Longer texts are cut off.
constexpr std::size_t max_text_bytes = std::size_t{16} << 10;

/// Collects rows into one frame.
class FrameEncoder {
 public:
  FrameEncoder() { clear(); }

  void add(const Row& row);
  bool empty() const { return rows_ == 0; }
  std::uint64_t rows() const { return rows_; }
  std::size_t bytes() const { return bytes_.size(); }
  /// The frame, head included.
  std::string_view frame();
  void clear();

 private:
  std::string bytes_;
  std::uint64_t rows_ = 0;
  std::uint64_t last_time_ = 0;
  std::uint32_t last_number_ = 0;
};

/// Takes the rows of one frame's payload, one after the other.
class FrameDecoder {
 public:
  explicit FrameDecoder(std::string_view payload) : rest_(payload) {}

  /// None at the end, and where the bytes are no row (then damaged() says so). Texts are views of the payload.
  std::optional<Row> next();
  bool damaged() const { return damaged_; }
  /// Bytes not taken yet.
  std::size_t rest() const { return rest_.size(); }

 private:
  std::string_view rest_;
  bool damaged_ = false;
  std::uint64_t last_time_ = 0;
  std::uint32_t last_number_ = 0;
};

}  // namespace warpwalk::recording
