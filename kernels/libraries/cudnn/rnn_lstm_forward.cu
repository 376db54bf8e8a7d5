// Stand-ins for the steps of cuDNN's LSTM layers.
#include "rnn_forward.cuh"

namespace stand_in::cudnn {

template __global__ void rnn_forward<F32, LstmCell>(RnnLayer);
template __global__ void rnn_forward<F64, LstmCell>(RnnLayer);
template __global__ void rnn_forward<F16, LstmCell>(RnnLayer);
template __global__ void rnn_forward<BF16, LstmCell>(RnnLayer);

}  // namespace stand_in::cudnn
