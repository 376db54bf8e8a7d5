#pragma once

#include <string_view>

#include "app/document/view.h"
#include "core/base/result.h"

namespace warpwalk::document {

/// Whether this is the name of an option that says what a view shows: scene, at, follow, names or set. The command
/// line, links and the steps of lessons have the same ones.
bool is_view_option(std::string_view option);

/// Sets one of these options. The error begins with the value: "attic: not a scene; see warpwalk render --list".
/// Whether the scene has the beat of `at`, and the trace what is followed, is checked later (story::unknown_beat,
/// chosen_walk).
base::Result<void> set_view_option(View& view, std::string_view option, std::string_view value);

}  // namespace warpwalk::document
