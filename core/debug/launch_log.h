#pragma once

// This folder is a debugger without a user interface: it records a launch, stops at any instruction of any warp, goes
// forwards and backwards, and reads registers and memory. The verb `debug` speaks for it (app/verbs/debug).

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/gpu/exec/memory/memory.h"
#include "core/gpu/timing/sm_observer.h"

namespace warpwalk::debug {

/// An instruction that a warp issued.
struct LoggedIssue {
  std::uint32_t cycle = 0;
  std::uint32_t instruction : 24 = 0;  ///< index into Program::sources
  std::uint32_t slot : 8 = 0;          ///< of the warp
  std::uint32_t lanes = 0;             ///< active
  std::uint32_t executing = 0;         ///< of these, the lanes that are not predicated off
};

/// The lanes of an access, and where they access memory in relation to the lowest of them. Most accesses of a kernel
/// share a few patterns.
struct AccessPattern {
  std::uint32_t mask = 0;  ///< 0: a bulk copy of `span` bytes
  std::uint32_t span = 0;  ///< bytes from the lowest address to the end of the highest
  std::array<std::uint32_t, 32> offsets{};
  friend bool operator==(const AccessPattern&, const AccessPattern&) = default;
};

/// An access to memory of an issued instruction, or a bulk copy.
struct AccessRow {
  using Space = gpu::LoggedAccess::Space;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint64_t low = 0;        ///< the lowest address
  std::uint32_t issue = 0;      ///< index into SmLog::issues()
  std::uint32_t pattern = 0;    ///< SmLog::pattern_of()
  std::uint32_t values = none;  ///< writes of global memory: index of the bytes that were there afterwards
  std::uint8_t bytes = 4;       ///< per lane
  Space space = Space::global;
  bool writes = false, atomic = false;
};

/// The log of one SM: each instruction that it issued in a launch, with its memory accesses.
class SmLog final : public gpu::SmObserver {
 public:
  explicit SmLog(const gpu::Memory& memory) : memory_(memory) {}

  const std::vector<LoggedIssue>& issues() const { return issues_; }
  const std::vector<AccessRow>& accesses() const { return accesses_; }
  /// The warp that issued.
  gpu::WarpPlace warp_of(std::size_t issue) const;
  /// The first issue at a cycle or later.
  std::size_t first_at(std::int64_t cycle) const;
  /// The issue of the same warp after or before this one, of any lanes or of one lane; nullopt if there is none.
  std::optional<std::size_t> next_of_warp(std::size_t issue, int lane = -1) const;
  std::optional<std::size_t> previous_of_warp(std::size_t issue, int lane = -1) const;
  /// The first issue of a warp at a cycle or later; nullopt if there is none.
  std::optional<std::size_t> first_of_warp(std::uint64_t block, std::uint32_t warp, std::int64_t cycle) const;
  /// The last issue of a warp; nullopt if there is none.
  std::optional<std::size_t> last_of_warp(std::uint64_t block, std::uint32_t warp) const;
  /// The accesses of an issue.
  std::span<const AccessRow> accesses_of(std::size_t issue) const;
  const AccessPattern& pattern_of(const AccessRow& access) const { return patterns_[access.pattern]; }
  /// Whether it may touch any of these bytes.
  bool near(const AccessRow& access, std::uint64_t address, std::uint64_t bytes) const {
    return address < access.low + patterns_[access.pattern].span && access.low < address + bytes;
  }
  /// The address that a lane of the mask accesses.
  std::uint64_t address_of(const AccessRow& access, int lane) const;
  /// The lanes that access any of these bytes; of a bulk copy 1.
  std::uint32_t lanes_touching(const AccessRow& access, std::uint64_t address, std::uint64_t bytes) const;
  /// Copies what an access of global memory left into bytes from `address` on; the others stay.
  void copy_written(const AccessRow& access, std::uint64_t address, std::span<std::uint8_t> into) const;
  /// Bytes of the host's memory, about.
  std::size_t bytes() const;

  void issued(const gpu::IssuedInstruction& what, const std::vector<gpu::LoggedAccess>& accesses) override;
  void copied(const std::vector<gpu::LoggedBulk>& copies) override;
  void spent(const gpu::WarpPlace&, std::int64_t, std::int64_t, gpu::StallReason, std::uint32_t) override {}
  void answered(const gpu::RequestTrip&) override {}
  void returned(const gpu::WarpPlace&, std::int64_t, unsigned, std::uint32_t, bool) override {}

 private:
  /// A warp took a slot at this issue.
  struct Arrival {
    std::size_t issue = 0;
    gpu::WarpPlace warp;
  };
  std::uint32_t number_of(const AccessPattern& pattern, std::uint32_t instruction);
  void keep_values(AccessRow& row, std::uint64_t address, std::uint64_t bytes);
  std::optional<std::pair<std::size_t, std::size_t>> range_of(std::uint64_t block, std::uint32_t warp) const;

  const gpu::Memory& memory_;  ///< used while the launch is recorded
  std::vector<LoggedIssue> issues_;
  std::vector<AccessRow> accesses_;
  std::vector<AccessPattern> patterns_;
  std::vector<std::uint32_t> last_patterns_;                               ///< by instruction: the one that it had last
  std::unordered_multimap<std::uint64_t, std::uint32_t> pattern_numbers_;  ///< by hash
  std::vector<std::uint8_t> values_;
  std::vector<std::vector<Arrival>> arrivals_;  ///< by slot
};

/// The logs of all SMs, by number.
using LaunchLog = std::vector<std::unique_ptr<SmLog>>;

}  // namespace warpwalk::debug
