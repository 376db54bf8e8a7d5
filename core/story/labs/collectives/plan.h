#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpwalk::story {

constexpr int max_collective_gpus = 8;

/// What a place of a buffer holds: one chunk of the message, summed over the data of some GPUs.
struct ChunkSum {
  int chunk = 0;
  std::array<std::uint8_t, max_collective_gpus> parts{};  ///< by GPU: how often its data is in the sum

  bool empty() const;
  bool has(int gpu) const { return parts[static_cast<std::size_t>(gpu)] > 0; }
  /// The data of each of the first `gpus` GPUs is in the sum exactly once.
  bool complete(int gpus) const;
  friend bool operator==(const ChunkSum&, const ChunkSum&) = default;
};

/// The sum that holds only this GPU's data.
ChunkSum own_chunk(int gpu, int chunk);

/// One chunk on its way from a GPU to another one. All sends of a step read what their GPUs held before the step.
struct CollectiveSend {
  int step = 1;  ///< from 1
  int from = 0, to = 0;
  int source = 0;           ///< the place that is read
  int target = 0;           ///< the place that is written
  bool adds = false;        ///< the receiver adds it to what it has; else it replaces that
  bool from_input = false;  ///< read from the input buffer, which stays as it was
};

/// A collective operation as steps of sends between GPUs, each of which has `chunks` places.
struct CollectivePlan {
  int gpus = 2, chunks = 2;
  int steps = 0;
  std::vector<ChunkSum> start;        ///< gpus x chunks, GPU by GPU
  std::vector<CollectiveSend> sends;  ///< by step

  const ChunkSum& at_start(int gpu, int chunk) const { return start[index(gpu, chunk)]; }
  std::size_t index(int gpu, int chunk) const { return static_cast<std::size_t>(gpu * chunks + chunk); }
  /// Chunks that this GPU sends in all.
  int sent_by(int gpu) const;
  /// Bytes that the busiest GPU sends, as a multiple of the message.
  double busiest_share() const;
};

/// Each GPU begins with all chunks of its own data.
std::vector<ChunkSum> own_chunks(int gpus, int chunks);

/// Plays the first `steps` steps: what each place of each GPU holds afterwards, as in CollectivePlan::start.
std::vector<ChunkSum> sums_after(const CollectivePlan& plan, int steps);

/// `second` starts from what `first` leaves.
CollectivePlan one_after_the_other(const CollectivePlan& first, const CollectivePlan& second);

}  // namespace warpwalk::story
