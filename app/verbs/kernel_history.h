#pragma once

#include <filesystem>
#include <memory>

#include "core/run/replay/history.h"
#include "core/story/stage/history_view.h"

namespace warpwalk::verbs {

/// How this machine simulates kernels of a trace, all but the device: with one thread fewer than it has, so that what
/// is on screen stays quick.
run::HistoryOptions history_options(const std::filesystem::path& assets);

/// The history of a followed kernel, with what it points at.
struct KernelHistory {
  std::shared_ptr<const run::History> history;
  story::HistoryView view;
};

/// Builds it, or finds why there is none; nothing where no kernel is followed. Progress on a terminal. False where
/// SIGINT, SIGTERM or SIGHUP came; it is raised again then.
bool simulate_followed(const story::Trace& trace, const story::Walk& walk, const story::Hardware& hardware,
                       const std::filesystem::path& assets, KernelHistory& out);

}  // namespace warpwalk::verbs
