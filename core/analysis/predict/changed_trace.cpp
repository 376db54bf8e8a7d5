#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "core/analysis/predict/prediction.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

// Times of a damaged file can add up to more than a trace can have.
std::int64_t whole_ns(double time) {
  constexpr double most = 0x1p60;
  return std::llround(std::clamp(time, -most, most));
}

// The new time of each moment of a thread.
class TimeMap {
 public:
  TimeMap(const WorkGraph& graph, const NodeTimes& times, std::size_t resource)
      : graph_(&graph),
        times_(&times),
        first_(graph.resources[resource].first),
        end_(graph.resources[resource].second) {}

  std::int64_t operator()(std::int64_t time) const {
    if (first_ == end_) return time;
    NodeId low = first_, high = end_;
    while (low + 1 < high) {
      const NodeId middle = low + (high - low) / 2;
      (graph_->nodes[middle].from <= time ? low : high) = middle;
    }
    const WorkNode& node = graph_->nodes[low];
    const double start = times_->start[low], end = times_->end[low];
    const auto since = static_cast<double>(time - node.from);
    if (time <= node.from) return whole_ns(start + since);
    if (time >= node.to) return whole_ns(end + static_cast<double>(time - node.to));
    return whole_ns(start + (end - start) * since / static_cast<double>(node.to - node.from));
  }

 private:
  const WorkGraph* graph_;
  const NodeTimes* times_;
  NodeId first_, end_;
};

class Changer {
 public:
  Changer(const Trace& trace, const Prediction& prediction)
      : trace_(trace), graph_(prediction.graph), times_(prediction.times), prediction_(prediction) {}

  Trace make() {
    for (std::uint32_t id = 1; id < trace_.strings.size(); ++id) made_.strings.intern(trace_.strings[id]);
    copy_tracks();
    copy_slices();
    copy_moments();
    made_.devices = trace_.devices;
    made_.metadata = trace_.metadata;
    made_.base_time_ns = trace_.base_time_ns;
    mark();
    trace::Problems problems;
    trace::link(made_, problems);
    return std::move(made_);
  }

 private:
  void copy_tracks() {
    for (std::size_t thread = 0; thread < graph_.threads; ++thread) maps_.emplace_back(graph_, times_, thread);
    map_of_.assign(trace_.tracks.size(), graph_.main_thread);
    for (std::size_t thread = 0; thread < graph_.threads; ++thread) map_of_[graph_.tracks[thread]] = thread;
    for (const trace::Track& track : trace_.tracks) {
      trace::Track copy = track;
      const std::string name(trace_.text(track.process_name));
      copy.process_name = made_.strings.intern("predicted" + (name.empty() ? "" : ": " + name));
      made_.tracks.push_back(copy);
    }
  }

  std::int64_t moved(trace::TrackId track, std::int64_t time) const {
    return maps_.empty() ? time : maps_[map_of_[track]](time);
  }

