// What an operation graph computes.
#include "instrumentation/simulated/libraries/cudnn/backend/graph.h"

#include <algorithm>

namespace warpwalk::simulated::libraries {
namespace {

/// cudnnPointwiseMode_t
constexpr int pointwise_add = 0, pointwise_identity = 21, pointwise_relu = 100;

/// The attributes of one kind of convolution.
struct ConvolutionNames {
  ConvolutionResult result;
  Attribute x, w, y, settings, alpha, beta;
};

std::optional<ConvolutionNames> names_of(BackendKind kind) {
  switch (kind) {
    case BackendKind::convolution_forward:
      return ConvolutionNames{ConvolutionResult::y,   Attribute::forward_x,        Attribute::forward_w,
                              Attribute::forward_y,   Attribute::forward_settings, Attribute::forward_alpha,
                              Attribute::forward_beta};
    case BackendKind::convolution_backward_data:
      return ConvolutionNames{
          ConvolutionResult::dx,        Attribute::backward_data_dx,       Attribute::backward_data_w,
          Attribute::backward_data_dy,  Attribute::backward_data_settings, Attribute::backward_data_alpha,
          Attribute::backward_data_beta};
    case BackendKind::convolution_backward_filter:
      return ConvolutionNames{
          ConvolutionResult::dw,          Attribute::backward_filter_x,        Attribute::backward_filter_dw,
          Attribute::backward_filter_dy,  Attribute::backward_filter_settings, Attribute::backward_filter_alpha,
          Attribute::backward_filter_beta};
    default: return std::nullopt;
  }
}

struct GraphTensor {
  DataType type = DataType::f32;
  std::vector<std::int64_t> extents, strides;
  std::int64_t identifier = 0;
  bool is_virtual = false;
};

std::optional<GraphTensor> graph_tensor(const BackendContents* descriptor) {
  if (descriptor == nullptr || descriptor->kind != BackendKind::tensor) return std::nullopt;
  GraphTensor tensor;
  tensor.type = descriptor->one(Attribute::tensor_type, DataType::f32);
  tensor.extents = descriptor->all<std::int64_t>(Attribute::tensor_extents);
  tensor.strides = descriptor->all<std::int64_t>(Attribute::tensor_strides);
  tensor.identifier = descriptor->one<std::int64_t>(Attribute::tensor_identifier, 0);
  tensor.is_virtual = descriptor->one<std::uint8_t>(Attribute::tensor_is_virtual, 0) != 0;
  if (descriptor->one<std::uint8_t>(Attribute::tensor_is_by_value, 0) != 0) return std::nullopt;
  if (tensor.extents.size() != tensor.strides.size()) return std::nullopt;
  return tensor;
}

template <class From>
void copy_axes(const From& from, std::array<long long, most_axes>& into) {
  std::copy(from.begin(), from.end(), into.begin());
}

/// The first operation of the graph. `y`: its output.
std::optional<GraphConvolution> first_operation(const BackendContents& operation, GraphTensor& y) {
  const auto names = names_of(operation.kind);
  if (!names) return std::nullopt;
  const auto x = graph_tensor(operation.descriptor(names->x)), w = graph_tensor(operation.descriptor(names->w));
  const auto output = graph_tensor(operation.descriptor(names->y));
  const BackendContents* const settings = operation.descriptor(names->settings);
  if (!x || !w || !output || settings == nullptr) return std::nullopt;
  y = *output;
  if (x->type != w->type || bytes_of(x->type) == 0) return std::nullopt;
  const auto axes = static_cast<int>(x->extents.size()) - 2;
  if (axes < 1 || axes > 3 || w->extents.size() != x->extents.size() || y.extents.size() != x->extents.size())
    return std::nullopt;
  ConvolutionTensors tensors;
  tensors.axes = axes;
  copy_axes(x->extents, tensors.x), copy_axes(x->strides, tensors.x_strides);
  copy_axes(w->extents, tensors.w), copy_axes(w->strides, tensors.w_strides);
  copy_axes(y.extents, tensors.y), copy_axes(y.strides, tensors.y_strides);
  const auto axes_of = [&](Attribute name, std::array<long long, most_axes>& into) {
    const std::vector<std::int64_t> values = settings->all<std::int64_t>(name);
    if (static_cast<int>(values.size()) != axes) return false;
    copy_axes(values, into);
    return true;
  };
  if (!axes_of(Attribute::convolution_pre_paddings, tensors.padding) ||
      !axes_of(Attribute::convolution_post_paddings, tensors.post_padding) ||
      !axes_of(Attribute::convolution_strides, tensors.stride) ||
      !axes_of(Attribute::convolution_dilations, tensors.dilation))
    return std::nullopt;
  constexpr int cross_correlation = 1;
  if (settings->one(Attribute::convolution_mode, cross_correlation) != cross_correlation) return std::nullopt;
  const auto shape = shape_of(tensors);
  if (!shape) return std::nullopt;
  GraphConvolution graph;
  graph.convolution.result = names->result;
  graph.convolution.type = x->type;
  graph.convolution.shape = *shape;
  graph.convolution.epilogue.alpha = operation.number(names->alpha, 1);
  graph.convolution.epilogue.beta = operation.number(names->beta, 0);
  graph.x = x->identifier, graph.w = w->identifier, graph.y = y.identifier;
  return graph;
}

/// Whether each extent is that of `of` or 1, in which case its stride becomes 0.
bool broadcast(GraphTensor& tensor, const GraphTensor& of) {
  if (tensor.extents.size() != of.extents.size()) return false;
  for (std::size_t axis = 0; axis < tensor.extents.size(); ++axis) {
    if (tensor.extents[axis] == of.extents[axis]) continue;
    if (tensor.extents[axis] != 1) return false;
    tensor.strides[axis] = 0;
  }
  return true;
}

/// Adds an operation that reads the result so far, `y`, which becomes its output. Returns false if it cannot.
bool add_pointwise(GraphConvolution& graph, const BackendContents& operation, GraphTensor& y) {
  const BackendContents* const settings = operation.descriptor(Attribute::pointwise_settings);
  const auto x = graph_tensor(operation.descriptor(Attribute::pointwise_x));
  auto output = graph_tensor(operation.descriptor(Attribute::pointwise_y));
  stand_in::cudnn::Epilogue& epilogue = graph.convolution.epilogue;
  if (operation.kind != BackendKind::pointwise_operation || settings == nullptr || !x || !output) return false;
  if (!y.is_virtual || epilogue.beta != 0 || epilogue.relu || output->extents != y.extents) return false;
  const int mode = settings->one(Attribute::pointwise_mode, -1);
  if (mode == pointwise_add) {
    auto b = graph_tensor(operation.descriptor(Attribute::pointwise_b));
    if (!b) return false;
    double own = operation.number(Attribute::pointwise_alpha1, 1),
           scale = operation.number(Attribute::pointwise_alpha2, 1);
    GraphTensor other = *b;
    if (b->identifier == y.identifier) other = *x, std::swap(own, scale);
    if (other.identifier == y.identifier || (x->identifier != y.identifier && b->identifier != y.identifier))
      return false;
    const std::size_t free = !graph.addends[0] ? 0 : 1;
    if (graph.addends[free] || other.is_virtual || other.type != graph.convolution.type || !broadcast(other, y))
      return false;
    // The scale of the result so far also applies to what has been added to it.
    epilogue.alpha *= own;
    if (free == 1) epilogue.addends[0].scale *= own;
    std::array<long long, most_axes> strides{};
    copy_axes(other.strides, strides);
    graph.addends[free] = other.identifier;
    epilogue.addends[free].strides = strides_of(strides.data(), static_cast<int>(other.extents.size()) - 2);
    epilogue.addends[free].scale = scale;
  } else if (mode == pointwise_relu) {
    if (x->identifier != y.identifier || settings->number(Attribute::pointwise_lower_clip, 0) != 0 ||
        settings->number(Attribute::pointwise_lower_slope, 0) != 0)
      return false;
    const double upper = settings->number(Attribute::pointwise_upper_clip, 0);
    epilogue.relu = true;
    epilogue.upper = upper < 3e38 ? upper : 0;  // the largest float: no bound
  } else if (mode != pointwise_identity || x->identifier != y.identifier) {
    return false;
  }
  y = *output;
  return true;
}

}  // namespace

std::optional<GraphConvolution> convolution_of(const BackendContents& graph) {
  const auto operations = graph.values.find(Attribute::graph_operations);
  if (operations == graph.values.end() || operations->second.contents.empty()) return std::nullopt;
  GraphTensor y;
  auto convolution = first_operation(*operations->second.contents[0], y);
  if (!convolution) return std::nullopt;
  const bool forward = convolution->convolution.result == ConvolutionResult::y;
  for (std::size_t i = 1; i < operations->second.contents.size(); ++i)
    if (!forward || !add_pointwise(*convolution, *operations->second.contents[i], y)) return std::nullopt;
  if (forward) {
    if (y.is_virtual || y.type != convolution->convolution.type) return std::nullopt;
    convolution->y = y.identifier;
    std::array<long long, most_axes> strides{};
    copy_axes(y.strides, strides);
    convolution->convolution.shape.y = strides_of(strides.data(), static_cast<int>(y.extents.size()) - 2);
  } else if (y.type != convolution->convolution.type) {
    return std::nullopt;
  }
  return convolution;
}

std::vector<std::int64_t> engines_for(const Convolution& convolution) {
  switch (convolution.type) {
    case DataType::f32: return {0, 1};
    case DataType::f64: return {1};
    default: return {0};
  }
}

}  // namespace warpwalk::simulated::libraries
