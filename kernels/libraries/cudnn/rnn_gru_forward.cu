// Stand-ins for the steps of cuDNN's GRU layers.
#include "rnn_forward.cuh"

namespace stand_in::cudnn {

template __global__ void rnn_forward<F32, GruCell>(RnnLayer);
template __global__ void rnn_forward<F64, GruCell>(RnnLayer);
template __global__ void rnn_forward<F16, GruCell>(RnnLayer);
template __global__ void rnn_forward<BF16, GruCell>(RnnLayer);

}  // namespace stand_in::cudnn
