#include "core/run/launch/entry.h"

#include <vector>

#include <fmt/format.h>

#include "core/ptx/module.h"
#include "core/run/launch/module_names.h"

namespace warpwalk::run {
base::Result<std::size_t> find_entry(std::span<const std::string_view> entries, std::string_view name,
                                     std::string_view module) {
  const std::vector<std::size_t> meant = meant_by(name, entries);
  if (meant.size() == 1) return meant.front();
  if (!meant.empty()) {
    std::vector<std::string_view> names;
    for (const std::size_t index : meant) names.push_back(entries[index]);
    return base::Error{fmt::format("kernel: {} is the name of several entries; choose one: {}", name, listed(names))};
  }
  if (entries.empty())
    return base::Error{fmt::format("kernel: {} is not in the {}, which has no kernel at all", name, module)};
  return base::Error{
      fmt::format("kernel: {} is not an entry of the {}; the entries are {}", name, module, listed(entries))};
}

base::Result<const ptx::Function*> find_entry(const ptx::Module& module, std::string_view name) {
  std::vector<std::string_view> names;
  std::vector<const ptx::Function*> functions;
  for (const ptx::Function& function : module.functions) {
    if (!function.is_entry || !function.defined) continue;
    names.push_back(function.name);
    functions.push_back(&function);
  }
  const auto found = find_entry(names, name, "PTX");
  if (!found) return base::Error{found.error()};
  return functions[*found];
}

}  // namespace warpwalk::run
