#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <rapidjson/prettywriter.h>

namespace warpwalk::verbs {

/// Writes members of JSON objects.
class JsonWriter {
 public:
  /// Receives the document piece by piece.
  using Write = std::function<void(std::string_view)>;

  /// Without `write`, document() has all of it.
  explicit JsonWriter(Write write = {}) : buffer_(std::move(write)), writer_(buffer_) { writer_.SetIndent(' ', 2); }
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  void text(const char* key, std::string_view value) {
    writer_.Key(key);
    text(value);
  }
  void text(std::string_view value) { writer_.String(value.data(), static_cast<rapidjson::SizeType>(value.size())); }
  void number(const char* key, std::uint64_t value) {
    writer_.Key(key);
    writer_.Uint64(value);
  }
  void integer(const char* key, std::int64_t value) {
    writer_.Key(key);
    writer_.Int64(value);
  }
  void real(const char* key, double value) {
    writer_.Key(key);
    writer_.Double(value);
  }
  /// A number, which is written as an integer if it is whole.
  void figure(const char* key, double value) {
    constexpr double exact = 0x1p53;
    if (value >= 0 && value < exact && value == static_cast<double>(static_cast<std::uint64_t>(value)))
      number(key, static_cast<std::uint64_t>(value));
    else
      real(key, value);
  }
  void flag(const char* key, bool value) {
    writer_.Key(key);
    writer_.Bool(value);
  }
  /// An array of whole numbers: `number` of each element.
  template <class Range, class Number>
  void integers(const char* key, const Range& range, Number number) {
    array(key, range, [&](const auto& element) { writer_.Int64(number(element)); });
  }
  /// An array of whole numbers on one line.
  template <class Range>
  void numbers_in_line(const char* key, const Range& range) {
    writer_.Key(key);
    writer_.SetFormatOptions(rapidjson::kFormatSingleLineArray);
    writer_.StartArray();
    for (const std::uint64_t number : range) writer_.Uint64(number);
    writer_.EndArray();
    writer_.SetFormatOptions(rapidjson::kFormatDefault);
  }
  /// An array of numbers.
  template <class Range>
  void reals(const char* key, const Range& range) {
    array(key, range, [&](double element) { writer_.Double(element); });
  }
  /// A value that is JSON already.
  void raw(const char* key, std::string_view json, rapidjson::Type type) {
    writer_.Key(key);
    writer_.RawValue(json.data(), json.size(), type);
  }
  void null(const char* key) {
    writer_.Key(key);
    writer_.Null();
  }
  /// Null for an empty text, or for none.
  void text_or_null(const char* key, std::string_view value) {
    if (value.empty())
      null(key);
    else
      text(key, value);
  }
  void real_or_null(const char* key, const std::optional<double>& value) {
    if (value)
      real(key, *value);
    else
      null(key);
  }
  void flag_or_null(const char* key, const std::optional<bool>& value) {
    if (value)
      flag(key, *value);
    else
      null(key);
  }
  /// `content` writes the members. Without a key: an element of an array.
  template <class Content>
  void object(const char* key, Content content) {
    writer_.Key(key);
    object(content);
  }
  template <class Content>
  void object(Content content) {
    writer_.StartObject();
    content();
    writer_.EndObject();
  }
  /// `content` writes one element.
  template <class Range, class Content>
  void array(const char* key, const Range& range, Content content) {
    writer_.Key(key);
    writer_.StartArray();
    for (const auto& element : range) content(element);
    writer_.EndArray();
  }
  /// An array without a key: an element of an array.
  template <class Range, class Content>
  void array(const Range& range, Content content) {
    writer_.StartArray();
    for (const auto& element : range) content(element);
    writer_.EndArray();
  }
  /// The document so far.
  const std::string& document() const { return buffer_.text; }
  /// Ends the document, and its last line.
  void finish() {
    buffer_.text += '\n';
    buffer_.pass_on();
  }

 private:
  // A stream of rapidjson. Lists can be long, so that their text is passed on as it is made.
  struct Buffer {
    using Ch = char;
    static constexpr std::size_t piece = std::size_t{1} << 16;

    explicit Buffer(Write write) : write_(std::move(write)) {}
    void Put(char c) {
      text += c;
      if (c == '\n' && text.size() >= piece) pass_on();  // never within a letter: texts have no line feeds in JSON
    }
    void Flush() {}
    void pass_on() {
      if (!write_) return;
      write_(text);
      text.clear();
    }

    std::string text;

   private:
    Write write_;
  };

  Buffer buffer_;
  rapidjson::PrettyWriter<Buffer> writer_;
};

}  // namespace warpwalk::verbs
