#pragma once

// This folder has the table of a trace's kernels: their launches, the work that the shapes of their ops give, and the
// peaks of the GPU. The page is in app/pages/kernels.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::analysis {

/// One argument of an op as the profiler recorded it.
struct OpArgument {
  bool tensor = false;              ///< it has sizes and an element type; else a number, a list or None
  std::vector<std::int64_t> sizes;  ///< of a tensor; empty for a tensor of one element without dimensions
  std::int64_t element = 0;         ///< bytes of one element
  std::int64_t distinct = 0;        ///< elements in memory: repeated ones (a stride of 0) count once
  std::string_view type;            ///< as the profiler names it: "float", "c10::Half"; points into the trace
  std::string concrete;             ///< the value of a number or a list: "1", "[1, 1]", "True"; empty: not recorded

  double count() const;
  /// Bytes of the tensor's elements in memory; 0 for anything else.
  double bytes() const { return static_cast<double>(distinct) * static_cast<double>(element); }
};

/// The arguments of an op, in the order of its schema. Empty if they were not recorded (record_shapes=True records
/// them).
class OpArguments {
 public:
  OpArguments() = default;
  explicit OpArguments(std::vector<OpArgument> all) : all_(std::move(all)) {}

  const std::vector<OpArgument>& all() const { return all_; }
  /// The tensor at this place; null if there is none.
  const OpArgument* tensor(std::size_t place) const;
  /// The numbers of a list of whole numbers, or one number; nullopt if it was not recorded or is something else.
  std::optional<std::vector<std::int64_t>> numbers(std::size_t place) const;
  std::optional<double> number(std::size_t place) const;
  /// True or False; nullopt if it was not recorded.
  std::optional<bool> flag(std::size_t place) const;
  /// A list of True and False.
  std::optional<std::vector<bool>> flags(std::size_t place) const;

 private:
  const std::string* concrete(std::size_t place) const;

  std::vector<OpArgument> all_;
};

/// Reads the recorded arguments. Whatever cannot be read is left out: sizes are 0 to 2^40, at most 16 of them.
OpArguments op_arguments(const trace::Trace& trace, const trace::OpDetail& detail);

/// The shapes of an op's tensors, "64 × 512, 512 × 1,024": at most `most` of them, then an ellipsis.
std::string op_shapes_text(const trace::Trace& trace, trace::SliceId op, std::size_t most = 4);

}  // namespace warpwalk::analysis
