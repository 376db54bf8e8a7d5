#include "core/run/json_fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <rapidjson/encodedstream.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace warpwalk::run {
namespace {

/// Builds the document, its numbers read by std::from_chars: rapidjson's own exact reading shifts by 64 bits for digits
/// that begin with 2^64 - 1 and go on.
class ExactNumbers {
 public:
  using Ch = char;
  using Size = rapidjson::SizeType;
  explicit ExactNumbers(rapidjson::Document& out) : out_(out) {}

  bool RawNumber(const char* digits, Size length, bool) {
    const char* const end = digits + length;
    const bool negative = *digits == '-';
    const auto reads_all = [&](auto& number) {
      const auto [rest, error] = std::from_chars(digits, end, number);
      return error == std::errc{} && rest == end;
    };
    std::uint64_t large = 0;
    if (!negative && reads_all(large)) return out_.Uint64(large);
    std::int64_t whole = 0;
    if (negative && reads_all(whole) && whole != 0) return out_.Int64(whole);
    double real = 0;
    if (!reads_all(real)) {  // beyond a double's range: JSON's grammar was checked before
      const std::string_view text(digits, length);
      const std::size_t exponent = text.find_first_of("eE");
      const bool small =
          exponent == std::string_view::npos ? text.find('.') < 3 : text.substr(exponent + 1).starts_with('-');
      real = small ? 0 : std::numeric_limits<double>::infinity();
      if (negative) real = -real;
    }
    return out_.Double(real);
  }
  // Never called, since every number comes as its text.
  bool Int(int i) { return out_.Int(i); }
  bool Uint(unsigned u) { return out_.Uint(u); }
  bool Int64(std::int64_t i) { return out_.Int64(i); }
  bool Uint64(std::uint64_t u) { return out_.Uint64(u); }
  bool Double(double d) { return out_.Double(d); }

  bool Null() { return out_.Null(); }
  bool Bool(bool b) { return out_.Bool(b); }
  bool String(const char* text, Size length, bool copy) { return out_.String(text, length, copy); }
  bool StartObject() { return out_.StartObject(); }
  bool Key(const char* text, Size length, bool copy) { return out_.Key(text, length, copy); }
  bool EndObject(Size members) { return out_.EndObject(members); }
  bool StartArray() { return out_.StartArray(); }
  bool EndArray(Size elements) { return out_.EndArray(elements); }

 private:
  rapidjson::Document& out_;
};

}  // namespace

std::string_view view(const Json& text) { return {text.GetString(), text.GetStringLength()}; }

std::string shown(const Json& value) {
  constexpr std::size_t most = 40;
  if (value.IsString()) {
    const std::string_view text = view(value);
    return text.size() > most ? fmt::format("\"{}...\"", text.substr(0, most)) : fmt::format("\"{}\"", text);
  }
  if (value.IsUint64()) return fmt::format("{}", value.GetUint64());
  if (value.IsInt64()) return fmt::format("{}", value.GetInt64());
  if (value.IsNumber()) return fmt::format("{}", value.GetDouble());
  if (value.IsBool()) return value.GetBool() ? "true" : "false";
  if (value.IsArray()) return "a list";
  return value.IsObject() ? "an object" : "null";
}

std::string member_path(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

Error only_known(const Json& object, std::string_view path, std::initializer_list<std::string_view> known) {
  std::set<std::string_view> seen;
  for (const auto& entry : object.GetObject()) {
    const std::string_view name = view(entry.name);
    if (std::ranges::find(known, name) == known.end())
      return fmt::format("{}: is not known here; known are {}", member_path(path, shown(entry.name)),
                         fmt::join(known, ", "));
    if (!seen.insert(name).second) return fmt::format("{}: stands twice", member_path(path, name));
  }
  return {};
}

const Json* member(const Json& object, std::string_view name) {
  for (const auto& entry : object.GetObject())
    if (view(entry.name) == name) return &entry.value;
  return nullptr;
}

Error read_text(const Json& value, std::string_view path, std::string& out) {
  if (!value.IsString() || value.GetStringLength() == 0)
    return fmt::format("{}: is {}; a text belongs there", path, shown(value));
  out = view(value);
  if (out.find('\0') != std::string::npos) return fmt::format("{}: holds a zero byte", path);
  return {};
}

Error read_whole(const Json& value, std::string_view path, std::uint64_t least, std::uint64_t most,
                 std::uint64_t& out) {
  if (!value.IsUint64() || value.GetUint64() < least || value.GetUint64() > most)
    return fmt::format("{}: is {}; a whole number from {} to {} belongs there", path, shown(value), least, most);
  out = value.GetUint64();
  return {};
}

Error read_size(const Json& value, std::string_view path, double& out) {
  if (!value.IsNumber() || !(value.GetDouble() >= 0) || !std::isfinite(value.GetDouble()))
    return fmt::format("{}: is {}; a number of 0 or more belongs there", path, shown(value));
  out = value.GetDouble();
  return {};
}

Error parse_json(std::string_view text, rapidjson::Document& document) {
  rapidjson::MemoryStream bytes(text.data(), text.size());
  rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
  rapidjson::Reader reader;
  rapidjson::ParseResult result;
  const auto parse = [&](rapidjson::Document& target) {
    ExactNumbers handler(target);
    // Iterative: nesting in a damaged file must not exhaust the stack.
    result = reader.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag |
                          rapidjson::kParseValidateEncodingFlag>(stream, handler);
    return !result.IsError();
  };
  document.Populate(parse);
  if (!result.IsError()) return {};
  const std::string_view before = text.substr(0, std::min(result.Offset(), text.size()));
  return fmt::format("line {}: {}", 1 + std::ranges::count(before, '\n'), rapidjson::GetParseError_En(result.Code()));
}

}  // namespace warpwalk::run
