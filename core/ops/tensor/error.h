#pragma once

#include <stdexcept>
#include <string>

namespace warpwalk::ops {

/// An op cannot compute with these tensors. The one-line message gives the problem, its place and a valid alternative.
/// Thrown by everything below the call of an op and caught by the caller (run_expression, tests).
class OpError : public std::runtime_error {
 public:
  explicit OpError(const std::string& line) : std::runtime_error(line) {}
};

}  // namespace warpwalk::ops
