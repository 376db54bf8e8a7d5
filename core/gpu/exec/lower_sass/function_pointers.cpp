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

constexpr std::size_t entry_bytes = 8;

std::uint64_t entry_of_table(std::string_view table, std::size_t at) {
  std::uint64_t place = 0;
  std::memcpy(&place, table.data() + at, sizeof place);
  return place;
}

/// The constants that begin with the kernel's table of functions; empty if it has none. The entry of the null pointer
/// comes first.
std::string_view function_table_name(const sass::CubinFunction& kernel) {
  const auto bank = std::ranges::find(kernel.constants, 2U, &sass::CubinConstants::number);
  if (bank == kernel.constants.end() || bank->bytes.size() < 2 * entry_bytes) return {};
  constexpr std::uint64_t no_function = 1;
  return entry_of_table(bank->bytes, 0) == no_function ? bank->bytes : std::string_view();
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

std::optional<std::uint64_t> pointer_to_copy(const sass::Cubin& cubin, const sass::CubinFunction& kernel,
                                             std::string_view name) {
  const auto copy = std::ranges::find_if(
      kernel.callees, [&](const sass::CubinCallee& one) { return name_in_ptx(one.name, kernel.name) == name; });
  if (copy == kernel.callees.end()) return {};
  const std::string_view table = function_table_name(kernel);
  for (std::size_t at = entry_bytes; at + entry_bytes <= table.size(); at += entry_bytes)
    if (entry_of_table(table, at) == copy->offset) return at;
  const bool uses_tables = std::ranges::any_of(
      cubin.functions, [](const sass::CubinFunction& function) { return !function_table_name(function).empty(); });
  if (uses_tables) return {};
  return copy->offset;
}

}  // namespace warpwalk::gpu
