#include "tests/story/crafted/crafted.h"

#include <utility>

#include <gtest/gtest.h>

#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view kernel_name = "void at::native::k<float>(int)";

Crafted with_default_walk(std::string name, const SmallTrace& small, std::vector<std::string> sections) {
  Crafted made{std::move(name), small.read(), {}, std::move(sections)};
  made.walk = default_walk(made.trace);
  return made;
}

Crafted following(std::string name, const SmallTrace& small, std::string_view what, std::vector<std::string> sections) {
  Crafted made{std::move(name), small.read(), {}, std::move(sections)};
  auto walk = follow(made.trace, what);
  EXPECT_TRUE(walk) << walk.error();
  made.walk = *std::move(walk);
  return made;
}

// An op of 100 us whose launch goes from 10 to 15, and whose kernel runs from 20 to 120.
SmallTrace plain_relu() {
  SmallTrace small;
  small.h200().frame("model.py(3): forward", -5, 300).op("aten::relu", 0, 100, R"("Input Dims": [[4, 4]])");
  small.call("cudaLaunchKernel", 10, 5, 1).kernel(kernel_name, 20, 100, 1);
  return small;
}

// Changes the trace to one that warpwalk itself made from a typed expression.
Crafted of_typed_expression(Crafted made) {
  made.trace.records.expression = "relu(a)";
  return made;
}

