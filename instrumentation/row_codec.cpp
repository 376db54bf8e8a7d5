#include "instrumentation/row_codec.h"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>

namespace warpwalk::instrumentation {
namespace {

void put_u32(char* to, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) to[i] = static_cast<char>(value >> (8 * i));
}

// Zigzag encoding: maps signed numbers near 0 to small unsigned numbers (0, -1, 1, -2 ...).
std::uint64_t zigzag_encode(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
std::int64_t zigzag_decode(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

// The difference of two unsigned numbers, modulo 2^64.
std::int64_t difference(std::uint64_t a, std::uint64_t b) { return static_cast<std::int64_t>(a - b); }

class Writer {
 public:
  Writer(std::string& to, std::uint64_t& last_time, std::uint32_t& last_number)
      : to_(to), last_time_(last_time), last_number_(last_number) {}

  void number(std::uint64_t value) {
    std::array<char, 10> bytes;
    std::size_t n = 0;
    for (; value >= 0x80; value >>= 7) bytes[n++] = static_cast<char>(value | 0x80);
    bytes[n++] = static_cast<char>(value);
    to_.append(bytes.data(), n);
  }
  void number(std::uint32_t value) { number(std::uint64_t{value}); }
  void number(std::int32_t value) { number(zigzag_encode(value)); }
  void at(std::uint64_t time) { number(zigzag_encode(difference(time, std::exchange(last_time_, time)))); }
  void after(std::uint64_t time, std::uint64_t other) { number(zigzag_encode(difference(time, other))); }
  void next(std::uint32_t value) {
    number(zigzag_encode(std::int64_t{value} - std::int64_t{std::exchange(last_number_, value)}));
  }
  void text(std::string_view value) {
    value = value.substr(0, max_text_bytes);
    number(std::uint64_t{value.size()});
    to_.append(value);
  }

 private:
  std::string& to_;
  std::uint64_t& last_time_;
  std::uint32_t& last_number_;
};

class Reader {
 public:
  Reader(std::string_view& from, std::uint64_t& last_time, std::uint32_t& last_number)
      : from_(from), last_time_(last_time), last_number_(last_number) {}

  bool good() const { return good_; }

  void number(std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (from_.empty()) break;
      const auto byte = static_cast<std::uint8_t>(from_.front());
      from_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return;
    }
    good_ = false;
  }
  void number(std::uint32_t& value) {
    std::uint64_t wide = 0;
    number(wide);
    good_ = good_ && wide <= std::numeric_limits<std::uint32_t>::max();
    value = static_cast<std::uint32_t>(wide);
  }
  void number(std::int32_t& value) {
    const std::int64_t wide = signed_number();
    good_ = good_ && std::in_range<std::int32_t>(wide);
    value = static_cast<std::int32_t>(wide);
  }
  void at(std::uint64_t& time) {
    time = last_time_ + static_cast<std::uint64_t>(signed_number());
    last_time_ = time;
  }
  void after(std::uint64_t& time, std::uint64_t other) { time = other + static_cast<std::uint64_t>(signed_number()); }
  void next(std::uint32_t& value) {
    value = last_number_ + static_cast<std::uint32_t>(signed_number());
    last_number_ = value;
  }
  void text(std::string_view& value) {
    std::uint64_t size = 0;
    number(size);
    good_ = good_ && size <= max_text_bytes && size <= from_.size();
    value = from_.substr(0, good_ ? static_cast<std::size_t>(size) : 0);
    from_.remove_prefix(value.size());
  }

 private:
  std::int64_t signed_number() {
    std::uint64_t wide = 0;
    number(wide);
    return zigzag_decode(wide);
  }

  std::string_view& from_;
  std::uint64_t& last_time_;
  std::uint32_t& last_number_;
  bool good_ = true;
};

// A default-constructed row of the given index in Row, or nullopt if the index is too large.
template <std::size_t... Index>
std::optional<Row> default_row(std::size_t index, std::index_sequence<Index...>) {
  std::optional<Row> row;
  ((Index == index ? (void)row.emplace(std::in_place_index<Index>) : void()), ...);
  return row;
}

}  // namespace

void FrameEncoder::add(const Row& row) {
  bytes_.push_back(static_cast<char>(row.index() + 1));
  Writer writer(bytes_, last_time_, last_number_);
  std::visit([&](const auto& r) { std::decay_t<decltype(r)>::layout(writer, r); }, row);
  ++rows_;
}

std::string_view FrameEncoder::frame() {
  put_u32(bytes_.data(), frame_mark);
  put_u32(bytes_.data() + 4, static_cast<std::uint32_t>(bytes_.size() - frame_header_bytes));
  return bytes_;
}

void FrameEncoder::clear() {
  bytes_.assign(frame_header_bytes, '\0');
  rows_ = 0;
  last_time_ = 0;
  last_number_ = 0;
}

std::optional<Row> FrameDecoder::next() {
  if (rest_.empty() || damaged_) return {};
  const auto number = static_cast<std::uint8_t>(rest_.front());
  rest_.remove_prefix(1);
  std::optional<Row> row;
  if (number != 0) row = default_row(number - std::size_t{1}, std::make_index_sequence<std::variant_size_v<Row>>{});
  Reader reader(rest_, last_time_, last_number_);
  if (row) std::visit([&](auto& r) { std::decay_t<decltype(r)>::layout(reader, r); }, *row);
  damaged_ = !row || !reader.good();
  if (damaged_) return {};
  return row;
}

}  // namespace warpwalk::instrumentation
