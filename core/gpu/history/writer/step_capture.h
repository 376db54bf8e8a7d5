#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/gpu/history/origin/backward_slice.h"

namespace warpwalk::gpu {

/// Reads the registers of the steps of a slice, for all of their lanes, and the memory that they read, while the group
/// runs again.
class StepCapture final : public GroupObserver {
 public:
  StepCapture(const Program& program, const std::vector<OperationFlow>& flows, const Options& options,
              const OperationLog& log, const BackwardSlice& slice);

  struct Values {
    std::vector<std::uint64_t> of_lanes;  ///< of SliceStep::lanes, ascending
    std::uint8_t bytes = 0;               ///< 0: not known
  };
  const std::vector<Values>& values() const { return values_; }  ///< by step
  struct Memory {
    std::uint64_t value = 0;
    bool known = false;
  };
  const std::vector<Memory>& memory() const { return memory_; }  ///< by BackwardSlice::stops

 private:
  void begin(const Machine& machine, const Op& op, const OperationLog::Entry& entry) override;
  void end(const Machine& machine, const Op& op, bool happened) override;
  void read_values(const Machine& machine, const Op& op, OperationFlow::Kind kind);
  void read_memory(const Machine& machine, std::size_t stop);

  const OperationLog& log_;
  const BackwardSlice& slice_;
  std::map<std::size_t, std::size_t> by_entry_;            ///< step of an entry
  std::map<std::size_t, std::vector<std::size_t>> stops_;  ///< of an entry
  std::vector<Values> values_;
  std::vector<Memory> memory_;
};

}  // namespace warpwalk::gpu
