#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/exec/launch.h"

namespace warpwalk::both_paths {

/// An instruction form: one or a few PTX instructions whose registers are named by the kind of their values.
///
/// Small letters are inputs: r a 32-bit integer, s a 16-bit or 8-bit one, d a 64-bit one, n a shift amount or count,
/// f f32, g f64, h f16, k bf16, x f16x2, y bf16x2, p a predicate, q 128 bits. Capitals are outputs of the same kinds.
/// %a0, %c0, %w0, %v0 and %l0 are addresses of 64 bytes of the thread: global, generic, shared, generic of shared, local.
/// %u0 is a global address that eight lanes share.
struct Form {
  std::string text;
  std::vector<std::string> registers;  ///< each once, such as "r1"; outputs are stored in this order

  explicit Form(std::string instruction);
  bool is_output(std::size_t i) const { return registers[i][0] >= 'A' && registers[i][0] <= 'Z'; }
};

inline constexpr std::uint32_t threads = 256;

/// A kernel with the parameters (inputs, outputs, memory) that executes the forms one after another, each with outputs
/// and memory of its own.
std::string kernel_text(std::span<const Form> forms, std::string_view name);
/// The lines before the kernels of a module.
std::string module_head(std::string_view architecture);

/// A launch of such a kernel. The inputs are edge values of their kinds, then random values.
gpu::Launch launch_of_forms(std::size_t count);

/// Compares the buffers after two runs. Two NaNs of the same format are equal. Returns "" or the first difference.
std::string difference(std::span<const Form> forms, const gpu::Launch& one, const gpu::Launch& other);

}  // namespace warpwalk::both_paths
