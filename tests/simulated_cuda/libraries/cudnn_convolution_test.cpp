// cuDNN's convolutions, of both interfaces, against sums in double precision.
#include <array>
#include <memory>
#include <tuple>

#include "cudnn_library.h"
#include <gtest/gtest.h>

namespace warpwalk::libraries_test {
namespace {

struct Convolved {
  const char* name;
  DnnType type;
  std::vector<int> x;  ///< n, c, spatial
  std::vector<int> w;  ///< output channels, channels of a group, spatial
  std::vector<int> padding, stride, dilation;
  bool channels_last = false;
  bool tensor_cores = false;
  double alpha = 1, beta = 0;
};

std::size_t product_of(const std::vector<int>& extents) {
  std::size_t product = 1;
  for (const int extent : extents) product *= static_cast<std::size_t>(extent);
  return product;
}

std::vector<int> strides_of(const std::vector<int>& extents, bool channels_last) {
  std::vector<int> strides(extents.size());
  int next = 1;
  if (channels_last) strides[1] = next, next *= extents[1];
  for (std::size_t axis = extents.size() - 1; axis > (channels_last ? 1 : 0); --axis)
    strides[axis] = next, next *= extents[axis];
  strides[0] = next;
  return strides;
}

std::vector<int> output_of(const Convolved& c) {
  std::vector<int> y = {c.x[0], c.w[0]};
  for (std::size_t i = 0; i < c.padding.size(); ++i)
    y.push_back((c.x[2 + i] + 2 * c.padding[i] - (c.w[2 + i] - 1) * c.dilation[i] - 1) / c.stride[i] + 1);
  return y;
}

/// Calls visit(x, w, y) with the offsets of each product of the convolution.
template <class Visit>
void each_product(const Convolved& c, Visit visit) {
  const std::size_t axes = c.padding.size();
  const std::vector<int> y = output_of(c);
  const auto sx = strides_of(c.x, c.channels_last), sw = strides_of(c.w, c.channels_last),
             sy = strides_of(y, c.channels_last);
  const int groups = c.x[1] / c.w[1], outputs = c.w[0] / groups;
  std::vector<int> out(axes), tap(axes);
  const auto next = [](std::vector<int>& index, const std::vector<int>& extents) {
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < extents[2 + axis]) return true;
      index[axis] = 0;
    }
    return false;
  };
  do {
    do {
      int at_x = 0, at_w = 0, at_y = 0;
      bool inside = true;
      for (std::size_t i = 0; i < axes; ++i) {
        const int in = out[i] * c.stride[i] - c.padding[i] + tap[i] * c.dilation[i];
        inside = inside && in >= 0 && in < c.x[2 + i];
        at_x += in * sx[2 + i], at_w += tap[i] * sw[2 + i], at_y += out[i] * sy[2 + i];
      }
      if (!inside) continue;
      for (int n = 0; n < c.x[0]; ++n)
        for (int k = 0; k < c.w[0]; ++k)
          for (int channel = 0; channel < c.w[1]; ++channel)
            visit(static_cast<std::size_t>(at_x + n * sx[0] + (k / outputs * c.w[1] + channel) * sx[1]),
                  static_cast<std::size_t>(at_w + k * sw[0] + channel * sw[1]),
                  static_cast<std::size_t>(at_y + n * sy[0] + k * sy[1]));
    } while (next(tap, c.w));
  } while (next(out, y));
}

/// The three tensors, one of which a convolution computes from the others.
struct Tensors {
  DnnArray x, w, y;
  explicit Tensors(const Convolved& c)
      : x(c.type, dnn_noise(product_of(c.x), 1)),
        w(c.type, dnn_noise(product_of(c.w), 2)),
        y(c.type, dnn_noise(product_of(output_of(c)), 3)) {}
  DnnArray& result(int which) { return which == 0 ? y : which == 1 ? x : w; }
};

/// The expected result: 0 y, 1 dx, 2 dw.
std::vector<double> expected_result(const Convolved& c, Tensors& tensors, int which) {
  std::vector<double> sums(tensors.result(which).values().size());
  each_product(c, [&](std::size_t x, std::size_t w, std::size_t y) {
    if (which == 0) sums[y] += tensors.x[x] * tensors.w[w];
    if (which == 1) sums[x] += tensors.y[y] * tensors.w[w];
    if (which == 2) sums[w] += tensors.x[x] * tensors.y[y];
  });
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = c.alpha * sums[i] + c.beta * tensors.result(which)[i];
  return sums;
}

