#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpwalk::compiled {

struct MlirModule;

// Parts of the reader of MLIR.

/// Reads the location, `loc(...)`, that begins at `at` and moves `at` behind it. Returns its index in
/// MlirModule::locations; -1: unknown, or none.
std::int32_t read_mlir_location(MlirModule& module, std::string_view text, std::size_t& at);

/// Resolves the aliases in locations. `definitions` are the indices of locations of the kind
/// `alias` that define one: `#loc3 = loc(...)`.
void resolve_mlir_locations(MlirModule& module, const std::vector<std::int32_t>& definitions);

/// The types of an operation's results. `header`: its line; `colon`, `arrow`: positions of the last `:` and `->` in
/// it, outside of brackets (npos: nowhere). `header` ends before the location.
std::vector<std::string_view> mlir_result_types(MlirModule& module, std::string_view op, std::string_view header,
                                                std::size_t colon, std::size_t arrow);

}  // namespace warpwalk::compiled
