#pragma once

#include <optional>
#include <string_view>

namespace warpwalk::compiled {

/// A real number rounded to a type as written ("f32", "f16", "bf16", "f8E4M3FN", "f8E5M2"); others: unchanged.
double rounded_real(std::string_view type, double value);

/// An operation on up to three reals, before its result is rounded to its type.
using RealFunction = double (*)(double a, double b, double c);
/// The function of an operation of the dialects arith, math and tt. Null: not known.
RealFunction real_function(std::string_view op);
/// The function of a symbol of libdevice ("__nv_asinf"). Null: not known.
RealFunction library_function(std::string_view symbol);

/// A comparison as arith.cmpf has it ("ogt"); nullopt: the predicate is not known.
std::optional<bool> compared_reals(std::string_view predicate, double a, double b);

}  // namespace warpwalk::compiled
