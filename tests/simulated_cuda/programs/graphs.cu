// Graphs by hand: nodes of all types, dependencies, clones, changes of a graph that is ready to run.
#include <vector>

#include "check.h"

namespace {

__global__ void fill(int* values, int count, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = value;
}
__global__ void add(const int* from, int* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] += from[i];
}

constexpr int count = 512;
constexpr std::size_t bytes = count * sizeof(int);

void CUDART_CB add_to(void* number) { *static_cast<int*>(number) += 1; }

cudaError_t edges(cudaGraph_t graph, std::size_t* number) {
#if CUDART_VERSION >= 13000
  return cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, number);
#else
  return cudaGraphGetEdges(graph, nullptr, nullptr, number);
#endif
}
cudaError_t depend(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
#if CUDART_VERSION >= 13000
  return cudaGraphAddDependencies(graph, &from, &to, nullptr, 1);
#else
  return cudaGraphAddDependencies(graph, &from, &to, 1);
#endif
}
cudaError_t remove_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
#if CUDART_VERSION >= 13000
  return cudaGraphRemoveDependencies(graph, &from, &to, nullptr, 1);
#else
  return cudaGraphRemoveDependencies(graph, &from, &to, 1);
#endif
}
void print_degree(const char* what, cudaGraphNode_t node) {
  std::size_t before = 0, after = 0;
#if CUDART_VERSION >= 13000
  NEED(cudaGraphNodeGetDependencies(node, nullptr, nullptr, &before));
  NEED(cudaGraphNodeGetDependentNodes(node, nullptr, nullptr, &after));
#else
  NEED(cudaGraphNodeGetDependencies(node, nullptr, &before));
  NEED(cudaGraphNodeGetDependentNodes(node, nullptr, &after));
#endif
  cudaGraphNodeType type{};
  NEED(cudaGraphNodeGetType(node, &type));
  std::printf("%s: type %d, after %zu nodes, before %zu\n", what, type, before, after);
}
void print_size(cudaGraph_t graph) {
  std::size_t nodes = 0, roots = 0, lines = 0;
  NEED(cudaGraphGetNodes(graph, nullptr, &nodes));
  NEED(cudaGraphGetRootNodes(graph, nullptr, &roots));
  NEED(edges(graph, &lines));
  std::printf("%zu nodes, %zu roots, %zu edges\n", nodes, roots, lines);
}

struct Buffers {
  int *a = nullptr, *b = nullptr, *host = nullptr;
  int calls = 0;
};

// fill a, set b to 0, add a to b, copy b to the host, call the host.
struct Pipeline {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t fill = nullptr, set = nullptr, add = nullptr, copy = nullptr, call = nullptr;
};

cudaKernelNodeParams kernel_of(const void* function, void** arguments) {
  cudaKernelNodeParams params{};
  params.func = const_cast<void*>(function);
  params.gridDim = dim3(4);
  params.blockDim = dim3(128);
  params.kernelParams = arguments;
  return params;
}
cudaMemsetParams set_of(int* memory, unsigned value) {
  cudaMemsetParams params{};
  params.dst = memory;
  params.value = value;
  params.elementSize = 4;
  params.width = count;
  params.height = 1;
  return params;
}

Pipeline pipeline(Buffers& buffers, int value) {
  Pipeline p;
  int n = count;
  NEED(cudaGraphCreate(&p.graph, 0));
  void* fill_arguments[] = {&buffers.a, &n, &value};
  void* add_arguments[] = {&buffers.a, &buffers.b, &n};
  const cudaKernelNodeParams fill_params = kernel_of(reinterpret_cast<const void*>(&fill), fill_arguments);
  const cudaKernelNodeParams add_params = kernel_of(reinterpret_cast<const void*>(&add), add_arguments);
  const cudaMemsetParams set_params = set_of(buffers.b, 0);
  const cudaHostNodeParams call_params{add_to, &buffers.calls};
  NEED(cudaGraphAddKernelNode(&p.fill, p.graph, nullptr, 0, &fill_params));
  NEED(cudaGraphAddMemsetNode(&p.set, p.graph, nullptr, 0, &set_params));
  const cudaGraphNode_t both[] = {p.fill, p.set};
  NEED(cudaGraphAddKernelNode(&p.add, p.graph, both, 2, &add_params));
  NEED(cudaGraphAddMemcpyNode1D(&p.copy, p.graph, &p.add, 1, buffers.host, buffers.b, bytes, cudaMemcpyDeviceToHost));
  NEED(cudaGraphAddHostNode(&p.call, p.graph, &p.copy, 1, &call_params));
  return p;
}

