#pragma once

#include <cstdint>
#include <string_view>

#include "instrumentation/rows.h"

namespace warpwalk::instrumentation {

/// Receives rows and assigns numbers to their names.
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// Returns the number of this text, assigning one if it is new; 0 is the empty text.
  virtual std::uint32_t name(std::string_view text) = 0;
  virtual void add(const Row& row) = 0;
};

/// Maps CUPTI's callback IDs to names of CUDA runtime and driver functions.
class CallNameTable {
 public:
  virtual ~CallNameTable() = default;
  /// `domain` is a cupti::Domain. Returns an empty name if CUPTI does not know the function.
  virtual std::string_view name(std::uint32_t domain, std::uint32_t cbid) = 0;
};

/// Converts one CUPTI activity record (see cupti_abi.h) to a row. Returns false if its kind is not recorded.
bool decode_activity(const void* record, CallNameTable& calls, RowSink& to);

}  // namespace warpwalk::instrumentation
