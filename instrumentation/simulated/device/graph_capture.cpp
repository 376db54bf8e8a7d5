// Stream capture. The rules are those of the CUDA programming guide ("Creating a Graph Using Stream Capture").

#include <algorithm>
#include <utility>

#include "instrumentation/simulated/device/graph.h"

namespace warpwalk::simulated {
namespace {

constexpr unsigned non_blocking_stream = 1;

Capture::Mode& mode_of_this_thread() {
  thread_local Capture::Mode mode = Capture::Mode::global;
  return mode;
}

/// True if the capture forbids unsafe calls to this thread.
bool forbids(const Capture& capture, Capture::Mode thread_mode) {
  if (thread_mode == Capture::Mode::relaxed) return false;
  if (capture.thread == std::this_thread::get_id()) return capture.mode != Capture::Mode::relaxed;
  return thread_mode == Capture::Mode::global && capture.mode == Capture::Mode::global;
}

void append(Capture::End& end, std::span<GraphNode* const> nodes, std::span<const EdgeData> edges) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (std::ranges::find(end.nodes, nodes[i]) != end.nodes.end()) continue;
    end.nodes.push_back(nodes[i]);
    end.edges.push_back(edges.empty() ? EdgeData{} : edges[i]);
  }
}

/// True if all streams have been joined to the origin: its next node would come after all of theirs.
bool is_joined(const Capture& capture) {
  const auto origin = capture.ends.find(capture.origin);
  if (origin == capture.ends.end()) return false;
  std::set<const GraphNode*> before;
  std::vector<const GraphNode*> next(origin->second.nodes.begin(), origin->second.nodes.end());
  while (!next.empty()) {
    const GraphNode* const node = next.back();
    next.pop_back();
    if (!before.insert(node).second) continue;
    next.insert(next.end(), node->dependencies.begin(), node->dependencies.end());
  }
  const auto is_before = [&](const GraphNode* node) { return before.contains(node); };
  return std::ranges::all_of(capture.left, is_before) && std::ranges::all_of(capture.ends, [&](const auto& end) {
           return std::ranges::all_of(end.second.nodes, is_before);
         });
}

/// Takes all streams out of a capture.
void end_all(Capture& capture) {
  capture.ended = true;
  // The last stream may hold the capture's last reference.
  std::vector<Stream*> streams;
  for (const auto& [stream, end] : capture.ends) streams.push_back(stream);
  for (Stream* const stream : streams) stream->capture.reset();
}

}  // namespace

Error Graphs::begin(Stream& stream, std::shared_ptr<Capture> capture, Capture::End end) {
  const std::lock_guard lock(capture_mutex_);
  if (stream.is_default) return Error::stream_capture_unsupported;
  if (stream.capture != nullptr) return Error::illegal_state;
  capture->registry = this;
  capture->id = ++last_capture_;
  capture->origin = &stream;
  capture->thread = std::this_thread::get_id();
  if (capture->graph == nullptr) capture->graph = create();
  capture->ends[&stream] = std::move(end);
  std::erase_if(captures_, [](const auto& old) { return old.expired(); });
  captures_.push_back(capture);
  stream.capture = std::move(capture);
  return Error::success;
}

Error Graphs::begin_capture(Stream& stream, Capture::Mode mode) {
  auto capture = std::make_shared<Capture>();
  capture->mode = mode;
  return begin(stream, std::move(capture), {});
}

Error Graphs::begin_capture(Stream& stream, Graph& graph, std::span<GraphNode* const> dependencies,
                            std::span<const EdgeData> edges, Capture::Mode mode) {
  for (const GraphNode* const node : dependencies) {
    const GraphNode* const known = find_node(node);
    if (known == nullptr || known->graph != &graph) return Error::invalid_value;
  }
  auto capture = std::make_shared<Capture>();
  capture->mode = mode;
  capture->graph = &graph;
  capture->to_existing_graph = true;
  Capture::End end;
  append(end, dependencies, edges);
  return begin(stream, std::move(capture), std::move(end));
}

Error Graphs::end_capture(Stream& stream, Graph*& graph) {
  graph = nullptr;
  Graph* dropped = nullptr;
  Error error = Error::success;
  {
    const std::lock_guard lock(capture_mutex_);
    const std::shared_ptr<Capture> capture = stream.capture;
    if (capture == nullptr) return Error::illegal_state;
    if (capture->origin != &stream) {
      capture->invalid = true;
      return Error::stream_capture_unmatched;
    }
    if (capture->mode != Capture::Mode::relaxed && capture->thread != std::this_thread::get_id())
      return Error::stream_capture_wrong_thread;
    if (capture->invalid)
      error = Error::stream_capture_invalidated;
    else if (!is_joined(*capture))
      error = Error::stream_capture_unjoined;
    end_all(*capture);
    if (error == Error::success)
      graph = capture->graph;
    else if (!capture->to_existing_graph)
      dropped = capture->graph;
  }
  if (dropped != nullptr) destroy(dropped);
  return error;
}

Error Graphs::capture_info(Stream& stream, CaptureInfo& info) {
  info = {};
  const std::lock_guard lock(capture_mutex_);
  if (stream.is_default && blocking_capture() != nullptr) return Error::stream_capture_implicit;
  const std::shared_ptr<Capture> capture = stream.capture;
  if (capture == nullptr) return Error::success;
  info.status = capture->invalid ? 2 : 1;
  info.id = capture->id;
  if (capture->invalid) return Error::success;
  info.graph = capture->graph;
  info.end = &capture->ends[&stream];
  return Error::success;
}

