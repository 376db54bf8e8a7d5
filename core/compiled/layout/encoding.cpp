#include "core/compiled/layout/encoding.h"

#include <cctype>
#include <charconv>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace warpwalk::compiled {
namespace {

constexpr int max_encoding_depth = 16;
constexpr std::size_t max_list_elements = 64;

/// Reads attributes out of a text.
class EncodingReader {
 public:
  EncodingReader(std::string_view text, const EncodingAliases& aliases, int depth)
      : text_(text), aliases_(aliases), depth_(depth) {}

  base::Result<Encoding> read() {
    Encoding encoding;
    if (!attribute(encoding)) return base::Error{error_.empty() ? std::string("a layout was expected") : error_};
    return encoding;
  }

 private:
  bool fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
    return false;
  }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string_view word() {
    skip_space();
    const std::size_t from = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_' ||
                                  text_[at_] == '.' || text_[at_] == '-'))
      ++at_;
    return text_.substr(from, at_ - from);
  }

  bool attribute(Encoding& to) {
    if (!take('#')) return fail("a layout begins with #");
    if (depth_ > max_encoding_depth) return fail("the layout has too many parents");
    const std::string_view name = word();
    if (!take('<')) {
      const std::string meaning = aliases_ ? aliases_(fmt::format("#{}", name)) : std::string();
      if (meaning.empty()) return fail(fmt::format("the layout #{} is not defined", name.substr(0, 60)));
      auto read = EncodingReader(meaning, aliases_, depth_ + 1).read();
      if (!read) return fail(read.error());
      to = std::move(*read);
      return true;
    }
    const std::size_t dot = name.rfind('.');
    to.name = name.substr(dot == std::string_view::npos ? 0 : dot + 1);
    ++depth_;
    const bool read = fields(to);
    --depth_;
    return read;
  }

  /// `{dim = 1, parent = #blocked}, alignment = 16>`
  bool fields(Encoding& to) {
    while (!take('>')) {
      if (take('{') || take('}') || take(',')) continue;
      const std::string_view key = word();
      if (key.empty() || !take('=')) return fail(fmt::format("the layout {} cannot be read", to.name.substr(0, 60)));
      if (!value(to, std::string(key))) return false;
    }
    return true;
  }

  bool value(Encoding& to, std::string key) {
    skip_space();
    if (at_ < text_.size() && text_[at_] == '#') {
      Encoding parent;
      if (!attribute(parent)) return false;
      to.parent = std::make_shared<const Encoding>(std::move(parent));
      return true;
    }
    if (take('[')) return list(to, std::move(key));
    return number(to.numbers[std::move(key)]);
  }

  bool number(std::int64_t& to) {
    const std::string_view text = word();
    if (text == "true" || text == "false") {
      to = text == "true" ? 1 : 0;
      return true;
    }
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), to);
    if (problem != std::errc() || end != text.data() + text.size())
      return fail(fmt::format("a number was expected, not \"{}\"", text.substr(0, 60)));
    if (take(':')) word();  // its type
    return true;
  }

  bool numbers(std::vector<std::int64_t>& to) {
    while (!take(']')) {
      if (take(',')) continue;
      if (to.size() == max_list_elements) return fail("a list of the layout is too long");
      if (!number(to.emplace_back())) return false;
    }
    return true;
  }

  bool list(Encoding& to, std::string key) {
    skip_space();
    const bool nested = at_ < text_.size() && text_[at_] == '[';
    if (!nested) {
      // An empty list can be either.
      to.list_of_lists[key].clear();
      to.lists[key].clear();
      return numbers(to.lists[key]);
    }
    auto& all = to.list_of_lists[std::move(key)];
    all.clear();
    while (!take(']')) {
      if (take(',')) continue;
      if (all.size() == max_list_elements) return fail("a list of the layout is too long");
      if (!take('[')) return fail("a list of lists was expected");
      if (!numbers(all.emplace_back())) return false;
    }
    return true;
  }

  const std::string_view text_;
  const EncodingAliases& aliases_;
  int depth_;
  std::size_t at_ = 0;
  std::string error_;
};

}  // namespace

bool Encoding::is_shared() const {
  return name == "swizzled_shared" || name == "nvmma_shared" || name == "shared_linear" || name == "shared";
}

std::int64_t Encoding::number(std::string_view key, std::int64_t otherwise) const {
  const auto at = numbers.find(key);
  return at == numbers.end() ? otherwise : at->second;
}

base::Result<Encoding> parse_encoding(std::string_view text, const EncodingAliases& aliases) {
  return EncodingReader(text, aliases, 0).read();
}

}  // namespace warpwalk::compiled
