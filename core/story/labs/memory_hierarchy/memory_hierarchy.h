#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/device_match.h"
#include "core/records/hardware.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {

constexpr std::string_view memory_hierarchy_name = "lab/memory-hierarchy";
constexpr std::string_view memory_hierarchy_words = "lab/memory-hierarchy.word";
constexpr std::string_view measured_gpu = "h200";  // of the pointer chase, and of memory that is only read

/// A level of the memory.
struct MemoryLevel {
  std::string key;
  double bytes = 0;   ///< that one SM can reach there
  double cycles = 0;  ///< of one access
  const gpu::IntParameter* latency = nullptr;
};

/// The description that is shown, its levels, and the chased buffer that is chosen.
struct MemoryLab {
  const SceneInput& input;
  ControlSet controls{input, memory_hierarchy_name};
  const gpu::Device* device = nullptr;
  std::vector<MemoryLevel> levels;
  std::size_t buffer = 0;
  const records::ChasedBuffer* chased = nullptr;  ///< null without a record
  int addresses = 4;                              ///< that the lanes of a warp load from constant memory

  explicit MemoryLab(const SceneInput& in) : input(in) {
    std::vector<std::string> names;
    for (const gpu::Device& one : in.hardware.devices) names.push_back(short_gpu_name(one));
    const analysis::DeviceMatch match = analysis::device_of(in.trace, in.walk, in.hardware.devices);
    const std::string own = match.device ? match.device->id : std::string(measured_gpu);
    device = &in.hardware.devices[controls.choice("device", names, gpu_index(in.hardware, own), "walk")];
    add("registers", 4.0 * static_cast<double>(*device->registers_per_sm), device->latency_alu);
    add("shared", static_cast<double>(*device->shared_per_sm), device->latency_shared);
    add("l1", value(device->l1_bytes), device->latency_l1);
    add("l2", value(device->l2_bytes), device->latency_l2);
    add("memory", value(device->memory_bytes), device->latency_memory);
    addresses = static_cast<int>(controls.slider("addresses", steps_by(1, 32, 1), 4, "example"));
    const std::vector<records::ChasedBuffer>& chase = in.hardware.chase;
    if (chase.empty()) return;
    std::vector<double> steps;
    for (std::size_t i = 0; i < chase.size(); ++i) steps.push_back(chase[i].bytes / 1024);
    const std::int64_t set =
        controls.slider("size", steps, static_cast<std::int64_t>(steps[chase.size() / 2]), "example", "KiB");
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (std::llround(steps[i]) == set) buffer = i;
    chased = &chase[buffer];
  }

  static double value(const gpu::IntParameter& parameter) { return parameter ? static_cast<double>(*parameter) : 0; }
  void add(std::string key, double bytes, const gpu::IntParameter& latency) {
    if (bytes > 0 && latency) levels.push_back({std::move(key), bytes, static_cast<double>(*latency), &latency});
  }
  double clock_ghz() const { return *device->sm_clock / 1e9; }
  /// The level that holds a buffer of this size; the last one for larger ones.
  const MemoryLevel& level_of(double bytes) const {
    for (const MemoryLevel& level : levels)
      if (level.key != "registers" && level.key != "shared" && bytes <= level.bytes) return level;
    return levels.back();
  }
  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text(memory_hierarchy_words, key, values);
  }
};

/// Constant memory: the code, the lanes with the address of each, and cycles by the number of addresses.
PanelRows constant_panels(const MemoryLab& lab);
void constant_facts(const MemoryLab& lab, FactWriter& facts);
void constant_values(const MemoryLab& lab, Narration::Values& values);
/// Texture memory: an image read by rows and by columns, and what a texture is for.
PanelRows texture_panels(const MemoryLab& lab);
void texture_facts(const MemoryLab& lab, FactWriter& facts);
void texture_values(const MemoryLab& lab, Narration::Values& values);
/// Why the two have nothing to show; nothing if they have.
std::optional<MissingData> read_only_missing(const MemoryLab& lab);

/// A table of words from the section [lab/memory-hierarchy.TABLE], a key ROW_COLUMN for each cell.
Panel words_table(const MemoryLab& lab, std::string_view table_key, std::initializer_list<std::string_view> rows,
                  std::initializer_list<std::string_view> columns);

}  // namespace warpwalk::story
