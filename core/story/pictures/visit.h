#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/story/elements/figure.h"

namespace warpwalk::story {

// A picture and each of its parts has one function that lists its fields:
//
//     template <class V>
//     void visit(V& v) const {
//       v.data(label, share, chosen);            // what the drawing depends on
//       v.line("meter: ", label, ": ", figure);  // a line of the transcript
//       v.each(rows);                            // parts, which have a visit() of their own
//     }
//
// Two visitors read it. TranscriptVisitor keeps the lines that are on screen, for readers who cannot see the picture.
// ContentVisitor keeps the data: all words that need glyphs, and everything by which two pictures can differ.

/// Visits the parts of a picture; `Visitor` is the class that derives from it.
template <class Visitor>
class PartsVisitor {
 public:
  template <class Range>
  void each(const Range& parts) {
    for (const auto& one : parts) part(one);
  }
  template <class Part>
  void part(const Part& one) {
    one.visit(static_cast<Visitor&>(*this));
  }
  template <class Part>
  void part(const std::optional<Part>& one) {
    if (one) part(*one);
  }
};

/// Collects the lines of a transcript.
class TranscriptVisitor : public PartsVisitor<TranscriptVisitor> {
 public:
  /// False for a part that is not on screen yet: its lines are left out.
  bool on_screen(double shown) const { return shown > 0.5; }
  template <class... T>
  void data(const T&...) {}
  /// Adds an indented line made of these parts. A Figure gives its value; text_with_origin() adds where it comes from.
  template <class... T>
  void line(const T&... parts) {
    text_ += "  ";
    (append(parts), ...);
    text_ += "\n";
  }
  const std::string& text() const { return text_; }

 private:
  void append(std::string_view text) { text_ += text; }
  void append(const char* text) { text_ += text; }
  void append(const std::string& text) { text_ += text; }
  void append(const Figure& figure) { text_ += figure.text(); }
  template <class T>
  requires std::is_arithmetic_v<T>
  void append(T number) { text_ += std::to_string(number); }

  std::string text_;
};

/// Collects everything that a picture is drawn from, motion included.
class ContentVisitor : public PartsVisitor<ContentVisitor> {
 public:
  bool on_screen(double shown) {
    data(shown);
    return true;
  }
  template <class... T>
  void data(const T&... values) {
    (append(values), ...);
    text_ += "\n";
  }
  template <class... T>
  void line(const T&...) {}
  const std::string& text() const { return text_; }

 private:
  void append(std::string_view text) { text_.append(text).append(" "); }
  void append(const char* text) { append(std::string_view(text)); }
  void append(const std::string& text) { append(std::string_view(text)); }
  void append(const Figure& figure);
  void append(double number);
  template <class T>
  requires std::is_integral_v<T>
  void append(T number) { append(std::string_view(std::to_string(number))); }
  template <class T>
  requires std::is_enum_v<T>
  void append(T value) { append(static_cast<std::int64_t>(value)); }
  template <class T>
  void append(const std::optional<T>& value) {
    if (value) append(*value);
    text_ += "; ";
  }
  template <class A, class B>
  void append(const std::pair<A, B>& pair) {
    append(pair.first);
    append(pair.second);
  }
  template <class T>
  void append(const std::vector<T>& values) {
    for (const auto& value : values) append(value);
    text_ += "; ";
  }
  template <class T, std::size_t n>
  void append(const std::array<T, n>& values) {
    for (const T& value : values) append(value);
  }

  std::string text_;
};

/// Describes the picture in words, for transcripts.
template <class Picture>
std::string transcript_of(const Picture& picture) {
  TranscriptVisitor visitor;
  picture.visit(visitor);
  return visitor.text();
}

/// Every word and number that the picture is drawn from: two pictures look the same if this is the same.
template <class Picture>
std::string content_of(const Picture& picture) {
  ContentVisitor visitor;
  picture.visit(visitor);
  return visitor.text();
}

/// "44 MiB [derived: blocks added up]": a figure with its origin, and its formula if it has one.
std::string text_with_origin(const Figure& figure);

}  // namespace warpwalk::story
