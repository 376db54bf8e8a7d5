#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "instrumentation/simulated/libraries/cufft/abi.h"
#include "kernels/libraries/cufft/pass.h"

namespace warpwalk::simulated::libraries {

/// Where a kernel of a plan reads or writes: the program's arrays, or parts of the work area.
enum class FftBuffer : std::uint8_t { input, output, spectrum, first, second };
inline constexpr std::size_t fft_buffers = 5;

/// One launch. Its layouts have no addresses yet.
struct FftStep {
  enum class Kind : std::uint8_t { pass, chirp_in, multiply, chirp_out } kind = Kind::pass;
  FftBuffer in = FftBuffer::input, out = FftBuffer::output;
  stand_in::cufft::Pass pass{};        ///< of all kinds: `in` and `out`
  stand_in::cufft::Chirped chirped{};  ///< of Bluestein's algorithm
  const void* table = nullptr;
};

/// The launches of a plan, in order.
struct FftSteps {
  std::vector<FftStep> steps;
  std::array<std::size_t, fft_buffers> bytes{};  ///< of the parts of the work area
};

/// Bytes of an element.
std::size_t fft_element_bytes(FftData data);
/// Whether the data type is complex, and whether it has double precision.
bool fft_is_complex(FftData data);
bool fft_is_wide(FftData data);

/// Plans a transform. `inverse`: its direction. `in_place`: input and output are the same memory, so real rows of the
/// basic layout are padded (cuFFT library, data layout). Nothing if there is no memory for tables, or too many lines.
std::optional<FftSteps> plan_steps(const FftRequest& request, bool inverse, bool in_place);

}  // namespace warpwalk::simulated::libraries
