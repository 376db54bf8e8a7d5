#pragma once

#include <stdexcept>
#include <string>

namespace warpwalk::ops {

/// An op that cannot be done with these tensors: one line, what, where, what would fit. Thrown by everything below a
/// call of an op, and caught where the call came from (run_expression, tests): an op has no half-made result.
class OpError : public std::runtime_error {
 public:
  explicit OpError(const std::string& line) : std::runtime_error(line) {}
};

}  // namespace warpwalk::ops
