// Stand-ins for cuDNN's recurrent layers without gates.
#include "rnn_steps.cuh"

namespace stand_in::cudnn {

template __global__ void rnn_forward<F32, PlainCell>(RnnLayer);
template __global__ void rnn_forward<F64, PlainCell>(RnnLayer);
template __global__ void rnn_forward<F16, PlainCell>(RnnLayer);
template __global__ void rnn_forward<BF16, PlainCell>(RnnLayer);
template __global__ void rnn_backward<F32, PlainCell>(RnnLayer);
template __global__ void rnn_backward<F64, PlainCell>(RnnLayer);
template __global__ void rnn_backward<F16, PlainCell>(RnnLayer);
template __global__ void rnn_backward<BF16, PlainCell>(RnnLayer);

}  // namespace stand_in::cudnn
