#include <array>

#include "core/ptx/forms/form.h"

namespace warpwalk::ptx {
namespace {

using enum Opcode;

/// Floating-point arithmetic (PTX ISA 9.0, "Floating-Point Instructions" and "Half Precision Floating-Point
/// Instructions").
constexpr std::array float_table{
    Row{add, "rnd? m:ftz? m:sat?", "f32", "d0 s0 s0"},
    Row{add, "rnd?", "f64", "d0 s0 s0"},
    Row{add, "r:rn? m:ftz? m:sat?", "half", "d0 s0 s0"},
    Row{add, "r:rn?", "bhalf", "d0 s0 s0"},
    Row{sub, "rnd? m:ftz? m:sat?", "f32", "d0 s0 s0"},
    Row{sub, "rnd?", "f64", "d0 s0 s0"},
    Row{sub, "r:rn? m:ftz? m:sat?", "half", "d0 s0 s0"},
    Row{sub, "r:rn?", "bhalf", "d0 s0 s0"},
    Row{mul, "rnd? m:ftz? m:sat?", "f32", "d0 s0 s0"},
    Row{mul, "rnd?", "f64", "d0 s0 s0"},
    Row{mul, "r:rn? m:ftz? m:sat?", "half", "d0 s0 s0"},
    Row{mul, "r:rn?", "bhalf", "d0 s0 s0"},
    Row{mad, "rnd m:ftz? m:sat?", "f32", "d0 s0 s0 s0"},
    Row{mad, "rnd", "f64", "d0 s0 s0 s0"},
    Row{fma, "rnd m:ftz? m:sat?", "f32", "d0 s0 s0 s0"},
    Row{fma, "rnd", "f64", "d0 s0 s0 s0"},
    Row{fma, "r:rn m:ftz? m:sat?", "half", "d0 s0 s0 s0"},
    Row{fma, "r:rn m:ftz? m:relu", "half", "d0 s0 s0 s0"},
    Row{fma, "r:rn m:relu?", "bhalf", "d0 s0 s0 s0"},
    Row{fma, "r:rn m:oob m:relu?", "half|bhalf", "d0 s0 s0 s0"},
    Row{fma, "r:rn m:oob m:sat", "half", "d0 s0 s0 s0"},
    Row{div, "m:approx|full m:ftz?", "f32", "d0 s0 s0"},
    Row{div, "rnd m:ftz?", "f32", "d0 s0 s0"},
    Row{div, "rnd", "f64", "d0 s0 s0"},
    Row{abs, "m:ftz?", "f32|half", "d0 s0"},
    Row{abs, "", "f64|bhalf", "d0 s0"},
    Row{neg, "m:ftz?", "f32|half", "d0 s0"},
    Row{neg, "", "f64|bhalf", "d0 s0"},
    Row{min, "m:ftz? m:NaN?", "f32|half", "d0 s0 s0"},
    Row{min, "m:ftz? m:NaN? m:xorsign m:abs", "f32|half", "d0 s0 s0"},
    Row{min, "m:NaN?", "bhalf", "d0 s0 s0"},
    Row{min, "m:NaN? m:xorsign m:abs", "bhalf", "d0 s0 s0"},
    Row{min, "", "f64", "d0 s0 s0"},
    Row{max, "m:ftz? m:NaN?", "f32|half", "d0 s0 s0"},
    Row{max, "m:ftz? m:NaN? m:xorsign m:abs", "f32|half", "d0 s0 s0"},
    Row{max, "m:NaN?", "bhalf", "d0 s0 s0"},
    Row{max, "m:NaN? m:xorsign m:abs", "bhalf", "d0 s0 s0"},
    Row{max, "", "f64", "d0 s0 s0"},
    Row{rcp, "m:approx m:ftz?", "f32", "d0 s0"},
    Row{rcp, "m:approx m:ftz", "f64", "d0 s0"},
    Row{rcp, "rnd m:ftz?", "f32", "d0 s0"},
    Row{rcp, "rnd", "f64", "d0 s0"},
    Row{sqrt, "m:approx m:ftz?", "f32", "d0 s0"},
    Row{sqrt, "rnd m:ftz?", "f32", "d0 s0"},
    Row{sqrt, "rnd", "f64", "d0 s0"},
    Row{rsqrt, "m:approx m:ftz?", "f32|f64", "d0 s0"},
    Row{sin, "m:approx m:ftz?", "f32", "d0 s0"},
    Row{cos, "m:approx m:ftz?", "f32", "d0 s0"},
    Row{lg2, "m:approx m:ftz?", "f32", "d0 s0"},
    Row{ex2, "m:approx m:ftz?", "f32", "d0 s0"},
    Row{ex2, "m:approx", "half", "d0 s0"},
    Row{ex2, "m:approx m:ftz", "bhalf", "d0 s0"},
    Row{tanh, "m:approx", "f32|half|bhalf", "d0 s0"},
    Row{copysign, "", "f32|f64", "d0 s0 s0"},
    Row{testp, "a:finite|infinite|number|notanumber|normal|subnormal", "f32|f64", "p s0"},
};

}  // namespace

std::span<const Row> float_rows() { return float_table; }

}  // namespace warpwalk::ptx
