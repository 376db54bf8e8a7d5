#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/run/expression/walk_recorder.h"

namespace warpwalk::run {
namespace {

using ops::DType;

/// From c10/core/ScalarType.h: the name as printed by caffe2's TypeMeta, and the number.
struct ElementType {
  std::string_view name;
  int number = 0;
};
ElementType element_type(DType dtype) {
  switch (dtype) {
    case DType::u8: return {"unsigned char", 0};
    case DType::i8: return {"signed char", 1};
    case DType::i16: return {"short int", 2};
    case DType::i32: return {"int", 3};
    case DType::i64: return {"long int", 4};
    case DType::f16: return {"c10::Half", 5};
    case DType::f32: return {"float", 6};
    case DType::f64: return {"double", 7};
    case DType::bf16: return {"c10::BFloat16", 15};
    case DType::u16: return {"c10::UInt16", 27};
    case DType::u32: return {"c10::UInt32", 28};
    case DType::u64: break;
  }
  return {"c10::UInt64", 29};
}

std::string list(const ops::Sizes& sizes) { return fmt::format("[{}]", fmt::join(sizes, ", ")); }

struct Shown {
  std::string dims = "[]", strides = "[]";
  std::string_view type = {};
  std::string value = {};
};

struct Show {
  Shown operator()(ops::None) const { return {}; }
  Shown operator()(const ops::Tensor& tensor) const {
    if (!tensor.defined()) return {};
    Shown shown{.dims = list(tensor.sizes()), .type = element_type(tensor.dtype()).name};
    // Tensors of other layouts have no strides, so the profiler writes none.
    if (tensor.layout() == ops::TensorLayout::strided) shown.strides = list(tensor.strides());
    return shown;
  }
  Shown operator()(std::int64_t value) const { return {.type = "Scalar", .value = fmt::format("{}", value)}; }
  Shown operator()(double value) const { return {.type = "Scalar", .value = fmt::format("{}", value)}; }
  Shown operator()(bool value) const { return {.type = "Scalar", .value = value ? "True" : "False"}; }
  Shown operator()(const ops::Sizes& sizes) const { return {.type = "ScalarList", .value = list(sizes)}; }
  Shown operator()(DType dtype) const {
    return {.type = "Scalar", .value = fmt::format("{}", element_type(dtype).number)};
  }
  Shown operator()(const std::string&) const { return {}; }  // the profiler omits strings
};

}  // namespace

OpInputs inputs_of(std::span<const ops::Argument> arguments) {
  OpInputs all{"[", "[", "[", "["};
  std::string_view comma;
  for (const ops::Argument& argument : arguments) {
    const Shown shown = std::visit(Show{}, argument);
    all.dims += fmt::format("{}{}", comma, shown.dims);
    all.strides += fmt::format("{}{}", comma, shown.strides);
    all.types += fmt::format("{}\"{}\"", comma, shown.type);
    all.concrete += fmt::format("{}\"{}\"", comma, shown.value);
    comma = ", ";
  }
  for (std::string* const text : {&all.dims, &all.strides, &all.types, &all.concrete}) *text += ']';
  return all;
}

}  // namespace warpwalk::run
