#pragma once

// The formulas of recurrent cells, forwards and backwards, for one unit of one batch element.

namespace stand_in::cudnn {

template <class Sum>
__device__ Sum sigmoid(Sum value) {
  return Sum(1) / (Sum(1) + exp(-value));
}

/// h' = tanh(a) or relu(a), with a the sum of both products.
struct PlainCell {
  static constexpr int gates = 1;
  static constexpr bool has_state = false, has_product = false;

  /// `input`: the products of the gates with x; `recurrent`: with h. Replaces `input` by what the gradients need.
  template <class Sum>
  static __device__ Sum forward(Sum (&input)[gates], const Sum (&recurrent)[gates], Sum, Sum&, bool relu) {
    const Sum a = input[0] + recurrent[0];
    return input[0] = relu ? (a > 0 ? a : Sum(0)) : tanh(a);
  }

  /// Replaces `gate` by the gradients of the products. `direct`: the part of the gradient of h that needs no product.
  template <class Sum>
  static __device__ void backward(Sum (&gate)[gates], Sum dh, Sum, Sum, Sum, Sum&, Sum& direct, Sum&, bool relu) {
    gate[0] = relu ? (gate[0] > 0 ? dh : Sum(0)) : dh * (1 - gate[0] * gate[0]);
    direct = 0;
  }
};

/// Gates i, f, g, o: c' = f * c + i * g, h' = o * tanh(c').
struct LstmCell {
  static constexpr int gates = 4;
  static constexpr bool has_state = true, has_product = false;

  template <class Sum>
  static __device__ Sum forward(Sum (&input)[gates], const Sum (&recurrent)[gates], Sum, Sum& c, bool) {
    input[0] = sigmoid(input[0] + recurrent[0]);
    input[1] = sigmoid(input[1] + recurrent[1]);
    input[2] = tanh(input[2] + recurrent[2]);
    input[3] = sigmoid(input[3] + recurrent[3]);
    c = input[1] * c + input[0] * input[2];
    return input[3] * tanh(c);
  }

  /// `cell` and `cell_before`: c' and c. `dc`: the gradient of c', which becomes that of c.
  template <class Sum>
  static __device__ void backward(Sum (&gate)[gates], Sum dh, Sum cell, Sum cell_before, Sum, Sum& dc, Sum& direct,
                                  Sum&, bool) {
    const Sum i = gate[0], f = gate[1], g = gate[2], o = gate[3], t = tanh(cell);
    const Sum d = dc + dh * o * (1 - t * t);
    gate[0] = d * g * i * (1 - i);
    gate[1] = d * cell_before * f * (1 - f);
    gate[2] = d * i * (1 - g * g);
    gate[3] = dh * t * o * (1 - o);
    dc = d * f;
    direct = 0;
  }
};

/// Gates r, z, n: n = tanh(x product + r * h product), h' = (1 - z) * n + z * h.
struct GruCell {
  static constexpr int gates = 3;
  static constexpr bool has_state = false, has_product = true;

  /// `product` gets the recurrent product of n, which r multiplies.
  template <class Sum>
  static __device__ Sum forward(Sum (&input)[gates], const Sum (&recurrent)[gates], Sum h, Sum& product, bool) {
    product = recurrent[2];
    input[0] = sigmoid(input[0] + recurrent[0]);
    input[1] = sigmoid(input[1] + recurrent[1]);
    input[2] = tanh(input[2] + input[0] * product);
    return (1 - input[1]) * input[2] + input[1] * h;
  }

  /// `of_product` gets the gradient of the recurrent product of n.
  template <class Sum>
  static __device__ void backward(Sum (&gate)[gates], Sum dh, Sum product, Sum, Sum h, Sum&, Sum& direct,
                                  Sum& of_product, bool) {
    const Sum r = gate[0], z = gate[1], n = gate[2];
    gate[2] = dh * (1 - z) * (1 - n * n);
    gate[1] = dh * (h - n) * z * (1 - z);
    gate[0] = gate[2] * product * r * (1 - r);
    of_product = gate[2] * r;
    direct = dh * z;
  }
};

}  // namespace stand_in::cudnn
