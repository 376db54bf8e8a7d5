// Which kernels communicate: names as the libraries write them, and the fields that PyTorch adds to a record.
#include "core/analysis/kernels/communication.h"

#include <gtest/gtest.h>

#include "core/analysis/cpu_wait.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::analysis {
namespace {

TEST(Communication, KnowsTheNamesOfItsKernels) {
  for (const std::string_view name :
       {"ncclKernel_AllReduce_RING_LL_Sum_half(ncclDevComm*, unsigned long, ncclWork*)",
        "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        "ncclSymkDevKernel_AllReduce_RSxLDMC_AGxSTMC_sum_bf16(ncclSymkDevWorkArgs4K)",
        "void mscclKernel_Sum_half_LL_false(ncclDevComm*, mscclAlgo*, mscclWork)",
        "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(vllm::RankData*, vllm::RankSignals)",
        "void c10d::symmetric_memory::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*)",
        "void at::native::one_shot_all_reduce_kernel<c10::BFloat16, 16, 8>(c10::BFloat16**)",
        "nvshmemi_transfer_rma_nbi_kernel(int)", "ncclDevKernel_Generic(ncclDevComm*)"})
    EXPECT_TRUE(is_communication_name(name)) << name;
  for (const std::string_view name :
       {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>", "sm90_xmma_gemm_bf16bf16_bf16f32",
        "void cub::DeviceReduceSingleTileKernel<int>", "triton_red_fused_all_sum_0", "allocate_kernel"})
    EXPECT_FALSE(is_communication_name(name)) << name;
}

trace::Trace trace_of(const std::string& events) {
  trace::ReadResult read = trace::read_trace_text(R"({"schemaVersion": 1, "traceEvents": [)" + events + "]}");
  EXPECT_FALSE(read.error);
  return std::move(read.trace);
}

TEST(Communication, FieldsAndOpsTellWhatNamesDoNot) {
  const trace::Trace trace = trace_of(
      R"({"ph": "X", "cat": "kernel", "name": "k0", "pid": 0, "tid": 7, "ts": 10, "dur": 1,
          "args": {"device": 0, "stream": 7, "correlation": 1, "Collective name": "allreduce", "Group size": 2}},
         {"ph": "X", "cat": "kernel", "name": "k1", "pid": 0, "tid": 7, "ts": 20, "dur": 1,
          "args": {"device": 0, "stream": 7, "correlation": 2}},
         {"ph": "X", "cat": "cpu_op", "name": "vllm::all_reduce", "pid": 1, "tid": 1, "ts": 15, "dur": 4, "args": {}},
         {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 16, "dur": 1,
          "args": {"correlation": 2}},
         {"ph": "X", "cat": "kernel", "name": "k2", "pid": 0, "tid": 7, "ts": 30, "dur": 1,
          "args": {"device": 0, "stream": 7, "correlation": 3}})");
  const Communication communication(trace);
  std::string found;
  for (const trace::SliceId s : trace.kernel_order) found += communication.is(s) ? 'y' : 'n';
  EXPECT_EQ(found, "yyn");
}

TEST(CpuWait, IsToldByTheFunction) {
  EXPECT_EQ(cpu_wait_of("<built-in function sleep>"), CpuWait::sleep);
  EXPECT_EQ(cpu_wait_of("<built-in method acquire of _thread.lock object at 0x7f2f5c0>"), CpuWait::lock);
  EXPECT_EQ(cpu_wait_of("<method 'acquire' of '_thread.lock' objects>"), CpuWait::lock);
  EXPECT_EQ(cpu_wait_of("<built-in method poll of select.poll object at 0x7f2f5c0>"), CpuWait::input);
  EXPECT_EQ(cpu_wait_of("torch/_inductor/compile_worker/subproc_pool.py(76): _recv_msg"), CpuWait::input);
  EXPECT_EQ(cpu_wait_of("<built-in method run_backward of torch._C._EngineBase object at 0x7f>"), CpuWait::autograd);
  EXPECT_EQ(cpu_wait_of("threading.py(589): wait"), CpuWait::lock);
  EXPECT_EQ(cpu_wait_of("queue.py(154): get"), CpuWait::lock);
  for (const std::string_view work :
       {"train.py(12): get", "train.py(3): wait", "<built-in method matmul of type object at 0x7f>",
        "<built-in method get of dict object at 0x7f>", "model.py(4): forward", "<built-in function len>", ""})
    EXPECT_EQ(cpu_wait_of(work), CpuWait::none) << work;
}

}  // namespace
}  // namespace warpwalk::analysis
