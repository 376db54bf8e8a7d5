#pragma once

// Parameters of the kernels for Fourier transforms. The host fills them in
// (instrumentation/simulated/libraries/cufft).

namespace stand_in::cufft {

/// What the elements of an array are.
enum Numbers : int {
  complex_numbers,
  real_numbers,
  half_spectrum,  ///< of a real signal: n / 2 + 1 complex numbers; the others are their conjugates
};

/// The format of an element's parts.
enum Storage : int { stored_as_computed, stored_as_half, stored_as_bfloat16 };

/// Where the elements of transforms are, in steps of elements. `outer` and `inner` are the dimensions of a transform
/// other than the one along which the kernel transforms.
struct Layout {
  void* at;
  long long batch, outer, inner, element;
  int numbers;  ///< Numbers
  int storage;  ///< Storage
};

/// One pass over all elements. It transforms lines of `length` elements, each in shared memory. A transform of
/// columns * length elements is one such pass for each of the factors of its length:
///
///   line `column` has the elements column + m * columns of its input, m < length;
///   they are multiplied by exp(-2 pi i * m * (column % done) / (done * length)), and transformed;
///   they become the elements (column / done) * done * length + column % done + m * done of its output.
struct Pass {
  Layout in, out;
  unsigned outer, inner;       ///< extents
  unsigned columns, length;    ///< their product is the length of the transform
  unsigned done;               ///< the product of the lengths of the passes before
  unsigned lines;              ///< batches * outer * inner * columns
  unsigned lines_per_block;    ///< at most `most_lines`
  int inverse;                 ///< not 0: with exp(+2 pi i ...)
  int load_across;             ///< not 0: neighbouring threads load the same element of neighbouring lines
  int store_across;            ///< likewise
  unsigned long long factors;  ///< of `length`, one per byte, the first in the lowest
};

inline constexpr unsigned most_lines = 128;

/// The transforms of a launch of Bluestein's algorithm: `count` of them, which `outer` and `inner` place.
struct Chirped {
  unsigned count, outer, inner;
  unsigned n, padded;  ///< elements of one, and of its convolution
  int inverse;
};

}  // namespace stand_in::cufft
