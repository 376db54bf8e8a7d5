// Givens rotations, by one thread: the arguments are in device memory.

namespace stand_in::cublas {

/// a and b become r and z, with c * a + s * b = r and c * b - s * a = 0 (BLAS, rotg).
template <class Number>
__global__ void make_rotation(Number* a, Number* b, Number* c, Number* s) {
  const Number of_a = *a, of_b = *b;
  const Number larger = fabs(of_a) > fabs(of_b) ? of_a : of_b, scale = fabs(of_a) + fabs(of_b);
  if (scale == 0) {
    *a = 0, *b = 0, *c = 1, *s = 0;
    return;
  }
  const Number r = copysign(scale * sqrt(of_a / scale * (of_a / scale) + of_b / scale * (of_b / scale)), larger);
  const Number cosine = of_a / r, sine = of_b / r;
  *b = fabs(of_a) > fabs(of_b) ? sine : cosine != 0 ? 1 / cosine : Number(1);
  *a = r, *c = cosine, *s = sine;
}
template __global__ void make_rotation(float*, float*, float*, float*);
template __global__ void make_rotation(double*, double*, double*, double*);

/// The same for complex numbers, with a real c; b is kept.
template <class Complex, class Number>
__global__ void make_complex_rotation(Complex* a, const Complex* b, Number* c, Complex* s) {
  const Complex of_a = *a, of_b = *b;
  const Number length_a = hypot(of_a.x, of_a.y);
  if (length_a == 0) {
    *c = 0, *s = {1, 0}, *a = of_b;
    return;
  }
  const Number length = hypot(length_a, hypot(of_b.x, of_b.y));
  const Complex direction = {of_a.x / length_a, of_a.y / length_a};
  *c = length_a / length;
  // direction * conjugate(b) / length
  *s = {(direction.x * of_b.x + direction.y * of_b.y) / length, (direction.y * of_b.x - direction.x * of_b.y) / length};
  *a = {direction.x * length, direction.y * length};
}
template __global__ void make_complex_rotation(float2*, const float2*, float*, float2*);
template __global__ void make_complex_rotation(double2*, const double2*, double*, double2*);

/// The modified rotation that makes the second component of (sqrt(d1) * x1, sqrt(d2) * y1) zero. `form` gets its flag and
/// its matrix (BLAS, rotmg).
template <class Number>
__global__ void make_modified_rotation(Number* d1_at, Number* d2_at, Number* x1_at, const Number* y1_at, Number* form) {
  constexpr Number step = 4096, large = step * step, small = 1 / large;
  Number d1 = *d1_at, d2 = *d2_at, x1 = *x1_at;
  const Number y1 = *y1_at;
  Number flag = -1, h11 = 0, h12 = 0, h21 = 0, h22 = 0;
  const Number p2 = d2 * y1, p1 = d1 * x1, q2 = p2 * y1, q1 = p1 * x1;
  if (d1 >= 0 && p2 == 0) {
    form[0] = -2;
    return;
  }
  if (d1 < 0 || (fabs(q1) <= fabs(q2) && q2 < 0)) {
    d1 = d2 = x1 = 0;
  } else if (fabs(q1) > fabs(q2)) {
    flag = 0, h11 = 1, h22 = 1, h21 = -y1 / x1, h12 = p2 / p1;
    const Number u = 1 - h12 * h21;
    d1 /= u, d2 /= u, x1 *= u;
  } else {
    flag = 1, h21 = -1, h12 = 1, h11 = p1 / p2, h22 = x1 / y1;
    const Number u = 1 + h11 * h22, old = d1;
    d1 = d2 / u, d2 = old / u, x1 = y1 * u;
  }
  // Keeps d1 and d2 between 1 / large and large.
  while (d1 != 0 && (d1 <= small || d1 >= large)) {
    const Number factor = d1 <= small ? step : 1 / step;
    flag = -1, d1 *= factor * factor, x1 /= factor, h11 /= factor, h12 /= factor;
  }
  while (d2 != 0 && (fabs(d2) <= small || fabs(d2) >= large)) {
    const Number factor = fabs(d2) <= small ? step : 1 / step;
    flag = -1, d2 *= factor * factor, h21 /= factor, h22 /= factor;
  }
  *d1_at = d1, *d2_at = d2, *x1_at = x1, form[0] = flag;
  if (flag != 0) form[1] = h11, form[4] = h22;
  if (flag != 1) form[2] = h21, form[3] = h12;
}
template __global__ void make_modified_rotation(float*, float*, float*, const float*, float*);
template __global__ void make_modified_rotation(double*, double*, double*, const double*, double*);

}  // namespace stand_in::cublas
