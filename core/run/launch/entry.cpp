#include "core/run/launch/entry.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace warpwalk::run {
namespace {

std::string listed(const std::vector<const ptx::Function*>& entries) {
  constexpr std::size_t limit = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(entries.size(), limit); ++i) text += (i == 0 ? "" : ", ") + entries[i]->name;
  return entries.size() > limit ? fmt::format("{} and {} more", text, entries.size() - limit) : text;
}

}  // namespace

std::variant<const ptx::Function*, std::string> find_entry(const ptx::Module& module, std::string_view name) {
  if (const ptx::Function* const exact = module.entry(name)) return exact;
  // A free function of the Itanium C++ ABI: _Z, the length of its name, its name, its parameters' types.
  const std::string mangled = fmt::format("_Z{}{}", name.size(), name);
  std::vector<const ptx::Function*> all, meant;
  for (const ptx::Function& function : module.functions) {
    if (!function.is_entry || !function.defined) continue;
    all.push_back(&function);
    if (function.name.starts_with(mangled)) meant.push_back(&function);
  }
  if (meant.size() == 1) return meant.front();
  if (!meant.empty())
    return fmt::format("kernel: {} is the name of several entries; choose one: {}", name, listed(meant));
  if (all.empty()) return fmt::format("kernel: {} is not in the PTX, which has no entry (.entry) at all", name);
  return fmt::format("kernel: {} is not an entry of the PTX; the entries are {}", name, listed(all));
}

}  // namespace warpwalk::run
