// Stand-ins for cuDNN's batch normalisation. One block per channel: the values of a channel lie in lines, one per image
// (or a single line of images, if each activation is normalised by itself).
#include "number.cuh"

namespace stand_in::cudnn {

/// Where the values of channel c are: image n, position p at n * image + c * channel + p * position.
struct ChannelLayout {
  int images, positions;
  long long image, channel, position;
};

constexpr int normalization_threads = 256;

/// The sum of a value of each thread of the block, which every thread gets.
template <class Sum>
__device__ Sum block_sum(Sum value) {
  __shared__ Sum of_warps[normalization_threads / 32];
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
  __syncthreads();  // the sums of a call before this one have been read
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0;
  for (int warp = 0; warp < normalization_threads / 32; ++warp) value += of_warps[warp];
  return value;
}

/// Calls visit(offset) for the values of the block's channel that this thread has.
template <class Visit>
__device__ void each_value(const ChannelLayout& layout, Visit visit) {
  const long long first = blockIdx.x * layout.channel;
  const int step_n = blockDim.x / layout.positions, step_p = blockDim.x - step_n * layout.positions;
  int n = threadIdx.x / layout.positions, p = threadIdx.x - n * layout.positions;
  while (n < layout.images) {
    visit(first + n * layout.image + p * layout.position);
    n += step_n;
    p += step_p;
    if (p >= layout.positions) p -= layout.positions, ++n;
  }
}

/// y = alpha * (scale * (x - mean) / sqrt(variance + epsilon) + bias) + beta * y, with mean and variance of the batch.
/// Running averages and saved statistics can be null.
template <class Number>
__global__ void __launch_bounds__(normalization_threads)
    normalize_batch(ChannelLayout layout, const typename Number::Storage* x, typename Number::Storage* y,
                    const typename Number::Sum* scale, const typename Number::Sum* bias, double alpha, double beta,
                    double epsilon, double average_factor, typename Number::Sum* running_mean,
                    typename Number::Sum* running_variance, typename Number::Sum* saved_mean,
                    typename Number::Sum* saved_inverse) {
  using Sum = typename Number::Sum;
  const int channel = blockIdx.x;
  const Sum count = static_cast<Sum>(layout.images) * layout.positions;
  Sum sum = 0;
  each_value(layout, [&](long long at) { sum += Number::load(x[at]); });
  const Sum mean = block_sum(sum) / count;
  // From the deviations, since the difference of large sums would lose digits.
  Sum squares = 0;
  each_value(layout, [&](long long at) {
    const Sum deviation = Number::load(x[at]) - mean;
    squares = fma(deviation, deviation, squares);
  });
  squares = block_sum(squares);
  const Sum inverse = Sum(1) / sqrt(squares / count + static_cast<Sum>(epsilon));
  if (threadIdx.x == 0) {
    const Sum factor = static_cast<Sum>(average_factor);
    if (running_mean != nullptr) running_mean[channel] = (1 - factor) * running_mean[channel] + factor * mean;
    if (running_variance != nullptr) {
      const Sum unbiased = squares / (count > 1 ? count - 1 : count);
      running_variance[channel] = (1 - factor) * running_variance[channel] + factor * unbiased;
    }
    if (saved_mean != nullptr) saved_mean[channel] = mean;
    if (saved_inverse != nullptr) saved_inverse[channel] = inverse;
  }
  const Sum slope = scale[channel] * inverse, shift = bias[channel] - mean * slope;
  each_value(layout, [&](long long at) {
    Sum value = static_cast<Sum>(alpha) * fma(Number::load(x[at]), slope, shift);
    if (beta != 0) value += static_cast<Sum>(beta) * Number::load(y[at]);
    y[at] = Number::store(value);
  });
}

/// The same with known mean and variance.
template <class Number>
__global__ void __launch_bounds__(normalization_threads)
    normalize_inference(ChannelLayout layout, const typename Number::Storage* x, typename Number::Storage* y,
                        const typename Number::Sum* scale, const typename Number::Sum* bias, double alpha, double beta,
                        double epsilon, const typename Number::Sum* mean, const typename Number::Sum* variance) {
  using Sum = typename Number::Sum;
  const int channel = blockIdx.x;
  const Sum slope = scale[channel] / sqrt(variance[channel] + static_cast<Sum>(epsilon));
  const Sum shift = bias[channel] - mean[channel] * slope;
  each_value(layout, [&](long long at) {
    Sum value = static_cast<Sum>(alpha) * fma(Number::load(x[at]), slope, shift);
    if (beta != 0) value += static_cast<Sum>(beta) * Number::load(y[at]);
    y[at] = Number::store(value);
  });
}

/// The gradients of x, scale and bias. Saved statistics that are null are computed again.
template <class Number>
__global__ void __launch_bounds__(normalization_threads)
    normalize_backward(ChannelLayout layout, const typename Number::Storage* x, const typename Number::Storage* dy,
                       typename Number::Storage* dx, const typename Number::Sum* scale, typename Number::Sum* dscale,
                       typename Number::Sum* dbias, double alpha, double beta, double parameter_alpha,
                       double parameter_beta, double epsilon, const typename Number::Sum* saved_mean,
                       const typename Number::Sum* saved_inverse) {
  using Sum = typename Number::Sum;
  const int channel = blockIdx.x;
  const Sum count = static_cast<Sum>(layout.images) * layout.positions;
  Sum mean, inverse;
  if (saved_mean != nullptr && saved_inverse != nullptr) {
    mean = saved_mean[channel];
    inverse = saved_inverse[channel];
  } else {
    Sum sum = 0, squares = 0;
    each_value(layout, [&](long long at) { sum += Number::load(x[at]); });
    mean = block_sum(sum) / count;
    each_value(layout, [&](long long at) {
      const Sum deviation = Number::load(x[at]) - mean;
      squares = fma(deviation, deviation, squares);
    });
    inverse = Sum(1) / sqrt(block_sum(squares) / count + static_cast<Sum>(epsilon));
  }

  Sum of_dy = 0, of_product = 0;  // sums of dy, and of dy times the normalised x
  each_value(layout, [&](long long at) {
    const Sum gradient = Number::load(dy[at]);
    of_dy += gradient;
    of_product = fma(gradient, (Number::load(x[at]) - mean) * inverse, of_product);
  });
  of_dy = block_sum(of_dy);
  of_product = block_sum(of_product);
  if (threadIdx.x == 0) {
    Sum to_scale = static_cast<Sum>(parameter_alpha) * of_product, to_bias = static_cast<Sum>(parameter_alpha) * of_dy;
    if (parameter_beta != 0) {
      to_scale += static_cast<Sum>(parameter_beta) * dscale[channel];
      to_bias += static_cast<Sum>(parameter_beta) * dbias[channel];
    }
    dscale[channel] = to_scale;
    dbias[channel] = to_bias;
  }

  // A change of one value also changes mean and variance, so its share of both sums is subtracted.
  const Sum slope = static_cast<Sum>(alpha) * scale[channel] * inverse;
  of_dy /= count;
  of_product /= count;
  each_value(layout, [&](long long at) {
    const Sum normalized = (Number::load(x[at]) - mean) * inverse;
    Sum value = slope * (Number::load(dy[at]) - of_dy - normalized * of_product);
    if (beta != 0) value += static_cast<Sum>(beta) * Number::load(dx[at]);
    dx[at] = Number::store(value);
  });
}

using Half = unsigned short;
template __global__ void normalize_batch<F32>(ChannelLayout, const float*, float*, const float*, const float*, double,
                                              double, double, double, float*, float*, float*, float*);
template __global__ void normalize_inference<F32>(ChannelLayout, const float*, float*, const float*, const float*,
                                                  double, double, double, const float*, const float*);
template __global__ void normalize_backward<F32>(ChannelLayout, const float*, const float*, float*, const float*,
                                                 float*, float*, double, double, double, double, double, const float*,
                                                 const float*);
template __global__ void normalize_batch<F64>(ChannelLayout, const double*, double*, const double*, const double*,
                                              double, double, double, double, double*, double*, double*, double*);
template __global__ void normalize_inference<F64>(ChannelLayout, const double*, double*, const double*, const double*,
                                                  double, double, double, const double*, const double*);
template __global__ void normalize_backward<F64>(ChannelLayout, const double*, const double*, double*, const double*,
                                                 double*, double*, double, double, double, double, double,
                                                 const double*, const double*);
template __global__ void normalize_batch<F16>(ChannelLayout, const Half*, Half*, const float*, const float*, double,
                                              double, double, double, float*, float*, float*, float*);
template __global__ void normalize_inference<F16>(ChannelLayout, const Half*, Half*, const float*, const float*, double,
                                                  double, double, const float*, const float*);
template __global__ void normalize_backward<F16>(ChannelLayout, const Half*, const Half*, Half*, const float*, float*,
                                                 float*, double, double, double, double, double, const float*,
                                                 const float*);
template __global__ void normalize_batch<BF16>(ChannelLayout, const Half*, Half*, const float*, const float*, double,
                                               double, double, double, float*, float*, float*, float*);
template __global__ void normalize_inference<BF16>(ChannelLayout, const Half*, Half*, const float*, const float*,
                                                   double, double, double, const float*, const float*);
template __global__ void normalize_backward<BF16>(ChannelLayout, const Half*, const Half*, Half*, const float*, float*,
                                                  float*, double, double, double, double, double, const float*,
                                                  const float*);

}  // namespace stand_in::cudnn
