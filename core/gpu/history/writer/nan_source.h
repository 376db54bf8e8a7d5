#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/gpu/history/writer/who_wrote.h"

namespace warpwalk::gpu {

enum class NumberFormat : std::uint8_t { f16, bf16, f32, f64 };

/// Whether the lowest bytes of a register or of memory are a NaN. Of a register with two numbers of 16 bits, whether
/// one of both is.
bool is_nan(std::uint64_t bits, std::size_t bytes, NumberFormat format);

/// The instruction that a NaN came from: its result is a NaN, and nothing that it computed it from is.
struct NanSource {
  Writer writer;  ///< the answer that has the instruction; not written: the NaN was in memory before the launch
  std::uint32_t step = 0;  ///< index into writer.steps
  /// The steps that lead from the writer to it, without it: the last one uses its result. Functions of the compiler,
  /// such as that of a division, have no source lines; then the line of that step is the one to look at.
  std::vector<std::uint32_t> path = {};
  std::size_t asked = 0;  ///< answers that it took
};

/// Goes back from a NaN, through memory too, to the instruction that it came from. Fails as LaunchWriters::ask() does.
base::Result<NanSource> find_nan_source(LaunchWriters& writers, WriterQuestion question, NumberFormat format);

}  // namespace warpwalk::gpu
