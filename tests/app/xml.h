#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::testing {

/// An element of an XML text, with its text up to the first child.
struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;  ///< decoded: "&amp;" is "&"
  std::string text;
  int depth = 0;
};

/// All elements in order, or the byte at which the text is not well-formed. Supports only what warpwalk writes:
/// elements, attributes in double quotes, text and the five named entities.
struct Xml {
  std::vector<Element> elements;
  std::optional<std::string> error;
  std::vector<const Element*> all(std::string_view name) const;
};
Xml parse_xml(std::string_view text);

}  // namespace warpwalk::testing
