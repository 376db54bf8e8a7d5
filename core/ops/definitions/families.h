#pragma once

#include <array>

#include "core/ops/definitions/definition.h"

namespace warpwalk::ops {

// The families of ops, one file each. A new family is a declaration and a row here.

OpFamily relu_family();
OpFamily roots_and_exponentials();
OpFamily sums();
OpFamily views();
OpFamily copies();
OpFamily arithmetic_family();
OpFamily products();
OpFamily matmul_family();
OpFamily powers();
OpFamily tanh_family();
OpFamily sigmoid_family();
OpFamily gelu_family();
OpFamily leaky_relus();
OpFamily maximum_family();
OpFamily means();
OpFamily maxima();
OpFamily softmaxes();
OpFamily layer_norms();
OpFamily linears();

/// In the order in which help lists their functions.
inline constexpr std::array families = {
    relu_family,             // relu and its gradient
    roots_and_exponentials,  // exp sqrt
    sums,                    // sum
    views,                   // t, indices
    copies,                  // fills, copies, casts
    arithmetic_family,       // + - * /
    products,                // mm bmm mv dot
    matmul_family,           // @
    powers,                  // **
    tanh_family,             // tanh
    sigmoid_family,          // sigmoid
    gelu_family,             // gelu
    leaky_relus,             // leaky_relu
    maximum_family,          // maximum
    means,                   // mean
    maxima,                  // max amax
    softmaxes,               // softmax log_softmax
    layer_norms,             // layer_norm
    linears,                 // linear, addmm
};

}  // namespace warpwalk::ops
