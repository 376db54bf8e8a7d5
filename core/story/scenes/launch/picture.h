#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/story/facts/launch/launch_plan.h"
#include "core/story/pictures/visit.h"
#include "core/story/stage/stage.h"

namespace warpwalk::story {

/// The way of the launch: the stream over time, and the stations that it passes, not to scale.
struct LaunchWay {
  struct Stop {
    std::string name;
    std::string task;

    template <class V>
    void visit(V& v) const {
      v.data(name, task);
      v.line("station: ", name, ": ", task);
    }
  };
  double shown = 0;
  TimelinePicture time;
  bool stations_shown = false;  ///< false if the launch was not recorded
  Stop driver, stream, link, front_end;
  std::optional<Stop> engine;      ///< the unit that copies instead of the SMs
  std::string order;               ///< the content of the launch: "8 × 16 blocks of 128 threads"
  std::vector<std::string> ahead;  ///< name of the work directly ahead of it in the stream; may be empty
  std::string more_ahead;          ///< "+ 12 more", before those; or empty
  double ahead_done = 0;           ///< 0 all of them are there, 1 all of them are done
  double travelled = 0;            ///< of the launch: 0 driver, 1 stream, 2 front end, 3 engine
  std::string note;                ///< that this part is explained, not measured

  template <class V>
  void visit(V& v) const {
    v.data(shown, stations_shown, order, ahead, more_ahead, ahead_done, travelled, note);
    v.part(time);
    if (!v.on_screen(stations_shown ? 1 : 0)) return;
    v.line("order: ", order);
    if (!ahead.empty()) v.line("before it in the stream: ", queue_text());
    for (const Stop* stop : {&driver, &stream, &link, &front_end}) v.part(*stop);
    v.part(engine);
    v.line(note);
  }

 private:
  std::string queue_text() const;
};

/// The grid's blocks in order. A cell represents `per_cell` consecutive blocks.
struct LaunchGrid {
  std::uint64_t blocks = 0;
  std::uint64_t per_cell = 1;
  std::array<std::int32_t, 3> shape{};
  int columns = 0;  ///< the grid's own x; 0: as many as look good
  std::string head;
  std::string note;   ///< how many blocks a cell represents; may be empty
  std::string state;  ///< how many are placed, how many wait
  double shown = 0;   ///< share of the cells that are visible

  template <class V>
  void visit(V& v) const {
    v.data(blocks, per_cell, shape, columns, head, note, state, shown);
    v.line("grid: ", head, note.empty() ? "" : ", ", note);
  }
};

/// SMs that get their blocks together.
struct SmGroup {
  std::string label;  ///< "GPC 0"; empty if the grouping is not known
  std::vector<std::uint32_t> sms;
  std::string note;  ///< what such a group is

  template <class V>
  void visit(V& v) const {
    v.data(label, sms, note);
  }
};

/// A wave as a layer of the picture over time.
struct WaveLayer {
  std::string label;
  std::string time;        ///< when it begins; empty if no time is known
  std::string use;         ///< how many slots it uses; empty if that is not known
  std::int64_t start = 0;  ///< ticks

  template <class V>
  void visit(V& v) const {
    v.data(label, time, use, start);
    v.line(label, ": ", use, use.empty() || time.empty() ? "" : ", ", time);
  }
};

/// One line of the comparison of GPUs.
struct GpuLine {
  std::string name;
  std::string detail;      ///< waves and slots, or that it cannot run there
  std::string time;        ///< of the whole grid there; the number of waves if no time is known; empty if it cannot run
  std::string efficiency;  ///< slots in use over all waves; empty if the kernel cannot run there
  double share = 0;        ///< of the longest time, or of the most waves: the bar
  std::size_t choice = 0;  ///< of the control launch.gpu
  bool chosen = false;

  template <class V>
  void visit(V& v) const {
    v.data(name, detail, time, efficiency, share, choice, chosen);
  }
};

/// The number of blocks that one resource of an SM has room for.
struct RoomLimit {
  std::string word;
  std::string blocks;
  bool limits = false;  ///< no other resource allows fewer

  template <class V>
  void visit(V& v) const {
    v.data(word, blocks, limits);
  }
};

struct LaunchPicture {
  LaunchWay way;
  LaunchGrid grid;