double tolerance_of(const Convolved& c) { return c.type == dnn_f32 && c.tensor_cores ? 3e-3 : dnn_tolerance(c.type); }

/// alpha or beta, as cuDNN takes them.
class Factor {
 public:
  Factor(DnnType type, double value) : is_double_(type == dnn_f64), wide_(value), narrow_(static_cast<float>(value)) {}
  const void* get() const { return is_double_ ? static_cast<const void*>(&wide_) : &narrow_; }

 private:
  bool is_double_;
  double wide_;
  float narrow_;
};

struct LegacyDescriptors {
  DnnTensor x, y;
  DnnDescriptor w{"Filter"}, convolution{"Convolution"};
  explicit LegacyDescriptors(const Convolved& c)
      : x(c.type, c.x, strides_of(c.x, c.channels_last)),
        y(c.type, output_of(c), strides_of(output_of(c), c.channels_last)) {
    const int format = c.channels_last ? 1 : 0, axes = static_cast<int>(c.padding.size());
    EXPECT_EQ(
        cudnn().call("cudnnSetFilterNdDescriptor", w.get(), static_cast<int>(c.type), format, axes + 2, c.w.data()), 0);
    const int compute = c.type == dnn_f64 ? dnn_f64 : dnn_f32;
    EXPECT_EQ(cudnn().call("cudnnSetConvolutionNdDescriptor", convolution.get(), axes, c.padding.data(),
                           c.stride.data(), c.dilation.data(), 1, compute),
              0);
    EXPECT_EQ(cudnn().call("cudnnSetConvolutionGroupCount", convolution.get(), c.x[1] / c.w[1]), 0);
    EXPECT_EQ(cudnn().call("cudnnSetConvolutionMathType", convolution.get(),
                           c.tensor_cores      ? 0
                           : c.type == dnn_f32 ? 3
                                               : 1),
              0);
  }
};

int run_legacy(const Convolved& c, Tensors& t, int which) {
  const LegacyDescriptors d(c);
  const Factor alpha(c.type, c.alpha), beta(c.type, c.beta);
  std::size_t bytes = 0;
  const int algorithm = 1;
  if (which == 0) {
    EXPECT_EQ(cudnn().call("cudnnGetConvolutionForwardWorkspaceSize", dnn_handle(), d.x.get(), d.w.get(),
                           d.convolution.get(), d.y.get(), algorithm, &bytes),
              0);
    const OnDevice<std::uint8_t> work(std::vector<std::uint8_t>(bytes + 1));
    return cudnn().call("cudnnConvolutionForward", dnn_handle(), alpha.get(), d.x.get(), t.x.get(), d.w.get(),
                        t.w.get(), d.convolution.get(), algorithm, static_cast<void*>(work.get()), bytes, beta.get(),
                        d.y.get(), t.y.get());
  }
  if (which == 1) {
    EXPECT_EQ(cudnn().call("cudnnGetConvolutionBackwardDataWorkspaceSize", dnn_handle(), d.w.get(), d.y.get(),
                           d.convolution.get(), d.x.get(), algorithm, &bytes),
              0);
    const OnDevice<std::uint8_t> work(std::vector<std::uint8_t>(bytes + 1));
    return cudnn().call("cudnnConvolutionBackwardData", dnn_handle(), alpha.get(), d.w.get(), t.w.get(), d.y.get(),
                        t.y.get(), d.convolution.get(), algorithm, static_cast<void*>(work.get()), bytes, beta.get(),
                        d.x.get(), t.x.get());
  }
  EXPECT_EQ(cudnn().call("cudnnGetConvolutionBackwardFilterWorkspaceSize", dnn_handle(), d.x.get(), d.y.get(),
                         d.convolution.get(), d.w.get(), algorithm, &bytes),
            0);
  const OnDevice<std::uint8_t> work(std::vector<std::uint8_t>(bytes + 1));
  return cudnn().call("cudnnConvolutionBackwardFilter", dnn_handle(), alpha.get(), d.x.get(), t.x.get(), d.y.get(),
                      t.y.get(), d.convolution.get(), algorithm, static_cast<void*>(work.get()), bytes, beta.get(),
                      d.w.get(), t.w.get());
}

