#include "app/verbs/stages/kernel_history.h"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "app/verbs/common/watch.h"
#include "core/platform/blocked_signals.h"
#include "core/records/hardware.h"
#include "core/run/catalogue/catalogue.h"
#include "core/run/replay/time_travel.h"
#include "core/story/facts/simulated/followed_number.h"

namespace warpwalk::verbs {

run::HistoryOptions history_options(const std::filesystem::path& assets) {
  run::HistoryOptions options;
  options.ptx_folder = assets / "ptx";
  options.cubin_folder = assets / "cubin";
  options.source_folder = run::kernel_sources(assets);
  options.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
  return options;
}

bool simulate_followed(const story::Trace& trace, const story::Walk& walk, const records::Hardware& hardware,
                       const std::filesystem::path& assets, bool cycles, KernelHistory& out) {
  using State = story::HistoryView::State;
  if (walk.kernel == story::no_slice || trace.slices.kind[walk.kernel] != trace::SliceKind::kernel) return true;
  auto device = story::simulated_device(trace, walk, hardware);
  if (!device) return true;
  run::HistoryOptions options = history_options(assets);
  options.device = std::move(*device);
  platform::BlockedSignals signals;
  auto built = [&] {
    Watch watch(signals);
    options.cancel = watch.cancel();
    options.progress = [&](std::uint64_t done, std::uint64_t blocks) {
      watch.progress(std::string(trace.name(walk.kernel)), done, blocks);
    };
    auto history = run::build_history(trace, walk.kernel, options);
    if (const auto* const made = std::get_if<0>(&history); made != nullptr && cycles) {
      options.progress = [&](std::uint64_t done, std::uint64_t blocks) {
        watch.progress(fmt::format("simulating the cycles of {}", (*made)->entry), done, blocks);
      };
      auto travel = run::TimeTravel::make(trace, walk.kernel, *made, options);
      if (travel)
        out.travel = std::move(*travel);
      else
        out.view.no_travel = travel.error();
    }
    return history;
  }();
  if (signals.stop_requested()) return false;
  if (auto* const none = std::get_if<run::NoHistory>(&built)) {
    out.view.state = State::impossible;
    out.view.reason = std::move(none->reason);
    return true;
  }
  out.history = std::move(std::get<0>(built));
  out.view.state = State::ready;
  out.view.history = out.history.get();
  out.view.travel = out.travel.get();
  out.view.take_timing();
  return true;
}

bool find_followed_number(const story::Trace& trace, const story::Walk& walk, const story::Controls& controls,
                          const std::filesystem::path& assets, KernelHistory& history) {
  const auto number = story::number_request(trace, walk, controls);
  if (history.travel == nullptr || number == history.number) return true;
  history.number = number;
  history.trail.reset();
  history.view.trail = nullptr;
  history.view.no_trail.clear();
  if (!number) return true;
  platform::BlockedSignals signals;
  auto trail = [&] {
    const Watch watch(signals);
    run::HistoryOptions options = history_options(assets);
    options.device = history.history->device;
    options.cancel = watch.cancel();
    return run::find_number_trail(trace, *history.travel, *history.history, *number, options);
  }();
  if (signals.stop_requested()) return false;
  if (trail)
    history.trail = std::move(*trail);
  else
    history.view.no_trail = trail.error();
  history.view.trail = history.trail.get();
  return true;
}

bool simulate_changed(const story::Trace& trace, const story::Walk& walk, const std::filesystem::path& assets,
                      const run::WhatIf& what_if, KernelHistory& history) {
  if (history.travel == nullptr || what_if == history.view.what_if) return true;
  history.changed.reset();
  history.view.changed = nullptr;
  history.view.no_changed.clear();
  history.view.what_if = what_if;
  if (!what_if.any()) return true;
  run::HistoryOptions options = history_options(assets);
  options.device = history.history->device;
  platform::BlockedSignals signals;
  auto made = [&] {
    Watch watch(signals);
    options.cancel = watch.cancel();
    options.progress = [&](std::uint64_t done, std::uint64_t blocks) {
      watch.progress(fmt::format("simulating the cycles of {} on the changed GPU", history.history->entry), done,
                     blocks);
    };
    return run::TimeTravel::make(trace, walk.kernel, history.history, options, what_if);
  }();
  if (signals.stop_requested()) return false;
  if (made)
    history.changed = std::move(*made);
  else
    history.view.no_changed = made.error();
  history.view.changed = history.changed.get();
  return true;
}

}  // namespace warpwalk::verbs
