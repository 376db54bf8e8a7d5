#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Forms of mma that are compared with a GPU's results.
namespace warpwalk::device_forms {

enum class Element { f16, bf16, tf32, f64, s8, u8, e4m3, e5m2, f32, s32 };

struct MatrixForm {
  std::string instruction;
  Element a, b, c, d;
  int a_registers, b_registers, c_registers, d_registers;  ///< 32-bit ones, 64-bit ones of f64
  int lowered = 0;  ///< the exponents of a and b are so much lower, so that results are about the least normal number
};

std::vector<MatrixForm> matrix_forms();

/// What names the form in recorded files.
std::string name_of(const MatrixForm& form);

/// Warps, each with its own matrices.
constexpr int trials = 256;

/// Registers of trial t, lane l: element ((t * 32 + l) * registers + r), a's then b's then c's; one slot of 8 bytes
/// each.
std::vector<std::uint64_t> matrix_inputs(const MatrixForm& form);

/// Kernels m0, m1, ...: parameters in, out (u64); a block of 32 threads is a trial. Results likewise, d's registers.
std::string matrix_text(const std::vector<MatrixForm>& forms, std::vector<int>& lines, int lines_before);

}  // namespace warpwalk::device_forms