/// A descriptor of the graph interface.
class Backend {
 public:
  explicit Backend(int kind) { EXPECT_EQ(cudnn().call("cudnnBackendCreateDescriptor", kind, &at_), 0); }
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  ~Backend() { cudnn().call("cudnnBackendDestroyDescriptor", at_); }
  /// Type 1 data type, 2 bool, 3 int64, 4 float, 6 pointer, 7 convolution mode, 8 heuristics, 14 pointwise, 15
  /// descriptor.
  template <class Element>
  Backend& set(int name, int type, const std::vector<Element>& values) {
    EXPECT_EQ(cudnn().call("cudnnBackendSetAttribute", at_, name, type, static_cast<std::int64_t>(values.size()),
                           static_cast<const void*>(values.data())),
              0)
        << name;
    return *this;
  }
  Backend& set(int name, const Backend& other) { return set(name, 15, std::vector<void*>{other.at_}); }
  int finalize() { return cudnn().call("cudnnBackendFinalize", at_); }
  void* get() const { return at_; }

 private:
  void* at_ = nullptr;
};

std::vector<std::int64_t> wide(const std::vector<int>& values) { return {values.begin(), values.end()}; }

void set_tensor(Backend& tensor, DnnType type, const std::vector<int>& extents, const std::vector<int>& strides,
                std::int64_t number, bool is_virtual = false) {
  tensor.set(901, 1, std::vector<int>{type}).set(902, 3, wide(extents)).set(903, 3, wide(strides));
  tensor.set(900, 3, std::vector<std::int64_t>{16}).set(906, 3, std::vector<std::int64_t>{number});
  tensor.set(907, 2, std::vector<char>{is_virtual ? '\1' : '\0'});
  EXPECT_EQ(tensor.finalize(), 0);
}

/// Executes a graph with the first configuration that the heuristics propose. `note`: whether it may have the note of
/// tensor cores.
int execute(const Backend& graph, bool cores, const std::vector<std::int64_t>& numbers, const std::vector<void*>& at) {
  Backend heuristics(4);
  heuristics.set(201, graph).set(200, 8, std::vector<int>{0});
  if (const int status = heuristics.finalize(); status != 0) return status;
  std::int64_t count = 0;
  EXPECT_EQ(cudnn().call("cudnnBackendGetAttribute", heuristics.get(), 202, 15, std::int64_t{0}, &count,
                         static_cast<void*>(nullptr)),
            0);
  std::vector<std::unique_ptr<Backend>> made;
  std::vector<void*> configurations;
  for (std::int64_t i = 0; i < count; ++i)
    configurations.push_back(made.emplace_back(std::make_unique<Backend>(3))->get());
  EXPECT_EQ(cudnn().call("cudnnBackendGetAttribute", heuristics.get(), 202, 15, count, &count,
                         static_cast<void*>(configurations.data())),
            0);
  int status = -1;
  for (std::int64_t i = 0; i < count && status != 0; ++i) {
    Backend engine(2), plan(5), pack(16);
    void* into = engine.get();
    std::int64_t elements = 0;
    EXPECT_EQ(cudnn().call("cudnnBackendGetAttribute", configurations[i], 300, 15, std::int64_t{1}, &elements,
                           static_cast<void*>(&into)),
              0);
    int notes[10] = {};
    cudnn().call("cudnnBackendGetAttribute", engine.get(), 1303, 11, std::int64_t{10}, &elements,
                 static_cast<void*>(notes));
    const auto has = [&](int note) { return std::find(notes, notes + elements, note) != notes + elements; };
    if (has(1) || (has(0) && !cores)) continue;
    plan.set(400, 0, std::vector<void*>{dnn_handle()}).set(401, 15, std::vector<void*>{configurations[i]});
    if (plan.finalize() != 0) continue;
    std::int64_t bytes = 0;
    EXPECT_EQ(cudnn().call("cudnnBackendGetAttribute", plan.get(), 402, 3, std::int64_t{1}, &elements,
                           static_cast<void*>(&bytes)),
              0);
    const OnDevice<std::uint8_t> work(std::vector<std::uint8_t>(static_cast<std::size_t>(bytes) + 1));
    pack.set(1000, 3, numbers).set(1001, 6, at).set(1003, 6, std::vector<void*>{work.get()});
    EXPECT_EQ(pack.finalize(), 0);
    status = cudnn().call("cudnnBackendExecute", dnn_handle(), plan.get(), pack.get());
    runtime().call("cudaDeviceSynchronize");
  }
  return status;
}