void print_run(const char* what, cudaGraphExec_t ready, cudaStream_t stream, const Buffers& buffers) {
  buffers.host[0] = buffers.host[count - 1] = -1;
  const cudaError_t launched = cudaGraphLaunch(ready, stream), ended = cudaStreamSynchronize(stream);
  std::printf("%s: %s, %s, values %d %d, calls %d\n", what, cudaGetErrorName(launched), cudaGetErrorName(ended),
              buffers.host[0], buffers.host[count - 1], buffers.calls);
  cudaGetLastError();
}

void topology(Buffers& buffers) {
  Pipeline p = pipeline(buffers, 3);
  print_size(p.graph);
  print_degree("fill", p.fill);
  print_degree("set", p.set);
  print_degree("add", p.add);
  print_degree("copy", p.copy);
  print_degree("call", p.call);
  cudaGraphNode_t empty = nullptr, record = nullptr, wait = nullptr;
  cudaEvent_t event = nullptr;
  NEED(cudaEventCreate(&event));
  SHOW(cudaGraphAddEmptyNode(&empty, p.graph, &p.call, 1));
  SHOW(cudaGraphAddEventRecordNode(&record, p.graph, &empty, 1, event));
  SHOW(cudaGraphAddEventWaitNode(&wait, p.graph, &record, 1, event));
  print_degree("empty", empty);
  print_degree("record", record);
  print_degree("wait", wait);
  SHOW(depend(p.graph, p.fill, p.copy));
  SHOW(depend(p.graph, p.fill, p.copy));
  SHOW(depend(p.graph, p.fill, p.fill));
  print_size(p.graph);
  SHOW(remove_edge(p.graph, p.fill, p.copy));
  SHOW(remove_edge(p.graph, p.fill, p.copy));
  cudaGraph_t clone = nullptr;
  cudaGraphNode_t in_clone = nullptr;
  SHOW(cudaGraphClone(&clone, p.graph));
  SHOW(cudaGraphNodeFindInClone(&in_clone, p.copy, clone));
  check(in_clone != p.copy, "the clone has its own nodes");
  SHOW(cudaGraphDestroyNode(in_clone));
  print_size(clone);
  print_size(p.graph);
  SHOW(cudaGraphDestroy(clone));
  SHOW(depend(p.graph, p.call, p.fill));
  cudaGraphExec_t ready = nullptr;
  SHOW(cudaGraphInstantiate(&ready, p.graph, 0));  // a cycle
  SHOW(remove_edge(p.graph, p.call, p.fill));
  cudaKernelNodeParams params{};
  SHOW(cudaGraphKernelNodeGetParams(p.fill, &params));
  std::printf("grid %u, block %u, shared %u, value %d\n", params.gridDim.x, params.blockDim.x, params.sharedMemBytes,
              *static_cast<int*>(params.kernelParams[2]));
  cudaMemsetParams set{};
  SHOW(cudaGraphMemsetNodeGetParams(p.set, &set));
  std::printf("set %u, element %u, width %zu, height %zu\n", set.value, set.elementSize, set.width, set.height);
  SHOW(cudaGraphKernelNodeGetParams(p.set, &params));
  SHOW(cudaGraphDestroy(p.graph));
  NEED(cudaEventDestroy(event));
}

