#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/history/origin/origin.h"
#include "core/gpu/history/writer/launch_again.h"

namespace warpwalk::gpu {

/// Bytes of memory, or a register of one lane.
struct ValuePlace {
  enum class Kind : std::uint8_t { global, shared, local, lane_register };

  Kind kind = Kind::global;
  /// Shared memory: an offset in the window of the block's cluster. Local memory: an offset in the thread's. Register:
  /// the byte offset in Warp::registers of its values for the 32 lanes.
  std::uint64_t address = 0;
  std::uint32_t bytes = 4;
  OriginWarp warp = {};  ///< of local memory and of a register; of shared memory only its block
  int lane = 0;          ///< of local memory and of a register
  friend bool operator==(const ValuePlace&, const ValuePlace&) = default;
};

/// Who wrote the value of a place, as it is at a moment; without one, as the launch leaves it.
struct WriterQuestion {
  ValuePlace place;
  std::optional<LaunchMoment> before = {};
  /// Asks for an address instead: what place.lane computed the address and the guard from in its access at `before`.
  bool address = false;
};

/// An instruction that a value was written or computed by.
struct WriterStep {
  OriginStep step;
  std::vector<std::uint64_t> values = {};  ///< of its register, for each of step.lanes, ascending; empty: not known
};

/// Bytes of memory that a step read.
struct ReadBytes {
  std::uint32_t step = 0;  ///< index into Writer::steps
  ValuePlace place;        ///< `bytes` may be more than 8
  std::uint64_t value = 0;
  bool known = false;  ///< `value` is known: at most 8 bytes of global or shared memory
};

/// The instruction that wrote a value, and what it computed the value from: one step back.
struct Writer {
  /// The instructions of the writer's block (or cluster) that the value came through since it was last in memory, in
  /// the order in which they ran. The last one wrote it. Empty if the value was not written before the moment.
  std::vector<WriterStep> steps;
  std::vector<ReadBytes> reads;  ///< memory that these steps read: each is the place of a next question
  /// Not written: the first instruction of the block (or cluster) of the moment that writes it later, without its
  /// value.
  std::optional<WriterStep> later;
  /// Not written: the launch's buffer held the value before, or it was never written at all.
  enum class Before : std::uint8_t { input, uninitialized };
  Before before = Before::uninitialized;
  std::string incomplete;  ///< as Origin::incomplete
  std::size_t whole_runs = 0,
              group_runs = 0;  ///< of the launch and of single groups of blocks, for the answer

  bool written() const { return !steps.empty(); }
  const WriterStep& writer() const { return steps.back(); }
};

/// The next question: who wrote what a step read.
WriterQuestion question_about(const Writer& writer, const ReadBytes& read);
/// What the lowest lane of a step that accesses memory computed its address from. The answer's last step is that step.
WriterQuestion address_question(const WriterStep& step);

/// Answers who wrote what in one launch. The first answer runs the whole launch once; later ones run only the blocks
/// that they are about, unless these read what other blocks wrote before. Not to be used from several threads at once.
class LaunchWriters {
 public:
  /// `before`: with the contents of its buffers before the launch. The references must outlive it.
  LaunchWriters(const Device& device, const Program& program, const Launch& before,
                const std::atomic<bool>* cancel = nullptr);

  /// Returns a one-line message if the launch cannot be run, or "cancelled".
  base::Result<Writer> ask(const WriterQuestion& question);

  std::size_t log_bytes = std::size_t{512} << 20;  ///< of the operations of a group of blocks
  std::size_t max_steps = 4096;                    ///< instructions of an answer

 private:
  struct Target {
    std::uint64_t group = 0;   ///< its first block
    std::uint64_t writes = 0;  ///< the group's nth write to the byte; 0: the last before the moment or the end
  };
  /// The group that wrote a byte last, or as the last before a moment; nullopt if none did.
  base::Result<std::optional<Target>> last_writer(std::uint64_t byte, const std::optional<LaunchMoment>& before);
  base::Result<Writer> ask_group(const WriterQuestion& question, const Target& target);
  /// The entry that accesses memory at a moment, searched from `begin` on.
  std::optional<std::size_t> access_at(const LaunchMoment& moment, const OperationLog& log, std::size_t begin) const;
  Writer unwritten(const ValuePlace& place) const;

  const Program& program_;
  const Launch& before_;
  const std::vector<OperationFlow> flows_;
  LaunchAgain again_;
};

}  // namespace warpwalk::gpu