void set_convolution(Backend& settings, const Convolved& c) {
  const std::vector<int> compute = {c.type == dnn_f64 ? dnn_f64 : dnn_f32};
  settings.set(100, 1, compute).set(101, 7, std::vector<int>{1}).set(102, 3, wide(c.dilation));
  settings.set(103, 3, wide(c.stride)).set(104, 3, wide(c.padding)).set(105, 3, wide(c.padding));
  settings.set(106, 3, std::vector<std::int64_t>{static_cast<std::int64_t>(c.padding.size())});
  EXPECT_EQ(settings.finalize(), 0);
}

int run_graph(const Convolved& c, Tensors& t, int which) {
  Backend x(17), w(17), y(17), settings(1), graph(15);
  set_tensor(x, c.type, c.x, strides_of(c.x, c.channels_last), 'x');
  set_tensor(w, c.type, c.w, strides_of(c.w, c.channels_last), 'w');
  set_tensor(y, c.type, output_of(c), strides_of(output_of(c), c.channels_last), 'y');
  set_convolution(settings, c);
  Backend operation(which == 0 ? 10 : which == 1 ? 12 : 11);
  const int first = 700 + 6 * which;  // alpha, beta, settings, then the tensors
  const std::array<int, 3> of_x = {704, 710, 716}, of_w = {703, 709, 715}, of_y = {705, 711, 717};
  if (c.type == dnn_f64)
    operation.set(first, 5, std::vector<double>{c.alpha}).set(first + 1, 5, std::vector<double>{c.beta});
  else
    operation.set(first, 4, std::vector<float>{static_cast<float>(c.alpha)})
        .set(first + 1, 4, std::vector<float>{static_cast<float>(c.beta)});
  operation.set(first + 2, settings).set(of_x[which], x).set(of_w[which], w).set(of_y[which], y);
  EXPECT_EQ(operation.finalize(), 0);
  graph.set(801, operation).set(800, 0, std::vector<void*>{dnn_handle()});
  EXPECT_EQ(graph.finalize(), 0);
  return execute(graph, c.tensor_cores || c.type != dnn_f32, {'x', 'w', 'y'}, {t.x.get(), t.w.get(), t.y.get()});
}