void runs(Buffers& buffers, cudaStream_t stream) {
  Pipeline p = pipeline(buffers, 3);
  cudaGraphExec_t ready = nullptr;
  SHOW(cudaGraphInstantiate(&ready, p.graph, 0));
  print_run("first", ready, stream, buffers);
  int n = count, value = 40;
  void* arguments[] = {&buffers.a, &n, &value};
  cudaKernelNodeParams params = kernel_of(reinterpret_cast<const void*>(&fill), arguments);
  SHOW(cudaGraphExecKernelNodeSetParams(ready, p.fill, &params));
  print_run("other argument", ready, stream, buffers);
  const cudaMemsetParams set = set_of(buffers.b, 100);
  SHOW(cudaGraphExecMemsetNodeSetParams(ready, p.set, &set));
  print_run("set to 100", ready, stream, buffers);
  SHOW(cudaGraphExecMemcpyNodeSetParams1D(ready, p.copy, buffers.host, buffers.a, bytes, cudaMemcpyDeviceToHost));
  print_run("other source", ready, stream, buffers);
  int other_calls = 0;
  const cudaHostNodeParams call{add_to, &other_calls};
  SHOW(cudaGraphExecHostNodeSetParams(ready, p.call, &call));
  print_run("other number", ready, stream, buffers);
  std::printf("other calls %d\n", other_calls);
  SHOW(cudaGraphNodeSetEnabled(ready, p.fill, 0));
  unsigned enabled = 9;
  SHOW(cudaGraphNodeGetEnabled(ready, p.fill, &enabled));
  std::printf("enabled %u\n", enabled);
  NEED(cudaMemset(buffers.a, 0, bytes));
  print_run("without fill", ready, stream, buffers);
  SHOW(cudaGraphNodeSetEnabled(ready, p.fill, 1));
  print_run("with fill", ready, stream, buffers);
  // The whole graph updated from another of the same form, and from one of another form.
  Pipeline second = pipeline(buffers, 7);
  cudaGraphExecUpdateResultInfo result{};
  SHOW(cudaGraphExecUpdate(ready, second.graph, &result));
  std::printf("result %d\n", result.result);
  print_run("updated", ready, stream, buffers);
  cudaGraphNode_t more = nullptr;
  NEED(cudaGraphAddEmptyNode(&more, second.graph, &second.call, 1));
  SHOW(cudaGraphExecUpdate(ready, second.graph, &result));
  std::printf("result %d\n", result.result);
  print_run("not updated", ready, stream, buffers);
  SHOW(cudaGraphExecDestroy(ready));
  SHOW(cudaGraphDestroy(second.graph));
  SHOW(cudaGraphDestroy(p.graph));
}

void children(Buffers& buffers, cudaStream_t stream) {
  Pipeline p = pipeline(buffers, 11);
  cudaGraph_t outer = nullptr, inner = nullptr;
  cudaGraphNode_t first = nullptr, second = nullptr, allocated = nullptr, filled = nullptr, copied = nullptr,
                  freed = nullptr;
  NEED(cudaGraphCreate(&outer, 0));
  SHOW(cudaGraphAddChildGraphNode(&first, outer, nullptr, 0, p.graph));
  SHOW(cudaGraphAddChildGraphNode(&second, outer, &first, 1, p.graph));
  print_degree("child", second);
  SHOW(cudaGraphChildGraphNodeGetGraph(second, &inner));
  print_size(inner);
  // Memory that the graph allocates and frees.
  cudaMemAllocNodeParams allocation{};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location.type = cudaMemLocationTypeDevice;
  allocation.bytesize = bytes;
  SHOW(cudaGraphAddMemAllocNode(&allocated, outer, &second, 1, &allocation));
  int n = count, value = 21;
  auto* memory = static_cast<int*>(allocation.dptr);
  void* arguments[] = {&memory, &n, &value};
  const cudaKernelNodeParams params = kernel_of(reinterpret_cast<const void*>(&fill), arguments);
  NEED(cudaGraphAddKernelNode(&filled, outer, &allocated, 1, &params));
  NEED(cudaGraphAddMemcpyNode1D(&copied, outer, &filled, 1, buffers.host, memory, bytes / 2, cudaMemcpyDeviceToHost));
  SHOW(cudaGraphAddMemFreeNode(&freed, outer, &copied, 1, memory));
  print_size(outer);
  cudaGraphExec_t ready = nullptr;
  SHOW(cudaGraphInstantiate(&ready, outer, 0));
  print_run("children", ready, stream, buffers);
  print_run("again", ready, stream, buffers);
  SHOW(cudaGraphExecDestroy(ready));
  SHOW(cudaGraphDestroy(outer));
  SHOW(cudaGraphDestroy(p.graph));
  SHOW(cudaDeviceGraphMemTrim(0));
  SHOW(cudaGraphInstantiate(&ready, nullptr, 0));
  SHOW(cudaGraphLaunch(nullptr, stream));
}

}  // namespace

int main() {
  Buffers buffers;
  cudaStream_t stream = nullptr;
  NEED(cudaStreamCreate(&stream));
  NEED(cudaMalloc(&buffers.a, bytes));
  NEED(cudaMalloc(&buffers.b, bytes));
  NEED(cudaMallocHost(&buffers.host, bytes));
  topology(buffers);
  runs(buffers, stream);
  children(buffers, stream);
  NEED(cudaFree(buffers.a));
  NEED(cudaFree(buffers.b));
  NEED(cudaFreeHost(buffers.host));
  NEED(cudaStreamDestroy(stream));
  return finish();
}
