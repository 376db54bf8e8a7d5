// The inputs of an op from the four arrays that PyTorch's profiler writes: "Input Dims", "Input Strides", "Input type"
// and "Concrete Inputs".
#include "core/run/replay/stand_in_inputs.h"

#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "core/run/launch/json_fields.h"

namespace warpwalk::run {

// c10::toString of caffe2's type names, as the profiler writes them.
std::optional<ops::DType> tensor_dtype(std::string_view type) {
  using ops::DType;
  if (type == "float") return DType::f32;
  if (type == "double") return DType::f64;
  if (type == "c10::Half") return DType::f16;
  if (type == "c10::BFloat16") return DType::bf16;
  if (type == "int") return DType::i32;
  if (type == "long int" || type == "long") return DType::i64;
  return {};
}

namespace {

std::optional<ops::Sizes> sizes_in(const Json& list) {
  if (!list.IsArray()) return {};
  ops::Sizes sizes;
  for (const Json& one : list.GetArray()) {
    if (!one.IsInt64() || one.GetInt64() < 0) return {};
    sizes.push_back(one.GetInt64());
  }
  return sizes;
}

/// True if the tensor's elements can be counted and fit a GPU.
bool sane(const ops::Geometry& geometry) {
  constexpr std::int64_t limit = std::int64_t{1} << 40;
  if (geometry.sizes.size() != geometry.strides.size() || geometry.sizes.size() > ops::max_dims) return false;
  std::int64_t last = 0, count = 1;
  for (std::size_t i = 0; i < geometry.sizes.size(); ++i) {
    const std::int64_t size = geometry.sizes[i], stride = geometry.strides[i];
    if (size > limit || stride > limit || (size > 1 && stride > (limit - last) / (size - 1))) return false;
    if (size > 0 && count > limit / size) return false;
    count *= size;
    if (size > 1) last += (size - 1) * stride;
  }
  return true;
}

struct Arrays {
  rapidjson::Document dims, strides, types, values;
};

bool read_array(std::string_view text, rapidjson::Document& out) { return parse_json(text, out) && out.IsArray(); }

base::Result<RecordedInput> input_at(const Arrays& arrays, rapidjson::SizeType i) {
  using Kind = RecordedInput::Kind;
  RecordedInput input;
  if (arrays.types[i].IsString()) input.type = view(arrays.types[i]);
  const bool valued = arrays.values.IsArray() && i < arrays.values.Size() && arrays.values[i].IsString();
  if (valued) input.value = view(arrays.values[i]);
  if (input.type.empty()) return input;
  if (input.type == "Scalar" || input.type == "ScalarList") {
    input.kind = input.type == "Scalar" ? Kind::number : Kind::list;
    return input;
  }
  if (input.type == "TensorList") {
    input.kind = Kind::tensors;
    return input;
  }
  input.kind = Kind::tensor;
  const auto dtype = tensor_dtype(input.type);
  if (!dtype)
    return base::Error{
        fmt::format("its input {} has the type {}, which warpwalk's kernels do not support", i, input.type)};
  auto sizes = sizes_in(arrays.dims[i]), strides = sizes_in(arrays.strides[i]);
  if (!sizes || !strides) return base::Error{fmt::format("the shape of its input {} cannot be read", i)};
  input.operand = {*dtype, {std::move(*sizes), std::move(*strides), 0}};
  if (!sane(input.operand.geometry)) return base::Error{fmt::format("the shape of its input {} is not possible", i)};
  return input;
}

}  // namespace

base::Result<std::vector<RecordedInput>> recorded_inputs(const trace::Trace& trace, const trace::OpDetail& op) {
  Arrays arrays;
  if (op.input_dims == 0) return base::Error{"the shapes of its inputs were not recorded (record_shapes=True)"};
  if (op.input_types == 0)
    return base::Error{
        "the types of its inputs were not recorded (torch.profiler records them with record_shapes=True; NVTX has "
        "none)"};
  if (op.input_strides == 0)
    return base::Error{
        "the strides of its inputs were not recorded (a newer PyTorch writes them with record_shapes=True)"};
  if (!read_array(trace.text(op.input_dims), arrays.dims) || !read_array(trace.text(op.input_types), arrays.types) ||
      !read_array(trace.text(op.input_strides), arrays.strides) || arrays.types.Size() != arrays.dims.Size() ||
      arrays.types.Size() != arrays.strides.Size())
    return base::Error{"the shapes of its inputs cannot be read"};
  if (op.concrete_inputs != 0 && !read_array(trace.text(op.concrete_inputs), arrays.values))
    return base::Error{"the values of its inputs cannot be read"};
  std::vector<RecordedInput> inputs;
  for (rapidjson::SizeType i = 0; i < arrays.types.Size(); ++i) {
    auto input = input_at(arrays, i);
    if (!input) return base::Error{input.error()};
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

std::optional<double> number_of(const RecordedInput& input) {
  if (input.kind != RecordedInput::Kind::number) return {};
  if (input.value == "True") return 1;
  if (input.value == "False") return 0;
  if (input.value == "inf") return std::numeric_limits<double>::infinity();
  if (input.value == "-inf") return -std::numeric_limits<double>::infinity();
  double value = 0;
  const char* const end = input.value.data() + input.value.size();
  const auto [rest, error] = std::from_chars(input.value.data(), end, value);
  if (error != std::errc{} || rest != end) return {};
  return value;
}

std::vector<double> numbers_of(const RecordedInput& input) {
  std::vector<double> numbers;
  const char* at = input.value.data();
  const char* const end = at + input.value.size();
  while (at != end) {
    double value = 0;
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error == std::errc{}) numbers.push_back(value);
    at = error == std::errc{} ? rest : at + 1;
  }
  return numbers;
}

}  // namespace warpwalk::run
