#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "core/run/replay/history.h"
#include "core/run/replay/number_trail.h"
#include "core/story/stage/controls.h"
#include "core/story/stage/history_view.h"

namespace warpwalk::verbs {

/// How kernels of a trace are simulated on this machine, without the device: with one thread fewer than the machine
/// has, so that the window stays responsive.
run::HistoryOptions history_options(const std::filesystem::path& assets);

/// The history of a followed kernel and its owner.
struct KernelHistory {
  std::shared_ptr<const run::History> history;
  std::shared_ptr<run::TimeTravel> travel, changed;
  std::optional<run::NumberRequest> number;  ///< of the trail
  std::shared_ptr<const run::NumberTrail> trail;
  story::HistoryView view;
};

/// The error if one of the functions below returns false.
inline constexpr const char* simulation_stopped = "stopped before the end; nothing was written";

/// Builds the history of the followed kernel, or the reason why there is none. Does nothing if no kernel is followed.
/// `cycles`: also simulate them. Shows progress on a terminal. Returns false after SIGINT, SIGTERM or SIGHUP, which is
/// raised again.
bool simulate_followed(const story::Trace& trace, const story::Walk& walk, const records::Hardware& hardware,
                       const std::filesystem::path& assets, bool cycles, KernelHistory& out);

/// Finds where the followed number comes from, and adds that to the history; does nothing if it has no cycles, or if
/// the number is the same as before. Return value as above.
bool find_followed_number(const story::Trace& trace, const story::Walk& walk, const story::Controls& controls,
                          const std::filesystem::path& assets, KernelHistory& history);

/// Simulates the cycles again on a changed GPU and adds them to the history; without a change, takes them out of it.
/// Does nothing if the history has no cycles. Progress and return value as above.
bool simulate_changed(const story::Trace& trace, const story::Walk& walk, const std::filesystem::path& assets,
                      const run::WhatIf& what_if, KernelHistory& history);

}  // namespace warpwalk::verbs