  // The SMs and where the blocks are; blocks, slots and waves are as in LaunchPlan
  std::vector<SmGroup> groups;
  std::uint32_t slots_per_sm = 0;
  std::vector<PlacedBlock> placed;
  std::size_t landed = 0;  ///< blocks of the first turn, by start, that have landed
  double floor_shown = 0;  ///< grid and SMs
  double sms_shown = 0;    ///< SMs, of the floor
  std::uint64_t followed = 0;
  double followed_way = 0;  ///< of the followed block, from the grid to its slot
  std::string head_sms;
  Origin placement_origin = Origin::simulated;
  std::string origin_word;  ///< of the placement; empty if none is shown

  // Waves: SM by SM, time downwards
  double waves_shown = 0;
  double swept = 0;      ///< of the time, 0 to 1
  double regrouped = 1;  ///< of the blocks' way from the SMs to their columns
  std::int64_t last_tick = 0;
  std::vector<WaveLayer> layers;
  std::string more_blocks;    ///< of a recorded placement: that not all blocks are drawn; empty if all are
  std::int64_t gap_from = 0;  ///< ticks: between these two nothing is drawn, and the axis is broken; equal: no gap
  std::int64_t gap_to = 0;
  std::string gap_label;     ///< which waves are left out there
  std::string last_wave;     ///< label of the last wave, which is drawn as a share
  double last_share = 0;     ///< of its slots
  double tail_shown = 0;     ///< slots without a block are marked
  double compare_shown = 0;  ///< the comparison beside the waves
  std::vector<GpuLine> gpus;
  std::string head_gpus, head_time, head_efficiency;

  std::vector<RoomLimit> limits;  ///< in the beat about the grid
  std::string word_limits;
  std::string word_stronger;  ///< the meaning of a stronger colour if lanes are too thin to be distinguished
  std::string word_empty;     ///< the meaning of the mark for a time without a block
  std::string word_idle;      ///< the meaning of the mark for an SM without a block
  std::string note;           ///< under the picture: the assumption
  std::string what_if;        ///< "What if: ..."; empty as launched
  /// For pointing; word_wave is empty if the placement was recorded.
  std::string word_block, word_sm, word_slot, word_wave, word_waits;
  double tick_ns = 0;

  template <class V>
  void visit(V& v) const {
    v.data(slots_per_sm, landed, floor_shown, sms_shown, followed, followed_way, head_sms, placement_origin,
           origin_word);
    v.data(waves_shown, swept, regrouped, last_tick, gap_from, gap_to, gap_label, head_time, more_blocks, last_wave,
           last_share, tail_shown, compare_shown, head_gpus, head_efficiency, tick_ns);
    v.data(word_limits, word_stronger, word_empty, word_idle, note, what_if, word_block, word_sm, word_slot, word_wave,
           word_waits);
    for (const PlacedBlock& b : placed) v.data(b.block, b.sm, b.slot, b.turn, b.start, b.end);
    v.each(limits);
    v.each(gpus);
    v.each(groups);
    if (v.on_screen(way.shown)) v.part(way);
    if (v.on_screen(floor_shown)) {
      v.part(grid);
      if (!groups.empty()) v.line("SMs: ", head_sms, origin_word.empty() ? "" : ", ", origin_word);
      if (!limits.empty()) v.line(word_limits, " ", limits_text());
      if (!grid.state.empty()) v.line("blocks: ", grid.state);
    }
    const bool waves = v.on_screen(waves_shown);
    if (waves || v.on_screen(floor_shown))
      if (const PlacedBlock* const block = followed_block(); block != nullptr && (followed_way > 0 || waves))
        v.line(word_block, " ", with_thousands(static_cast<std::int64_t>(block->block)), ": ", word_sm, " ", block->sm,
               ", ", word_slot, " ", block->slot,
               word_wave.empty() ? "" : fmt::format(", {} {}", word_wave, block->turn + 1));
    if (waves) {
      v.each(layers);
      if (!gap_label.empty()) v.line(gap_label);
      if (!more_blocks.empty()) v.line(more_blocks);
      if (!last_wave.empty()) v.line(last_wave);
      if (v.on_screen(compare_shown))
        for (const GpuLine& gpu : gpus)
          v.line(head_gpus, " ", gpu.name, ": ", gpu.time.empty() ? "" : head_time + " " + gpu.time + "; ", gpu.detail,
                 gpu.efficiency.empty() ? "" : "; " + head_efficiency + " ", gpu.efficiency);
    }
    if (!what_if.empty()) v.line(what_if);
    if (!note.empty()) v.line(note);
  }

 private:
  const PlacedBlock* followed_block() const;  ///< null if it is not among those placed
  std::string limits_text() const;
};

}  // namespace warpwalk::story