std::vector<Crafted> make_crafted() {
  std::vector<Crafted> all;
  all.push_back(with_default_walk(
      "the next op orders more while the GPU works",
      plain_relu().op("aten::add", 105, 14).call("cudaLaunchKernel", 107, 5, 2).kernel("second", 121, 5, 2),
      {"boardroom.line", "boardroom.company", "boardroom.call", "boardroom.launch", "boardroom.return.before",
       "boardroom.meanwhile", "map.fold", "map.cpu", "map.launch", "map.queue", "map.kernel", "map.total.kernel",
       "map.simulated.unasked", "map.closing"}));
  all.push_back(
      following("a function of the result of the op before it",
                SmallTrace()
                    .h200()
                    .op("aten::matmul", 0, 20, R"("Input Dims": [[8, 8], [8, 8]], "Input type": ["float", "float"])")
                    .call("cudaLaunchKernel", 5, 5, 1)
                    .kernel("gemm", 12, 15, 1)
                    .op("aten::relu", 30, 10, R"("Input Dims": [[8, 8]], "Input type": ["float"])")
                    .call("cudaLaunchKernel", 32, 5, 2)
                    .kernel("relu", 40, 5, 2),
                "op:1",
                {"boardroom.line", "boardroom.company", "boardroom.call.unframed", "boardroom.launch",
                 "boardroom.return.before", "boardroom.meanwhile.idle"}));
  all.push_back(
      with_default_walk("the next op stays on the CPU while the GPU works", plain_relu().op("aten::view", 110, 40),
                        {"boardroom.line", "boardroom.company", "boardroom.call", "boardroom.launch",
                         "boardroom.return.before", "boardroom.meanwhile.aside", "map.fold", "map.cpu", "map.launch",
                         "map.queue", "map.kernel", "map.total.kernel", "map.simulated.unasked", "map.closing"}));
  all.push_back(
      with_default_walk("the CPU waits", plain_relu().call("cudaDeviceSynchronize", 105, 20, 2).allocation(250, 512),
                        {"boardroom.line", "boardroom.company", "boardroom.call", "boardroom.launch",
                         "boardroom.return.before", "boardroom.meanwhile.waits", "map.fold", "map.cpu", "map.launch",
                         "map.queue", "map.kernel", "map.total.kernel", "map.simulated.unasked", "map.closing"}));
  all.push_back(
      with_default_walk("the CPU waits for several kernels",
                        plain_relu()
                            .call("cudaLaunchKernel", 101, 3, 3)
                            .kernel("second", 120.5, 2, 3)
                            .call("cudaDeviceSynchronize", 105, 20, 2),
                        {"boardroom.line", "boardroom.company", "boardroom.call", "boardroom.launch",
                         "boardroom.return.before", "boardroom.meanwhile.waits", "map.fold", "map.cpu", "map.launch",
                         "map.queue", "map.kernel", "map.total.kernel", "map.simulated.unasked", "map.closing"}));
  all.push_back(
      with_default_walk("the CPU finds the GPU finished", plain_relu().call("cudaDeviceSynchronize", 150, 20, 2),
                        {"boardroom.line", "boardroom.company", "boardroom.call", "boardroom.launch",
                         "boardroom.return.before", "boardroom.meanwhile.done", "map.fold", "map.cpu", "map.launch",
                         "map.queue", "map.kernel", "map.total.kernel", "map.simulated.unasked", "map.closing"}));
  all.push_back(with_default_walk(
      "the GPU begins as the call returns",
      SmallTrace().op("aten::relu", 0, 100).call("cudaLaunchKernel", 10, 5, 1).kernel(kernel_name, 15.5, 100, 1),
      {"boardroom.line", "boardroom.company", "boardroom.call.unframed", "boardroom.launch",
       "boardroom.return.together", "boardroom.meanwhile.idle", "map.fold", "map.cpu", "map.launch",
       "map.queue.together", "map.kernel", "map.total.kernel", "map.simulated.unasked", "map.closing"}));
  all.push_back(with_default_walk(
      "a compiled op",
      SmallTrace().op("triton_poi_fused_relu_0", 0, 50).call("cuLaunchKernelEx", 10, 5, 1).kernel("k", 20, 100, 1),
      {"boardroom.line", "boardroom.company", "boardroom.call.unframed", "boardroom.launch", "boardroom.return.before",
       "boardroom.meanwhile.idle", "map.fold", "map.cpu.compiled", "map.launch", "map.queue", "map.kernel",
       "map.total.kernel", "map.simulated.unasked", "map.closing"}));
  SmallTrace loading;
  loading.call("cudaLaunchKernel", 10, 400, 1).overhead("Lazy Function Loading", 50, 300).kernel("k", 415, 10, 1);
  loading.call("cudaLaunchKernel", 500, 5, 2).kernel("k", 510, 9, 2);
  all.push_back(following("the first launch of a kernel", loading, "kernel:0",
                          {"boardroom.line.launch", "boardroom.company", "boardroom.launch.first",
                           "boardroom.return.before", "boardroom.meanwhile.idle", "map.fold", "map.launch", "map.queue",
                           "map.kernel", "map.total.first", "map.simulated.unasked", "map.closing"}));
  all.push_back(
      with_default_walk("the CPU has nothing more to do", plain_relu(),
                        {"boardroom.line", "boardroom.company", "boardroom.call", "boardroom.launch",
                         "boardroom.return.before", "boardroom.meanwhile.idle", "map.fold", "map.cpu", "map.launch",
                         "map.queue", "map.kernel", "map.total.kernel", "map.simulated.unasked", "map.closing"}));
  all.push_back(with_default_walk(
      "nested ops", plain_relu().op("aten::clamp_min", 2, 90).op("aten::inner", 4, 80),
      {"boardroom.line", "boardroom.company", "boardroom.call", "boardroom.descend", "boardroom.launch",
       "boardroom.return.before", "boardroom.meanwhile.idle", "map.fold", "map.cpu", "map.launch", "map.queue",
       "map.kernel", "map.total.kernel", "map.simulated.unasked", "map.closing"}));
  SmallTrace deep = plain_relu();
  for (int depth = 1; depth < 7; ++depth) deep.op("aten::deeper_" + std::to_string(depth), depth, 90 - depth);
  deep.allocation(3, 4096).call("cudaLaunchKernel", 16, 3, 2).kernel("second", 125, 5, 2);
  all.push_back(with_default_walk(
      "seven ops deep, with two kernels", deep,
      {"boardroom.line", "boardroom.company", "boardroom.call", "boardroom.descend", "boardroom.launch",
       "boardroom.return.before", "boardroom.meanwhile.idle", "map.fold", "map.cpu", "map.launch", "map.queue",
       "map.kernel", "map.total.pieces.kernel", "map.simulated.unasked", "map.closing"}));
  all.push_back(with_default_walk(
      "a single thread on a single SM",
      SmallTrace().h200().op("aten::relu", 0, 100).call("cudaLaunchKernel", 10, 5, 1).bare_kernel("k", 20, 100, 1),
      {"boardroom.line", "boardroom.company", "boardroom.call.unframed", "boardroom.launch", "boardroom.return.before",
       "boardroom.meanwhile.idle", "map.fold", "map.cpu", "map.launch", "map.queue", "map.kernel", "map.total.kernel",
       "map.simulated.unasked", "map.closing"}));
  all.back().trace.kernels[0].grid = all.back().trace.kernels[0].block = {1, 1, 1};
  all.back().trace.devices[0].sms = 1;
  all.push_back(with_default_walk(
      "a kernel without a grid",
      SmallTrace().h200().op("aten::relu", 0, 100).call("cudaLaunchKernel", 10, 5, 1).bare_kernel("k", 20, 100, 1),
      {"boardroom.line", "boardroom.company", "boardroom.call.unframed", "boardroom.launch", "boardroom.return.before",
       "boardroom.meanwhile.idle", "map.fold", "map.cpu", "map.launch", "map.queue", "map.kernel", "map.total.kernel",
       "map.simulated.unasked", "map.closing"}));
  all.push_back(with_default_walk(
      "the profiler takes its time",
      plain_relu().op("aten::clamp_min", 2, 90).overhead("Activity Buffer Request", 3, 4),
      {"boardroom.line", "boardroom.company", "boardroom.call", "boardroom.descend.overhead", "boardroom.launch",
       "boardroom.return.before", "boardroom.meanwhile.idle", "map.fold", "map.cpu.overhead", "map.launch", "map.queue",
       "map.kernel", "map.total.kernel", "map.simulated.unasked", "map.closing"}));
  all.push_back(with_default_walk(
      "the GPU is done before the call returns",
      SmallTrace().h200().op("aten::relu", 0, 100).call("cudaLaunchKernel", 50, 30, 1).kernel(kernel_name, 60, 10, 1),
      {"boardroom.line", "boardroom.company", "boardroom.call.unframed", "boardroom.launch", "boardroom.return.late",
       "boardroom.meanwhile.idle", "map.fold", "map.cpu", "map.launch.overlap", "map.queue.none", "map.kernel",
       "map.total", "map.simulated.unasked", "map.closing"}));
  all.push_back(
      following("behind other work",
                SmallTrace()
                    .op("aten::relu", 0, 20)
                    .call("cudaLaunchKernel", 10, 5, 1)
                    .kernel(kernel_name, 20, 100, 1)
                    .op("aten::add", 30, 20)
                    .call("cudaLaunchKernel", 40, 5, 2)
                    .kernel("void second(int)", 121, 10, 2),
                "kernel:1",
                {"boardroom.line", "boardroom.company", "boardroom.call.unframed", "boardroom.launch",
                 "boardroom.return.before", "boardroom.meanwhile.idle", "map.fold", "map.cpu", "map.launch",
                 "map.queue.behind", "map.kernel", "map.total.queued", "map.simulated.unasked", "map.closing"}));
  all.push_back(
      following("behind much other work",
                SmallTrace()
                    .op("aten::relu", 0, 20)
                    .call("cudaLaunchKernel", 10, 5, 1)
                    .kernel(kernel_name, 20, 100, 1)
                    .op("aten::mul", 22, 8)
                    .call("cudaLaunchKernel", 24, 5, 2)
                    .kernel("void second(int)", 121, 5, 2)
                    .op("aten::add", 30, 20)
                    .call("cudaLaunchKernel", 40, 5, 3)
                    .kernel("void third(int)", 127, 10, 3),
                "kernel:2",
                {"boardroom.line", "boardroom.company", "boardroom.call.unframed", "boardroom.launch",
                 "boardroom.return.before", "boardroom.meanwhile.idle", "map.fold", "map.cpu", "map.launch",
                 "map.queue.behind.many", "map.kernel", "map.total.queued", "map.simulated.unasked", "map.closing"}));
  all.push_back(with_default_walk(
      "a wait that the trace does not explain",
      SmallTrace().op("aten::relu", 0, 20).call("cudaLaunchKernel", 10, 5, 1).kernel(kernel_name, 80, 200, 1),
      {"boardroom.line", "boardroom.company", "boardroom.call.unframed", "boardroom.launch", "boardroom.return.before",
       "boardroom.meanwhile.idle", "map.fold", "map.cpu", "map.launch", "map.queue.unexplained", "map.kernel",
       "map.total.kernel", "map.simulated.unasked", "map.closing"}));
  all.push_back(
      with_default_walk("two short kernels of a long op",
                        SmallTrace()
                            .op("aten::relu", 0, 200)
                            .call("cudaLaunchKernel", 100, 5, 1)
                            .kernel(kernel_name, 110, 5, 1)
                            .call("cudaLaunchKernel", 120, 5, 2)
                            .kernel("void second(int)", 130, 4, 2),
                        {"boardroom.line", "boardroom.company", "boardroom.call.unframed", "boardroom.launch",
                         "boardroom.return.before", "boardroom.meanwhile.idle", "map.fold", "map.cpu", "map.launch",
                         "map.queue", "map.kernel", "map.total.pieces", "map.simulated.unasked", "map.closing"}));
  all.push_back(with_default_walk(
      "a copy", SmallTrace().op("aten::copy_", 0, 50).call("cudaMemcpyAsync", 10, 5, 1).copy("Memcpy HtoD", 20, 100, 1),
      {"boardroom.line.transfer", "boardroom.company", "boardroom.call.unframed", "boardroom.launch.copy",
       "boardroom.return.before", "boardroom.meanwhile.idle", "map.fold", "map.cpu", "map.launch", "map.queue",
       "map.kernel", "map.total.kernel", "map.closing"}));
  all.push_back(with_default_walk(
      "a fill", SmallTrace().op("aten::zero_", 0, 50).call("cudaMemsetAsync", 10, 5, 1).fill(20, 100, 1),
      {"boardroom.line.transfer", "boardroom.company", "boardroom.call.unframed", "boardroom.launch.fill",
       "boardroom.return.before", "boardroom.meanwhile.idle", "map.fold", "map.cpu", "map.launch", "map.queue",
       "map.kernel", "map.total.kernel", "map.closing"}));
  all.push_back(
      with_default_walk("clocks that differ",
                        SmallTrace()
                            .op("aten::relu", 0, 100)
                            .call("cudaLaunchKernel", 50, 5, 1)
                            .kernel(kernel_name, 48, 100, 1)
                            .call("cudaDeviceSynchronize", 155, 10, 2),
                        {"boardroom.line", "boardroom.company", "boardroom.call.unframed", "boardroom.launch.skew",
                         "boardroom.return.skew", "boardroom.meanwhile.waits.unnamed", "map.fold", "map.cpu",
                         "map.launch.skew", "map.kernel", "map.total.skew", "map.simulated.unasked", "map.closing"}));
  // By the clock of one recorder the call began before the op that another one recorded.
  all.push_back(with_default_walk(
      "a call that begins before its op",
      SmallTrace().op("aten::relu", 0, 100).call("cudaLaunchKernel", -2, 5, 1).kernel(kernel_name, 20, 100, 1),
      {"boardroom.line.launch", "boardroom.company", "boardroom.launch", "boardroom.return.before",
       "boardroom.meanwhile.idle", "map.fold", "map.launch", "map.queue", "map.kernel", "map.total.kernel",
       "map.simulated.unasked", "map.closing"}));
  all.push_back(with_default_walk(
      "a launch without an op", SmallTrace().call("cudaLaunchKernel", 10, 5, 1).kernel(kernel_name, 20, 100, 1),
      {"boardroom.line.launch", "boardroom.company", "boardroom.launch", "boardroom.return.before",
       "boardroom.meanwhile.idle", "map.fold", "map.launch", "map.queue", "map.kernel", "map.total.kernel",
       "map.simulated.unasked", "map.closing"}));
  all.push_back(with_default_walk("a kernel without a launch",
                                  SmallTrace().op("aten::relu", 0, 20).kernel(kernel_name, 20, 100, 5),
                                  {"boardroom.unlaunched", "map.unlaunched", "map.closing"}));
  all.push_back(with_default_walk("a kernel of which only its time is known",
                                  SmallTrace().bare_kernel(kernel_name, 20, 100),
                                  {"boardroom.unlaunched", "map.unlaunched", "map.closing"}));
  all.push_back(with_default_walk("the CPU only", SmallTrace().op("aten::relu", 0, 20).op("aten::clamp_min", 5, 10),
                                  {"boardroom.line.quiet", "boardroom.company", "boardroom.call.unframed",
                                   "boardroom.nothing", "map.nothing", "map.closing"}));
  all.push_back(following("an op that starts nothing, beside one that does", plain_relu().op("aten::view", 110, 4),
                          "op:1",
                          {"boardroom.line.quiet", "boardroom.company", "boardroom.call.quiet", "boardroom.nothing",
                           "map.nothing", "map.closing"}));
  all.push_back(following("nested ops on the CPU only",
                          SmallTrace().frame("a.py(1): f", -1, 30).op("aten::a", 0, 20).op("aten::b", 5, 10), "op:1",
                          {"boardroom.line.quiet", "boardroom.company", "boardroom.call.quiet",
                           "boardroom.descend.quiet", "boardroom.nothing", "map.nothing", "map.closing"}));
  all.push_back(of_typed_expression(
      with_default_walk("a typed line",
                        SmallTrace()
                            .h200()
                            .frame("<expression>(1): relu(a)", -5, 300)
                            .op("aten::relu", 0, 100)
                            .call("cudaLaunchKernel", 10, 5, 1)
                            .kernel("relu", 20, 100, 1),
                        {"boardroom.line", "boardroom.company", "boardroom.call.typed", "boardroom.launch",
                         "boardroom.return.before", "boardroom.meanwhile.idle", "map.fold", "map.cpu", "map.launch",
                         "map.queue", "map.kernel", "map.total.kernel", "map.simulated.unasked", "map.closing"})));
  const SmallTrace on_cpu =
      SmallTrace().op("aten::empty", 0, 5).frame("<expression>(1): relu(a)", 9, 30).op("aten::relu", 10, 20);
  all.push_back(
      of_typed_expression(following("a typed line on the CPU only", on_cpu, "op:1",
                                    {"boardroom.line.quiet", "boardroom.company", "boardroom.call.typed_quiet",
                                     "boardroom.nothing", "map.nothing", "map.closing"})));
  all.push_back(of_typed_expression(following("an op beside the typed line", on_cpu, "op:0",
                                              {"boardroom.line.quiet", "boardroom.company", "boardroom.call.untyped",
                                               "boardroom.nothing", "map.nothing", "map.closing"})));
  all.push_back(with_default_walk("Python frames only", SmallTrace().frame("a.py(1): f", 0, 10),
                                  {"boardroom.empty", "map.empty"}));
  for (auto* of_scene : {crafted_receipts,     crafted_translator,
                         crafted_warehouse,    crafted_launch,
                         crafted_sm,           crafted_untimed,
                         crafted_history,      crafted_cycles,
                         crafted_lab,          crafted_labs,
                         crafted_streams,      crafted_tensors,
                         crafted_dispatch,     crafted_writing_a_kernel,
                         crafted_forward_pass, crafted_cuda_triton,
                         crafted_autograd,     crafted_host_device,
                         crafted_allocator,    crafted_storage,
                         crafted_collectives,  crafted_sweep})
    for (Crafted& made : of_scene()) all.push_back(std::move(made));
  return all;
}

}  // namespace

Crafted crafted_from(std::string name, trace::Trace trace, Sections sections, Controls controls) {
  Crafted made{std::move(name), std::move(trace), {}, std::move(sections), std::move(controls)};
  made.walk = default_walk(made.trace);
  return made;
}

const std::vector<Crafted>& crafted() {
  static const std::vector<Crafted> all = make_crafted();
  return all;
}

const Crafted& crafted_named(std::string_view name) {
  for (const Crafted& one : crafted())
    if (one.name == name) return one;
  ADD_FAILURE() << "no crafted trace is named " << name;
  return crafted().front();
}

}  // namespace warpwalk::story::testing
