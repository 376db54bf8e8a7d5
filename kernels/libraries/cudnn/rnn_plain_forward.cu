// Stand-ins for the steps of cuDNN's recurrent layers without gates.
#include "rnn_forward.cuh"

namespace stand_in::cudnn {

template __global__ void rnn_forward<F32, PlainCell>(RnnLayer);
template __global__ void rnn_forward<F64, PlainCell>(RnnLayer);
template __global__ void rnn_forward<F16, PlainCell>(RnnLayer);
template __global__ void rnn_forward<BF16, PlainCell>(RnnLayer);

}  // namespace stand_in::cudnn
