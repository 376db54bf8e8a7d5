#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/compiled/layout/linear_layout.h"

namespace warpwalk::compiled {

/// A layout attribute of Triton as written: `#ttg.blocked<{sizePerThread = [1, 4], ...}>`.
struct Encoding {
  std::string name;  ///< "blocked"; the older name "shared" is that of swizzled_shared or nvmma_shared
  std::map<std::string, std::int64_t, std::less<>> numbers;             ///< true and false are 1 and 0
  std::map<std::string, std::vector<std::int64_t>, std::less<>> lists;  ///< [1, 4]
  std::map<std::string, std::vector<std::vector<std::int64_t>>, std::less<>> list_of_lists;  ///< [[0, 1], [0, 2]]
  std::shared_ptr<const Encoding> parent;

  bool is_shared() const;
  std::int64_t number(std::string_view key, std::int64_t otherwise = 0) const;
};

/// The text of an alias such as "#blocked1"; empty if there is none.
using EncodingAliases = std::function<std::string(std::string_view)>;

/// Reads an attribute. Accepts any text; the error is one line.
base::Result<Encoding> parse_encoding(std::string_view text, const EncodingAliases& aliases = {});

/// The layout of a tensor. Of a layout of shared memory, `shape` may have more dimensions than the attribute: the
/// first ones number separate buffers, and the layout is that of one. The error is one line: an attribute that is not
/// known, or that does not fit the shape.
base::Result<LinearLayout> layout_of(const Encoding& encoding, const std::vector<std::int64_t>& shape);

}  // namespace warpwalk::compiled
