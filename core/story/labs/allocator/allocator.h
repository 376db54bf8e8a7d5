#pragma once

// This folder is the lab "allocator". The model of the allocator is in core/ops/dispatch.

#include <optional>

#include "core/story/labs/allocator/costs.h"
#include "core/story/labs/allocator/held.h"
#include "core/story/labs/allocator/plan.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story::allocator_lab {

constexpr std::string_view name = "lab/allocator";

/// What a beat says of its settings.
struct AllocatorStart {
  enum class Plan : unsigned char { any, kept, only_kept };
  enum class Setting : unsigned char { usual, pointed, chosen };
  Plan plan = Plan::any;             ///< kept: starts with the plan of kept results, in less memory
  Setting setting = Setting::usual;  ///< of PyTorch; pointed: by a click on the table
  bool by_step = false;              ///< up to a step of the plan; otherwise all of it is done
  bool by_entry = false;             ///< the snapshot up to an entry of the history
  bool outer_frames = false;         ///< the snapshot by frames further out
  bool at_refusal = false;           ///< the snapshot at its last refused request
};

/// The settings of the lab, and the model and snapshot under them.
struct AllocatorLab {
  AllocatorLab(const SceneInput& in, const AllocatorStart& start);

  const SceneInput& input;
  ControlSet controls{input, name};

  // The model.
  std::int64_t request = 0;  ///< bytes of the single request
  std::size_t plan_choice = 0, setting = 0;
  Plan plan;
  std::int64_t limit = 0;
  std::vector<Shot> shots;  ///< under the chosen setting
  std::size_t steps = 0;    ///< of the plan that are done
  std::int64_t wanted = 0;  ///< bytes of the last request of the plan of kept results

  // The snapshot, if the trace is one.
  std::optional<MemorySnapshot> snapshot;
  std::int64_t device = 0;
  std::size_t entries = 0;  ///< of the history that are entered
  std::vector<double> stops;
  HeldMemory held;
  std::size_t segment = 0, block = 0;  ///< that are followed
  std::optional<Refusal> refusal;
  std::size_t callers = 0;  ///< frames further out than the innermost own line

  std::string word(std::string_view key, const Narration::Values& values = {}) const;
  const Shot& shot() const { return shots[steps == 0 ? 0 : steps - 1]; }
  const MemorySnapshot::Block* followed() const;
  bool measured() const;

 private:
  void make_model(const AllocatorStart& start);
  void make_snapshot(const AllocatorStart& start);
  Plan own_plan();
};

constexpr std::string_view plan_keys[] = {"training", "growing", "kept", "own"};
/// A setting of PyTorch; its name is a word of the lab.
struct NamedAllocatorSettings {
  std::string_view key;
  ops::AllocatorSettings rules = {};
};
constexpr NamedAllocatorSettings allocator_settings[] = {{"default"},
                                                         {"max_split", {.max_split = 32 * mib}},
                                                         {"expandable", {.expandable = true}},
                                                         {"collect", {.collect_from = 0.6}},
                                                         {"round_up", {.round_up_divisions = 4}}};
/// The same rules with so many bytes of memory.
ops::AllocatorSettings with_limit(ops::AllocatorSettings rules, std::int64_t limit);
/// Bytes in the units of bytes_text, but with four digits, because a request and its block differ little: "1.145 MiB".
std::string size_text(std::int64_t bytes);

// Pictures (picture.cpp).
/// Times of the calls by size: measured.
Panel costs_panel(const AllocatorLab& lab, double shown);
/// One request: size, rounded size, pool, segment; and the segment to scale.
Panel rules_panel(const AllocatorLab& lab);
Panel one_segment_panel(const AllocatorLab& lab);
/// The segments after the chosen step, and a request that was refused in it, to scale.
/// `notes`: the sizes, above and after each.
Panel segments_panel(const AllocatorLab& lab, bool notes = true);
/// The plan's steps, with the one that was made last.
Panel steps_panel(const AllocatorLab& lab);
/// The same plan under every setting.
Panel settings_panel(const AllocatorLab& lab);
/// The numbers of PyTorch's message for the last request, and what they say.
Panel message_panel(const AllocatorLab& lab);

// Pictures of a snapshot (snapshot_picture.cpp).
Panel held_panel(const AllocatorLab& lab);
Panel blocks_panel(const AllocatorLab& lab);
Panel stack_panel(const AllocatorLab& lab);
/// Bytes in use by line of the program: as bars, and with blocks and shares.
Panel line_bars_panel(const AllocatorLab& lab);
Panel lines_panel(const AllocatorLab& lab);
Panel history_panel(const AllocatorLab& lab);
Panel verdict_panel(const AllocatorLab& lab);

}  // namespace warpwalk::story::allocator_lab
