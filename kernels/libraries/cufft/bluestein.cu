// Bluestein's algorithm for lengths with large prime factors: as j * k = (j^2 + k^2 - (k - j)^2) / 2, a transform of n
// elements is a convolution, for which transforms of a power of two of elements, 2 n - 1 at least, are enough:
//
//   y[k] = c[k] * sum over j of (x[j] * c[j]) * conj(c[k - j]),  c[j] = exp(-pi i j^2 / n)

#include "elements.cuh"

namespace stand_in::cufft {

/// work[j] = x[j] * c[j], and 0 from n to padded.
template <class Real>
__global__ void chirp_in(Chirped all, Layout in, const Complex<Real>* chirp, Complex<Real>* work) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const auto transform = static_cast<unsigned>(i / all.padded), j = static_cast<unsigned>(i % all.padded);
  if (transform >= all.count) return;
  Complex<Real> value{};
  if (j < all.n) {
    value = load<Real>(in, start_of(in, transform, all.outer, all.inner), j, all.n);
    value = (all.inverse ? exchanged(value) : value) * chirp[j];
  }
  work[i] = value;
}

/// Multiplies the spectra of all transforms by the one of conj(c).
template <class Real>
__global__ void multiply_spectra(Chirped all, const Complex<Real>* filter, Complex<Real>* work) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<long long>(all.count) * all.padded) return;
  work[i] = work[i] * filter[i % all.padded];
}

/// y[k] = work[k] * c[k]
template <class Real>
__global__ void chirp_out(Chirped all, Layout out, const Complex<Real>* chirp, const Complex<Real>* work) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const auto transform = static_cast<unsigned>(i / all.n), k = static_cast<unsigned>(i % all.n);
  if (transform >= all.count) return;
  Complex<Real> value = work[static_cast<long long>(transform) * all.padded + k] * chirp[k];
  if (all.inverse) value = exchanged(value);
  store(out, start_of(out, transform, all.outer, all.inner), k, all.n, value);
}

template __global__ void chirp_in<float>(Chirped, Layout, const Complex<float>*, Complex<float>*);
template __global__ void chirp_in<double>(Chirped, Layout, const Complex<double>*, Complex<double>*);
template __global__ void multiply_spectra<float>(Chirped, const Complex<float>*, Complex<float>*);
template __global__ void multiply_spectra<double>(Chirped, const Complex<double>*, Complex<double>*);
template __global__ void chirp_out<float>(Chirped, Layout, const Complex<float>*, const Complex<float>*);
template __global__ void chirp_out<double>(Chirped, Layout, const Complex<double>*, const Complex<double>*);

}  // namespace stand_in::cufft
