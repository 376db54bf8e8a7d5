#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/ops/dispatch/observer.h"
#include "core/ops/tensor/dtype.h"
#include "core/trace/records.h"

namespace warpwalk::run {

/// The allocations of a run, their names, and the origin of their contents.
class AllocationRecorder {
 public:
  /// `device`: the value of Allocation::device.
  AllocationRecorder(std::vector<trace::Allocation>& rows, std::int64_t device) : rows_(rows), device_(device) {}

  void change(const ops::MemoryChange& change, std::int64_t time);
  /// Row of the allocation at this address; nullopt if there is none.
  std::optional<std::size_t> row_at(std::uint64_t address) const;
  void name(std::size_t row, std::string name) { rows_[row].name = std::move(name); }

  /// Records what an allocation holds before the first kernel. `sha256`: digest of its bytes.
  void set_contents(trace::InitialBuffer initial, std::string sha256);
  /// The contents before a kernel runs, as elements of `dtype`; nullopt if the allocation was never written.
  std::optional<trace::InitialBuffer> content(std::size_t row, ops::DType dtype) const;
  /// Called after a kernel that can access this allocation. If the digest changed, the kernel wrote the allocation.
  void after_kernel(std::size_t row, const std::string& sha256);

 private:
  struct Content {
    std::optional<trace::InitialBuffer> initial;
    bool produced = false;
    std::string sha256;  // last known digest; empty if never written
  };

  std::vector<trace::Allocation>& rows_;
  std::int64_t device_ = 0;
  std::map<std::uint64_t, std::size_t> live_;  // by address
  std::map<std::size_t, Content> contents_;    // by row
};

}  // namespace warpwalk::run
