#pragma once

#include "app/verbs/debug/target.h"
#include "app/verbs/stages/render_options.h"

namespace CLI {
class App;
}

namespace warpwalk::verbs {

/// The scenes that show a moment of a launch, in the order of an answer's `pictures`.
inline constexpr const char* moment_scenes[] = {"schedulers", "lanes"};

/// The options of `render --moments`.
struct MomentOptions {
  bool chosen = false;
  DebugTarget target;  ///< without its file
};

/// Adds --moments and the options that belong to it. `options` outlives them.
void add_moments(CLI::App& verb, MomentOptions& options);

/// Draws the moments at which a debugger stops, for an editor. `options.file` is a launch file, or a walk with
/// `target.launch`; its cycles are those of `debug`. The first line on stdout says that the launch is simulated. Then
/// each line of stdin is a request, and each further line of stdout its answer, all in JSON:
///   {"id": 1, "cycle": 1146, "block": 1, "warp": 1, "lane": 5}
///   {"id": 1, "pictures": [{"scene": "schedulers", "title": "...", "text": "...", "png": "base64"}, ...]}
/// or {"id": 1, "error": "..."}. Ends with stdin. Returns the exit status.
int render_moments(const RenderOptions& options, DebugTarget target);

}  // namespace warpwalk::verbs
