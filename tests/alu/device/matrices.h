#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The forms of mma that are compared with a GPU's results.
namespace warpwalk::device_forms {

enum class Element { f16, bf16, tf32, f64, s8, u8, e4m3, e5m2, f32, s32 };

struct MatrixForm {
  std::string instruction;
  Element a, b, c, d;
  int a_registers, b_registers, c_registers, d_registers;  ///< number of 32-bit registers (64-bit for f64)
  int lowered = 0;  ///< lowers the exponents of a and b, so that results are near the least normal number
};

std::vector<MatrixForm> matrix_forms();

/// The name of the form, its key in recorded files.
std::string name_of(const MatrixForm& form);

/// The number of warps, each with its own matrices.
constexpr int trials = 256;

/// Register r of trial t, lane l is element (t * 32 + l) * registers + r, with a's registers first, then b's, then c's.
/// Each slot has 8 bytes.
std::vector<std::uint64_t> matrix_inputs(const MatrixForm& form);

/// Kernels m0, m1, ... with parameters in and out (u64). Each block of 32 threads is one trial. Results have the same
/// layout, with d's registers.
std::string matrix_text(const std::vector<MatrixForm>& forms, std::vector<int>& lines, int lines_before);

}  // namespace warpwalk::device_forms
