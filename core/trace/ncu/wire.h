#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpwalk::trace::ncu {

/// One field of a message of Protocol Buffers.
struct Field {
  /// How the value is encoded. Groups (3 and 4) are not used by any file that is read here.
  enum class Wire : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

  std::uint32_t number = 0;
  Wire wire = Wire::varint;
  std::uint64_t value = 0;  ///< of a number; its bits if it is a float or a double
  std::string_view bytes;   ///< of Wire::bytes: a text, a message or bytes

  /// The value as a signed or floating-point number.
  std::int64_t integer() const { return static_cast<std::int64_t>(value); }
  float single() const;
  double real() const;
};

/// Reads the fields of a message one by one ("Encoding" in the documentation of Protocol Buffers). Accepts any bytes:
/// every length is checked against the message. Unknown fields are returned as well, so the caller skips them.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  /// The next field; nullopt at the end of the message, and where it is damaged.
  std::optional<Field> next();
  /// Whether reading ended because the bytes are no message.
  bool damaged() const { return damaged_; }

 private:
  std::optional<std::uint64_t> varint();
  std::optional<std::uint64_t> fixed(std::size_t bytes);
  std::optional<Field> fail();

  std::string_view rest_;
  bool damaged_ = false;
};

/// Calls `visit` for each field. Returns false if the message is damaged; the fields before the damage were visited.
template <class Visit>
bool for_each_field(std::string_view message, Visit visit) {
  WireReader reader(message);
  while (const std::optional<Field> field = reader.next()) visit(*field);
  return !reader.damaged();
}

/// A message of x, y and z in the fields 1, 2 and 3. A missing one is 0.
std::array<std::uint64_t, 3> three_numbers(std::string_view message);

}  // namespace warpwalk::trace::ncu
