// Graphs by capture: forks and joins with events, replays, and what is not allowed while a stream is captured.
#include <map>
#include <vector>

#include "check.h"

namespace {

__global__ void add(int* values, int by) { values[blockIdx.x * blockDim.x + threadIdx.x] += by; }
__global__ void combine(const int* a, const int* b, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a[i] * 1000 + b[i];
}

int host_calls = 0;
void CUDART_CB count_call(void*) { ++host_calls; }

std::size_t edges_of(cudaGraph_t graph) {
  std::size_t edges = 0;
#if CUDART_VERSION >= 13000
  NEED(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
#else
  NEED(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
#endif
  return edges;
}

void print_graph(cudaGraph_t graph) {
  std::size_t count = 0, roots = 0;
  NEED(cudaGraphGetNodes(graph, nullptr, &count));
  NEED(cudaGraphGetRootNodes(graph, nullptr, &roots));
  std::vector<cudaGraphNode_t> nodes(count);
  NEED(cudaGraphGetNodes(graph, nodes.data(), &count));
  std::map<int, int> types;
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    NEED(cudaGraphNodeGetType(node, &type));
    ++types[type];
  }
  std::printf("%zu nodes, %zu roots, %zu edges; types", count, roots, edges_of(graph));
  for (const auto& [type, number] : types) std::printf(" %d:%d", type, number);
  std::printf("\n");
}

void print_status(cudaStream_t stream) {
  cudaStreamCaptureStatus status{};
  const cudaError_t error = cudaStreamIsCapturing(stream, &status);
  std::printf("capture status %d (%s)\n", status, cudaGetErrorName(error));
  cudaGetLastError();
}

struct Streams {
  cudaStream_t first = nullptr, second = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  Streams() {
    NEED(cudaStreamCreate(&first));
    NEED(cudaStreamCreate(&second));
    NEED(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    NEED(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  }
  ~Streams() {
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
  }
};

void forks(const Streams& s, int* device) {
  constexpr int count = 256;
  int *const a = device, *const b = device + count, *const out = device + 2 * count;
  int* host = nullptr;
  NEED(cudaMallocHost(&host, count * sizeof(int)));
  NEED(cudaMemset(device, 0, 3 * count * sizeof(int)));
  unsigned long long id = 0;
  cudaStreamCaptureStatus status{};
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  SHOW(cudaStreamBeginCapture(s.first, cudaStreamCaptureModeGlobal));
  print_status(s.first);
  print_status(s.second);
  SHOW(cudaStreamGetCaptureInfo(s.first, &status, &id));
  check(status == cudaStreamCaptureStatusActive && id != 0, "the capture has an ID");
  SHOW(cudaMemsetAsync(b, 0, count * sizeof(int), s.first));
  SHOW(cudaEventRecord(s.fork, s.first));
  SHOW(cudaStreamWaitEvent(s.second, s.fork));
  print_status(s.second);
  add<<<2, 128, 0, s.first>>>(a, 1);
  add<<<2, 128, 0, s.second>>>(b, 5);
  add<<<2, 128, 0, s.second>>>(b, 6);
  SHOW(cudaEventRecord(s.join, s.second));
  SHOW(cudaStreamWaitEvent(s.first, s.join));
  combine<<<2, 128, 0, s.first>>>(a, b, out);
  SHOW(cudaMemcpyAsync(host, out, count * sizeof(int), cudaMemcpyDeviceToHost, s.first));
  SHOW(cudaLaunchHostFunc(s.first, count_call, nullptr));
  SHOW(cudaStreamEndCapture(s.first, &graph));
  print_graph(graph);
  NEED(cudaDeviceSynchronize());
  int before = -1;
  NEED(cudaMemcpy(&before, b, sizeof before, cudaMemcpyDeviceToHost));
  std::printf("nothing ran while it was captured: %d, host calls %d\n", before, host_calls);
  SHOW(cudaGraphInstantiate(&ready, graph, 0));
  SHOW(cudaGraphUpload(ready, s.second));
  SHOW(cudaGraphLaunch(ready, s.second));
  SHOW(cudaStreamSynchronize(s.second));
  std::printf("after one launch %d %d, host calls %d\n", host[0], host[255], host_calls);
  for (int i = 0; i < 20; ++i) NEED(cudaGraphLaunch(ready, i % 2 == 0 ? s.first : s.second));
  SHOW(cudaDeviceSynchronize());
  std::printf("after 21 launches %d %d, host calls %d\n", host[0], host[255], host_calls);
  // A graph's launch cannot be captured: graphs are nested as child nodes.
  cudaGraph_t outer = nullptr;
  SHOW(cudaStreamBeginCapture(s.first, cudaStreamCaptureModeThreadLocal));
  add<<<2, 128, 0, s.first>>>(a, 100);
  SHOW(cudaGraphLaunch(ready, s.first));
  SHOW(cudaStreamEndCapture(s.first, &outer));
  check(outer == nullptr, "there is no graph");
  SHOW(cudaGraphExecDestroy(ready));
  SHOW(cudaGraphDestroy(graph));
  NEED(cudaFreeHost(host));
}

// Captures one call that is not allowed, and prints how the capture ends.
template <class Call>
void forbidden(const char* what, const Streams& s, int* device, Call call,
               cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  std::printf("-- %s\n", what);
  cudaGraph_t graph = nullptr;
  NEED(cudaStreamBeginCapture(s.first, mode));
  add<<<2, 128, 0, s.first>>>(device, 1);
  call();
  print_status(s.first);
  SHOW(cudaStreamEndCapture(s.first, &graph));
  check(true, graph == nullptr ? "there is no graph" : "there is a graph");
  if (graph != nullptr) NEED(cudaGraphDestroy(graph));
  print_status(s.first);
}

void errors(const Streams& s, int* device) {
  void* memory = nullptr;
  forbidden("synchronise the stream", s, device, [&] { SHOW(cudaStreamSynchronize(s.first)); });
  forbidden("query the stream", s, device, [&] { SHOW(cudaStreamQuery(s.first)); });
  forbidden("synchronise the device", s, device, [&] { SHOW(cudaDeviceSynchronize()); });
  forbidden("allocate", s, device, [&] { SHOW(cudaMalloc(&memory, 16)); });
  forbidden(
      "allocate, relaxed", s, device,
      [&] {
        SHOW(cudaMalloc(&memory, 16));
        SHOW(cudaFree(memory));
      },
      cudaStreamCaptureModeRelaxed);
  forbidden("allocate with another mode of the thread", s, device, [&] {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    SHOW(cudaThreadExchangeStreamCaptureMode(&mode));
    std::printf("mode was %d\n", mode);
    SHOW(cudaMalloc(&memory, 16));
    SHOW(cudaFree(memory));
    SHOW(cudaThreadExchangeStreamCaptureMode(&mode));
    std::printf("mode was %d\n", mode);
  });
  forbidden("the legacy stream", s, device, [&] {
    add<<<2, 128>>>(device, 1);
    SHOW(cudaGetLastError());
  });
  forbidden("begin again", s, device, [&] { SHOW(cudaStreamBeginCapture(s.first, cudaStreamCaptureModeGlobal)); });
  forbidden("a captured event", s, device, [&] {
    SHOW(cudaEventRecord(s.fork, s.first));
    SHOW(cudaEventQuery(s.fork));
  });
  forbidden("synchronise with a captured event", s, device, [&] {
    SHOW(cudaEventRecord(s.fork, s.first));
    SHOW(cudaEventSynchronize(s.fork));
  });
  NEED(cudaEventRecord(s.join, s.second));
  NEED(cudaStreamSynchronize(s.second));
  forbidden("wait for an event from outside", s, device, [&] { SHOW(cudaStreamWaitEvent(s.first, s.join)); });
  forbidden("a branch that is not joined", s, device, [&] {
    SHOW(cudaEventRecord(s.fork, s.first));
    SHOW(cudaStreamWaitEvent(s.second, s.fork));
    add<<<2, 128, 0, s.second>>>(device, 1);
  });
  print_status(s.second);
  forbidden("end it in another stream", s, device, [&] {
    cudaGraph_t graph = nullptr;
    SHOW(cudaEventRecord(s.fork, s.first));
    SHOW(cudaStreamWaitEvent(s.second, s.fork));
    SHOW(cudaStreamEndCapture(s.second, &graph));
  });
  forbidden("merge two captures", s, device, [&] {
    cudaGraph_t graph = nullptr;
    SHOW(cudaStreamBeginCapture(s.second, cudaStreamCaptureModeGlobal));
    SHOW(cudaEventRecord(s.join, s.second));
    SHOW(cudaStreamWaitEvent(s.first, s.join));
    SHOW(cudaStreamEndCapture(s.second, &graph));
    if (graph != nullptr) NEED(cudaGraphDestroy(graph));
  });
  cudaGraph_t graph = nullptr;
  std::printf("-- outside of a capture\n");
  SHOW(cudaStreamEndCapture(s.first, &graph));
  SHOW(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  SHOW(cudaStreamBeginCapture(s.first, static_cast<cudaStreamCaptureMode>(9)));
  print_status(s.first);
  SHOW(cudaStreamIsCapturing(s.first, nullptr));
  SHOW(cudaDeviceSynchronize());
}

void empty_capture(const Streams& s) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  SHOW(cudaStreamBeginCapture(s.first, cudaStreamCaptureModeGlobal));
  SHOW(cudaStreamEndCapture(s.first, &graph));
  print_graph(graph);
  SHOW(cudaGraphInstantiate(&ready, graph, 0));
  SHOW(cudaGraphLaunch(ready, s.first));
  SHOW(cudaStreamSynchronize(s.first));
  NEED(cudaGraphExecDestroy(ready));
  NEED(cudaGraphDestroy(graph));
}

}  // namespace

int main() {
  int* device = nullptr;
  NEED(cudaMalloc(&device, 4096));
  {
    const Streams streams;
    forks(streams, device);
    empty_capture(streams);
    errors(streams, device);
  }
  NEED(cudaFree(device));
  return finish();
}
