#include "core/trace/json/json_cursor.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "core/trace/json/json_text.h"

namespace warpwalk::trace::test {
namespace {

// Generates random JSON with every kind of white space, escape and number.
class JsonMaker {
 public:
  explicit JsonMaker(std::uint64_t seed) : random_(seed) {}

  std::string value(int depth = 0) {
    switch (below(depth < 5 ? 6 : 4)) {
      case 0: return space() + string() + space();
      case 1: return space() + number() + space();
      case 2: return std::vector<std::string>{"true", "false", "null"}[below(3)];
      case 3: return "\"\"";
      case 4: return list('[', ']', depth, false);
      default: return list('{', '}', depth, true);
    }
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  std::string space() {
    return std::vector<std::string>{"", "", "", " ", "\n  ", "\t", "\r\n", "          "}[below(8)];
  }
  std::string string(std::string_view ending = "") {
    static const std::vector<std::string> pieces = {
        "plain text", "\\\"",           "\\\\",   "\\/",    "\\n\\t\\b\\f\\r", "\\u0041",
        "\\u00e9",    "\\ud83e\\udd80", "\u00e9", "\u4e16", "\U0001f980",      "},{",
        "[",          "\x7f",           "a"};
    std::string out = "\"";
    for (std::uint64_t n = below(6); n != 0; --n) out += pieces[below(pieces.size())];
    out += ending;
    out += '"';
    return out;
  }
  std::string number() {
    return std::vector<std::string>{
        "0", "-0", "12", "-3.25", "1e5", "2E-3", "6.02e+23", "1712195495505583.012", "18446744073709551615"}[below(9)];
  }
  std::string list(char open, char close, int depth, bool keys) {
    std::string out(1, open);
    for (std::uint64_t n = below(5), i = 0; i < n; ++i) {
      if (i != 0) out += ",";
      // Keys are distinct, since rapidjson compares only the first of duplicate keys.
      if (keys) out += space() + string(std::to_string(i)) + space() + ":";
      out += value(depth + 1);
    }
    return out + space() + close;
  }

  std::mt19937_64 random_;
};

rapidjson::Document parsed(std::string_view text) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(text.data(), text.size());
  return document;
}

TEST(JsonCursor, AgreesWithRapidjsonOnValidText) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const std::string text = JsonMaker(seed).value();
    const rapidjson::Document expected = parsed(text);
    ASSERT_FALSE(expected.HasParseError()) << text;

    JsonCursor cursor(text, true);
    RawValue value;
    ASSERT_TRUE(cursor.value(value)) << text;
    EXPECT_EQ(cursor.peek(), 0) << text;
    EXPECT_EQ(value.irregular & ~harmless_bits, 0u) << text;
    using Type = RawValue::Type;
    EXPECT_EQ(value.type, expected.IsString()   ? Type::string
                          : expected.IsNumber() ? Type::number
                          : expected.IsBool()   ? Type::boolean
                          : expected.IsNull()   ? Type::null
                          : expected.IsArray()  ? Type::array
                                                : Type::object)
        << text;
    std::string scratch;
    std::uint32_t irregular = 0;
    if (expected.IsString()) {
      EXPECT_EQ(decode(value.text, scratch, irregular),
                std::string_view(expected.GetString(), expected.GetStringLength()));
    }
    const std::string strict = strict_json(text, irregular);
    EXPECT_EQ(irregular & ~harmless_bits, 0u) << text;
    EXPECT_TRUE(parsed(strict) == expected) << text << "\n" << strict;
    EXPECT_EQ(strict_json(strict, irregular), strict);
  }
}

TEST(JsonCursor, AsksForMoreAtEveryCut) {
  const std::string text = "{\"a\": [1, {\"b\": \"c\\n\"}, -2.5e3, true, \"\\u00e9\"], \"d\": null}";
  for (std::size_t cut = 0; cut < text.size(); ++cut) {
    JsonCursor cursor(std::string_view(text).substr(0, cut), false);
    RawValue value;
    EXPECT_FALSE(cursor.value(value)) << cut;
    EXPECT_TRUE(cursor.need_more()) << cut;
  }
  JsonCursor number("123", false), complete("123", true);
  RawValue value;
  EXPECT_FALSE(number.value(value));  // more digits may follow
  EXPECT_TRUE(number.need_more());
  EXPECT_TRUE(complete.value(value));
}

TEST(JsonCursor, RefusesWhatIsBroken) {
  for (const char* text : {"[\"a\" b]", "{\"a\" 1}", "{1: 2}", "[1 2]", "{\"a\": hello}", "@", "[nil]", "[1}",
                           "{\"a\": 1]", "[-]", "[1.2.3]", "[1.]", "[.5]", "[1e]", "]", "{,:}"}) {
    JsonCursor cursor(text, false);
    RawValue value;
    EXPECT_FALSE(cursor.value(value)) << text;
    EXPECT_FALSE(cursor.need_more()) << text;
  }
}

TEST(JsonCursor, MarksWhatIsIrregular) {
  const auto irregular = [](std::string_view text) {
    JsonCursor cursor(text, true);
    RawValue value;
    EXPECT_TRUE(cursor.value(value)) << text;
    return value.irregular;
  };
  EXPECT_EQ(irregular("[1, -inf, N/A]"), irregular_word);
  EXPECT_EQ(irregular("{\"a\": 1,}"), irregular_comma);
  EXPECT_EQ(irregular("[\"a\nb\"]"), irregular_control);
  EXPECT_EQ(irregular("[\"\xff\"]"), non_ascii);
  EXPECT_EQ(irregular("\"\\p\""), has_escape);
  EXPECT_EQ(irregular("[+1]"), irregular_number);
  EXPECT_EQ(irregular("007"), irregular_number);
  EXPECT_EQ(irregular("[\"plain\", 0.5, 0, -0.1]"), 0u);
}

TEST(JsonText, StrictFormOfIrregularText) {
  std::uint32_t irregular = 0;
  EXPECT_EQ(strict_json("[+1, -007, nan, 1,, ]", irregular), "[1, -7, null, 1]");
  EXPECT_EQ(strict_json("{\"a\nb\": \"\\U\", }", irregular), "{\"a\\nb\": \"\\\\U\"}");
  EXPECT_EQ(irregular, irregular_escape);
  irregular = 0;
  EXPECT_EQ(strict_json("\"\xc3\x28 \\ud800x\"", irregular), "\"\ufffd( \ufffdx\"");
  EXPECT_EQ(irregular, irregular_utf8);
}

TEST(JsonText, QuotedTextIsValidWhateverItHolds) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes;
    for (std::uint64_t n = random() % 20; n != 0; --n) bytes.push_back(static_cast<char>(random()));
    std::string quoted;
    append_quoted(quoted, bytes);
    rapidjson::Document document;
    document.Parse<rapidjson::kParseValidateEncodingFlag>(quoted.data(), quoted.size());
    ASSERT_FALSE(document.HasParseError()) << quoted;
  }
}

}  // namespace
}  // namespace warpwalk::trace::test
