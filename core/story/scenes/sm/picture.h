#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/story/elements/figure.h"
#include "core/story/pictures/chart.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// A block on the SM. Its number counts the places on this SM; no trace says which block of the grid it is.
struct SmBlock {
  double warps = 1;      ///< progress of its warps: 0 waiting, 1 in their slots
  double registers = 1;  ///< share of its registers that it has taken, 0 to 1
  double shared = 1;     ///< the same of shared memory
  double place = 1;      ///< the same of its block slot and its barrier
  double here = 1;       ///< before its warps arrive: 1 waiting beside the SM, 0 not there yet
  double now = 0;        ///< 1: the moving block; 0: a resident
  double idle = 0;       ///< 1: the grid lacks a block for this place

  template <class V>
  void visit(V& v) const {
    v.data(warps, registers, shared, place, here, now, idle);
  }
};

/// A warp slot that a block takes: slot n belongs to sub-partition n mod sub_partitions.
struct SmSlot {
  std::int64_t block = 0;
  std::int64_t warp = 0;     ///< in its block
  std::int64_t threads = 0;  ///< its lanes that have a thread
  std::string tip;

  template <class V>
  void visit(V& v) const {
    v.data(block, warp, threads, tip);
  }
};

/// One resource of the SM: how much a block takes, and how many blocks it alone would allow.
struct SmLimit {
  std::string key;  ///< warps, registers, shared, blocks, barriers
  std::string label;
  std::string taken;    ///< used by the resident blocks: "8 of 64"
  std::string allows;   ///< "allows 16"
  std::string formula;  ///< of that limit
  std::string source;   ///< the meaning of the whole amount, and where it comes from
  double share = 0;     ///< of one block, as a share of the whole
  double usable = 1;    ///< the part of the whole that can be allocated; registers are allocated per warp
  std::optional<std::int64_t> blocks;  ///< none: no limit
  bool limits = false;

  template <class V>
  void visit(V& v) const {
    v.data(key, label, taken, allows, formula, source, share, usable, blocks, limits);
  }
};

/// A share of the warp slots, 0 to 1, and where it comes from.
struct SmMeter {
  std::string label;
  double share = 0;
  Figure figure;

  template <class V>
  void visit(V& v) const {
    v.data(label, share, figure);
  }
};

/// One SM: its warp slots and registers by sub-partition, its shared memory, block slots and barriers; beside it the
/// number of blocks that each of them allows. Alternatively, curves of the resources needed to fit another block.
struct SmPicture {
  // The GPU of this SM, and the choice of another one.
  std::string gpu;         ///< "NVIDIA H200, 9.0"; empty if none is known or chosen
  std::string gpu_source;  ///< "as recorded"
  std::string gpu_tip;
  std::string gpu_tip_other;    ///< if another GPU than the recorded one is shown
  std::size_t gpu_choice = 0;   ///< 0: as recorded
  std::size_t gpu_choices = 1;  ///< number of GPUs
  bool gpu_set = false;
  bool what_if = false;  ///< a control was set

  // The SM, to scale.
  std::int64_t sub_partitions = 0, warps_per_sm = 0, threads_per_warp = 32;
  std::int64_t registers_per_sm = 0;
  std::int64_t registers_per_warp = 0;  ///< as allocated
  std::int64_t registers_of_warp = 0;   ///< as requested; the rest is lost to rounding
  std::int64_t shared_bar = 0;          ///< bytes of the whole bar
  std::int64_t carveout = 0;            ///< bytes of it that are shared memory
  std::int64_t shared_per_block = 0;    ///< bytes as allocated
  std::int64_t shared_of_block = 0;     ///< bytes as requested
  std::int64_t block_slots = 0;
  std::int64_t barriers = 0;  ///< 0: this GPU does not count them
  std::int64_t barriers_per_block = 0;
  std::vector<SmBlock> blocks;
  std::vector<SmSlot> slots;

  // The waiting block: first one that arrives, in the end the one that no longer fits.
  std::int64_t waiting_warps = 0;
  std::int64_t last_warp_threads = 0;
  double waiting = 0;  ///< 0 away, 1 there
  double refused = 0;  ///< 1: it does not fit
  std::string waiting_label;
  std::string refused_label;

  std::vector<SmLimit> limits;
  std::vector<ChartPicture> curves;  ///< resident warps against each setting, all else equal
  std::vector<SmMeter> meters;
  double sm_shown = 1, limits_shown = 1, meters_shown = 0, curves_shown = 0;
  double gathered = 1;  ///< of the warps' way from their slots to the curve of their number
  double glow = 0;      ///< of the limiting resource

  // Words
  std::string word_sm, word_slots, word_sub_partition, word_registers, word_shared, word_carveout, word_cache,
      word_block_slots, word_barriers, word_limits, word_what_if, word_idle, word_next, word_panel, word_meters,
      word_warps;
  std::string tip_slots, tip_registers, tip_shared, tip_carveout, tip_idle, tip_block_slots, tip_barriers;

  template <class V>
  void visit(V& v) const {
    v.data(gpu, gpu_source, gpu_tip, gpu_tip_other, gpu_choice, gpu_choices, gpu_set, what_if);
    v.data(sub_partitions, warps_per_sm, threads_per_warp, registers_per_sm, registers_per_warp, registers_of_warp,
           shared_bar, carveout, shared_per_block, shared_of_block, block_slots, barriers, barriers_per_block);
    v.data(waiting_warps, last_warp_threads, waiting, refused, waiting_label, refused_label);
    v.data(sm_shown, limits_shown, meters_shown, curves_shown, gathered, glow);
    v.data(word_sm, word_slots, word_sub_partition, word_registers, word_shared, word_carveout, word_cache,
           word_block_slots, word_barriers, word_limits, word_what_if, word_idle, word_next, word_panel, word_meters,
           word_warps, tip_slots, tip_registers, tip_shared, tip_carveout, tip_idle, tip_block_slots, tip_barriers);
    v.each(blocks);
    v.each(slots);
    v.each(limits);
    v.each(meters);
    v.line("GPU: ", gpu, " (", gpu_source, ")");
    if (sub_partitions == 0) return;
    if (what_if) v.line(word_what_if);
    if (sm_shown > 0) v.line(word_sm, ": ", word_slots);
    if (waiting > 0) v.line(refused > 0 ? refused_label : waiting_label);
    if (limits_shown > 0)
      for (const SmLimit& limit : limits)
        v.line(limit.label, ": ", limit.taken, ", ", limit.allows, limit.limits && glow > 0 ? ": " + word_limits : "");
    if (meters_shown > 0)
      for (const SmMeter& meter : meters) v.line(meter.label, ": ", meter.figure);
    if (v.on_screen(curves_shown)) v.each(curves);
  }
};

}  // namespace warpwalk::story
