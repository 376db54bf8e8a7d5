#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/ops/dispatch/dispatcher.h"

namespace warpwalk::ops {

/// One backend's value of an element, and how far another backend's value may lie from it. An infinite error: anywhere.
struct Approximate {
  double value = 0;
  double error = 0;
};

/// How far the results of an op on single elements may lie apart before each is rounded to its type.
struct Spread {
  double difference = 0;
  double size = 0;       ///< the largest magnitude that either result may have
  double roundings = 1;  ///< of each result, to its type; 0: the result is not rounded
};

/// The inputs of an elementwise op at one element.
struct ElementInputs {
  std::span<const Approximate> tensors;  ///< in the order of the arguments
  double number = 0;                     ///< the first number argument after them
  DType dtype = DType::f32;              ///< of the result
};

/// A call that the cpu backend did, for an op whose bounds do not go element by element.
struct BoundRequest {
  const Call& call;
  const Tensor& result;
  /// How far each element of an argument may lie from another backend's, row-major; empty: nowhere.
  std::function<std::vector<double>(const Tensor&)> errors;
};

/// How exactly a GPU's result of an op must match the cpu backend's, and how errors in the inputs go through the op.
struct Accuracy {
  enum class Kind : std::uint8_t {
    exact,   ///< the same bits; NaN equals NaN
    ulps,    ///< at most so many representable values apart
    sums,    ///< a share of the sum of the terms' magnitudes: products and sums
    bounds,  ///< a bound for each element, carried through the op's arithmetic
  };
  Kind kind = Kind::exact;

  /// Kinds exact and ulps, elementwise ops: how errors of the inputs go through. Null for ops with `bounds`.
  Spread (*spread)(const ElementInputs& inputs) = nullptr;

  /// Kind ulps: how many, in f32, in f64, and in f16 and bf16; and why, one sentence each.
  std::uint64_t ulps_f32 = 0, ulps_f64 = 0, ulps_half = 0;
  std::string_view reason_f32{}, reason_f64{}, reason_half{};

  /// Kind sums: how many terms each element of the result is the sum of.
  std::int64_t (*terms)(std::span<const Argument> arguments, std::int64_t results) = nullptr;

  /// How far each element of another backend's result may lie from the cpu's, row-major, its rounding included. Kind
  /// bounds: also what the op may be off by itself (errors are then empty). Other kinds: only if `spread` is null.
  std::vector<double> (*bounds)(const BoundRequest& request) = nullptr;
  std::string_view reason{};  ///< of kind bounds: what the bound consists of, one sentence
};

}  // namespace warpwalk::ops
