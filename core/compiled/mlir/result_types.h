#pragma once

#include <string_view>
#include <vector>

namespace warpwalk::compiled {

struct MlirModule;

/// The types of an operation's results. `header`: its line; `colon`, `arrow`: positions of the last `:` and `->` in
/// it, outside of brackets (npos: nowhere). `header` ends before the location.
std::vector<std::string_view> mlir_result_types(MlirModule& module, std::string_view op, std::string_view header,
                                                std::size_t colon, std::size_t arrow);

}  // namespace warpwalk::compiled
