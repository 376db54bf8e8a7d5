// Stand-ins for cuDNN's LSTM layers.
#include "rnn_steps.cuh"

namespace stand_in::cudnn {

template __global__ void rnn_forward<F32, LstmCell>(RnnLayer);
template __global__ void rnn_forward<F64, LstmCell>(RnnLayer);
template __global__ void rnn_forward<F16, LstmCell>(RnnLayer);
template __global__ void rnn_forward<BF16, LstmCell>(RnnLayer);
template __global__ void rnn_backward<F32, LstmCell>(RnnLayer);
template __global__ void rnn_backward<F64, LstmCell>(RnnLayer);
template __global__ void rnn_backward<F16, LstmCell>(RnnLayer);
template __global__ void rnn_backward<BF16, LstmCell>(RnnLayer);

}  // namespace stand_in::cudnn
