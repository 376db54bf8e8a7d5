#pragma once

#include <string>
#include <vector>

#include "app/verbs/common/verb.h"
#include "app/verbs/stages/render_options.h"

namespace warpwalk::verbs {

/// Registers `warpwalk render`.
Verb add_render(CLI::App& app);

/// Renders one moment, every beat into a folder, or a film; with `text` the sentences and facts instead of pictures.
/// Returns the exit status.
int render(const RenderOptions& options);

/// Renders the steps of a lesson: pictures or lecturer's pages into a folder, a film, or with `text` the sentences.
/// Returns the exit status. Adds to `problems` the lines about lost data of the traces.
int render_lesson(const RenderOptions& options, std::vector<std::string>& problems);

/// Writes a handout: a lesson, or the beats of a trace, as one HTML file with a page of paper for each moment. Returns
/// the exit status. Adds to `problems` the lines about lost data of the traces. `ranks`: those of the trace's run.
int handout(const RenderOptions& options, const analysis::RankSource& ranks, std::vector<std::string>& problems);

}  // namespace warpwalk::verbs
