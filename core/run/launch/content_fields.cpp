#include "core/run/launch/content_fields.h"

#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace warpwalk::run {
namespace {

base::Result<void> read_fill(const Json& value, std::string_view path, ops::DType dtype, Fill& out) {
  if (value.IsObject()) {
    if (auto done = only_known(value, path, {"random"}); !done) return done;
    const Json* const seed = member(value, "random");
    if (seed == nullptr) return base::Error{fmt::format("{}: is empty; expected {{\"random\": seed}}", path)};
    FillRandom random;
    if (auto done = read_whole(*seed, member_path(path, "random"), 0, ~std::uint64_t{0}, random.seed); !done)
      return done;
    out = random;
    return {};
  }
  if (value.IsString() && view(value) == "iota") {
    out = FillIota{};
    return {};
  }
  if (!value.IsNumber() && !value.IsString())
    return base::Error{
        fmt::format("{}: is {}; expected a value, \"iota\" or {{\"random\": seed}}", path, shown(value))};
  FillValue filled;
  if (auto done = read_element(value, path, dtype, filled.bits); !done) return done;
  out = filled;
  return {};
}

}  // namespace

base::Result<void> read_dtype(const Json& object, std::string_view path, ops::DType& out) {
  const std::string at = member_path(path, "dtype");
  const Json* const value = member(object, "dtype");
  if (value == nullptr) return base::Error{fmt::format("{}: is missing; expected one of {}", at, ops::dtype_names)};
  const std::optional<ops::DType> dtype = value->IsString() ? ops::dtype_of(view(*value)) : std::nullopt;
  if (!dtype) return base::Error{fmt::format("{}: is {}; expected one of {}", at, shown(*value), ops::dtype_names)};
  out = *dtype;
  return {};
}

base::Result<void> read_content(const Json& object, std::string_view path, ops::DType dtype, Content& out) {
  const Json* const file = member(object, "file");
  const Json* const fill = member(object, "fill");
  if (file != nullptr && fill != nullptr)
    return base::Error{fmt::format("{}: has both file and fill; leave one out", path)};
  if (file != nullptr) {
    std::string name;
    if (auto done = read_text(*file, member_path(path, "file"), name); !done) return done;
    out = std::filesystem::path(name);
  } else if (fill != nullptr) {
    Fill generated;
    if (auto done = read_fill(*fill, member_path(path, "fill"), dtype, generated); !done) return done;
    out = generated;
  } else {
    out = Unwritten{};
  }
  return {};
}

base::Result<void> read_written(const Json& object, std::string_view path, BufferSpec& buffer) {
  const std::string at = member_path(path, "written");
  const Json* const value = member(object, "written");
  if (value == nullptr) return {};
  if (std::holds_alternative<Unwritten>(buffer.content))
    return base::Error{fmt::format("{}: the buffer has neither file nor fill; leave written out", at)};
  if (!value->IsArray()) {
    ElementRange& whole = buffer.written.emplace_back();
    return read_whole(*value, at, 1, buffer.count, whole.count);
  }
  if (value->Empty()) return base::Error{fmt::format("{}: is an empty list; leave out file or fill instead", at)};
  std::uint64_t end = 0;
  for (rapidjson::SizeType i = 0; i < value->Size(); ++i) {
    const Json& part = (*value)[i];
    const std::string place = fmt::format("{}[{}]", at, i);
    if (!part.IsArray() || part.Size() != 2)
      return base::Error{fmt::format("{}: is {}; expected [first element, number of elements]", place, shown(part))};
    ElementRange& range = buffer.written.emplace_back();
    if (end == buffer.count)
      return base::Error{fmt::format("{}: the part before it ends the buffer; list the parts in order", place)};
    if (auto done = read_whole(part[0], place + "[0]", end, buffer.count - 1, range.first); !done) return done;
    if (auto done = read_whole(part[1], place + "[1]", 1, buffer.count - range.first, range.count); !done) return done;
    end = range.first + range.count;
  }
  return {};
}

