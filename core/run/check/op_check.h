#pragma once

// This folder checks whether the result of an op on a GPU is right. Errors in a kernel are found by core/gpu/exec.

#include <cstdint>
#include <string>

namespace warpwalk::run {

/// Compares one op's result on the GPU with the cpu backend's result on the same inputs.
struct OpCheck {
  std::string op, kernel;  ///< "aten::mm", "matmul_tiled"
  std::uint64_t elements = 0, mismatches = 0;
  double max_abs_error = 0;
  double max_error_share = 0;  ///< the largest error relative to the allowed error of its element; infinite if no
                               ///< error is allowed
  std::string allowed;         ///< "to the bit", "2 ulp", "k 2^-24 sum |a||b|"
  std::string reason;          ///< reason for that tolerance, one sentence
};

/// The comparison of an op's result with the cpu's as text: "16384 elements, all equal to the bit".
std::string check_text(const OpCheck& check);

}  // namespace warpwalk::run
