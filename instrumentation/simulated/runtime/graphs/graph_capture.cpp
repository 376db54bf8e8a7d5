// Stream capture.

#include "instrumentation/simulated/engine/graph_calls.h"
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {

extern "C" {

Error cudaStreamBeginCapture(const void* stream, int mode) {
  return runtime_call("cudaStreamBeginCapture",
                      [&](Gpu& gpu) { return graph_calls::begin_capture(gpu, stream, mode); });
}

Error cudaStreamBeginCapture_ptsz(const void* stream, int mode) {
  return cudaStreamBeginCapture(of_thread(stream), mode);
}

Error cudaStreamBeginCaptureToGraph(const void* stream, Graph* graph, GraphNode* const* nodes, const EdgeData* edges,
                                    std::size_t count, int mode) {
  return runtime_call("cudaStreamBeginCaptureToGraph", [&](Gpu& gpu) {
    return graph_calls::begin_capture_to_graph(gpu, stream, graph, nodes, edges, count, mode);
  });
}

Error cudaStreamBeginCaptureToGraph_ptsz(const void* stream, Graph* graph, GraphNode* const* nodes,
                                         const EdgeData* edges, std::size_t count, int mode) {
  return cudaStreamBeginCaptureToGraph(of_thread(stream), graph, nodes, edges, count, mode);
}

Error cudaStreamEndCapture(const void* stream, Graph** graph) {
  return runtime_call("cudaStreamEndCapture", [&](Gpu& gpu) { return graph_calls::end_capture(gpu, stream, graph); });
}

Error cudaStreamEndCapture_ptsz(const void* stream, Graph** graph) {
  return cudaStreamEndCapture(of_thread(stream), graph);
}

Error cudaStreamIsCapturing(const void* stream, int* status) {
  return runtime_call("cudaStreamIsCapturing",
                      [&](Gpu& gpu) { return graph_calls::get_capture_status(gpu, stream, status); });
}

Error cudaStreamIsCapturing_ptsz(const void* stream, int* status) {
  return cudaStreamIsCapturing(of_thread(stream), status);
}

Error cudaThreadExchangeStreamCaptureMode(int* mode) {
  return runtime_call("cudaThreadExchangeStreamCaptureMode",
                      [&](Gpu&) { return graph_calls::exchange_capture_mode(mode); });
}

}  // extern "C"
}  // namespace warpwalk::simulated
