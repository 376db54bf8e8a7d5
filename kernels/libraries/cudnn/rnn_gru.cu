// Stand-ins for cuDNN's GRU layers.
#include "rnn_steps.cuh"

namespace stand_in::cudnn {

template __global__ void rnn_forward<F32, GruCell>(RnnLayer);
template __global__ void rnn_forward<F64, GruCell>(RnnLayer);
template __global__ void rnn_forward<F16, GruCell>(RnnLayer);
template __global__ void rnn_forward<BF16, GruCell>(RnnLayer);
template __global__ void rnn_backward<F32, GruCell>(RnnLayer);
template __global__ void rnn_backward<F64, GruCell>(RnnLayer);
template __global__ void rnn_backward<F16, GruCell>(RnnLayer);
template __global__ void rnn_backward<BF16, GruCell>(RnnLayer);

}  // namespace stand_in::cudnn
