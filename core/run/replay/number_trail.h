#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/history/origin/origin.h"
#include "core/run/replay/time_travel.h"

namespace warpwalk::run {

/// A number of a kernel's result, which has `rows` times `columns` elements, one after the other.
struct NumberRequest {
  std::int64_t rows = 0, columns = 0;
  std::int64_t row = 0, column = 0;
  std::uint32_t element_bytes = 4;
  trace::SliceId next = trace::no_slice;  ///< a later kernel that computes element by element from the result
  friend bool operator==(const NumberRequest&, const NumberRequest&) = default;
};

/// A part of a launch's buffer.
struct BufferPlace {
  std::size_t buffer = 0;  ///< index into Launch::buffers
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;
};

/// What a later kernel makes of a number: one of its threads reads it and writes an element of its own result.
struct NextNumber {
  gpu::OriginWarp warp;
  int lane = 0;
  std::uint64_t read = 0, written = 0;  ///< bits
};

/// Where a number is on its way through a kernel, found by running the launch again (gpu/history/origin).
struct NumberTrail {
  NumberRequest request;
  std::uint64_t address = 0;         ///< in global memory
  std::uint64_t bits = 0;            ///< the number that the kernel left
  gpu::Origin origin;                ///< its store was found
  std::vector<BufferPlace> inputs;   ///< of each of origin.inputs; buffer: no_buffer if it is a constant or an argument
  std::vector<std::int64_t> cycles;  ///< by step of the origin: in which it was issued; -1: not simulated
  std::uint16_t sm = 0;              ///< of the block that stored the number
  gpu::WarpPlace warp;               ///< that stored it; its slot is 0 if its cycles were not simulated
  int lane = 0;
  std::optional<NextNumber> next;  ///< of NumberRequest::next, if that kernel can be run again
  static constexpr std::size_t no_buffer = ~std::size_t{0};

  const gpu::OriginStep& store() const { return origin.steps.back(); }
  /// The lowest lane of a step that counts.
  int lane_of(std::uint32_t step) const { return std::countr_zero(origin.steps[step].lanes); }
};

/// Finds the trail of a number. The result is the last buffer of its size that the kernel writes. `options`: for the
/// next kernel; its `cancel` ends the search, too. Fails with one sentence without its full stop, "cancelled" if it was
/// cancelled: the kernel writes no such buffer, or the search was cut off before the store was found.
base::Result<std::shared_ptr<const NumberTrail>> find_number_trail(const trace::Trace& trace, TimeTravel& travel,
                                                                   const History& history, const NumberRequest& request,
                                                                   const HistoryOptions& options);

}  // namespace warpwalk::run
