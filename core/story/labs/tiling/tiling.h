#pragma once

// Common to all parts of the lab "tiling": the settings, the data derived from them, and the pictures.
#include <vector>

#include "core/gpu/device/device.h"
#include "core/records/lab_runs.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {

/// One step of a loop that copies a pair of tiles and then multiplies them; all times in the unit of the inputs.
struct OverlapStep {
  double copy_start = 0, copy_end = 0;
  double multiply_start = 0, multiply_end = 0;
};

/// When each step of such a loop runs if there are `buffers` pairs of tiles. Copies follow each other, and so do
/// multiplications. A multiplication waits for its copy; a copy waits until the multiplication that used its buffer
/// before has ended. With one buffer nothing overlaps.
std::vector<OverlapStep> overlapped(int steps, double copy, double multiply, int buffers);

/// c = a b of n x n FP32 elements by square tiles.
struct Tiling {
  static constexpr std::string_view name = "lab/tiling";
  static constexpr std::string_view gpu = "h200";
  static constexpr std::int64_t n = 1024;  ///< rows and columns of the measured launches
  /// The measured kernels, from the simplest one on: launch "tiling_KEY" of the labs' runs.
  static constexpr std::string_view kernels[] = {"naive", "tiled", "registers", "pipeline", "barrier"};
  static constexpr int steps = 8;  ///< that the picture of overlapping copies shows

  const SceneInput& input;
  ControlSet controls{input, name};
  const gpu::Device& device;
  std::int64_t tile = 0;          ///< rows and columns of a tile
  double copy = 0, multiply = 0;  ///< ns of a step
  int buffers = 1;

  explicit Tiling(const SceneInput& in);

  std::string word(std::string_view key, const Narration::Values& values = {}) const;
  /// Operations per second, rounded to a tenth: "24.3 TFLOP/s".
  std::string tflops_text(double flops) const;
  /// Operations per loaded byte: "13.9 FLOP/B".
  std::string intensity_text(double intensity) const;
  const records::LabRun* run(std::string_view kernel) const;
  bool recorded() const;

  static double flops() { return 2.0 * n * n * n; }
  /// Bytes that all blocks load of a and b if each element that a block loads is used by `tile` rows or columns.
  static double loaded(std::int64_t tile) { return 2.0 * n * n * n * 4 / static_cast<double>(tile); }
  /// Bytes of the two tiles in shared memory.
  static std::int64_t shared(std::int64_t tile) { return 2 * tile * tile * 4; }
  bool fits() const { return shared(tile) <= *device.shared_per_block_optin; }
  /// FP32 operations per second that all lanes can do, two per multiply-add.
  double peak() const;
  double bandwidth() const { return *device.memory_bandwidth; }
  /// Operations per second of a launch of so many cycles.
  double speed(double cycles) const { return flops() / cycles * *device.sm_clock; }
  double total(int with_buffers) const { return overlapped(steps, copy, multiply, with_buffers).back().multiply_end; }
};

/// The tiles of a, b or c that one block needs, with the pair that is in shared memory. `at`: 0 to 1 along k.
Panel matrix_panel(const Tiling& lab, char matrix, double at);
/// The edge of a tile against the bytes that all blocks load: derived, and as simulated for the five kernels.
Panel bytes_panel(const Tiling& lab);
/// Operations per loaded byte against operations per second.
Panel roofline_panel(const Tiling& lab);
Panel cycles_panel(const Tiling& lab);
Panel cycles_table(const Tiling& lab);
/// Copies and multiplications over time. `shown`: 0 to 1.
Panel overlap_panel(const Tiling& lab, double shown);
/// The calls of CUDA C++ that overlap copies, with their PTX and machine instructions.
Panel calls_panel(const Tiling& lab);
/// The settings' shared memory, bytes and time, for the tasks.
Panel settings_panel(const Tiling& lab);

}  // namespace warpwalk::story
