#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/gpu/exec/memory/memory.h"
#include "core/gpu/exec/memory/memory_observer.h"
#include "core/gpu/timing/cache_start.h"
#include "core/gpu/timing/memory_request.h"
#include "core/gpu/timing/stall_reason.h"

namespace warpwalk::gpu {

/// An input of an SM: a block to run, or a response of the memory system.
struct SmInput {
  double time = 0;       ///< cycle
  std::uint64_t id = 0;  ///< block: its index in the grid; response: the request that it answers
  bool block = false;
  DataSource source = DataSource::l2;  ///< of a response's data
};

/// Contents of global memory that an SM finds because another SM wrote them.
struct MemoryPatch {
  std::uint64_t access = 0;  ///< number of the SM's access to writable global memory that finds it, from 1
  std::uint32_t region = 0;  ///< index into Memory::regions()
  std::uint64_t offset = 0;
  std::vector<std::uint8_t> bytes;
};

/// All inputs of one SM during a launch, and its results. An epoch is the time during which SMs run on their own;
/// inputs come between two epochs.
struct SmRecord {
  std::vector<SmInput> inputs;
  std::vector<std::uint32_t> before_epoch;  ///< by epoch: number of inputs that the SM has before it
  std::vector<MemoryPatch> patches;         ///< in the order of their accesses
  StallCycles stalls{};                     ///< of the whole launch
  double end = 0;                           ///< cycle in which its last block ended, or its last store was confirmed
};

/// Activity of one SM in a stretch of time.
struct SmActivity {
  std::uint32_t issued = 0;  ///< warp instructions
  float warps = 0;           ///< resident, mean over the stretch
};

/// The data to run any SM of a launch again without the others, with exactly the same result.
struct LaunchRecord {
  std::vector<SmRecord> sms;
  /// By SM: SMs with the same number share thread block clusters, so they must run together.
  std::vector<std::uint16_t> group;
  CacheStart caches = CacheStart::cold;
  std::int64_t epoch = 0;            ///< cycles per epoch
  std::int64_t epochs = 0;           ///< number of epochs that the launch took
  std::int64_t stretch = 0;          ///< cycles per entry of `activity`
  std::vector<SmActivity> activity;  ///< entry stretch * sms.size() + sm
};

/// Fills a LaunchRecord while a launch runs.
class LaunchRecorder {
 public:
  /// The observer of one host thread. Finds the words that its SMs read and others wrote. Words that SMs of other
  /// threads write are not read here, or the launch is run again on one thread.
  class Thread final : public MemoryObserver {
   public:
    Thread(LaunchRecorder& recorder, const Memory& memory, MemoryObserver* next);
    /// This SM runs on the thread from now on.
    void runs(std::size_t sm) { sm_ = sm; }
    void before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) override;

   private:
    static constexpr std::uint16_t nobody = 0xffff;
    void patch(std::size_t region, std::uint64_t first_word, std::uint64_t last_word);
    LaunchRecorder& recorder_;
    const Memory& memory_;
    MemoryObserver* const next_;
    std::size_t sm_ = 0;
    std::vector<std::vector<std::uint16_t>> writers_;  ///< by region and word: the SM that wrote it last
  };

  void begin(std::vector<std::uint16_t> groups, std::int64_t epoch);
  void block_started(std::uint16_t sm, std::uint64_t block, double time) {
    record_.sms[sm].inputs.push_back({time, block, true, DataSource::l2});
  }
  void response_came(std::uint16_t sm, const MemoryResponse& response) {
    record_.sms[sm].inputs.push_back({response.time, response.id, false, response.source});
  }
  /// Before each epoch.
  void epoch_begins();
  /// After each epoch: instructions that each SM has issued and warp-cycles that it has had since the launch began.
  void epoch_ended(const std::vector<std::uint64_t>& issued, const std::vector<double>& warp_cycles);

  LaunchRecord& record() { return record_; }

 private:
  void halve_activity();

  LaunchRecord record_;
  std::vector<std::uint64_t> accesses_;  ///< by SM, to writable global memory
  std::vector<std::uint64_t> issued_;    ///< at the end of the last stretch
  std::vector<double> warp_cycles_;
};

}  // namespace warpwalk::gpu
