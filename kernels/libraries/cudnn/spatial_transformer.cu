// Stand-ins for cuDNN's spatial transformer: grids of an affine transformation, and bilinear samples of images at a
// grid. The corners of an image are at -1 and 1.
#include "number.cuh"

namespace stand_in::cudnn {

inline __device__ double base_coordinate(int index, int count) { return count > 1 ? 2.0 * index / (count - 1) - 1 : 0; }

/// grid[n, h, w] = theta[n] * (x, y, 1), with theta of 2 rows and 3 columns.
template <class Number>
__global__ void generate_grid(const typename Number::Storage* theta, int images, int height, int width,
                              typename Number::Storage* grid) {
  using Sum = typename Number::Sum;
  const long long index = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (index >= static_cast<long long>(images) * height * width) return;
  const int n = static_cast<int>(index / (height * width)),
            p = static_cast<int>(index - static_cast<long long>(n) * height * width);
  const Sum x = static_cast<Sum>(base_coordinate(p % width, width)),
            y = static_cast<Sum>(base_coordinate(p / width, height));
  for (int i = 0; i < 2; ++i) {
    const typename Number::Storage* const row = theta + n * 6 + i * 3;
    grid[index * 2 + i] = Number::store(Number::load(row[0]) * x + Number::load(row[1]) * y + Number::load(row[2]));
  }
}

/// The gradient of theta: one block per image.
template <class Number>
__global__ void generate_grid_backward(const typename Number::Storage* dgrid, int height, int width,
                                       typename Number::Storage* dtheta) {
  using Sum = typename Number::Sum;
  __shared__ Sum sums[8][6];
  Sum sum[6] = {};
  for (int p = threadIdx.x; p < height * width; p += blockDim.x) {
    const Sum x = static_cast<Sum>(base_coordinate(p % width, width)),
              y = static_cast<Sum>(base_coordinate(p / width, height));
    for (int i = 0; i < 2; ++i) {
      const Sum gradient = Number::load(dgrid[(static_cast<long long>(blockIdx.x) * height * width + p) * 2 + i]);
      sum[i * 3] += gradient * x;
      sum[i * 3 + 1] += gradient * y;
      sum[i * 3 + 2] += gradient;
    }
  }
  for (int i = 0; i < 6; ++i) {
    for (int distance = 16; distance > 0; distance /= 2) sum[i] += __shfl_down_sync(0xffffffff, sum[i], distance);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32][i] = sum[i];
  }
  __syncthreads();
  if (threadIdx.x >= 6) return;
  Sum total = 0;
  for (int warp = 0; warp < 8; ++warp) total += sums[warp][threadIdx.x];
  dtheta[blockIdx.x * 6 + threadIdx.x] = Number::store(total);
}

/// Images by strides.
struct SampledImage {
  int channels, height, width;
  long long n, c, h, w;
};

/// The four pixels around a point, and the parts of them in its sample.
template <class Sum>
struct Bilinear {
  int left, top;
  Sum right_part, bottom_part;

  __device__ Bilinear(Sum x, Sum y, int width, int height) {
    const Sum at_x = (x + 1) / 2 * (width - 1), at_y = (y + 1) / 2 * (height - 1);
    left = static_cast<int>(floor(at_x));
    top = static_cast<int>(floor(at_y));
    right_part = at_x - left;
    bottom_part = at_y - top;
  }
  /// The four neighbours: 0 is top left, 1 top right, 2 bottom left, 3 bottom right.
  __device__ int column(int i) const { return left + i % 2; }
  __device__ int row(int i) const { return top + i / 2; }
  __device__ Sum weight(int i) const {
    return (i % 2 == 0 ? 1 - right_part : right_part) * (i / 2 == 0 ? 1 - bottom_part : bottom_part);
  }
  __device__ bool is_inside(int i, const SampledImage& image) const {
    return row(i) >= 0 && row(i) < image.height && column(i) >= 0 && column(i) < image.width;
  }
};

/// y = alpha * samples of x + beta * y; zeros lie around x. A thread per point of the grid.
template <class Number>
__global__ void sample(int images, SampledImage from, const typename Number::Storage* x,
                       const typename Number::Storage* grid, SampledImage to, typename Number::Storage* y, double alpha,
                       double beta) {
  using Sum = typename Number::Sum;
  const long long index = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (index >= static_cast<long long>(images) * to.height * to.width) return;
  const int n = static_cast<int>(index / (to.height * to.width)), p = static_cast<int>(index % (to.height * to.width));
  const Bilinear<Sum> point(Number::load(grid[index * 2]), Number::load(grid[index * 2 + 1]), from.width, from.height);
  for (int c = 0; c < to.channels; ++c) {
    Sum sum = 0;
    for (int i = 0; i < 4; ++i)
      if (point.is_inside(i, from))
        sum += point.weight(i) *
               Number::load(x[n * from.n + c * from.c + point.row(i) * from.h + point.column(i) * from.w]);
    typename Number::Storage* const result = y + n * to.n + c * to.c + p / to.width * to.h + p % to.width * to.w;
    sum *= static_cast<Sum>(alpha);
    if (beta != 0) sum += static_cast<Sum>(beta) * Number::load(*result);
    *result = Number::store(sum);
  }
}

