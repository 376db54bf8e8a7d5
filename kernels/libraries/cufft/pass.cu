// One pass of a fast Fourier transform: lines of elements, transformed in shared memory by Stockham's algorithm.

#include "butterflies.cuh"

namespace stand_in::cufft {

/// Multiplies by powers of the root of unity, transforms `radix` elements and sorts them in, for all lines of the
/// block. `done`: the product of the radices before. Stockham's order needs no reversal of bits.
template <int radix, class Real>
__device__ void combine(const Complex<Real>* from, Complex<Real>* to, unsigned lines, unsigned length, unsigned done,
                        const Complex<Real>* roots) {
  const unsigned distance = length / radix, step = distance / done;
  for (unsigned item = threadIdx.x; item < lines * distance; item += blockDim.x) {
    const unsigned line = item / distance * length, j = item % distance, k = j % done;
    Complex<Real> v[radix];
    v[0] = from[line + j];
#pragma unroll
    for (int m = 1; m < radix; ++m) v[m] = from[line + j + m * distance] * roots[m * k * step];
    transform(v);
    const unsigned first = line + (j / done) * done * radix + k;
#pragma unroll
    for (int m = 0; m < radix; ++m) to[first + m * done] = v[m];
  }
}

/// The same for any radix: each thread sums up one element.
template <class Real>
__device__ void combine_any(unsigned radix, const Complex<Real>* from, Complex<Real>* to, unsigned lines,
                            unsigned length, unsigned done, const Complex<Real>* roots) {
  const unsigned distance = length / radix, step = distance / done;
  for (unsigned item = threadIdx.x; item < lines * length; item += blockDim.x) {
    const unsigned line = item / length * length, place = item % length;
    const unsigned group = place / (done * radix), within = place % (done * radix);
    const unsigned first = line + group * done + within % done, turn = within * step;
    Complex<Real> sum{};
    for (unsigned q = 0, angle = 0; q < radix; ++q) {
      sum = sum + from[first + q * distance] * roots[angle];
      angle += turn;
      if (angle >= length) angle -= length;
    }
    to[item] = sum;
  }
}

/// exp(-2 pi i * part / whole)
template <class Real>
__device__ Complex<Real> root(unsigned part, unsigned whole) {
  Complex<Real> value;
  sincospi(-2 * (static_cast<Real>(part) / static_cast<Real>(whole)), &value.im, &value.re);
  return value;
}

/// `roots`: exp(-2 pi i k / length) for k < length.
template <class Real>
__global__ void fft_pass(Pass pass, const Complex<Real>* roots) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto* from = reinterpret_cast<Complex<Real>*>(memory);
  Complex<Real>* to = from + pass.lines_per_block * pass.length;
  __shared__ long long start_in[most_lines], start_out[most_lines];
  __shared__ unsigned column[most_lines];

  const unsigned first = blockIdx.x * pass.lines_per_block;
  const unsigned lines = min(pass.lines_per_block, pass.lines - first);
  const unsigned elements = lines * pass.length, total = pass.columns * pass.length;
  for (unsigned line = threadIdx.x; line < lines; line += blockDim.x) {
    const unsigned transform = (first + line) / pass.columns;
    column[line] = (first + line) % pass.columns;
    start_in[line] = start_of(pass.in, transform, pass.outer, pass.inner);
    start_out[line] = start_of(pass.out, transform, pass.outer, pass.inner);
  }
  __syncthreads();

  for (unsigned i = threadIdx.x; i < elements; i += blockDim.x) {
    const unsigned line = pass.load_across ? i % lines : i / pass.length;
    const unsigned m = pass.load_across ? i / lines : i % pass.length;
    Complex<Real> value = load<Real>(pass.in, start_in[line], column[line] + m * pass.columns, total);
    if (pass.inverse) value = exchanged(value);
    if (pass.done > 1) value = value * root<Real>(m * (column[line] % pass.done), pass.done * pass.length);
    from[line * pass.length + m] = value;
  }

  unsigned done = 1;
  for (unsigned long long factors = pass.factors; factors != 0; factors >>= 8) {
    const unsigned radix = factors & 255;
    __syncthreads();
    switch (radix) {
      case 2: combine<2>(from, to, lines, pass.length, done, roots); break;
      case 3: combine<3>(from, to, lines, pass.length, done, roots); break;
      case 4: combine<4>(from, to, lines, pass.length, done, roots); break;
      case 5: combine<5>(from, to, lines, pass.length, done, roots); break;
      case 7: combine<7>(from, to, lines, pass.length, done, roots); break;
      default: combine_any(radix, from, to, lines, pass.length, done, roots);
    }
    Complex<Real>* const result = to;
    to = from, from = result;
    done *= radix;
  }
  __syncthreads();

  for (unsigned i = threadIdx.x; i < elements; i += blockDim.x) {
    const unsigned line = pass.store_across ? i % lines : i / pass.length;
    const unsigned m = pass.store_across ? i / lines : i % pass.length;
    const unsigned group = column[line] / pass.done, within = column[line] % pass.done;
    Complex<Real> value = from[line * pass.length + m];
    if (pass.inverse) value = exchanged(value);
    store(pass.out, start_out[line], group * pass.done * pass.length + within + m * pass.done, total, value);
  }
}

template __global__ void fft_pass<float>(Pass, const Complex<float>*);
template __global__ void fft_pass<double>(Pass, const Complex<double>*);

}  // namespace stand_in::cufft
