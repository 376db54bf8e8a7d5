#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/memory/memory.h"
#include "core/gpu/exec/memory/memory_observer.h"
#include "core/gpu/timing/stall_reason.h"

namespace warpwalk::gpu {

/// What an SM is given from outside: a block to run, or a response of the memory system.
struct SmInput {
  double time = 0;       ///< cycle
  std::uint64_t id = 0;  ///< block: its index in the grid; response: the request that it answers
  bool block = false;
};

/// All that one SM is given during a launch, in order. An epoch is the time during which SMs run on their own; inputs
/// come between two epochs.
struct SmInputs {
  std::vector<SmInput> inputs;
  std::vector<std::uint32_t> before_epoch;  ///< by epoch: number of inputs that the SM has before it
};

/// Contents of global memory that a recorded SM finds because another SM wrote them.
struct MemoryPatch {
  std::uint64_t access = 0;  ///< number of the access to writable global memory, of all recorded SMs, that finds it
  std::size_t region = 0;    ///< index into Memory::regions()
  std::uint64_t offset = 0;
  std::vector<std::uint8_t> bytes;
};

/// Activity of one SM in a stretch of time.
struct SmActivity {
  std::uint32_t issued = 0;  ///< warp instructions
  float warps = 0;           ///< resident, mean over the stretch
};

/// What is needed to run some SMs of a launch again, without the others, and to see exactly the same.
struct LaunchRecord {
  std::vector<std::uint16_t> sms;   ///< recorded SMs, ascending
  std::vector<SmInputs> inputs;     ///< of each of them
  std::vector<StallCycles> stalls;  ///< of each of them, over the whole launch
  std::vector<MemoryPatch> patches;
  std::int64_t epoch = 0;   ///< cycles per epoch
  std::int64_t epochs = 0;  ///< number of epochs that the launch took
  double end = 0;           ///< cycle in which the last block of the recorded SMs ended or its last store was confirmed
  std::int64_t stretch = 0;          ///< cycles per entry of `activity`
  std::vector<SmActivity> activity;  ///< of all SMs: entry stretch * sm_count + sm
  std::uint32_t sm_count = 0;
};

/// Fills a LaunchRecord while a launch runs. As the observer of the host thread that runs the recorded SMs, it finds
/// the words that they read and others wrote.
class LaunchRecorder final : public MemoryObserver {
 public:
  explicit LaunchRecorder(std::uint16_t sm) : sm_(sm) {}

  /// `sms`: to record, ascending: the SM, and those with which it shares clusters. They run on one host thread.
  void begin(const Memory& memory, std::vector<std::uint16_t> sms, std::int64_t epoch, std::uint32_t sm_count);
  /// `sm` runs on the observed thread from now on.
  void runs(std::size_t sm);
  /// Another observer of the same thread.
  void also_tell(MemoryObserver* next) { next_ = next; }
  void before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) override;

  void block_started(std::uint16_t sm, std::uint64_t block, double time) { add(sm, {time, block, true}); }
  void response_came(std::uint16_t sm, std::uint32_t request, double time) { add(sm, {time, request, false}); }
  /// Before each epoch.
  void epoch_begins();
  /// After each epoch: instructions that each SM has issued and warp-cycles that it has had since the launch began.
  void epoch_ended(const std::vector<std::uint64_t>& issued, const std::vector<double>& warp_cycles);

  bool records(std::size_t sm) const { return index_of(sm) >= 0; }
  std::uint16_t sm() const { return sm_; }
  LaunchRecord& record() { return record_; }

 private:
  void add(std::uint16_t sm, const SmInput& input);
  int index_of(std::size_t sm) const;
  void patch(std::size_t region, std::uint64_t first_word, std::uint64_t last_word);
  void halve_activity();

  const std::uint16_t sm_;
  LaunchRecord record_;
  const Memory* memory_ = nullptr;
  MemoryObserver* next_ = nullptr;
  std::vector<std::vector<bool>> foreign_;  ///< by region and word: written by other SMs since a recorded one read it
  bool recorded_ = false;                   ///< a recorded SM is running
  std::uint64_t accesses_ = 0;
  std::vector<std::uint64_t> issued_;  ///< at the end of the last stretch
  std::vector<double> warp_cycles_;
};

}  // namespace warpwalk::gpu
