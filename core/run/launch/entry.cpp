#include "core/run/launch/entry.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/ptx/module.h"
#include "core/run/launch/module_names.h"

namespace warpwalk::run {
namespace {

std::string listed(std::span<const std::string_view> entries) {
  constexpr std::size_t limit = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(entries.size(), limit); ++i) text.append(i == 0 ? "" : ", ").append(entries[i]);
  return entries.size() > limit ? fmt::format("{} and {} more", text, entries.size() - limit) : text;
}

}  // namespace

base::Result<std::size_t> find_entry(std::span<const std::string_view> entries, std::string_view name,
                                     std::string_view module) {
  if (const auto exact = std::ranges::find(entries, name); exact != entries.end())
    return static_cast<std::size_t>(exact - entries.begin());
  std::vector<std::string_view> meant;
  std::size_t found = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!is_plain_name_of(name, entries[i])) continue;
    meant.push_back(entries[i]);
    found = i;
  }
  if (meant.size() == 1) return found;
  if (!meant.empty())
    return base::Error{fmt::format("kernel: {} is the name of several entries; choose one: {}", name, listed(meant))};
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
