#include "core/run/exercise/size_expression.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace warpwalk::run {
namespace {

constexpr int max_nesting = 32;
constexpr double max_whole = 9007199254740992.0;  // 2^53

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Reads an expression from left to right. After an error, `error_` has its line and the values do not matter.
class SizeReader {
 public:
  SizeReader(std::string_view text, const SizeNumbers& sizes) : text_(text), rest_(text), sizes_(sizes) {}

  base::Result<SizeNumber> whole_text() {
    const SizeNumber value = sum(0);
    skip_spaces();
    if (!error_ && !rest_.empty()) fail(fmt::format("`{}` is left over", rest_));
    if (error_) return base::Error{fmt::format("`{}`: {}", text_, *error_)};
    if (!std::isfinite(value.value) || (value.whole && std::abs(value.value) > max_whole))
      return base::Error{fmt::format("`{}`: the result is too large", text_)};
    return value;
  }

 private:
  void fail(std::string line) {
    if (!error_) error_ = std::move(line);
    rest_ = {};
  }
  void skip_spaces() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }
  bool take(char c) {
    skip_spaces();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("`{}` is missing", c));
  }

  SizeNumber sum(int depth) {
    if (depth > max_nesting) {
      fail("it has too many parentheses");
      return {};
    }
    SizeNumber value = product(depth);
    for (;;) {
      const bool plus = take('+');
      if (!plus && !take('-')) return value;
      const SizeNumber other = product(depth);
      value = {plus ? value.value + other.value : value.value - other.value, value.whole && other.whole};
    }
  }

  SizeNumber product(int depth) {
    SizeNumber value = factor(depth);
    for (;;) {
      const bool times = take('*');
      if (!times && !take('/')) return value;
      const SizeNumber other = factor(depth);
      const bool whole = value.whole && other.whole;
      if (times) {
        value = {value.value * other.value, whole};
      } else if (other.value == 0) {
        fail("it divides by 0");
        return {};
      } else {
        const double quotient = value.value / other.value;
        value = {whole ? std::trunc(quotient) : quotient, whole};
      }
    }
  }

  SizeNumber factor(int depth) {
    if (take('(')) {
      const SizeNumber value = sum(depth + 1);
      expect(')');
      return value;
    }
    if (take('-')) {
      // As deep as parentheses, so that a row of minus signs ends, too.
      if (depth > max_nesting) {
        fail("it has too many minus signs");
        return {};
      }
      const SizeNumber value = factor(depth + 1);
      return {-value.value, value.whole};
    }
    skip_spaces();
    if (rest_.empty()) {
      fail("it ends too early");
      return {};
    }
    if (is_digit(rest_.front())) return number();
    if (is_name(rest_.front())) return name(depth);
    fail(fmt::format("`{}` is unexpected", rest_.front()));
    return {};
  }

  SizeNumber number() {
    double value = 0;
    const char* const end = rest_.data() + rest_.size();
    const auto read = std::from_chars(rest_.data(), end, value);
    const auto length = static_cast<std::size_t>(read.ptr - rest_.data());
    if (read.ec != std::errc{}) {
      fail("a number is too large");
      return {};
    }
    const std::string_view digits = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return {value, std::ranges::all_of(digits, is_digit)};
  }

  SizeNumber name(int depth) {
    std::size_t length = 0;
    while (length < rest_.size() && (is_name(rest_[length]) || is_digit(rest_[length]))) ++length;
    const std::string_view name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    if ((name == "min" || name == "max") && take('(')) {
      const SizeNumber a = sum(depth + 1);
      expect(',');
      const SizeNumber b = sum(depth + 1);
      expect(')');
      return {name == "min" ? std::min(a.value, b.value) : std::max(a.value, b.value), a.whole && b.whole};
    }
    const auto found = sizes_.find(name);
    if (found != sizes_.end()) return found->second;
    std::string known;
    for (const auto& [key, ignored] : sizes_) known += (known.empty() ? "" : ", ") + key;
    fail(fmt::format("{} is not a size of this launch; known are {}", name, known.empty() ? "none" : known));
    return {};
  }

  std::string_view text_, rest_;
  const SizeNumbers& sizes_;
  std::optional<std::string> error_;
};

}  // namespace

base::Result<SizeNumber> evaluate(std::string_view expression, const SizeNumbers& sizes) {
  return SizeReader(expression, sizes).whole_text();
}

}  // namespace warpwalk::run
