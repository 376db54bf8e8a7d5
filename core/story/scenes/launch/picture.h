#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/story/facts/launch_plan.h"
#include "core/story/stage/stage.h"

namespace warpwalk::story {

/// The way of the order: the stream over time, and the stations it passes, not to scale.
struct LaunchWay {
  struct Stop {
    std::string name;
    std::string task;
  };
  double shown = 0;
  TimelinePicture time;
  bool stations_shown = false;  ///< not where the launch is not on record
  Stop driver, stream, link, front_end;
  std::optional<Stop> engine;      ///< what copies instead of the SMs
  std::string order;               ///< what the order says: "8 × 16 blocks of 128 threads"
  std::vector<std::string> ahead;  ///< names of what stands before it in the stream, the first first
  std::string more_ahead;          ///< "+ 12 more", before those; or empty
  double ahead_done = 0;           ///< 0 they stand there, 1 all of them are done
  double travelled = 0;            ///< of the order: 0 driver, 1 stream, 2 front end, 3 engine
  std::string note;                ///< that this part is explained, not measured
};

/// The grid's blocks in order. A cell stands for `per_cell` blocks that follow one another.
struct LaunchGrid {
  std::uint64_t blocks = 0;
  std::uint64_t per_cell = 1;
  std::array<std::int32_t, 3> shape{};
  int columns = 0;  ///< as the grid's own x; 0: as many as look good
  std::string head;
  std::string note;   ///< how many blocks a cell stands for; may be empty
  std::string state;  ///< how many are placed, how many wait
  double shown = 0;   ///< how many of the cells are there
};

/// SMs that get their blocks together.
struct SmGroup {
  std::string label;  ///< "GPC 0"; empty where the grouping is not known
  std::vector<std::uint32_t> sms;
  std::string note;  ///< what such a group is
};

/// A wave as a layer of the picture over time.
struct WaveLayer {
  std::string label;
  std::string time;        ///< when it begins; empty where no time is known
  std::string use;         ///< how many slots it uses; empty where that is not known
  std::int64_t start = 0;  ///< ticks
};

/// One line of the comparison of GPUs.
struct GpuLine {
  std::string name;
  std::string detail;  ///< waves and slots, or that it cannot run there
  std::string time;    ///< of the whole grid there; the number of waves where no time is known; empty if it cannot run
  std::string efficiency;  ///< slots in use over all waves; empty if the kernel cannot run there
  double share = 0;        ///< of the longest time, or of the most waves: the bar
  std::size_t choice = 0;  ///< of the control launch.gpu
  bool chosen = false;
};

/// How many blocks an SM has room for by one of its resources.
struct RoomLimit {
  std::string word;
  std::string blocks;
  bool limits = false;  ///< no other allows fewer
};

struct LaunchPicture {
  LaunchWay way;
  LaunchGrid grid;

  // The SMs and where the blocks are; blocks, slots and waves are as in LaunchPlan
  std::vector<SmGroup> groups;
  std::uint32_t slots_per_sm = 0;
  std::vector<PlacedBlock> placed;
  std::size_t landed = 0;  ///< how many of the first turn, by start, have landed
  double floor_shown = 0;  ///< grid and SMs
  double sms_shown = 0;    ///< SMs, of the floor
  std::uint64_t followed = 0;
  double followed_way = 0;  ///< of the followed block, from the grid to its slot
  std::string head_sms;
  Origin placement_origin = Origin::simulated;
  std::string origin_word;  ///< of the placement; empty where none is shown

  // Waves: SM by SM, time downwards
  double waves_shown = 0;
  double swept = 0;  ///< of the time, 0 to 1
  std::int64_t last_tick = 0;
  std::vector<WaveLayer> layers;
  std::string more_waves;     ///< of a recorded placement: that later waves are not drawn; empty if all are drawn
  std::int64_t gap_from = 0;  ///< ticks: between these two nothing is drawn, and the axis is broken; equal: no gap
  std::int64_t gap_to = 0;
  std::string gap_label;     ///< which waves are left out there
  std::string last_wave;     ///< label of the last wave where it is drawn as a share only
  double last_share = 0;     ///< of its slots
  double tail_shown = 0;     ///< slots that have no block any more are marked
  double compare_shown = 0;  ///< the comparison stands beside the waves
  std::vector<GpuLine> gpus;
  std::string head_gpus, head_time, head_efficiency;

  std::vector<RoomLimit> limits;  ///< where the grid is what the beat is about
  std::string word_limits;
  std::string word_brighter;  ///< what brightness means where lanes are too thin to be told apart
  std::string note;           ///< under the picture: what is assumed
  std::string what_if;        ///< "What if: ..."; empty as launched
  std::string word_block, word_sm, word_slot, word_wave, word_waits;  ///< for pointing
  double tick_ns = 0;
};

/// What the picture shows, in words, for transcripts.
std::string text_of(const LaunchPicture& picture);
/// Every word and every number that the picture is drawn from, those of its motion too: two pictures look the same
/// where this is the same.
std::string everything_in(const LaunchPicture& picture);

}  // namespace warpwalk::story
