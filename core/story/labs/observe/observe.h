#pragma once

// Common to all parts of the lab "observe": the settings, the data of the record, and the pictures.
#include "core/records/observer_record.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/observe/sampling.h"
#include "core/story/pictures/panels.h"

namespace warpwalk::story {

/// One instrument of the recorded moments.
struct Instrument {
  enum class Unit : unsigned char { percent, bytes, watts, time };
  std::string_view key;   ///< of its words
  std::string_view tool;  ///< in the record: "smi"
  std::string_view figure;
  Unit unit = Unit::percent;
  std::string_view whole = {};  ///< the tool's figure that it is a part of; empty: 100 percent
};

struct Observe {
  static constexpr std::string_view name = "lab/observe";
  /// The activities of the recorded program; all but the last kept 2 GiB in tensors and 4 GiB in its cache.
  static constexpr std::string_view moments[] = {"idle", "tiny", "small", "memory", "compute", "big"};
  static constexpr Instrument instruments[] = {
      {"utilization", "smi", "utilization.gpu"},
      {"memory_utilization", "smi", "utilization.memory"},
      {"used", "nvml", "used", Instrument::Unit::bytes, "total"},
      {"power", "smi", "power.draw", Instrument::Unit::watts},
      {"allocated", "torch", "memory_allocated", Instrument::Unit::bytes},
      {"reserved", "torch", "memory_reserved", Instrument::Unit::bytes},
      {"free", "torch", "mem_get_info_free", Instrument::Unit::bytes},
      {"busy", "profiler", "busy_us", Instrument::Unit::time, "span_us"},
      {"sm_active", "gpm", "sm_util"},
      {"occupancy", "gpm", "sm_occupancy"},
      {"tensor", "gpm", "tensor_util"},
      {"bandwidth", "gpm", "dram_util"},
      {"throughput", "ncu", "sm_throughput"},
      {"achieved", "ncu", "achieved_occupancy"},
  };
  /// Recorded kernels with long gaps: µs of the kernel, µs of the gap.
  static constexpr std::pair<double, double> bursts[] = {{100000, 300000}, {500000, 1500000}};
  static constexpr double warps_per_block = 4;  ///< of the kernels in tests/cuda/observe/duty.cu

  const SceneInput& input;
  const records::ObserverRecord* record;  ///< null if there is none
  ControlSet controls{input, name};
  std::size_t moment = 1, instrument = 0;
  DutyCycle duty;  ///< µs
  std::int64_t blocks = 1;
  std::size_t burst = 0;
  double window = 200, offset = 0;  ///< ms; the start of the first window

  explicit Observe(const SceneInput& in);

  double progress() const { return part(input.moment.phase, 0.05, 0.95); }  ///< of the beat's motion
  std::string word(std::string_view key, const Narration::Values& values = {}) const;
  std::string_view moment_key() const { return moments[moment]; }
  bool runs() const { return moment_key() != "idle" && moment_key() != "big"; }
  /// A figure of a moment; none if it was not recorded then.
  std::optional<double> number(std::string_view of_moment, const Instrument& one) const;
  std::optional<Figure> figure(std::string_view of_moment, const Instrument& one) const;
  /// A figure by the instrument's key, in percent: used memory of all memory, busy time of all time.
  std::optional<double> percent(std::string_view of_moment, std::string_view key) const;
  /// The same as a text, with the digits that the instrument reports.
  std::string shown(std::string_view of_moment, std::string_view key) const;
  double sms() const { return record == nullptr ? 132 : record->number("", "recording", "sms").value_or(132); }
  GpuShare gpu() const;

  static const Instrument& find(std::string_view key);
};

/// "0.703 %", "98.5 %".
std::string percent_text(double percent);

/// The recorded kernels with one length, gap and number of blocks.
struct MeasuredDuty {
  double blocks = 0, kernel_us = 0, gap_us = 0;
  double busy = 0;                                  ///< percent of the time in which a kernel ran
  std::vector<std::pair<double, double>> readings;  ///< ms and percent
  double utilization() const;                       ///< mean
  /// ms between two changes of the reading, the lower quartile, since a new value may equal the old one; none without
  /// changes.
  std::optional<double> renewed() const;
};
std::vector<MeasuredDuty> measured_duties(const records::ObserverRecord& record);

/// The reports of all instruments about the chosen moment. A click chooses an instrument.
Panel instruments_panel(const Observe& lab);
/// The meaning of the chosen instrument's figure, and its limits.
Panel meaning_panel(const Observe& lab);
/// The figures that are shares of something, for all moments.
Panel percent_panel(const Observe& lab, double shown);
/// The GPU's memory in cells of 1 GiB, by what holds it.
Panel memory_panel(const Observe& lab);
/// The same in figures, each with the instrument that reports it.
Panel memory_table(const Observe& lab);
/// Share of the time in which a kernel runs across, percent upwards: utilization, SMs with work, occupancy.
Panel duty_panel(const Observe& lab, double shown);
/// Kernels over time with windows, and what a counter reports that is set once per window.
Panel window_panel(const Observe& lab, double shown);
/// Launches per second with the profiler and without it.
Panel overhead_panel(const Observe& lab, double shown);
Panel overhead_table(const Observe& lab);
/// A card that opens the live view.
Panel live_panel(const Observe& lab);
/// The settings' figures, for the tasks.
Panel settings_panel(const Observe& lab);

}  // namespace warpwalk::story
