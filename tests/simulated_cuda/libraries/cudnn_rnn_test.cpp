// cuDNN's recurrent layers against the cells' formulas in double precision; gradients against differences.
#include <functional>
#include <memory>
#include <numeric>

#include "cudnn_library.h"
#include <gtest/gtest.h>

namespace warpwalk::libraries_test {
namespace {

enum Cell : int { relu = 0, tanh_cell = 1, lstm = 2, gru = 3 };

struct Network {
  const char* name;
  Cell cell;
  DnnType type;
  int input, hidden, layers;
  bool bidirectional;
  std::vector<int> lengths;  ///< of each sequence; the longest first
  bool packed = false;
  int bias = 2;  ///< cudnnRNNBiasMode_t

  int directions() const { return bidirectional ? 2 : 1; }
  int steps() const { return lengths[0]; }
  int batch() const { return static_cast<int>(lengths.size()); }
  int gates() const { return cell == lstm ? 4 : cell == gru ? 3 : 1; }
  int row(int t, int b) const {
    if (!packed) return t * batch() + b;
    int before = 0;
    for (const int length : lengths) before += std::min(length, t);
    return before + b;
  }
  int rows() const { return packed ? std::accumulate(lengths.begin(), lengths.end(), 0) : steps() * batch(); }
  int states() const { return layers * directions() * batch() * hidden; }
};

/// Where cuDNN puts the parameters: offsets in elements; -1 if there are none.
struct Parameters {
  std::vector<long long> matrices,
      biases;  ///< of each pseudo layer, products with the input and recurrent ones of all gates
  std::size_t count = 0;
};

using List = std::vector<double>;

double sigmoid_of(double value) { return 1 / (1 + std::exp(-value)); }

struct Outputs {
  List y, hy, cy;
};

/// The network, from the formulas.
Outputs reference(const Network& n, const Parameters& at, const List& x, const List& w, const List& hx,
                  const List& cx) {
  const int hidden = n.hidden, gates = n.gates(), width = hidden * n.directions();
  List in = x;
  int inputs = n.input;
  Outputs out{{}, List(n.states()), List(n.states())};
  for (int layer = 0; layer < n.layers; ++layer) {
    List y(static_cast<std::size_t>(n.rows() * width));
    for (int d = 0; d < n.directions(); ++d) {
      const int pseudo = layer * n.directions() + d;
      const long long* const matrices = &at.matrices[pseudo * 2 * gates];
      const long long* const biases = &at.biases[pseudo * 2 * gates];
      for (int b = 0; b < n.batch(); ++b) {
        List h(hx.begin() + (pseudo * n.batch() + b) * hidden, hx.begin() + (pseudo * n.batch() + b + 1) * hidden);
        List c(cx.begin() + (pseudo * n.batch() + b) * hidden, cx.begin() + (pseudo * n.batch() + b + 1) * hidden);
        for (int s = 0; s < n.lengths[b]; ++s) {
          const int row = n.row(d == 0 ? s : n.lengths[b] - 1 - s, b);
          List next(hidden);
          for (int u = 0; u < hidden; ++u) {
            double a[4] = {}, r[4] = {};
            for (int g = 0; g < gates; ++g) {
              a[g] = biases[g] < 0 ? 0 : w[biases[g] + u];
              r[g] = biases[gates + g] < 0 ? 0 : w[biases[gates + g] + u];
              for (int k = 0; k < inputs; ++k) a[g] += w[matrices[g] + u * inputs + k] * in[row * inputs + k];
              for (int k = 0; k < hidden; ++k) r[g] += w[matrices[gates + g] + u * hidden + k] * h[k];
            }
            if (n.cell == relu) next[u] = std::max(0.0, a[0] + r[0]);
            if (n.cell == tanh_cell) next[u] = std::tanh(a[0] + r[0]);
            if (n.cell == lstm) {
              c[u] = sigmoid_of(a[1] + r[1]) * c[u] + sigmoid_of(a[0] + r[0]) * std::tanh(a[2] + r[2]);
              next[u] = sigmoid_of(a[3] + r[3]) * std::tanh(c[u]);
            }
            if (n.cell == gru) {
              const double z = sigmoid_of(a[1] + r[1]);
              next[u] = (1 - z) * std::tanh(a[2] + sigmoid_of(a[0] + r[0]) * r[2]) + z * h[u];
            }
            y[row * width + d * hidden + u] = next[u];
          }
          h = next;
        }
        std::copy(h.begin(), h.end(), out.hy.begin() + (pseudo * n.batch() + b) * hidden);
        std::copy(c.begin(), c.end(), out.cy.begin() + (pseudo * n.batch() + b) * hidden);
      }
    }
    in = out.y = y;
    inputs = width;
  }
  return out;
}

/// cuDNN's descriptors of a network.
struct RnnDescriptors {
  DnnDescriptor dropout{"Dropout"}, rnn{"RNN"}, x{"RNNData"}, y{"RNNData"};
  DnnTensor states;
  explicit RnnDescriptors(const Network& n, float rate = 0, void* random = nullptr, std::size_t random_bytes = 0)
      : states(n.type, {n.layers * n.directions(), n.batch(), n.hidden}) {
    EXPECT_EQ(cudnn().call("cudnnSetDropoutDescriptor", dropout.get(), dnn_handle(), rate, random, random_bytes, 42ULL),
              0);
    const int compute = n.type == dnn_f64 ? dnn_f64 : dnn_f32, fma_math = 3, standard_math = 0;
    EXPECT_EQ(cudnn().call("cudnnSetRNNDescriptor_v8", rnn.get(), 0, static_cast<int>(n.cell), n.bias,
                           n.bidirectional ? 1 : 0, 0, static_cast<int>(n.type), compute,
                           n.type == dnn_f32 ? fma_math : standard_math, n.input, n.hidden, n.hidden, n.layers,
                           dropout.get(), n.packed ? 0U : 1U),
              0);
    double padding = 0;
    const int layout = n.packed ? 1 : 0;
    EXPECT_EQ(cudnn().call("cudnnSetRNNDataDescriptor", x.get(), static_cast<int>(n.type), layout, n.steps(), n.batch(),
                           n.input, n.lengths.data(), static_cast<void*>(&padding)),
              0);
    EXPECT_EQ(cudnn().call("cudnnSetRNNDataDescriptor", y.get(), static_cast<int>(n.type), layout, n.steps(), n.batch(),
                           n.hidden * n.directions(), n.lengths.data(), static_cast<void*>(&padding)),
              0);
  }
};

Parameters parameters_of(const Network& n, const RnnDescriptors& d) {
  Parameters found;
  std::size_t bytes = 0;
  EXPECT_EQ(cudnn().call("cudnnGetRNNWeightSpaceSize", dnn_handle(), d.rnn.get(), &bytes), 0);
  found.count = bytes / dnn_bytes(n.type);
  const OnDevice<std::uint8_t> space{std::vector<std::uint8_t>(bytes)};
  for (int pseudo = 0; pseudo < n.layers * n.directions(); ++pseudo)
    for (int product = 0; product < 2 * n.gates(); ++product) {
      const DnnDescriptor matrix("Tensor"), bias("Tensor");
      std::uint8_t *matrix_at = nullptr, *bias_at = nullptr;
      EXPECT_EQ(cudnn().call("cudnnGetRNNWeightParams", dnn_handle(), d.rnn.get(), pseudo, bytes, space.get(), product,
                             matrix.get(), &matrix_at, bias.get(), &bias_at),
                0);
      int type = 0, axes = 0, extents[3] = {}, strides[3] = {};
      EXPECT_EQ(cudnn().call("cudnnGetTensorNdDescriptor", matrix.get(), 3, &type, &axes, extents, strides), 0);
      const int inputs = product >= n.gates()      ? n.hidden
                         : pseudo < n.directions() ? n.input
                                                   : n.hidden * n.directions();
      EXPECT_EQ(extents[0] * extents[1] * extents[2], n.hidden * inputs);
      const auto size = static_cast<long long>(dnn_bytes(n.type));
      found.matrices.push_back((matrix_at - space.get()) / size);
      found.biases.push_back(bias_at == nullptr ? -1 : (bias_at - space.get()) / size);
    }
  return found;
}

std::vector<double> of_rows(const Network& n, int width, std::uint64_t seed) {
  return dnn_noise(static_cast<std::size_t>(n.rows() * width), seed);
}

class CudnnRnn : public testing::TestWithParam<Network> {};

TEST_P(CudnnRnn, ComputesWithGradients) {
  const Network& n = GetParam();
  const RnnDescriptors d(n);
  const Parameters at = parameters_of(n, d);
  const int width = n.hidden * n.directions();
  const auto states = static_cast<std::size_t>(n.states());
  const DnnArray x(n.type, of_rows(n, n.input, 1)), w(n.type, dnn_noise(at.count, 2, 0.6));
  const DnnArray hx(n.type, dnn_noise(states, 3)), cx(n.type, dnn_noise(states, 4));
  const DnnArray dy(n.type, of_rows(n, width, 5)), dhy(n.type, dnn_noise(states, 6)), dcy(n.type, dnn_noise(states, 7));
  DnnArray y(n.type, of_rows(n, width, 8)), hy(n.type, hx.values()), cy(n.type, cx.values());
  DnnArray dx(n.type, x.values()), dhx(n.type, hx.values()), dcx(n.type, cx.values()), dw(n.type, List(at.count));
  const Outputs expected = reference(n, at, x.values(), w.values(), hx.values(), cx.values());
  const bool has_c = n.cell == lstm;
  const auto state = [&](const DnnArray& array) { return has_c ? array.get() : nullptr; };

  void* const none = nullptr;
  std::size_t work_bytes = 0, reserve_bytes = 0, inference_bytes = 0;
  ASSERT_EQ(cudnn().call("cudnnGetRNNTempSpaceSizes", dnn_handle(), d.rnn.get(), 0, d.x.get(), &inference_bytes,
                         static_cast<std::size_t*>(nullptr)),
            0);
  ASSERT_EQ(
      cudnn().call("cudnnGetRNNTempSpaceSizes", dnn_handle(), d.rnn.get(), 1, d.x.get(), &work_bytes, &reserve_bytes),
      0);
  const OnDevice<std::uint8_t> work{std::vector<std::uint8_t>(std::max(work_bytes, inference_bytes) + 1)};
  const OnDevice<std::uint8_t> reserve{std::vector<std::uint8_t>(reserve_bytes + 1)};
  const double tolerance = dnn_tolerance(n.type) * (n.type == dnn_f64 ? 1 : 4);
  for (const int training : {0, 1}) {
    ASSERT_EQ(cudnn().call("cudnnRNNForward", dnn_handle(), d.rnn.get(), training, none, d.x.get(), x.get(), d.y.get(),
                           y.get(), d.states.get(), hx.get(), hy.get(), d.states.get(), state(cx), state(cy), w.bytes(),
                           w.get(), training != 0 ? work_bytes : inference_bytes, static_cast<void*>(work.get()),
                           training != 0 ? reserve_bytes : std::size_t{0}, static_cast<void*>(reserve.get())),
              0);
    y.read_again(), hy.read_again(), cy.read_again();
    EXPECT_LT(relative_difference(y.values(), expected.y), tolerance) << training;
    EXPECT_LT(relative_difference(hy.values(), expected.hy), tolerance) << training;
    if (has_c) {
      EXPECT_LT(relative_difference(cy.values(), expected.cy), tolerance) << training;
    }
  }

  ASSERT_EQ(cudnn().call("cudnnRNNBackwardData_v8", dnn_handle(), d.rnn.get(), none, d.y.get(), y.get(), dy.get(),
                         d.x.get(), dx.get(), d.states.get(), hx.get(), dhy.get(), dhx.get(), d.states.get(), state(cx),
                         state(dcy), state(dcx), w.bytes(), w.get(), work_bytes, static_cast<void*>(work.get()),
                         reserve_bytes, static_cast<void*>(reserve.get())),
            0);
  ASSERT_EQ(cudnn().call("cudnnRNNBackwardWeights_v8", dnn_handle(), d.rnn.get(), 0, none, d.x.get(), x.get(),
                         d.states.get(), hx.get(), d.y.get(), y.get(), w.bytes(), dw.get(), work_bytes,
                         static_cast<void*>(work.get()), reserve_bytes, static_cast<void*>(reserve.get())),
            0);
  dx.read_again(), dhx.read_again(), dcx.read_again(), dw.read_again();

  const auto loss = [&](const List& a, const List& b, const List& c, const List& e) {
    const Outputs out = reference(n, at, a, b, c, e);
    double sum = std::inner_product(out.y.begin(), out.y.end(), dy.values().begin(), 0.0) +
                 std::inner_product(out.hy.begin(), out.hy.end(), dhy.values().begin(), 0.0);
    if (has_c) sum += std::inner_product(out.cy.begin(), out.cy.end(), dcy.values().begin(), 0.0);
    return sum;
  };
  /// Differences of some of the numbers: all would take long.
  const auto check = [&](const char* what, const DnnArray& found, const List& from,
                         const std::function<double(const List&)>& of) {
    List expected_part, found_part;
    const std::size_t stride = from.size() / 60 + 1;
    for (std::size_t i = 0; i < from.size(); i += stride) {
      List changed = from;
      constexpr double step = 1e-5;
      changed[i] += step;
      const double after = of(changed);
      changed[i] -= 2 * step;
      expected_part.push_back((after - of(changed)) / (2 * step));
      found_part.push_back(found[i]);
    }
    EXPECT_LT(relative_difference(found_part, expected_part), std::max(tolerance, 1e-7)) << what;
  };
  const List &vx = x.values(), &vw = w.values(), &vh = hx.values(), &vc = cx.values();
  check("dx", dx, vx, [&](const List& v) { return loss(v, vw, vh, vc); });
  check("dw", dw, vw, [&](const List& v) { return loss(vx, v, vh, vc); });
  check("dhx", dhx, vh, [&](const List& v) { return loss(vx, vw, v, vc); });
  if (has_c) check("dcx", dcx, vc, [&](const List& v) { return loss(vx, vw, vh, v); });
}

INSTANTIATE_TEST_SUITE_P(All, CudnnRnn,
                         testing::Values(Network{"tanh", tanh_cell, dnn_f64, 3, 5, 1, false, {4, 4}},
                                         Network{"relu_layers", relu, dnn_f64, 3, 4, 2, false, {3, 3, 3}},
                                         Network{"lstm", lstm, dnn_f64, 5, 6, 1, false, {4, 4, 4, 4, 4}},
                                         Network{"lstm_bidirectional", lstm, dnn_f64, 3, 4, 2, true, {3, 3}},
                                         Network{"lstm_packed", lstm, dnn_f64, 3, 4, 2, true, {5, 3, 3, 2, 1}, true},
                                         Network{"gru", gru, dnn_f64, 4, 5, 2, false, {3, 3}},
                                         Network{"gru_packed", gru, dnn_f64, 4, 3, 1, true, {4, 2}, true},
                                         Network{"gru_without_bias", gru, dnn_f64, 4, 5, 1, false, {3, 3}, false, 0},
                                         Network{"lstm_float", lstm, dnn_f32, 10, 40, 1, false, {6, 6}},
                                         Network{"gru_float", gru, dnn_f32, 7, 33, 1, true, {5, 5, 5}},
                                         Network{"lstm_half", lstm, dnn_f16, 16, 16, 1, false, {3, 3}}),
                         [](const auto& info) { return std::string(info.param.name); });

/// Dropout between layers: the same seed gives the same numbers, the next call others, and gradients belong to them.
TEST(CudnnRnnDropout, DropsBetweenLayers) {
  const Network n{"", tanh_cell, dnn_f64, 3, 32, 2, false, {4, 4}};
  std::size_t random_bytes = 0;
  ASSERT_EQ(cudnn().call("cudnnDropoutGetStatesSize", dnn_handle(), &random_bytes), 0);
  const OnDevice<std::uint8_t> random{std::vector<std::uint8_t>(random_bytes)};
  std::vector<List> results;
  for (int run = 0; run < 2; ++run) {
    const RnnDescriptors d(n, 0.5F, random.get(), random_bytes);
    const Parameters at = parameters_of(n, d);
    const DnnArray x(n.type, of_rows(n, n.input, 1)), w(n.type, dnn_noise(at.count, 2, 0.3));
    DnnArray y(n.type, of_rows(n, n.hidden, 3));
    std::size_t work_bytes = 0, reserve_bytes = 0;
    ASSERT_EQ(
        cudnn().call("cudnnGetRNNTempSpaceSizes", dnn_handle(), d.rnn.get(), 1, d.x.get(), &work_bytes, &reserve_bytes),
        0);
    const OnDevice<std::uint8_t> work{std::vector<std::uint8_t>(work_bytes + 1)};
    const OnDevice<std::uint8_t> reserve{std::vector<std::uint8_t>(reserve_bytes + 1)};
    void* const none = nullptr;
    for (int call = 0; call < 2; ++call) {
      ASSERT_EQ(
          cudnn().call("cudnnRNNForward", dnn_handle(), d.rnn.get(), 1, none, d.x.get(), x.get(), d.y.get(), y.get(),
                       d.states.get(), none, none, d.states.get(), none, none, w.bytes(), w.get(), work_bytes,
                       static_cast<void*>(work.get()), reserve_bytes, static_cast<void*>(reserve.get())),
          0);
      y.read_again();
      results.push_back(y.values());
    }
  }
  EXPECT_EQ(results[0], results[2]);
  EXPECT_EQ(results[1], results[3]);
  EXPECT_NE(results[0], results[1]);
}

}  // namespace
}  // namespace warpwalk::libraries_test
