#pragma once

#include <filesystem>

#include "app/pages/context.h"
#include "app/shell/session/settings.h"

namespace warpwalk::shell {

/// Whether a file comes with warpwalk. `assets`: the folder of its files.
bool is_shipped(const std::filesystem::path& file, const std::filesystem::path& assets);

/// Whether a document is somebody's own trace, recorded to find out where time goes: not a file that comes with
/// warpwalk, and not what warpwalk itself ran, an expression or a launch on the simulated GPU.
bool is_own_trace(const document::Document& document, const std::filesystem::path& assets);

/// Chooses what was left open of a view of the open document: an own trace opens on the overview, the traces of
/// ranks on the lab that compares them, a GPU core dump on its scene, a memory snapshot in the lab about the allocator,
/// a file that comes with warpwalk on its tour if it has one and steps go through the first route, anything else at the
/// first scene. What was recorded with its memory is followed first.
void choose_left_open(document::View& view, const document::LeftOpen& left, const pages::Opened& opened,
                      const Settings& settings, const std::filesystem::path& assets);

}  // namespace warpwalk::shell
