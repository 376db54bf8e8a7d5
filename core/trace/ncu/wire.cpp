#include "core/trace/ncu/wire.h"

#include <bit>

namespace warpwalk::trace::ncu {

float Field::single() const { return std::bit_cast<float>(static_cast<std::uint32_t>(value)); }
double Field::real() const { return std::bit_cast<double>(value); }

std::optional<std::uint64_t> WireReader::varint() {
  constexpr std::size_t max_bytes = 10;  // of 7 bits each
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < max_bytes && i < rest_.size(); ++i) {
    const auto byte = static_cast<unsigned char>(rest_[i]);
    value |= std::uint64_t{byte & 0x7fU} << (7 * i);
    if (byte < 0x80) {
      rest_.remove_prefix(i + 1);
      return value;
    }
  }
  return {};
}

std::optional<std::uint64_t> WireReader::fixed(std::size_t bytes) {
  if (rest_.size() < bytes) return {};
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value |= std::uint64_t{static_cast<unsigned char>(rest_[i])} << (8 * i);
  rest_.remove_prefix(bytes);
  return value;
}

std::optional<Field> WireReader::fail() {
  damaged_ = true;
  rest_ = {};
  return {};
}

std::optional<Field> WireReader::next() {
  if (rest_.empty()) return {};
  constexpr std::uint64_t max_number = (1U << 29) - 1;
  const auto key = varint();
  if (!key || *key >> 3 == 0 || *key >> 3 > max_number) return fail();
  Field field;
  field.number = static_cast<std::uint32_t>(*key >> 3);
  field.wire = static_cast<Field::Wire>(*key & 7);
  std::optional<std::uint64_t> value;
  switch (field.wire) {
    case Field::Wire::varint: value = varint(); break;
    case Field::Wire::fixed64: value = fixed(8); break;
    case Field::Wire::fixed32: value = fixed(4); break;
    case Field::Wire::bytes:
      value = varint();
      if (!value || *value > rest_.size()) return fail();
      field.bytes = rest_.substr(0, *value);
      rest_.remove_prefix(*value);
      break;
  }
  if (!value) return fail();
  field.value = *value;
  return field;
}

std::array<std::uint64_t, 3> three_numbers(std::string_view message) {
  std::array<std::uint64_t, 3> numbers{};
  for_each_field(message, [&](const Field& field) {
    if (field.wire == Field::Wire::varint && field.number <= numbers.size()) numbers[field.number - 1] = field.value;
  });
  return numbers;
}

}  // namespace warpwalk::trace::ncu