const std::vector<Convolved>& convolutions() {
  static const std::vector<Convolved> all = {
      {"f32", dnn_f32, {2, 5, 9, 7}, {6, 5, 3, 3}, {1, 1}, {1, 1}, {1, 1}},
      {"f32_strided", dnn_f32, {2, 3, 11, 8}, {70, 3, 3, 2}, {2, 0}, {2, 3}, {1, 2}, false, false, 0.5, 2},
      {"f32_last", dnn_f32, {3, 8, 6, 6}, {9, 8, 3, 3}, {1, 1}, {2, 2}, {1, 1}, true},
      {"f32_single_tap", dnn_f32, {2, 40, 5, 5}, {24, 40, 1, 1}, {0, 0}, {1, 1}, {1, 1}},
      {"f32_groups", dnn_f32, {1, 12, 7, 7}, {8, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}},
      {"f32_depthwise", dnn_f32, {2, 6, 8, 8}, {12, 1, 3, 3}, {1, 1}, {2, 1}, {1, 1}, false, false, 1, 0.5},
      {"tf32", dnn_f32, {2, 17, 8, 9}, {20, 17, 3, 3}, {1, 1}, {1, 1}, {1, 1}, false, true},
      {"tf32_last", dnn_f32, {2, 16, 8, 8}, {72, 16, 3, 3}, {1, 1}, {1, 1}, {1, 1}, true, true},
      {"tf32_first_layer", dnn_f32, {2, 1, 12, 12}, {32, 1, 5, 5}, {2, 2}, {1, 1}, {1, 1}, false, true},
      {"f16", dnn_f16, {2, 32, 6, 6}, {40, 32, 3, 3}, {1, 1}, {1, 1}, {1, 1}},
      {"f16_last", dnn_f16, {1, 24, 7, 5}, {16, 24, 3, 3}, {0, 1}, {1, 2}, {1, 1}, true},
      {"bf16", dnn_bf16, {2, 32, 5, 5}, {33, 32, 2, 2}, {0, 0}, {1, 1}, {2, 2}},
      {"bf16_depthwise", dnn_bf16, {1, 8, 6, 6}, {8, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, true},
      {"f64", dnn_f64, {2, 6, 6, 5}, {7, 6, 3, 3}, {1, 1}, {2, 1}, {1, 1}, false, false, 1.5, -1},
      {"volume", dnn_f32, {1, 4, 4, 5, 6}, {6, 4, 3, 2, 3}, {1, 0, 1}, {1, 2, 1}, {1, 1, 1}},
      {"line", dnn_f16, {2, 16, 1, 30}, {16, 16, 1, 5}, {0, 2}, {1, 1}, {1, 1}},
  };
  return all;
}

class CudnnConvolution : public testing::TestWithParam<std::tuple<std::size_t, int>> {
 protected:
  static void check(int (*run)(const Convolved&, Tensors&, int)) {
    const Convolved& c = convolutions()[std::get<0>(GetParam())];
    const int which = std::get<1>(GetParam());
    Tensors tensors(c);
    const std::vector<double> expected = expected_result(c, tensors, which);
    ASSERT_EQ(run(c, tensors, which), 0);
    tensors.result(which).read_again();
    EXPECT_LT(relative_difference(tensors.result(which).values(), expected), tolerance_of(c));
  }
};

TEST_P(CudnnConvolution, Legacy) { check(run_legacy); }
TEST_P(CudnnConvolution, Graph) { check(run_graph); }

std::string name_of(const testing::TestParamInfo<std::tuple<std::size_t, int>>& info) {
  const char* const results[] = {"_y", "_dx", "_dw"};
  return std::string(convolutions()[std::get<0>(info.param)].name) + results[std::get<1>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(All, CudnnConvolution,
                         testing::Combine(testing::Range(std::size_t{0}, convolutions().size()), testing::Range(0, 3)),
                         name_of);

/// relu(x * w + scale * z + bias), as PyTorch's cudnn_convolution_add_relu asks for it.
TEST(CudnnGraph, FusesAdditionsAndRelu) {
  const Convolved c{"", dnn_f16, {2, 16, 6, 6}, {24, 16, 3, 3}, {1, 1}, {1, 1}, {1, 1}, true};
  const float scale = 0.5F;
  Tensors t(c);
  const std::vector<int> extents = output_of(c), strides = strides_of(extents, true);
  const DnnArray z(c.type, dnn_noise(t.y.values().size(), 7, 3)), bias(c.type, dnn_noise(24, 8, 3));
  std::vector<double> expected = expected_result(c, t, 0);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = std::max(0.0, expected[i] + scale * z[i] + bias[i % 24]);

  Backend x(17), w(17), y(17), zt(17), bt(17), after_conv(17), after_add(17), after_bias(17), settings(1), graph(15);
  set_tensor(x, c.type, c.x, strides_of(c.x, true), 'x');
  set_tensor(w, c.type, c.w, strides_of(c.w, true), 'w');
  set_tensor(y, c.type, extents, strides, 'y');
  set_tensor(zt, c.type, extents, strides, 'z');
  set_tensor(bt, c.type, {1, 24, 1, 1}, {24, 1, 24, 24}, 'b');
  set_tensor(after_conv, dnn_f32, extents, strides, 'C', true);
  set_tensor(after_add, dnn_f32, extents, strides, 'A', true);
  set_tensor(after_bias, dnn_f32, extents, strides, 'B', true);
  set_convolution(settings, c);
  Backend add(0), relu(0);
  add.set(0, 14, std::vector<int>{0}).set(1, 1, std::vector<int>{dnn_f32});
  relu.set(0, 14, std::vector<int>{100}).set(1, 1, std::vector<int>{dnn_f32});
  EXPECT_EQ(add.finalize(), 0);
  EXPECT_EQ(relu.finalize(), 0);
  Backend convolution(10), first(13), second(13), third(13);
  convolution.set(700, 4, std::vector<float>{1}).set(701, 4, std::vector<float>{0}).set(702, settings);
  convolution.set(703, w).set(704, x).set(705, after_conv);
  first.set(750, add).set(751, after_conv).set(752, zt).set(753, after_add);
  first.set(754, 4, std::vector<float>{1}).set(755, 4, std::vector<float>{scale});
  second.set(750, add).set(751, after_add).set(752, bt).set(753, after_bias);
  third.set(750, relu).set(751, after_bias).set(753, y);
  for (Backend* const operation : {&convolution, &first, &second, &third}) EXPECT_EQ(operation->finalize(), 0);
  graph.set(801, 15, std::vector<void*>{convolution.get(), first.get(), second.get(), third.get()});
  graph.set(800, 0, std::vector<void*>{dnn_handle()});
  ASSERT_EQ(graph.finalize(), 0);
  ASSERT_EQ(execute(graph, true, {'x', 'w', 'y', 'z', 'b'}, {t.x.get(), t.w.get(), t.y.get(), z.get(), bias.get()}), 0);
  t.y.read_again();
  EXPECT_LT(relative_difference(t.y.values(), expected), 2 * dnn_tolerance(c.type));
}

TEST(CudnnConvolutions, FuseBiasAndActivation) {
  const Convolved c{"", dnn_f32, {2, 4, 6, 6}, {6, 4, 3, 3}, {1, 1}, {1, 1}, {1, 1}};
  Tensors t(c);
  const DnnArray z(c.type, dnn_noise(t.y.values().size(), 7)), bias(c.type, dnn_noise(6, 8));
  std::vector<double> expected = expected_result(c, t, 0);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = std::max(0.0, 2 * expected[i] + 0.5 * z[i] + bias[i / 36 % 6]);
  const LegacyDescriptors d(c);
  const DnnTensor bias_layout(c.type, {1, 6, 1, 1});
  const DnnDescriptor activation("Activation");
  ASSERT_EQ(cudnn().call("cudnnSetActivationDescriptor", activation.get(), 1, 0, 0.0), 0);
  const Factor alpha1(c.type, 2), alpha2(c.type, 0.5);
  ASSERT_EQ(
      cudnn().call("cudnnConvolutionBiasActivationForward", dnn_handle(), alpha1.get(), d.x.get(), t.x.get(), d.w.get(),
                   t.w.get(), d.convolution.get(), 1, static_cast<void*>(nullptr), std::size_t{0}, alpha2.get(),
                   d.y.get(), z.get(), bias_layout.get(), bias.get(), activation.get(), d.y.get(), t.y.get()),
      0);
  t.y.read_again();
  EXPECT_LT(relative_difference(t.y.values(), expected), tolerance_of(c));
}

/// A graph that has no engine, here a lone addition, is refused by the heuristics or by the graph itself.
TEST(CudnnGraph, RefusesOtherGraphs) {
  if (std::getenv("WARPWALK_REAL_LIBRARIES") != nullptr) GTEST_SKIP() << "NVIDIA's library has engines for it";
  Backend a(17), b(17), y(17), add(0), operation(13), graph(15), heuristics(4);
  for (Backend* const tensor : {&a, &b, &y})
    set_tensor(*tensor, dnn_f32, {2, 2, 2}, {4, 2, 1}, tensor == &a ? 1 : tensor == &b ? 2 : 3);
  add.set(0, 14, std::vector<int>{0}).set(1, 1, std::vector<int>{dnn_f32});
  EXPECT_EQ(add.finalize(), 0);
  operation.set(750, add).set(751, a).set(752, b).set(753, y);
  EXPECT_EQ(operation.finalize(), 0);
  graph.set(801, operation).set(800, 0, std::vector<void*>{dnn_handle()});
  EXPECT_EQ(graph.finalize(), 0);
  heuristics.set(201, graph).set(200, 8, std::vector<int>{0});
  EXPECT_EQ(heuristics.finalize() / 1000, 3);  // CUDNN_STATUS_NOT_SUPPORTED, or one of its kinds
}

TEST(CudnnConvolutions, SayWhatIsWrong) {
  EXPECT_EQ(cudnn().call("cudnnCreate", static_cast<void*>(nullptr)) / 1000, 2);
  const DnnDescriptor tensor("Tensor");
  const int extents[] = {2, 0, 3, 3}, strides[] = {9, 9, 3, 1};
  EXPECT_EQ(cudnn().call("cudnnSetTensorNdDescriptor", tensor.get(), 0, 4, extents, strides) / 1000, 2);
  Backend empty(17);
  EXPECT_EQ(empty.finalize() / 1000, 2);
  std::int64_t count = 0;
  EXPECT_EQ(cudnn().call("cudnnBackendGetAttribute", empty.get(), 906, 3, std::int64_t{1}, &count,
                         static_cast<void*>(&count)) /
                1000,
            2);
}

}  // namespace
}  // namespace warpwalk::libraries_test
