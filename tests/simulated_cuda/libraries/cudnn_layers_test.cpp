// cuDNN's batch normalisation, pooling, spatial transformer and CTC loss against computations in double precision.
#include <functional>
#include <numeric>

#include "cudnn_library.h"
#include <gtest/gtest.h>

namespace warpwalk::libraries_test {
namespace {

const float one_f = 1, zero_f = 0;
const double one_d = 1, zero_d = 0;
const void* one_of(DnnType type) { return type == dnn_f64 ? static_cast<const void*>(&one_d) : &one_f; }
const void* zero_of(DnnType type) { return type == dnn_f64 ? static_cast<const void*>(&zero_d) : &zero_f; }

/// The derivative of a function of many numbers by one of them.
double derivative(const std::function<double(const std::vector<double>&)>& f, std::vector<double> at, std::size_t by) {
  constexpr double step = 1e-5;
  at[by] += step;
  const double after = f(at);
  at[by] -= 2 * step;
  return (after - f(at)) / (2 * step);
}

struct Normalized {
  const char* name;
  DnnType type;
  int n, c, h, w;
  bool channels_last;
};

class CudnnBatchNorm : public testing::TestWithParam<Normalized> {};

TEST_P(CudnnBatchNorm, Computes) {
  const Normalized& p = GetParam();
  const DnnType parameter = p.type == dnn_f64 ? dnn_f64 : dnn_f32;
  const bool flat = p.h == 0;  // no positions: normalisation of each activation
  const int positions = flat ? 1 : p.h * p.w, mode = flat ? 0 : 2;
  const std::vector<int> extents = {p.n, p.c, std::max(p.h, 1), std::max(p.w, 1)};
  const int step_c = p.channels_last ? 1 : positions, step_p = p.channels_last ? p.c : 1;
  const DnnTensor layout(p.type, extents, {p.c * positions, step_c, step_p * extents[3], step_p});
  const DnnTensor parameters(parameter, {1, p.c, 1, 1});
  const auto count = static_cast<std::size_t>(p.n * p.c * positions), channels = static_cast<std::size_t>(p.c);
  const auto at = [&](int n, int c, int i) {
    return static_cast<std::size_t>(n * p.c * positions + c * step_c + i * step_p);
  };
  const DnnArray x(p.type, dnn_noise(count, 1, 2)), dy(p.type, dnn_noise(count, 2));
  DnnArray y(p.type, dnn_noise(count, 3)), dx(p.type, dnn_noise(count, 4));
  const DnnArray scale(parameter, dnn_noise(channels, 5)), bias(parameter, dnn_noise(channels, 6));
  DnnArray mean(parameter, dnn_noise(channels, 7)), variance(parameter, std::vector<double>(channels, 0.5));
  DnnArray saved_mean(parameter, dnn_noise(channels, 8)), saved_inverse(parameter, dnn_noise(channels, 9));
  DnnArray dscale(parameter, dnn_noise(channels, 10)), dbias(parameter, dnn_noise(channels, 11));
  const double epsilon = 1e-3, factor = 0.25;
  const std::vector<double> mean_before = mean.values(), variance_before = variance.values();

  std::vector<double> means(channels), inverses(channels), new_mean(channels), new_variance(channels);
  std::vector<double> expected_y(count), expected_dx(count), expected_dscale(channels), expected_dbias(channels),
      inferred(count);
  for (int c = 0; c < p.c; ++c) {
    const double values = p.n * positions;
    double sum = 0, squares = 0, of_dy = 0, of_product = 0;
    const auto each = [&](const std::function<void(std::size_t)>& visit) {
      for (int n = 0; n < p.n; ++n)
        for (int i = 0; i < positions; ++i) visit(at(n, c, i));
    };
    each([&](std::size_t i) { sum += x[i]; });
    means[c] = sum / values;
    each([&](std::size_t i) { squares += (x[i] - means[c]) * (x[i] - means[c]); });
    inverses[c] = 1 / std::sqrt(squares / values + epsilon);
    new_mean[c] = (1 - factor) * mean_before[c] + factor * means[c];
    new_variance[c] = (1 - factor) * variance_before[c] + factor * squares / (values - 1);
    each([&](std::size_t i) {
      const double normal = (x[i] - means[c]) * inverses[c];
      expected_y[i] = scale[c] * normal + bias[c];
      of_dy += dy[i], of_product += dy[i] * normal;
    });
    expected_dscale[c] = of_product, expected_dbias[c] = of_dy;
    each([&](std::size_t i) {
      const double normal = (x[i] - means[c]) * inverses[c];
      expected_dx[i] = scale[c] * inverses[c] * (dy[i] - of_dy / values - normal * of_product / values);
      inferred[i] = scale[c] * (x[i] - new_mean[c]) / std::sqrt(new_variance[c] + epsilon) + bias[c];
    });
  }

  std::size_t work_bytes = 0, reserve_bytes = 0, backward_bytes = 0;
  void* const none = nullptr;
  ASSERT_EQ(cudnn().call("cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize", dnn_handle(), mode, 0,
                         layout.get(), none, layout.get(), parameters.get(), none, &work_bytes),
            0);
  ASSERT_EQ(cudnn().call("cudnnGetBatchNormalizationTrainingExReserveSpaceSize", dnn_handle(), mode, 0, none,
                         layout.get(), &reserve_bytes),
            0);
  ASSERT_EQ(cudnn().call("cudnnGetBatchNormalizationBackwardExWorkspaceSize", dnn_handle(), mode, 0, layout.get(), none,
                         layout.get(), none, layout.get(), parameters.get(), none, &backward_bytes),
            0);
  const OnDevice<std::uint8_t> work(std::vector<std::uint8_t>(std::max(work_bytes, backward_bytes) + 1));
  const OnDevice<std::uint8_t> reserve(std::vector<std::uint8_t>(reserve_bytes + 1));
  ASSERT_EQ(
      cudnn().call("cudnnBatchNormalizationForwardTrainingEx", dnn_handle(), mode, 0, one_of(p.type), zero_of(p.type),
                   layout.get(), x.get(), none, none, layout.get(), y.get(), parameters.get(), scale.get(), bias.get(),
                   factor, mean.get(), variance.get(), epsilon, saved_mean.get(), saved_inverse.get(), none,
                   static_cast<void*>(work.get()), work_bytes, static_cast<void*>(reserve.get()), reserve_bytes),
      0);
  ASSERT_EQ(
      cudnn().call("cudnnBatchNormalizationBackwardEx", dnn_handle(), mode, 0, one_of(p.type), zero_of(p.type),
                   one_of(p.type), zero_of(p.type), layout.get(), x.get(), none, none, layout.get(), dy.get(), none,
                   none, layout.get(), dx.get(), parameters.get(), scale.get(), none, dscale.get(), dbias.get(),
                   epsilon, saved_mean.get(), saved_inverse.get(), none, static_cast<void*>(work.get()), backward_bytes,
                   static_cast<void*>(reserve.get()), reserve_bytes),
      0);
  for (DnnArray* const array : {&y, &dx, &mean, &variance, &saved_mean, &saved_inverse, &dscale, &dbias})
    array->read_again();
  const double tolerance = dnn_tolerance(p.type), exact = dnn_tolerance(parameter);
  EXPECT_LT(relative_difference(y.values(), expected_y), tolerance);
  EXPECT_LT(relative_difference(dx.values(), expected_dx), 2 * tolerance);
  EXPECT_LT(relative_difference(mean.values(), new_mean), exact);
  EXPECT_LT(relative_difference(variance.values(), new_variance), exact);
  EXPECT_LT(relative_difference(saved_mean.values(), means), exact);
  EXPECT_LT(relative_difference(saved_inverse.values(), inverses), exact);
  EXPECT_LT(relative_difference(dscale.values(), expected_dscale), exact);
  EXPECT_LT(relative_difference(dbias.values(), expected_dbias), exact);

  ASSERT_EQ(cudnn().call("cudnnBatchNormalizationForwardInference", dnn_handle(), flat ? 0 : 1, one_of(p.type),
                         zero_of(p.type), layout.get(), x.get(), layout.get(), y.get(), parameters.get(), scale.get(),
                         bias.get(), mean.get(), variance.get(), epsilon),
            0);
  y.read_again();
  EXPECT_LT(relative_difference(y.values(), inferred), tolerance);
}

INSTANTIATE_TEST_SUITE_P(All, CudnnBatchNorm,
                         testing::Values(Normalized{"f32", dnn_f32, 3, 5, 7, 6, false},
                                         Normalized{"f32_last", dnn_f32, 2, 8, 9, 5, true},
                                         Normalized{"f32_large", dnn_f32, 4, 3, 20, 19, false},
                                         Normalized{"f32_flat", dnn_f32, 9, 33, 0, 0, false},
                                         Normalized{"f16_last", dnn_f16, 2, 8, 6, 6, true},
                                         Normalized{"bf16_last", dnn_bf16, 3, 8, 4, 4, true},
                                         Normalized{"f64", dnn_f64, 2, 4, 5, 5, false}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(CudnnPooling, ComputesAllModes) {
  const int h = 7, w = 6, out_h = 4, out_w = 3;
  const DnnArray x(dnn_f32, dnn_noise(2 * 3 * h * w, 1));
  const DnnTensor x_layout(dnn_f32, {2, 3, h, w}), y_layout(dnn_f32, {2, 3, out_h, out_w});
  for (int mode = 0; mode < 4; ++mode) {
    DnnArray y(dnn_f32, std::vector<double>(2 * 3 * out_h * out_w));
    const DnnDescriptor pooling("Pooling");
    ASSERT_EQ(cudnn().call("cudnnSetPooling2dDescriptor", pooling.get(), mode, 1, 3, 2, 1, 0, 2, 2), 0);
    ASSERT_EQ(cudnn().call("cudnnPoolingForward", dnn_handle(), pooling.get(), &one_f, x_layout.get(), x.get(), &zero_f,
                           y_layout.get(), y.get()),
              0);
    y.read_again();
    std::vector<double> expected;
    for (int plane = 0; plane < 6; ++plane)
      for (int i = 0; i < out_h; ++i)
        for (int j = 0; j < out_w; ++j) {
          double largest = -1e9, sum = 0;
          int count = 0;
          for (int a = std::max(2 * i - 1, 0); a < std::min(2 * i + 2, h); ++a)
            for (int b = 2 * j; b < 2 * j + 2; ++b) {
              const double value = x[static_cast<std::size_t>(plane * h * w + a * w + b)];
              largest = std::max(largest, value), sum += value, ++count;
            }
          expected.push_back(mode == 0 || mode == 3 ? largest : sum / (mode == 1 ? 6 : count));
        }
    EXPECT_LT(relative_difference(y.values(), expected), 1e-6) << mode;
  }
}

TEST(CudnnSpatialTransformer, SamplesAndDifferentiates) {
  const int channels = 2, h = 5, w = 6, out_h = 4, out_w = 3;
  const int extents[] = {1, channels, out_h, out_w};
  const DnnDescriptor transformer("SpatialTransformer");
  ASSERT_EQ(cudnn().call("cudnnSetSpatialTransformerNdDescriptor", transformer.get(), 0, 0, 4, extents), 0);
  const DnnTensor x_layout(dnn_f32, {1, channels, h, w}), y_layout(dnn_f32, {1, channels, out_h, out_w});
  const DnnArray x(dnn_f32, dnn_noise(channels * h * w, 1)), theta(dnn_f32, {0.83, 0.17, 0.11, -0.29, 1.07, -0.23});
  const DnnArray dy(dnn_f32, dnn_noise(channels * out_h * out_w, 2));
  DnnArray grid(dnn_f32, std::vector<double>(out_h * out_w * 2)), y(dnn_f32, dy.values()), dx(dnn_f32, x.values()),
      dgrid(dnn_f32, grid.values()), dtheta(dnn_f32, theta.values());
  const auto grid_of = [&](const std::vector<double>& t) {
    std::vector<double> points;
    for (int i = 0; i < out_h; ++i)
      for (int j = 0; j < out_w; ++j)
        for (int row = 0; row < 2; ++row)
          points.push_back(t[3 * row] * (2.0 * j / (out_w - 1) - 1) + t[3 * row + 1] * (2.0 * i / (out_h - 1) - 1) +
                           t[3 * row + 2]);
    return points;
  };
  const auto sample = [&](const std::vector<double>& image, const std::vector<double>& points) {
    std::vector<double> result;
    for (int c = 0; c < channels; ++c)
      for (int p = 0; p < out_h * out_w; ++p) {
        const double at_x = (points[2 * p] + 1) / 2 * (w - 1), at_y = (points[2 * p + 1] + 1) / 2 * (h - 1);
        double sum = 0;
        for (int i = 0; i < h; ++i)
          for (int j = 0; j < w; ++j)
            sum += std::max(0.0, 1 - std::abs(at_x - j)) * std::max(0.0, 1 - std::abs(at_y - i)) *
                   image[static_cast<std::size_t>((c * h + i) * w + j)];
        result.push_back(sum);
      }
    return result;
  };
  const auto loss = [&](const std::vector<double>& values) {
    return std::inner_product(values.begin(), values.end(), dy.values().begin(), 0.0);
  };
  ASSERT_EQ(
      cudnn().call("cudnnSpatialTfGridGeneratorForward", dnn_handle(), transformer.get(), theta.get(), grid.get()), 0);
  ASSERT_EQ(cudnn().call("cudnnSpatialTfSamplerForward", dnn_handle(), transformer.get(), &one_f, x_layout.get(),
                         x.get(), grid.get(), &zero_f, y_layout.get(), y.get()),
            0);
  ASSERT_EQ(cudnn().call("cudnnSpatialTfSamplerBackward", dnn_handle(), transformer.get(), &one_f, x_layout.get(),
                         x.get(), &zero_f, x_layout.get(), dx.get(), &one_f, y_layout.get(), dy.get(), grid.get(),
                         &zero_f, dgrid.get()),
            0);
  ASSERT_EQ(
      cudnn().call("cudnnSpatialTfGridGeneratorBackward", dnn_handle(), transformer.get(), dgrid.get(), dtheta.get()),
      0);
  for (DnnArray* const array : {&grid, &y, &dx, &dgrid, &dtheta}) array->read_again();
  EXPECT_LT(relative_difference(grid.values(), grid_of(theta.values())), 1e-6);
  EXPECT_LT(relative_difference(y.values(), sample(x.values(), grid.values())), 1e-5);
  std::vector<double> by_x, by_grid, by_theta;
  for (std::size_t i = 0; i < x.values().size(); ++i)
    by_x.push_back(derivative([&](const auto& v) { return loss(sample(v, grid.values())); }, x.values(), i));
  for (std::size_t i = 0; i < grid.values().size(); ++i)
    by_grid.push_back(derivative([&](const auto& v) { return loss(sample(x.values(), v)); }, grid.values(), i));
  for (std::size_t i = 0; i < 6; ++i)
    by_theta.push_back(
        derivative([&](const auto& v) { return loss(sample(x.values(), grid_of(v))); }, theta.values(), i));
  EXPECT_LT(relative_difference(dx.values(), by_x), 1e-4);
  EXPECT_LT(relative_difference(dgrid.values(), by_grid), 1e-4);
  EXPECT_LT(relative_difference(dtheta.values(), by_theta), 1e-4);
}

/// The cost of labels by the sum over all alignments: sequences of symbols that give the labels without repetitions and
/// blanks.
double cost_of(const std::vector<double>& x, int steps, int samples, int symbols, int sample,
               const std::vector<int>& labels) {
  std::vector<int> path(steps);
  double total = 0;
  while (true) {
    std::vector<int> seen;
    double probability = 1;
    for (int t = 0; t < steps; ++t) {
      if (path[t] != 0 && (t == 0 || path[t] != path[t - 1])) seen.push_back(path[t]);
      double sum = 0;
      for (int a = 0; a < symbols; ++a)
        sum += std::exp(x[static_cast<std::size_t>((t * samples + sample) * symbols + a)]);
      probability *= std::exp(x[static_cast<std::size_t>((t * samples + sample) * symbols + path[t])]) / sum;
    }
    if (seen == labels) total += probability;
    int t = 0;
    while (t < steps && ++path[t] == symbols) path[t++] = 0;
    if (t == steps) return -std::log(total);
  }
}

TEST(CudnnCtcLoss, SumsOverAlignments) {
  const int steps = 5, samples = 3, symbols = 4;
  const std::vector<std::vector<int>> labels = {{1, 2}, {3, 3}, {2}};
  const std::vector<int> all = {1, 2, 3, 3, 2}, label_lengths = {2, 2, 1}, input_lengths = {5, 5, 5};
  const DnnArray x(dnn_f32, dnn_noise(steps * samples * symbols, 1, 2));
  const DnnTensor layout(dnn_f32, {steps, samples, symbols});
  const DnnDescriptor old_loss("CTCLoss"), new_loss("CTCLoss");
  ASSERT_EQ(cudnn().call("cudnnSetCTCLossDescriptorEx", old_loss.get(), 0, 1, 1), 0);
  ASSERT_EQ(cudnn().call("cudnnSetCTCLossDescriptor_v9", new_loss.get(), 0, 1, 1, 255), 0);
  std::vector<double> costs, gradients(x.values().size());
  for (int n = 0; n < samples; ++n) costs.push_back(cost_of(x.values(), steps, samples, symbols, n, labels[n]));
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const int n = static_cast<int>(i) / symbols % samples;
    gradients[i] =
        derivative([&](const auto& v) { return cost_of(v, steps, samples, symbols, n, labels[n]); }, x.values(), i);
  }
  std::size_t old_bytes = 0, new_bytes = 0;
  ASSERT_EQ(cudnn().call("cudnnGetCTCLossWorkspaceSize", dnn_handle(), layout.get(), layout.get(), all.data(),
                         label_lengths.data(), input_lengths.data(), 0, old_loss.get(), &old_bytes),
            0);
  ASSERT_EQ(cudnn().call("cudnnGetCTCLossWorkspaceSize_v8", dnn_handle(), 0, new_loss.get(), layout.get(), layout.get(),
                         &new_bytes),
            0);
  const OnDevice<std::uint8_t> work(std::vector<std::uint8_t>(std::max(old_bytes, new_bytes) + 1));
  const OnDevice<int> on_device(all), label_sizes(label_lengths), input_sizes(input_lengths);
  for (const bool on_host : {true, false}) {
    DnnArray found_costs(dnn_f32, std::vector<double>(samples)), found(dnn_f32, x.values());
    if (on_host)
      ASSERT_EQ(cudnn().call("cudnnCTCLoss", dnn_handle(), layout.get(), x.get(), all.data(), label_lengths.data(),
                             input_lengths.data(), found_costs.get(), layout.get(), found.get(), 0, old_loss.get(),
                             static_cast<void*>(work.get()), old_bytes),
                0);
    else
      ASSERT_EQ(cudnn().call("cudnnCTCLoss_v8", dnn_handle(), 0, new_loss.get(), layout.get(), x.get(), on_device.get(),
                             label_sizes.get(), input_sizes.get(), found_costs.get(), layout.get(), found.get(),
                             new_bytes, static_cast<void*>(work.get())),
                0);
    found_costs.read_again(), found.read_again();
    EXPECT_LT(relative_difference(found_costs.values(), costs), 1e-5) << on_host;
    EXPECT_LT(relative_difference(found.values(), gradients), 1e-4) << on_host;
  }
}

TEST(CudnnLibrary, SaysItsVersion) {
  int version[3] = {};
  for (int part = 0; part < 3; ++part) ASSERT_EQ(cudnn().call("cudnnGetProperty", part, &version[part]), 0);
  EXPECT_EQ(cudnn().call("cudnnGetVersion"), version[0] * 10000 + version[1] * 100 + version[2]);
  EXPECT_EQ(version[0], 9);
}

}  // namespace
}  // namespace warpwalk::libraries_test
