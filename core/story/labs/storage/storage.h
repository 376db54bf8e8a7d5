#pragma once

// Common to all parts of the lab "storage": the settings, the schedule that follows from them, and the pictures.
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/storage/schedule.h"

namespace warpwalk::story {

/// The settings of the lab.
struct Storage {
  static constexpr std::string_view name = "lab/storage";
  static constexpr std::string_view route_keys[route_count] = {"buffered", "direct", "gds"};
  static constexpr std::string_view part_keys[part_count] = {"part_call", "part_latency", "part_drive", "part_copy",
                                                             "part_link"};

  const SceneInput& input;
  ControlSet controls{input, name};
  StorageSetup setup;
  std::size_t chosen = 0;  ///< number in route_keys, as set
  bool available = true;   ///< whether the machine has GPUDirect Storage
  std::int64_t call = 0;   ///< line of the code that is followed
  StorageTotals totals[route_count];

  explicit Storage(const SceneInput& in);

  std::string word(std::string_view key, const Narration::Values& values = {}) const;
  /// The route that the data really takes: cuFile without GPUDirect Storage goes through the CPU's memory.
  Route taken(std::size_t route) const;
  Route route() const { return taken(chosen); }
  const StorageTotals& now() const { return totals[static_cast<std::size_t>(route())]; }
  /// "12.3 GB/s".
  std::string rate_text(double bytes_per_ns) const;
  std::string route_text(std::size_t route) const;
  double rate(const StorageTotals& of) const { return static_cast<double>(setup.file) / of.total; }
  /// Whether chunks begin and end on a multiple of 4 KiB.
  bool aligned() const { return setup.offset % StorageSetup::block == 0 && setup.chunk % StorageSetup::block == 0; }
};

/// The places that a chunk passes on a route, one after the other. `shown`: 0 to 1.
Panel places_panel(const Storage& lab, std::size_t route, double shown);
/// The routes: time, rate, and what they cost the CPU and its memory.
Panel routes_table(const Storage& lab);
/// The first chunks through the parts of the chosen route, to scale. `shown`: 0 to 1.
Panel schedule_panel(const Storage& lab, double shown);
/// How long each part works.
Panel parts_table(const Storage& lab);
/// The calls of the usual route and of cuFile.
Panel code_panel(const Storage& lab);
Panel call_table(const Storage& lab);
/// The blocks that the first chunk touches: what was asked for, and what is read too.
Panel blocks_panel(const Storage& lab);
Panel blocks_table(const Storage& lab);
/// Bytes per request against the rate of the three routes.
Panel chunks_panel(const Storage& lab);
/// The rate of one copying thread against the rate of the three routes.
Panel copy_panel(const Storage& lab);

}  // namespace warpwalk::story
