#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/gpu/alu/floating/number_format.h"

/// Vectors in formats whose elements share a scale: element = code * scale of its block.
namespace warpwalk::gpu::alu {

struct ScaledFormat {
  enum class Scale : u8 {
    none,  ///< elements are kept as they are
    f32,   ///< one FP32 scale per block
    e8m0,  ///< a power of two in 8 bits (OCP Microscaling Formats 1.0)
    e4m3,  ///< FP8 E4M3, times one FP32 scale of the whole vector (NVFP4)
  };
  std::string_view name;     ///< "NVFP4"
  std::string_view element;  ///< "FP4 E2M1", a name of number_formats()
  Scale scale = Scale::none;
  int block = 0;  ///< elements that share a scale; 0: the whole vector

  int block_scale_bits() const { return scale == Scale::none ? 0 : scale == Scale::f32 ? 32 : 8; }
};

/// FP16, BF16, INT8 and FP8 E4M3 with one scale, FP4 without a scale, MXFP4, NVFP4.
std::span<const ScaledFormat> scaled_formats();

struct ScaledVector {
  std::vector<u64> codes;      ///< patterns of the element format
  std::vector<double> scales;  ///< by block: factor of the codes' values
  std::vector<double> values;  ///< the quantised vector
  int block = 1;               ///< elements per scale
  int bits = 0;                ///< of all codes and scales
};

/// Chooses the scales from the largest magnitude of each block and rounds each element to the nearest code. MXFP4: the
/// scale is 2^(floor(log2(magnitude)) - 2), because 2 is the exponent of E2M1's largest number. NVFP4: magnitude / 6,
/// relative to a scale of the vector, chosen so that the largest magnitude has the scale 448.
ScaledVector quantised(const ScaledFormat& format, std::span<const double> values);

/// The sums after 1, 2 ... `count` additions of `term` to zero, rounded to `format` after each addition. Exact in its
/// rounding for formats of up to 32 bits.
std::vector<double> running_sums(const NumberFormat& format, double term, std::size_t count);

}  // namespace warpwalk::gpu::alu