Error Graphs::set_capture_dependencies(Stream& stream, std::span<GraphNode* const> nodes,
                                       std::span<const EdgeData> edges, bool replaces) {
  const std::lock_guard lock(capture_mutex_);
  const std::shared_ptr<Capture> capture = stream.capture;
  if (capture == nullptr) return Error::illegal_state;
  if (capture->invalid) return Error::stream_capture_invalidated;
  for (const GraphNode* const node : nodes) {
    const GraphNode* const known = find_node(node);
    if (known == nullptr || known->graph != capture->graph) return Error::invalid_value;
  }
  // The nodes may be those of the stream itself, as cudaStreamGetCaptureInfo returns them.
  Capture::End end = replaces ? Capture::End{} : capture->ends[&stream];
  append(end, nodes, edges);
  capture->ends[&stream] = std::move(end);
  return Error::success;
}

Capture::Mode Graphs::exchange_mode(Capture::Mode mode) { return std::exchange(mode_of_this_thread(), mode); }

std::vector<std::shared_ptr<Capture>> Graphs::active_captures() {
  std::vector<std::shared_ptr<Capture>> active;
  for (const auto& capture : captures_)
    if (auto one = capture.lock(); one != nullptr && !one->ended) active.push_back(std::move(one));
  return active;
}

Error Graphs::check_unsafe() {
  const std::lock_guard lock(capture_mutex_);
  Error error = Error::success;
  for (const auto& capture : active_captures()) {
    if (!forbids(*capture, mode_of_this_thread())) continue;
    capture->invalid = true;
    error = Error::stream_capture_unsupported;
  }
  return error;
}

std::shared_ptr<Capture> Graphs::blocking_capture() {
  for (auto& capture : active_captures())
    for (const auto& [stream, end] : capture->ends)
      if ((stream->flags & non_blocking_stream) == 0) return capture;
  return nullptr;
}

Error Graphs::check_implicit(const Stream& stream) {
  if (!stream.is_default) return Error::success;
  const std::lock_guard lock(capture_mutex_);
  const auto capture = blocking_capture();
  if (capture == nullptr) return Error::success;
  capture->invalid = true;
  return Error::stream_capture_implicit;
}

Error add_captured(Stream& stream, NodeWork what) {
  const std::shared_ptr<Capture> capture = stream.capture;
  if (capture == nullptr) return Error::illegal_state;
  Graphs& graphs = *capture->registry;
  const std::lock_guard lock(graphs.capture_mutex_);
  if (capture->invalid) return Error::stream_capture_invalidated;
  Capture::End& end = capture->ends[&stream];
  GraphNode* node = nullptr;
  if (const Error error = graphs.add(*capture->graph, end.nodes, end.edges, std::move(what), node);
      error != Error::success)
    return error;
  end = {{node}, {EdgeData{}}};
  return Error::success;
}

Error captured_record(Event& event, Stream& stream) {
  const std::shared_ptr<Capture> capture = stream.capture;
  const std::lock_guard lock(capture->registry->capture_mutex_);
  if (capture->invalid) return Error::stream_capture_invalidated;
  event.capture = capture;
  event.captured = capture->ends[&stream].nodes;
  event.recorded = true;
  event.stream = stream.id;
  event.work.reset();
  return Error::success;
}

Error captured_wait(Stream& stream, const Event& event) {
  const std::shared_ptr<Capture> capture = stream.capture, other = event.capture;
  Graphs& graphs = *(capture != nullptr ? capture : other)->registry;
  const std::lock_guard lock(graphs.capture_mutex_);
  if (capture != nullptr && capture->invalid) return Error::stream_capture_invalidated;
  if (other == nullptr || (other->ended && capture != nullptr)) {
    // The event was recorded outside of the capture. Nothing is to be waited for if it was never recorded.
    if (other == nullptr && event.work == nullptr) return Error::success;
    capture->invalid = true;
    return Error::stream_capture_isolation;
  }
  if (other->ended) return Error::captured_event;
  if (other->invalid) return Error::stream_capture_invalidated;
  if (stream.is_default) {
    other->invalid = true;
    return Error::stream_capture_implicit;
  }
  if (capture != nullptr && capture != other) {
    capture->invalid = other->invalid = true;
    return Error::stream_capture_merge;
  }
  append(other->ends[&stream], event.captured, {});
  stream.capture = other;
  return Error::success;
}

void leave_capture(Stream& stream) {
  const std::shared_ptr<Capture> capture = stream.capture;
  if (capture == nullptr) return;
  Graphs& graphs = *capture->registry;
  Graph* dropped = nullptr;
  {
    const std::lock_guard lock(graphs.capture_mutex_);
    if (capture->origin == &stream) {
      capture->invalid = true;
      end_all(*capture);
      if (!capture->to_existing_graph) dropped = capture->graph;
    } else {
      const Capture::End& end = capture->ends[&stream];
      capture->left.insert(capture->left.end(), end.nodes.begin(), end.nodes.end());
    }
    capture->ends.erase(&stream);
    stream.capture.reset();
  }
  if (dropped != nullptr) graphs.destroy(dropped);
}

Error check_not_captured(Stream& stream) {
  if (stream.capture == nullptr) return Error::success;
  stream.capture->invalid = true;
  return Error::stream_capture_unsupported;
}

Error check_captured(const Event& event) {
  if (event.capture == nullptr) return Error::success;
  event.capture->invalid = true;
  return Error::captured_event;
}

}  // namespace warpwalk::simulated