/// dx = beta * dx, before gradients are added to it.
template <class Number>
__global__ void scale_image(int images, SampledImage image, typename Number::Storage* dx, double beta) {
  using Sum = typename Number::Sum;
  const long long index = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const int pixels = image.height * image.width;
  if (index >= static_cast<long long>(images) * image.channels * pixels) return;
  const int p = static_cast<int>(index % pixels), c = static_cast<int>(index / pixels % image.channels);
  const int n = static_cast<int>(index / pixels / image.channels);
  typename Number::Storage* const at =
      dx + n * image.n + c * image.c + p / image.width * image.h + p % image.width * image.w;
  *at = beta == 0 ? Number::store(0) : Number::store(static_cast<Sum>(beta) * Number::load(*at));
}

/// Adds the gradients of x, of which several points can share a pixel, and computes those of the grid.
template <class Number>
__global__ void sample_backward(int images, SampledImage from, const typename Number::Storage* x,
                                typename Number::Storage* dx, const typename Number::Storage* grid, SampledImage to,
                                const typename Number::Storage* dy, typename Number::Storage* dgrid, double alpha,
                                double grid_alpha, double grid_beta) {
  using Sum = typename Number::Sum;
  const long long index = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (index >= static_cast<long long>(images) * to.height * to.width) return;
  const int n = static_cast<int>(index / (to.height * to.width)), p = static_cast<int>(index % (to.height * to.width));
  const Bilinear<Sum> point(Number::load(grid[index * 2]), Number::load(grid[index * 2 + 1]), from.width, from.height);
  Sum of_x = 0, of_y = 0;
  for (int c = 0; c < to.channels; ++c) {
    const Sum gradient = Number::load(dy[n * to.n + c * to.c + p / to.width * to.h + p % to.width * to.w]);
    for (int i = 0; i < 4; ++i) {
      if (!point.is_inside(i, from)) continue;
      const long long at = n * from.n + c * from.c + point.row(i) * from.h + point.column(i) * from.w;
      atomicAdd(dx + at, static_cast<Sum>(alpha) * gradient * point.weight(i));
      const Sum product = gradient * Number::load(x[at]);
      of_x += (i % 2 == 0 ? -product : product) * (i / 2 == 0 ? 1 - point.bottom_part : point.bottom_part);
      of_y += (i / 2 == 0 ? -product : product) * (i % 2 == 0 ? 1 - point.right_part : point.right_part);
    }
  }
  const Sum results[2] = {of_x * (from.width - 1) / 2, of_y * (from.height - 1) / 2};
  for (int i = 0; i < 2; ++i) {
    Sum value = static_cast<Sum>(grid_alpha) * results[i];
    if (grid_beta != 0) value += static_cast<Sum>(grid_beta) * Number::load(dgrid[index * 2 + i]);
    dgrid[index * 2 + i] = Number::store(value);
  }
}

using Half = unsigned short;
template __global__ void generate_grid<F32>(const float*, int, int, int, float*);
template __global__ void generate_grid_backward<F32>(const float*, int, int, float*);
template __global__ void sample<F32>(int, SampledImage, const float*, const float*, SampledImage, float*, double,
                                     double);
template __global__ void scale_image<F32>(int, SampledImage, float*, double);
template __global__ void sample_backward<F32>(int, SampledImage, const float*, float*, const float*, SampledImage,
                                              const float*, float*, double, double, double);
template __global__ void generate_grid<F64>(const double*, int, int, int, double*);
template __global__ void generate_grid_backward<F64>(const double*, int, int, double*);
template __global__ void sample<F64>(int, SampledImage, const double*, const double*, SampledImage, double*, double,
                                     double);
template __global__ void scale_image<F64>(int, SampledImage, double*, double);
template __global__ void sample_backward<F64>(int, SampledImage, const double*, double*, const double*, SampledImage,
                                              const double*, double*, double, double, double);
template __global__ void generate_grid<F16>(const Half*, int, int, int, Half*);
template __global__ void generate_grid_backward<F16>(const Half*, int, int, Half*);
template __global__ void sample<F16>(int, SampledImage, const Half*, const Half*, SampledImage, Half*, double, double);

}  // namespace stand_in::cudnn
