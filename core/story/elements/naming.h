#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/story/elements/narration.h"

namespace warpwalk::story {

/// The names to show: those of the hardware, those of the company in the story, or both.
enum class Naming : unsigned char { hardware, company, both };

/// "hardware", "company" or "both", as on the command line.
std::string_view name_of(Naming naming);
std::optional<Naming> naming_named(std::string_view name);

/// The name of a part: "SM", "VP", or "SM (VP)". `thing` is a section [name.THING] of the narration.
std::string name_in(const Narration& narration, Naming naming, std::string_view thing);

/// Adds all names of the narration, so that sentences can use {n.sm}.
void add_names(const Narration& narration, Naming naming, Narration::Values& values);

}  // namespace warpwalk::story
