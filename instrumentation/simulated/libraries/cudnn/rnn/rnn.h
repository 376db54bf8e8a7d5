#pragma once

#include <functional>
#include <vector>

#include "instrumentation/simulated/libraries/cudnn/abi.h"
#include "kernels/libraries/cudnn/rnn_layer.h"

namespace warpwalk::simulated::libraries {

/// cudnnRNNMode_t
enum class CellKind : int { relu = 0, tanh = 1, lstm = 2, gru = 3 };
/// cudnnRNNBiasMode_t
enum class BiasKind : int { none = 0, input = 1, both = 2, recurrent = 3 };
/// cudnnRNNDataLayout_t
enum class StepLayout : int { step_major = 0, step_major_packed = 1, batch_major = 2 };

/// cudnnRNNDescriptor_t
struct RnnDescriptor {
  CellKind cell = CellKind::relu;
  BiasKind bias = BiasKind::both;
  bool bidirectional = false;
  DataType type = DataType::f32;
  MathType math = MathType::standard;
  int input = 0, hidden = 0, layers = 0;
  DropoutDescriptor dropout;

  int directions() const { return bidirectional ? 2 : 1; }
  /// Layers times directions.
  int pseudo_layers() const { return layers * directions(); }
  int gates() const { return cell == CellKind::lstm ? 4 : cell == CellKind::gru ? 3 : 1; }
  /// The width of the input of a layer.
  int input_of(int layer) const { return layer == 0 ? input : hidden * directions(); }
};

/// cudnnRNNDataDescriptor_t
struct RnnDataDescriptor {
  DataType type = DataType::f32;
  StepLayout layout = StepLayout::step_major;
  int steps = 0, batch = 0, width = 0;
  std::vector<int> lengths;
};

/// The parameters of a pseudo layer, in elements from the start of the weight space: all matrices come before all
/// biases.
struct RnnParameters {
  long long input_weights = 0, recurrent_weights = 0;  ///< the gates' matrices, one after another
  long long input_bias = -1, recurrent_bias = -1;      ///< -1: none
};
RnnParameters parameters_of(const RnnDescriptor& rnn, int pseudo_layer);
/// Elements of the weight space.
long long parameter_count(const RnnDescriptor& rnn);

/// Where one call keeps its intermediate results.
class RnnPlan {
 public:
  /// `training`: the gradients' intermediate results are kept in the reserve space.
  RnnPlan(const RnnDescriptor& rnn, const RnnDataDescriptor& data, bool training);

  std::size_t work_bytes() const { return work_bytes_; }
  std::size_t reserve_bytes() const { return reserve_bytes_; }
  long long rows() const { return rows_; }

  /// Gives the spaces. Everything below needs them.
  void set_spaces(void* work, void* reserve);

  /// Writes the lengths and starts of the steps to the work space.
  DnnStatus write_sequences(const void* stream) const;
  /// A pseudo layer with what does not depend on the direction of the call: sizes, sequences, intermediate results.
  stand_in::cudnn::RnnLayer layer(int pseudo_layer) const;
  /// The output of a layer other than the last, after dropout: the input of the next one.
  void* output(int layer) const;
  /// Which elements of it dropout has kept.
  void* kept(int layer) const;
  /// Gradients of the outputs of hidden layers; there are two such places.
  void* gradient(int which) const;

 private:
  std::size_t take(std::size_t& total, long long elements, std::size_t size) const;

  const RnnDescriptor& rnn_;
  const RnnDataDescriptor& data_;
  const bool training_;
  long long rows_ = 0;
  std::vector<int> starts_;
  std::size_t work_bytes_ = 0, reserve_bytes_ = 0;
  // Offsets, in the reserve space if training, otherwise in the work space; sequences and gradients in the work space.
  std::vector<std::size_t> gates_, cells_, previous_, outputs_, kept_;
  std::size_t lengths_at_ = 0, starts_at_ = 0, gradients_[2] = {};
  std::uint8_t* work_ = nullptr;
  std::uint8_t* kept_space_ = nullptr;
};

/// A product of matrices by the convolution kernels: rows of x times the transposed w.
struct RnnProduct {
  DataType type = DataType::f32;
  bool tensor_cores = true;
  long long rows = 0;
  int inputs = 0, outputs = 0;
  long long x_row = 0, y_row = 0;  ///< elements from one row to the next
};
/// y = x * w^T + bias
DnnStatus product_forward(const RnnProduct& product, const void* x, const void* w, const void* bias, void* y,
                          const void* stream);
/// dx = dy * w, or dx += that
DnnStatus product_backward_data(const RnnProduct& product, const void* dy, const void* w, void* dx, bool add,
                                const void* stream);
/// dw = dy^T * x, or dw += that
DnnStatus product_backward_weights(const RnnProduct& product, const void* dy, const void* x, void* dw, bool add,
                                   const void* stream);

}  // namespace warpwalk::simulated::libraries
