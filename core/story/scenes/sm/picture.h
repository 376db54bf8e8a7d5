#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/story/stage/figure.h"

namespace warpwalk::story {

/// A block on the SM. Its number counts the places on this SM; which block of the grid it is, no trace says.
struct SmBlock {
  double warps = 1;      ///< how far its warps have come: 0 waiting, 1 in their slots
  double registers = 1;  ///< how much of its registers it has taken, 0 to 1
  double shared = 1;     ///< the same of shared memory
  double place = 1;      ///< the same of its block slot and its barrier
  double here = 1;       ///< before its warps come: 1 it waits beside the SM, 0 it is not there yet
  double now = 0;        ///< 1: it is the one that moves; 0: it is a resident
  double idle = 0;       ///< 1: the grid has no block for this place
};

/// A warp slot that a block takes: slot n belongs to sub-partition n mod sub_partitions.
struct SmSlot {
  std::int64_t block = 0;
  std::int64_t warp = 0;     ///< in its block
  std::int64_t threads = 0;  ///< of its lanes, those that have a thread
  std::string tip;
};

/// One resource of the SM: what a block takes of it, and how many blocks it alone would allow.
struct SmLimit {
  std::string key;  ///< warps, registers, shared, blocks, barriers
  std::string label;
  std::string taken;                   ///< by the blocks that are in: "8 of 64"
  std::string allows;                  ///< "allows 16"
  std::string formula;                 ///< of that number
  double share = 0;                    ///< of one block in the whole
  double usable = 1;                   ///< the part of the whole that can be given out; registers go warp by warp
  std::optional<std::int64_t> blocks;  ///< none: it does not limit
  bool limits = false;
};

/// One level stretch of a curve: from `from` to `to`, both included.
struct SmStep {
  double from = 0;
  double to = 0;
  std::int64_t blocks = 0;
  std::int64_t warps = 0;
};

/// Resident warps against one of the settings, all else left as it is.
struct SmCurve {
  std::string control;  ///< the control it sets: registers, shared, block
  std::string label;
  std::string here;  ///< the current point in words
  std::string tip;
  std::vector<SmStep> steps;
  std::vector<double> stops;  ///< the values that the control can take
  std::vector<std::pair<double, std::string>> ticks;
  double at = 0;
  std::int64_t warps = 0;        ///< at the current point
  std::optional<double> better;  ///< the nearest value with which more warps fit
  std::string better_text;
  std::int64_t better_warps = 0;
  std::optional<double> launched;  ///< the value as launched, where the person set another one
  std::string set_text;            ///< says so in words
};

/// A share of the warp slots, 0 to 1, and where it comes from.
struct SmMeter {
  std::string label;
  double share = 0;
  Figure figure;
};

/// One SM: its warp slots and registers by sub-partition, its shared memory, block slots and barriers; beside it what
/// each of them allows. Or, in place of the SM, curves of what another block would change.
struct SmPicture {
  // The GPU that it is an SM of, and how to choose another one.
  std::string gpu;         ///< "NVIDIA H200, 9.0"; empty where none is known or chosen
  std::string gpu_source;  ///< "as recorded"
  std::string gpu_tip;
  std::string gpu_tip_other;    ///< where another GPU than the recorded one is shown
  std::size_t gpu_choice = 0;   ///< 0: as recorded
  std::size_t gpu_choices = 1;  ///< how many there are
  bool gpu_set = false;
  bool what_if = false;  ///< something was set by the person

  // The SM, to scale.
  std::int64_t sub_partitions = 0, warps_per_sm = 0, threads_per_warp = 32;
  std::int64_t registers_per_sm = 0;
  std::int64_t registers_per_warp = 0;  ///< as allocated
  std::int64_t registers_of_warp = 0;   ///< as asked for; the rest is lost to rounding
  std::int64_t shared_bar = 0;          ///< bytes that the bar stands for
  std::int64_t carveout = 0;            ///< bytes of it that are shared memory
  std::int64_t shared_per_block = 0;    ///< bytes as allocated
  std::int64_t shared_of_block = 0;     ///< bytes as asked for
  std::int64_t block_slots = 0;
  std::int64_t barriers = 0;  ///< 0: this GPU counts none
  std::int64_t barriers_per_block = 0;
  std::vector<SmBlock> blocks;
  std::vector<SmSlot> slots;

  // The block that waits: first one that comes in, in the end the one that no longer fits.
  std::int64_t waiting_warps = 0;
  std::int64_t last_warp_threads = 0;
  double waiting = 0;  ///< 0 away, 1 there
  double refused = 0;  ///< 1: it does not fit
  std::string waiting_label;
  std::string refused_label;

  std::vector<SmLimit> limits;
  std::vector<SmCurve> curves;
  std::vector<SmMeter> meters;
  double sm_shown = 1, limits_shown = 1, meters_shown = 0, curves_shown = 0;
  double glow = 0;  ///< of what limits

  // Words
  std::string word_sm, word_slots, word_sub_partition, word_registers, word_shared, word_carveout, word_cache,
      word_block_slots, word_barriers, word_limits, word_what_if, word_idle, word_panel, word_meters, word_warps,
      word_launched;
  std::string tip_registers, tip_shared, tip_carveout, tip_idle;
};

/// What the picture shows, in words, for transcripts.
std::string text_of(const SmPicture& picture);
/// Every word and every number that the picture is drawn from, those of its motion too: two pictures look the same
/// where this is the same.
std::string everything_in(const SmPicture& picture);

}  // namespace warpwalk::story
