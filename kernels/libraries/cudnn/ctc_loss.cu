// Stand-in for cuDNN's CTC loss: the costs of label sequences under unaligned predictions, and their gradients. One
// block per sample. The states of a sample are its labels with blanks (label 0) around each.

namespace stand_in::cudnn {

constexpr int ctc_threads = 256, ctc_states = 2 * 255 + 1;

/// The tensors of a call: [step, sample, symbol], by strides.
struct CtcTensors {
  const float* x;
  float* gradients;  ///< null: only costs
  float* costs;
  long long x_step, x_sample, x_symbol;
  long long gradient_step, gradient_sample, gradient_symbol;
  int steps, samples, symbols;
  const int *labels, *label_lengths, *input_lengths;
  float* alphas;       ///< [sample, step, ctc_states]
  float* normalizers;  ///< [sample, step]
  int impossible;      ///< gradients of samples without an alignment: 0 zeros, 1 left as they are, 2 NaN
};

inline __device__ float log_add(float a, float b) {
  const float larger = fmaxf(a, b);
  return larger == -INFINITY ? larger : larger + log1pf(expf(fminf(a, b) - larger));
}

__global__ void __launch_bounds__(ctc_threads) ctc_loss(const CtcTensors tensors) {
  __shared__ int symbols[ctc_states];
  __shared__ float row[2][ctc_states + 2], posterior[ctc_states];
  __shared__ float shared_sum, shared_cost;
  const int sample = blockIdx.x, steps = tensors.input_lengths[sample], labels = tensors.label_lengths[sample];
  const int states = 2 * labels + 1, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const float* const x = tensors.x + sample * tensors.x_sample;
  float* const normalizers = tensors.normalizers + static_cast<long long>(sample) * tensors.steps;
  float* const alphas = tensors.alphas + static_cast<long long>(sample) * tensors.steps * ctc_states;
  int first_label = 0;
  for (int before = 0; before < sample; ++before) first_label += tensors.label_lengths[before];
  for (int s = threadIdx.x; s < states; s += ctc_threads)
    symbols[s] = s % 2 == 0 ? 0 : tensors.labels[first_label + s / 2];

  // The logarithms of the softmax's denominators: a warp per step.
  for (int t = warp; t < steps; t += ctc_threads / 32) {
    float largest = -INFINITY, sum = 0;
    for (int a = lane; a < tensors.symbols; a += 32)
      largest = fmaxf(largest, x[t * tensors.x_step + a * tensors.x_symbol]);
    for (int distance = 16; distance > 0; distance /= 2)
      largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, distance));
    for (int a = lane; a < tensors.symbols; a += 32)
      sum += expf(x[t * tensors.x_step + a * tensors.x_symbol] - largest);
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffff, sum, distance);
    if (lane == 0) normalizers[t] = largest + logf(sum);
  }
  __syncthreads();

  const auto log_probability = [&](int t, int s) {
    return x[t * tensors.x_step + symbols[s] * tensors.x_symbol] - normalizers[t];
  };
  // A label can follow the one before it without a blank if they differ.
  const auto skips = [&](int s) { return s % 2 == 1 && s > 1 && symbols[s] != symbols[s - 2]; };

  // alpha: the probability of the steps up to t, with state s at t. Two states of -infinity are before state 0.
  for (int t = 0; t < steps; ++t) {
    float* const now = row[t % 2];
    const float* const before = row[(t + 1) % 2];
    for (int s = threadIdx.x; s < states; s += ctc_threads) {
      float alpha = t == 0 ? (s < 2 ? 0.0f : -INFINITY) : before[s + 2];
      if (t > 0) {
        alpha = log_add(alpha, before[s + 1]);
        if (skips(s)) alpha = log_add(alpha, before[s]);
      }
      alpha += log_probability(t, s);
      now[s + 2] = alpha;
      alphas[static_cast<long long>(t) * ctc_states + s] = alpha;
    }
    if (threadIdx.x < 2) now[threadIdx.x] = -INFINITY;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    const float* const last = row[(steps + 1) % 2];
    if (steps == 0)
      shared_cost = labels == 0 ? 0.0f : INFINITY;
    else
      shared_cost = -(states > 1 ? log_add(last[states + 1], last[states]) : last[states + 1]);
    tensors.costs[sample] = shared_cost;
  }
  __syncthreads();
  const float cost = shared_cost;
  if (tensors.gradients == nullptr || (cost == INFINITY && tensors.impossible == 1)) return;

  // beta: the probability of the steps after t. A gradient is the softmax, less how probable the symbol is at t if the
  // labels are given.
  float* const gradients = tensors.gradients + sample * tensors.gradient_sample;
  for (int t = tensors.steps - 1; t >= 0; --t) {
    float* const gradient = gradients + t * tensors.gradient_step;
    if (t >= steps || cost == INFINITY) {
      for (int a = threadIdx.x; a < tensors.symbols; a += ctc_threads)
        gradient[a * tensors.gradient_symbol] = t < steps && tensors.impossible == 2 ? NAN : 0.0f;
      continue;
    }
    float* const now = row[t % 2];
    const float* const after = row[(t + 1) % 2];  // with the probability of the symbol at t + 1
    __syncthreads();
    for (int s = threadIdx.x; s < states; s += ctc_threads) {
      float beta = s >= states - 2 ? 0.0f : -INFINITY;
      if (t + 1 < steps) {
        beta = after[s];
        if (s + 1 < states) beta = log_add(beta, after[s + 1]);
        if (s + 2 < states && skips(s + 2)) beta = log_add(beta, after[s + 2]);
      }
      posterior[s] = expf(alphas[static_cast<long long>(t) * ctc_states + s] + beta + cost);
      now[s] = beta + log_probability(t, s);
    }
    for (int a = threadIdx.x; a < tensors.symbols; a += ctc_threads)
      gradient[a * tensors.gradient_symbol] = expf(x[t * tensors.x_step + a * tensors.x_symbol] - normalizers[t]);
    __syncthreads();
    if (warp == 0) {  // all blanks
      float sum = 0;
      for (int s = 2 * lane; s < states; s += 64) sum += posterior[s];
      for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
      if (lane == 0) shared_sum = sum;
    }
    // The first state of each label sums over all states of that label.
    for (int s = 2 * static_cast<int>(threadIdx.x) + 1; s < states; s += 2 * ctc_threads) {
      bool first = true;
      for (int other = 1; other < s; other += 2) first = first && symbols[other] != symbols[s];
      if (!first) continue;
      float sum = 0;
      for (int other = s; other < states; other += 2)
        if (symbols[other] == symbols[s]) sum += posterior[other];
      gradient[symbols[s] * tensors.gradient_symbol] -= sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) gradient[0] -= shared_sum;
  }
}

}  // namespace stand_in::cudnn