  void copy_slices() {
    const trace::Slices& rows = trace_.slices;
    std::map<NodeId, std::size_t> adopted;  // calls that launch work which another call launched
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      const WorkNode& node = graph_.nodes[n];
      if (node.gpu && !node.removed && node.launcher != no_node && is_adopted(node)) ++adopted[node.launcher];
    }
    for (const auto& [call, count] : adopted) graphs_.push_back(graph_.nodes[call].slice);
    std::ranges::sort(graphs_);
    for (SliceId s = 0; s < rows.size(); ++s) {
      const trace::SliceKind kind = rows.kind[s];
      if (trace::is_gpu_work(kind)) {
        copy_work(s);
      } else if (!trace_.tracks[rows.track[s]].gpu) {
        const std::int64_t start = moved(rows.track[s], rows.start[s]), end = moved(rows.track[s], rows.end(s));
        if (end <= start && rows.duration[s] > 0) continue;
        add(s, start, end);
      }
    }
  }

  bool is_adopted(const WorkNode& node) const {
    SliceId call = node.launch;
    while (call != no_slice && trace_.slices.parent[call] != no_slice &&
           trace::is_call(trace_.slices.kind[trace_.slices.parent[call]]))
      call = trace_.slices.parent[call];
    return call != graph_.nodes[node.launcher].slice;
  }

  void copy_work(SliceId s) {
    const NodeId n = graph_.node_of(s);
    if (n == no_node || graph_.nodes[n].removed) return;
    add(s, whole_ns(times_.start[n]), whole_ns(times_.end[n]));
    const NodeId launcher = graph_.nodes[n].launcher;
    if (launcher == no_node || !is_adopted(graph_.nodes[n])) return;
    const std::int64_t correlation = trace_.calls[trace_.slices.detail[graph_.nodes[launcher].slice]].correlation;
    if (trace_.slices.kind[s] == trace::SliceKind::kernel) {
      made_.kernels.back().correlation = correlation;
      made_.kernels.back().external_id = trace::absent;
    } else {
      made_.transfers.back().correlation = correlation;
      made_.transfers.back().external_id = trace::absent;
    }
  }

  void add(SliceId s, std::int64_t start, std::int64_t end) {
    const trace::Slices& rows = trace_.slices;
    trace::Slices& made = made_.slices;
    const bool graph = std::ranges::binary_search(graphs_, s);
    made.start.push_back(start);
    made.duration.push_back(std::max<std::int64_t>(0, end - start));
    made.name.push_back(graph ? made_.strings.intern("cudaGraphLaunch") : rows.name[s]);
    made.extra.push_back(rows.extra[s]);
    made.track.push_back(rows.track[s]);
    made.kind.push_back(rows.kind[s]);
    made.detail.push_back(detail_of(s));
  }

  // Its details, without rows of the records, which are of the recorded run.
  std::uint32_t detail_of(SliceId s) {
    const std::uint32_t detail = trace_.slices.detail[s];
    const auto added = [](auto& table, const auto& row) {
      table.push_back(row);
      return static_cast<std::uint32_t>(table.size() - 1);
    };
    switch (trace_.slices.kind[s]) {
      case trace::SliceKind::op:
      case trace::SliceKind::annotation: {
        trace::OpDetail row = trace_.ops[detail];
        row.dispatch = trace::absent;
        return added(made_.ops, row);
      }
      case trace::SliceKind::python: return added(made_.python, trace_.python[detail]);
      case trace::SliceKind::runtime:
      case trace::SliceKind::driver: return added(made_.calls, trace_.calls[detail]);
      case trace::SliceKind::kernel: {
        trace::KernelDetail row = trace_.kernels[detail];
        row.record = row.queued = row.submitted = trace::absent;
        row.launch = no_slice;
        return added(made_.kernels, row);
      }
      case trace::SliceKind::memcpy:
      case trace::SliceKind::memset: {
        trace::TransferDetail row = trace_.transfers[detail];
        row.launch = no_slice;
        row.bandwidth_gb_s = trace::absent_real;
        return added(made_.transfers, row);
      }
      default: return detail;
    }
  }

  void copy_moments() {
    for (trace::MemoryEvent event : trace_.memory) {
      event.time = moved(event.track, event.time);
      made_.memory.push_back(event);
    }
    for (trace::Flow flow : trace_.flows) {
      // Arrows to GPU work would need its new time; the correlation has the same.
      if (trace_.tracks[flow.from_track].gpu || trace_.tracks[flow.to_track].gpu) continue;
      flow.from_time = moved(flow.from_track, flow.from_time);
      flow.to_time = std::max(flow.from_time, moved(flow.to_track, flow.to_time));
      made_.flows.push_back(flow);
    }
  }

  void mark() {
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    const auto text = [&](std::string_view value) {
      writer.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
    };
    writer.StartObject();
    writer.Key("changes");
    writer.StartArray();
    for (const PredictionBasis& one : prediction_.basis) text(one.change);
    writer.EndArray();
    writer.Key("verdict");
    text(verdict_of(prediction_));
    writer.EndObject();
    made_.metadata.emplace_back(made_.strings.intern("predicted"),
                                made_.strings.intern({buffer.GetString(), buffer.GetSize()}));
  }

  const Trace& trace_;
  const WorkGraph& graph_;
  const NodeTimes& times_;
  const Prediction& prediction_;
  Trace made_;
  std::vector<TimeMap> maps_;        // of each thread
  std::vector<std::size_t> map_of_;  // by track
  std::vector<SliceId> graphs_;      // calls that launch the work of other calls
};

}  // namespace

trace::Trace changed_trace(const Trace& trace, const Prediction& prediction) {
  return Changer(trace, prediction).make();
}

}  // namespace warpwalk::analysis
