#pragma once

#include <cstdint>
#include <string_view>

#include "instrumentation/rows.h"

namespace warpwalk::recording {

/// Where rows go, and who numbers their names.
class RowReceiver {
 public:
  virtual ~RowReceiver() = default;
  /// The number of this text, new or known; 0 is the empty text.
  virtual std::uint32_t name(std::string_view text) = 0;
  virtual void add(const Row& row) = 0;
};

/// What CUPTI calls a function of the CUDA runtime or driver.
class CallNames {
 public:
  virtual ~CallNames() = default;
  /// `domain` is cupti::Domain. Empty where CUPTI does not know it.
  virtual std::string_view name(std::uint32_t domain, std::uint32_t cbid) = 0;
};

/// One record of CUPTI's activity stream (see cupti_abi.h) as a row. False where it is of a kind that is not recorded.
bool decode_activity(const void* record, CallNames& calls, RowReceiver& to);

}  // namespace warpwalk::recording
