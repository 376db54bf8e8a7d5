#include "core/gpu/exec/lower_sass/function_pointers.h"

#include <algorithm>
#include <cstring>

namespace warpwalk::gpu {

namespace {

/// The function's name in the PTX: ptxas calls the copy of f in the section of k "$k$f".
std::string_view name_in_ptx(std::string_view symbol, std::string_view kernel) {
  const bool is_copy = symbol.size() > kernel.size() + 2 && symbol.front() == '$' &&
                       symbol.substr(1).starts_with(kernel) && symbol[1 + kernel.size()] == '$';
  return is_copy ? symbol.substr(kernel.size() + 2) : symbol;
}

}  // namespace

std::vector<std::string_view> device_functions(const sass::Cubin& cubin) {
  std::vector<std::string_view> names;
  for (const sass::CubinFunction& function : cubin.functions) {
    if (!function.is_entry) names.push_back(function.name);
    for (const sass::CubinCallee& callee : function.callees) names.push_back(name_in_ptx(callee.name, function.name));
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

const sass::CubinFunction* function_section(const sass::Cubin& cubin, std::string_view name) {
  for (const sass::CubinFunction& function : cubin.functions)
    if (!function.is_entry && function.name == name) return &function;
  return nullptr;
}

std::optional<std::uint64_t> function_table_offset(const sass::CubinFunction& kernel, std::string_view name) {
  const auto callee = std::ranges::find_if(kernel.callees, [&](const sass::CubinCallee& one) {
    return name_in_ptx(one.name, kernel.name) == name;
  });
  const auto table = std::ranges::find(kernel.constants, 2U, &sass::CubinConstants::number);
  if (callee == kernel.callees.end() || table == kernel.constants.end()) return {};
  constexpr std::size_t entry_bytes = 8;
  // The first entry is that of the null pointer.
  for (std::size_t at = entry_bytes; at + entry_bytes <= table->bytes.size(); at += entry_bytes) {
    std::uint64_t place = 0;
    std::memcpy(&place, table->bytes.data() + at, sizeof place);
    if (place == callee->offset) return at;
  }
  return {};
}

}  // namespace warpwalk::gpu