namespace {

/// The maximum total size of a kernel's parameters (PTX ISA 8.1; 4096 before).
constexpr std::size_t max_parameter_bytes = 32764;

std::string wanted(ops::DType dtype) {
  if (is_float(dtype))
    return fmt::format("expected a number, \"nan\", \"inf\", \"-inf\" or the bits as \"0x...\" ({})", name_of(dtype));
  const auto width = static_cast<int>(8 * bytes_of(dtype));
  const std::uint64_t limit = ~std::uint64_t{0} >> (64 - width);
  if (!is_signed(dtype)) return fmt::format("{} holds 0 to {}, or the bits as \"0x...\"", name_of(dtype), limit);
  return fmt::format("{} holds -{} to {}, or the bits as \"0x...\"", name_of(dtype), limit / 2 + 1, limit / 2);
}

bool read_word(std::string_view word, ops::DType dtype, std::uint64_t& bits) {
  if (word.starts_with("0x")) {
    const std::string_view digits = word.substr(2);
    if (digits.empty() || digits.size() > 2 * bytes_of(dtype)) return false;
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
    return error == std::errc{} && rest == digits.data() + digits.size();
  }
  if (!is_float(dtype)) return false;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double value = std::numeric_limits<double>::quiet_NaN();
  if (word == "inf")
    value = infinity;
  else if (word == "-inf")
    value = -infinity;
  else if (word != "nan")
    return false;
  bits = float_bits(dtype, value);
  return true;
}

bool read_float(double value, ops::DType dtype, std::uint64_t& bits) {
  bits = float_bits(dtype, value);
  return std::isfinite(float_value(dtype, bits));
}

bool read_integer(const Json& value, ops::DType dtype, std::uint64_t& bits) {
  const int width = 8 * static_cast<int>(bytes_of(dtype));
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - width);
  // 1e3 and 5.0 also count as integers, within the precision of a double.
  constexpr double exact = 9007199254740992.0;
  const bool whole_real =
      value.IsDouble() && std::abs(value.GetDouble()) <= exact && value.GetDouble() == std::trunc(value.GetDouble());
  if (!value.IsUint64() && !value.IsInt64() && !whole_real) return false;
  const bool negative = whole_real ? value.GetDouble() < 0 : !value.IsUint64();
  if (negative) {
    const std::int64_t number = whole_real ? static_cast<std::int64_t>(value.GetDouble()) : value.GetInt64();
    bits = static_cast<std::uint64_t>(number) & all;
    return is_signed(dtype) && 0 - static_cast<std::uint64_t>(number) <= all / 2 + 1;
  }
  bits = whole_real ? static_cast<std::uint64_t>(value.GetDouble()) : value.GetUint64();
  return bits <= (is_signed(dtype) ? all / 2 : all);
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

base::Result<void> read_element(const Json& value, std::string_view path, ops::DType dtype, std::uint64_t& bits) {
  bool good = false;
  if (value.IsString())
    good = read_word(view(value), dtype, bits);
  else if (value.IsNumber())
    good = is_float(dtype) ? read_float(value.GetDouble(), dtype, bits) : read_integer(value, dtype, bits);
  if (good) return {};
  if (value.IsNumber() && is_float(dtype))
    return base::Error{fmt::format("{}: is {}, beyond the largest {}; write \"inf\" for infinity", path, shown(value),
                                   name_of(dtype))};
  return base::Error{fmt::format("{}: is {}; {}", path, shown(value), wanted(dtype))};
}

base::Result<void> read_bytes(const Json& value, std::string_view path, std::vector<std::uint8_t>& bytes) {
  std::string text;
  if (auto done = read_text(value, path, text); !done) return done;
  std::vector<int> digits;
  for (const char c : text) {
    if (c == ' ') continue;
    digits.push_back(digit_of(c));
    if (digits.back() < 0)
      return base::Error{fmt::format("{}: is {}; expected two hexadecimal digits per byte", path, shown(value))};
  }
  if (digits.empty() || digits.size() % 2 != 0)
    return base::Error{fmt::format("{}: has {} hexadecimal digits; expected two per byte", path, digits.size())};
  if (digits.size() / 2 > max_parameter_bytes)
    return base::Error{
        fmt::format("{}: has {} bytes; at most {} are allowed here", path, digits.size() / 2, max_parameter_bytes)};
  bytes.clear();
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(digits[i] << 4 | digits[i + 1]));
  return {};
}

}  // namespace warpwalk::run
