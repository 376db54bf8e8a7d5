// Stream capture.

#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/engine/graph_calls.h"

namespace warpwalk::simulated {

namespace [[gnu::visibility("default")]] exported {
extern "C" {

CUresult cuStreamBeginCapture(CUstream stream) {
  return call_in_context("cuStreamBeginCapture", [&](Gpu& gpu) { return graph_calls::begin_capture(gpu, stream, 0); });
}

CUresult cuStreamBeginCapture_ptsz(CUstream stream) { return cuStreamBeginCapture(per_thread(stream)); }

CUresult cuStreamBeginCapture_v2(CUstream stream, int mode) {
  return call_in_context("cuStreamBeginCapture_v2",
                         [&](Gpu& gpu) { return graph_calls::begin_capture(gpu, stream, mode); });
}

CUresult cuStreamBeginCapture_v2_ptsz(CUstream stream, int mode) {
  return cuStreamBeginCapture_v2(per_thread(stream), mode);
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, Graph* graph, GraphNode* const* nodes, const EdgeData* edges,
                                     std::size_t count, int mode) {
  return call_in_context("cuStreamBeginCaptureToGraph", [&](Gpu& gpu) {
    return graph_calls::begin_capture_to_graph(gpu, stream, graph, nodes, edges, count, mode);
  });
}

CUresult cuStreamBeginCaptureToGraph_ptsz(CUstream stream, Graph* graph, GraphNode* const* nodes, const EdgeData* edges,
                                          std::size_t count, int mode) {
  return cuStreamBeginCaptureToGraph(per_thread(stream), graph, nodes, edges, count, mode);
}

CUresult cuStreamEndCapture(CUstream stream, Graph** graph) {
  return call_in_context("cuStreamEndCapture", [&](Gpu& gpu) { return graph_calls::end_capture(gpu, stream, graph); });
}

CUresult cuStreamEndCapture_ptsz(CUstream stream, Graph** graph) {
  return cuStreamEndCapture(per_thread(stream), graph);
}

CUresult cuStreamIsCapturing(CUstream stream, int* status) {
  return call_in_context("cuStreamIsCapturing",
                         [&](Gpu& gpu) { return graph_calls::get_capture_status(gpu, stream, status); });
}

CUresult cuStreamIsCapturing_ptsz(CUstream stream, int* status) {
  return cuStreamIsCapturing(per_thread(stream), status);
}

CUresult cuStreamGetCaptureInfo(CUstream stream, int* status, std::uint64_t* id) {
  return call_in_context("cuStreamGetCaptureInfo", [&](Gpu& gpu) {
    return graph_calls::get_capture_info(gpu, stream, {status, id, nullptr, nullptr, nullptr, nullptr});
  });
}

CUresult cuStreamGetCaptureInfo_ptsz(CUstream stream, int* status, std::uint64_t* id) {
  return cuStreamGetCaptureInfo(per_thread(stream), status, id);
}

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, int* status, std::uint64_t* id, Graph** graph,
                                   GraphNode* const** nodes, std::size_t* count) {
  return call_in_context("cuStreamGetCaptureInfo_v2", [&](Gpu& gpu) {
    return graph_calls::get_capture_info(gpu, stream, {status, id, graph, nodes, nullptr, count});
  });
}

CUresult cuStreamGetCaptureInfo_v2_ptsz(CUstream stream, int* status, std::uint64_t* id, Graph** graph,
                                        GraphNode* const** nodes, std::size_t* count) {
  return cuStreamGetCaptureInfo_v2(per_thread(stream), status, id, graph, nodes, count);
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, int* status, std::uint64_t* id, Graph** graph,
                                   GraphNode* const** nodes, const EdgeData** edges, std::size_t* count) {
  return call_in_context("cuStreamGetCaptureInfo_v3", [&](Gpu& gpu) {
    return graph_calls::get_capture_info(gpu, stream, {status, id, graph, nodes, edges, count});
  });
}

CUresult cuStreamGetCaptureInfo_v3_ptsz(CUstream stream, int* status, std::uint64_t* id, Graph** graph,
                                        GraphNode* const** nodes, const EdgeData** edges, std::size_t* count) {
  return cuStreamGetCaptureInfo_v3(per_thread(stream), status, id, graph, nodes, edges, count);
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, GraphNode* const* nodes, std::size_t count,
                                           unsigned flags) {
  return call_in_context("cuStreamUpdateCaptureDependencies", [&](Gpu& gpu) {
    return graph_calls::update_capture_dependencies(gpu, stream, nodes, nullptr, count, flags);
  });
}

CUresult cuStreamUpdateCaptureDependencies_ptsz(CUstream stream, GraphNode* const* nodes, std::size_t count,
                                                unsigned flags) {
  return cuStreamUpdateCaptureDependencies(per_thread(stream), nodes, count, flags);
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, GraphNode* const* nodes, const EdgeData* edges,
                                              std::size_t count, unsigned flags) {
  return call_in_context("cuStreamUpdateCaptureDependencies_v2", [&](Gpu& gpu) {
    return graph_calls::update_capture_dependencies(gpu, stream, nodes, edges, count, flags);
  });
}

CUresult cuStreamUpdateCaptureDependencies_v2_ptsz(CUstream stream, GraphNode* const* nodes, const EdgeData* edges,
                                                   std::size_t count, unsigned flags) {
  return cuStreamUpdateCaptureDependencies_v2(per_thread(stream), nodes, edges, count, flags);
}

CUresult cuThreadExchangeStreamCaptureMode(int* mode) {
  return call_in_context("cuThreadExchangeStreamCaptureMode",
                         [&](Gpu&) { return graph_calls::exchange_capture_mode(mode); });
}

}  // extern "C"
}  // namespace gnu::visibility("default")]]exported
}  // namespace warpwalk::simulated
