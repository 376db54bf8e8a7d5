#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/gpu/exec/machine/launch_observer.h"
#include "core/gpu/exec/machine/machine.h"
#include "core/gpu/history/origin/operation_flow.h"

namespace warpwalk::gpu {

/// A warp of a launch.
struct OriginWarp {
  std::uint64_t block = 0;  ///< index in the grid
  std::uint32_t warp = 0;   ///< index in the block
  friend bool operator==(const OriginWarp&, const OriginWarp&) = default;
};

/// A point in a launch: before a warp issues an instruction.
struct LaunchMoment {
  OriginWarp warp;
  std::uint32_t instruction = 0;  ///< index into Program::sources
  std::uint32_t occurrence = 0;   ///< how often the warp has issued it before
  friend bool operator==(const LaunchMoment&, const LaunchMoment&) = default;
};

/// What a lane accessed of memory that counts for a number.
struct OriginAccess {
  std::uint8_t lane = 0;
  std::uint64_t address = 0;  ///< lowest byte
  std::uint32_t bytes = 0;
  std::uint64_t source = 0;  ///< of a copy from memory to memory: what `address` was copied from; else 0
};

/// Operations that the warps of some blocks ran, in their order, with what is not known from the program alone:
/// executing lanes, addresses, partners of an exchange.
struct OperationLog {
  static constexpr std::uint32_t nothing = 0xffffffff;

  struct Entry {
    std::uint32_t op = 0;          ///< index into Program::ops
    std::uint32_t warp = 0;        ///< index into `warps`
    std::uint32_t lanes = 0;       ///< executing; of an exchange: those that took part
    std::uint32_t frame = 0;       ///< byte offset of the function's registers in Warp::registers
    std::uint32_t occurrence = 0;  ///< how often the warp had issued the instruction before
    std::uint32_t values = 0;      ///< index into `values`; by kind, see operation_log.cpp
  };
  std::vector<Entry> entries;
  std::vector<std::uint64_t> values;
  std::vector<OriginWarp> warps;
  bool full = false;  ///< it has reached its limit; what came after is not in it

  std::size_t bytes() const { return entries.size() * sizeof(Entry) + values.size() * sizeof(std::uint64_t); }
};

/// How often each group of blocks has written some bytes of global memory.
class WriteCounts {
 public:
  struct Writer {
    std::uint64_t group = 0;   ///< its first block
    std::uint64_t writes = 0;  ///< of the group, to the byte, so far
  };
  void watch(std::uint64_t byte) { last_[byte]; }
  /// The group that runs writes or changes a range.
  void note(std::uint64_t group, std::uint64_t address, std::uint64_t bytes);
  /// The last writer of a byte; null if none has written it.
  const Writer* last(std::uint64_t byte) const;

 private:
  std::map<std::uint64_t, std::vector<Writer>> last_;  ///< by watched byte: the writers, the last one at the end
};

/// Watches some bytes of global memory for writes, and the operations of one group of blocks (a cluster, or a single
/// block) that can change a value. They are numbered in their order.
class GroupObserver : public LaunchObserver {
 public:
  static constexpr std::uint64_t no_group = ~std::uint64_t{0};
  struct Options {
    std::uint64_t group = no_group;             ///< first block of the group; no_group: none is watched
    const std::atomic<bool>* cancel = nullptr;  ///< of the caller
    bool stops_behind_group = false;            ///< the rest of the launch is not needed
  };
  GroupObserver(const Program& program, const std::vector<OperationFlow>& flows, const Options& options)
      : program_(program), flows_(flows), options_(options) {}

  /// For SimulateOptions::cancel.
  const std::atomic<bool>& stop() const { return stop_; }
  WriteCounts& writes() { return writes_; }
  const WriteCounts& writes() const { return writes_; }

  bool enters(const Machine& machine) final;
  void before(const Machine& machine, const Op& op) final;
  void after(const Machine& machine, const Op& op) final;
  void exchanged(std::uint32_t together, const std::array<std::uint32_t, 32>& sources) final;
  void copied(const CopiedPiece& piece) final;
  void before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) final;

