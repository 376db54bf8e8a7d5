#include "tests/app/xml.h"

#include <array>
#include <cctype>
#include <utility>

namespace warpwalk::testing {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Xml parse() {
    element(0);
    while (at_ < text_.size() && peek() == '\n') ++at_;
    if (!out_.error && at_ != text_.size()) fail("more than one root");
    return std::move(out_);
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(std::string_view what) {
    if (!text_.substr(at_).starts_with(what)) return false;
    at_ += what.size();
    return true;
  }
  void fail(std::string_view what) {
    if (!out_.error) out_.error = std::string(what) + " at byte " + std::to_string(at_);
    at_ = text_.size();
  }
  std::string name() {
    const std::size_t from = at_;
    while (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '-' || peek() == ':' || peek() == '_')
      ++at_;
    if (from == at_) fail("no name");
    return std::string(text_.substr(from, at_ - from));
  }
  std::string characters(char end) {
    static constexpr std::array<std::pair<std::string_view, char>, 5> entities = {
        {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
    std::string out;
    while (at_ < text_.size() && peek() != end) {
      const auto c = static_cast<unsigned char>(peek());
      if (c == '<' || (c < 0x20 && c != '\n' && c != '\t')) {
        fail("a forbidden character");
        break;
      }
      if (c != '&') {
        out += static_cast<char>(c);
        ++at_;
        continue;
      }
      bool known = false;
      for (const auto& [entity, character] : entities)
        if (!known && (known = take(entity))) out += character;
      if (!known) fail("an unknown entity");
    }
    return out;
  }
  void element(int depth) {
    if (!take("<")) return fail("no element");
    const std::size_t place = out_.elements.size();
    const std::string called = name();
    out_.elements.push_back({called, {}, {}, depth});
    while (take(" ")) {
      const std::string key = name();
      if (!take("=\"")) return fail("no value");
      const std::string value = characters('"');
      if (!take("\"")) return fail("a value without an end");
      if (!out_.elements[place].attributes.emplace(key, value).second) return fail("an attribute twice");
    }
    if (take("/>")) return;
    if (!take(">")) return fail("a tag without an end");
    out_.elements[place].text = characters('<');
    while (!out_.error && !text_.substr(at_).starts_with("</")) {
      element(depth + 1);
      characters('<');
    }
    if (!take("</" + called + ">")) fail("an element without an end");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Xml out_;
};

}  // namespace

std::vector<const Element*> Xml::all(std::string_view name) const {
  std::vector<const Element*> found;
  for (const Element& element : elements)
    if (element.name == name) found.push_back(&element);
  return found;
}

Xml parse_xml(std::string_view text) { return Parser(text).parse(); }

}  // namespace warpwalk::testing
