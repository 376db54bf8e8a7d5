#include "core/sass/architecture.h"

#include <algorithm>
#include <array>

namespace warpwalk::sass {
namespace {

struct ArchitectureEntry {
  std::uint32_t capability;
  std::string_view name;
};
constexpr std::array<ArchitectureEntry, architecture_count> architecture_entries{
    {{75, "sm_75"}, {80, "sm_80"}, {86, "sm_86"}, {89, "sm_89"}, {90, "sm_90"}, {100, "sm_100"}, {120, "sm_120"}}};

}  // namespace

std::string_view name_of(Architecture architecture) {
  return architecture_entries[static_cast<std::size_t>(architecture)].name;
}

std::uint32_t capability_of(Architecture architecture) {
  return architecture_entries[static_cast<std::size_t>(architecture)].capability;
}

std::optional<Architecture> architecture_of(std::uint32_t capability) {
  const auto found = std::ranges::find(architecture_entries, capability, &ArchitectureEntry::capability);
  if (found == architecture_entries.end()) return std::nullopt;
  return static_cast<Architecture>(found - architecture_entries.begin());
}

}  // namespace warpwalk::sass