 protected:
  /// A warp of the group begins an instruction, before its operations.
  virtual void issues(const LaunchMoment&) {}
  /// Entry::values is not set.
  virtual void begin(const Machine&, const Op&, const OperationLog::Entry&) {}
  /// `happened`: false if its lanes wait for others; it then comes again, with the same number.
  virtual void end(const Machine&, const Op&, bool /*happened*/) {}
  virtual void exchange(std::uint32_t /*together*/, const std::array<std::uint32_t, 32>& /*sources*/) {}
  virtual void copy(const CopiedPiece&) {}
  /// Before a watched byte or another one of global memory is written by the group.
  virtual void write(std::uint64_t /*address*/, std::uint64_t /*bytes*/) {}
  /// Ends the run: what follows is not needed.
  void stop_run() { stop_ = true; }

  const Program& program_;
  const std::vector<OperationFlow>& flows_;
  std::vector<OriginWarp> warps_;
  std::size_t number_ = 0;  ///< of the current operation

 private:
  struct WarpState {
    std::uint32_t last = no_index;         ///< the op before
    std::vector<std::uint32_t> issued;     ///< by instruction
    std::uint32_t instruction = no_index;  ///< the current one
  };
  const Options options_;
  std::atomic<bool> stop_{false};
  WriteCounts writes_;
  const Memory* memory_ = nullptr;
  std::uint64_t group_ = no_group;  ///< that runs
  bool seen_ = false;               ///< the watched group has run
  std::vector<WarpState> states_;   ///< by index into warps_
  std::uint32_t warp_ = 0;          ///< the one that has its turn
  bool inside_ = false;             ///< between before() and after() of an operation that is told
  bool happened_ = false;
};

/// Logs the operations of a group.
class OperationLogger final : public GroupObserver {
 public:
  /// `limit`: bytes of the log.
  OperationLogger(const Program& program, const std::vector<OperationFlow>& flows, const Options& options,
                  std::size_t limit)
      : GroupObserver(program, flows, options), limit_(limit) {}
  /// Notes how many entries there are at a moment.
  void mark(const LaunchMoment& moment) { moment_ = moment; }
  /// That number; nullopt if the moment did not come, or after the log was full.
  std::optional<std::size_t> end_of_moment() const { return moment_end_; }
  /// Notes the entry with the nth write of the group to a byte, from 1.
  void mark(std::uint64_t byte, std::uint64_t nth) { marks_[byte].push_back({nth, 0}); }
  /// The index behind the entry that was marked; 0 if there was none, or if the log was full before it.
  std::size_t end_of(std::uint64_t byte, std::uint64_t nth) const;
  OperationLog take();

 private:
  void issues(const LaunchMoment& moment) override;
  void begin(const Machine& machine, const Op& op, const OperationLog::Entry& entry) override;
  void end(const Machine& machine, const Op& op, bool happened) override;
  void write(std::uint64_t address, std::uint64_t bytes) override;
  void exchange(std::uint32_t together, const std::array<std::uint32_t, 32>& sources) override;
  void copy(const CopiedPiece& piece) override;
  void add_addresses(const Machine& machine, const Op& op);
  void add_fragment(const Machine& machine, const Op& op);
  void add_group_product(const Machine& machine, const Op& op);

  struct Mark {
    std::uint64_t nth = 0;
    std::size_t end = 0;
  };
  OperationLog log_;
  const std::size_t limit_;
  std::map<std::uint64_t, std::vector<Mark>> marks_;  ///< by byte
  std::map<std::uint64_t, std::uint64_t> written_;    ///< writes of the group to marked bytes so far
  std::optional<LaunchMoment> moment_;
  std::optional<std::size_t> moment_end_;
  std::uint32_t local_before_ = 0;  ///< the caller's or callee's stack, before a call or return
};

/// Addresses in the log: bytes of global memory as they are; offsets in the shared window of the cluster, and in the
/// thread's local memory, with these bits.
constexpr std::uint64_t shared_tag = std::uint64_t{1} << 62, local_tag = std::uint64_t{1} << 63;

/// Layout of OperationLog::values for one copied piece.
constexpr std::size_t values_per_piece = 4;
constexpr std::uint64_t piece_combines = std::uint64_t{1} << 63;

}  // namespace warpwalk::gpu
