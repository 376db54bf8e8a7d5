#include "core/base/exact_json.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>

#include <rapidjson/encodedstream.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace warpwalk::base {
namespace {

/// True if the absolute value of a number in JSON is below 1. Digits and exponent may cancel: 0.001e2.
bool is_below_one(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const std::size_t e = text.find_first_of("eE");
  std::string_view power = e == std::string_view::npos ? std::string_view{} : text.substr(e + 1);
  text = text.substr(0, e);
  if (power.starts_with('+')) power.remove_prefix(1);
  std::int32_t exponent = 0;
  const auto [rest, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
  if (error == std::errc::result_out_of_range) return power.starts_with('-');
  const std::size_t point = std::min(text.find('.'), text.size()), first = text.find_first_of("123456789");
  if (first == std::string_view::npos) return true;
  // The power of ten of the first digit that is not 0.
  const auto place = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) - (first < point ? 1 : 0);
  return place + exponent < 0;
}

/// SAX handler that builds the document and parses numbers with std::from_chars.
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
    if (!reads_all(real)) {  // out of range for a double; the reader has already checked the syntax
      real = is_below_one({digits, length}) ? 0 : std::numeric_limits<double>::infinity();
      if (negative) real = -real;
    }
    return out_.Double(real);
  }
  // Never called: kParseNumbersAsStringsFlag passes every number to RawNumber.
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

rapidjson::ParseResult parse_exact(std::string_view text, rapidjson::Document& document, Encoding encoding) {
  rapidjson::MemoryStream bytes(text.data(), text.size());
  rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
  rapidjson::Reader reader;
  rapidjson::ParseResult result;
  const auto parse = [&](rapidjson::Document& target) {
    constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag;
    ExactNumbers handler(target);
    result = encoding == Encoding::checked
                 ? reader.Parse<flags | rapidjson::kParseValidateEncodingFlag>(stream, handler)
                 : reader.Parse<flags>(stream, handler);
    return !result.IsError();
  };
  document.Populate(parse);
  return result;
}

}  // namespace warpwalk::base
