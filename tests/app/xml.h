#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::testing {

/// One element of an XML text, with what stands in it up to its first child.
struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;  ///< written out: "&amp;" is "&"
  std::string text;
  int depth = 0;
};

/// All elements in their order, or at which byte the text is not well-formed. Knows what warpwalk writes and no more:
/// elements, attributes in double quotes, text and the five named entities.
struct Xml {
  std::vector<Element> elements;
  std::optional<std::string> error;
  std::vector<const Element*> all(std::string_view name) const;
};
Xml parse_xml(std::string_view text);

}  // namespace warpwalk::testing
