#pragma once

#include <cstdint>
#include <string>

namespace warpwalk::run {

/// One op's result on the GPU against the cpu backend on the same inputs.
struct OpCheck {
  std::string op, kernel;  ///< "aten::mm", "matmul_tiled"
  std::uint64_t elements = 0, mismatches = 0;
  double max_abs_error = 0;
  double max_error_share = 0;  ///< the largest error as a share of what is allowed for its element; infinite if no
                               ///< error is allowed
  std::string allowed;         ///< "to the bit", "2 ulp", "k 2^-24 sum |a||b|"
  std::string reason;          ///< why that much, one sentence
};

}  // namespace warpwalk::run
