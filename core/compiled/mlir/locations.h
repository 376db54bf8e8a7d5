#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpwalk::compiled {

struct MlirModule;

/// Reads the location, `loc(...)`, that begins at `at` and moves `at` behind it. Returns its index in
/// MlirModule::locations; -1: unknown, or none.
std::int32_t read_mlir_location(MlirModule& module, std::string_view text, std::size_t& at);

/// Resolves the aliases in locations. `definitions` are the indices of locations of the kind
/// `alias` that define one: `#loc3 = loc(...)`.
void resolve_mlir_locations(MlirModule& module, const std::vector<std::int32_t>& definitions);

}  // namespace warpwalk::compiled
