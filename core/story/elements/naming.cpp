#include "core/story/elements/naming.h"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace warpwalk::story {
namespace {

constexpr std::array<std::pair<Naming, std::string_view>, 3> namings = {
    {{Naming::hardware, "hardware"}, {Naming::company, "company"}, {Naming::both, "both"}}};

// The parts with two names; [name.THING] in the narration.
constexpr std::string_view things[] = {"cpu",  "dispatcher", "driver", "memory", "stream",    "front_end",
                                       "sm",   "sms",        "block",  "blocks", "scheduler", "schedulers",
                                       "warp", "warps",      "lane",   "lanes",  "registers"};

}  // namespace

std::string_view name_of(Naming naming) { return namings[static_cast<std::size_t>(naming)].second; }

std::optional<Naming> naming_named(std::string_view name) {
  for (const auto& [naming, word] : namings)
    if (word == name) return naming;
  return {};
}

std::string name_in(const Narration& narration, Naming naming, std::string_view thing) {
  const std::string section = fmt::format("name.{}", thing);
  if (naming != Naming::both) return narration.text(section, name_of(naming));
  return fmt::format("{} ({})", narration.text(section, "hardware"), narration.text(section, "company"));
}

void add_names(const Narration& narration, Naming naming, Narration::Values& values) {
  for (const std::string_view thing : things)
    values.emplace(fmt::format("n.{}", thing), name_in(narration, naming, thing));
}

}  // namespace warpwalk::story
