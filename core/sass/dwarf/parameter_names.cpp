#include "core/sass/dwarf/parameter_names.h"

#include "core/sass/dwarf/debug_info.h"

namespace warpwalk::sass {

std::vector<std::string> parameter_names(std::string_view cubin, std::string_view function) {
  std::vector<std::string> names;
  if (function.empty()) return names;
  const DebugInfo info = read_debug_info(debug_sections_of_cubin(cubin));
  for (const DebugScope& scope : info.scopes) {
    if (scope.kind != DebugScope::Kind::function || scope.linkage_name != function || !names.empty()) continue;
    for (const DebugVariable& variable : scope.variables)
      if (variable.is_parameter) names.push_back(variable.name);
  }
  return names;
}

}  // namespace warpwalk::sass
