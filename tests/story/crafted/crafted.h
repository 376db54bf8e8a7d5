#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/story/elements/walk.h"
#include "core/story/stage/controls.h"
#include "core/story/stage/history_view.h"

namespace warpwalk::story::testing {

/// Sections of the narration in the order of the beats.
using Sections = std::vector<std::string>;

/// A small trace made to bring about particular sentences.
struct Crafted {
  std::string name;
  trace::Trace trace;
  Walk walk;
  Sections sections;       ///< of those scenes that any of them belongs to
  Controls controls = {};  ///< what the person set
  HistoryView::State history = HistoryView::State::none;
  std::shared_ptr<const run::History> simulated = {};  ///< where it is ready
  std::shared_ptr<const gpu::LaunchTiming> timing = {};
  std::string no_timing = {};
  std::shared_ptr<run::TimeTravel> travel = {};
  run::WhatIf what_if = {};
  std::shared_ptr<run::TimeTravel> changed = {};  ///< with what_if
  bool asks = true;                               ///< false: another one asks the same questions

  HistoryView view() const;
};

/// With the default walk of the trace.
Crafted crafted_from(std::string name, trace::Trace trace, Sections sections, Controls controls = {});

// Crafted walks of single scenes, each in its own file.
std::vector<Crafted> crafted_receipts();
std::vector<Crafted> crafted_translator();
std::vector<Crafted> crafted_warehouse();
std::vector<Crafted> crafted_launch();
std::vector<Crafted> crafted_sm();
std::vector<Crafted> crafted_untimed();
std::vector<Crafted> crafted_history();
std::vector<Crafted> crafted_cycles();
std::vector<Crafted> crafted_lab();
std::vector<Crafted> crafted_labs();
std::vector<Crafted> crafted_streams();
std::vector<Crafted> crafted_tensors();
std::vector<Crafted> crafted_dispatch();
std::vector<Crafted> crafted_writing_a_kernel();
std::vector<Crafted> crafted_forward_pass();
std::vector<Crafted> crafted_cuda_triton();
std::vector<Crafted> crafted_autograd();
std::vector<Crafted> crafted_host_device();
std::vector<Crafted> crafted_allocator();
std::vector<Crafted> crafted_storage();
std::vector<Crafted> crafted_sweep();
std::vector<Crafted> crafted_collectives();

/// All of them; together with crafted_inner() they reach every sentence there is.
const std::vector<Crafted>& crafted();
/// The one with this name; a missing one is a test failure.
const Crafted& crafted_named(std::string_view name);
/// Kernels whose cycles are simulated, which takes a second.
const std::vector<Crafted>& crafted_inner();
/// The one with this name; a missing one is a test failure.
const Crafted& crafted_inner_named(std::string_view name);

}  // namespace warpwalk::story::testing
