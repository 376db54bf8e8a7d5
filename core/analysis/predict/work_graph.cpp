#include "core/analysis/predict/work_graph.h"

#include <algorithm>
#include <map>

#include "core/analysis/slices.h"
#include "core/platform/give_way.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

using trace::SliceKind;

constexpr std::int64_t clock_skew = 2'000;        // ns: between the clocks of CPU and GPU
constexpr std::int64_t least_pause = 10'000;      // ns: of a thread that waits for another one
constexpr std::size_t queue_entries = 1'024;      // launches that a stream of CUDA holds
constexpr std::int64_t least_throttled = 20'000;  // ns: a launch that waits for the queue

// A stretch of a thread before it is a node.
struct Stretch {
  std::int64_t from = 0, to = 0;
  SliceId slice = no_slice;
  bool call = false;
};

// A thread that waits for another one from `from` to `to`, which had come to `after` then.
struct HandOver {
  std::size_t thread = 0, other = 0;
  std::int64_t from = 0, to = 0, after = 0;
};

double median_of(std::vector<double> values, double fallback) {
  if (values.empty()) return fallback;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

class Builder {
 public:
  explicit Builder(const Trace& trace) : trace_(trace), rows_(trace.slices), events_(trace) {}

  WorkGraph build() {
    threads_ = events_.participants();
    std::ranges::sort(threads_);
    if (threads_.empty() && events_.streams().empty()) return {};
    find_begin();
    find_steps();
    find_typical();
    for (const std::size_t thread : threads_) find_calls_and_ops(thread);
    find_hand_overs();
    for (std::size_t i = 0; i < threads_.size(); ++i) add_thread(i);
    add_streams();
    connect();
    find_step_nodes();
    find_last_works();
    std::vector<bool> asks_gpu;
    for (const std::size_t thread : threads_) asks_gpu.push_back(events_.asks_gpu(thread));
    find_phases(trace_, asks_gpu, graph_);
    sort_nodes(graph_);
    return std::move(graph_);
  }

 private:
  void find_begin() {
    begin_ = std::numeric_limits<std::int64_t>::max();
    for (const std::size_t thread : threads_)
      for (const PathTile& tile : events_.tiles(thread)) {
        if (tile.slice == no_slice) continue;
        begin_ = std::min(begin_, tile.start);
        break;
      }
    for (const std::vector<PathWork>& stream : events_.streams()) begin_ = std::min(begin_, stream.front().start);
  }

  void find_steps() {
    StepRanges steps = step_ranges(trace_);
    // One step of an optimizer is a part of a step.
    if (steps.from == StepsFrom::optimizer && steps.ranges.size() < 2) steps.ranges.clear();
    graph_.step_name = steps.name;
    std::size_t main = threads_.size();
    for (std::size_t i = 0; i < threads_.size() && !steps.ranges.empty(); ++i)
      if (events_.track_of(threads_[i]) == steps.thread) main = i;
    if (main < threads_.size()) {
      for (const StepRanges::Range& range : steps.ranges)
        graph_.steps.push_back({no_node, no_node, range.from, range.to, {}});
    } else {  // the thread that asks the GPU first
      graph_.step_name.clear();
      std::int64_t first = std::numeric_limits<std::int64_t>::max();
      for (std::size_t i = 0; i < threads_.size(); ++i) {
        const std::int64_t start = events_.tiles(threads_[i]).front().start;
        const bool better = main == threads_.size() || events_.asks_gpu(threads_[i]) > events_.asks_gpu(threads_[main]);
        if (!better && (start >= first || events_.asks_gpu(threads_[i]) < events_.asks_gpu(threads_[main]))) continue;
        main = i;
        first = start;
      }
    }
    graph_.main_thread = main;
  }

  // The times of launches on idle streams, of kernels in a queue, and of calls that do not wait.
  void find_typical() {
    std::vector<double> lags, gaps, launches, waits, remainders;
    for (const std::vector<PathWork>& stream : events_.streams())
      for (const PathWork& work : stream) {
        const PathWork* const before = events_.before(work);
        if (work.launch == no_slice || work.kind == PathKind::copy) continue;
        const std::int64_t free = before == nullptr ? begin_ : before->end;
        const std::int64_t lag = work.start - work.launched;
        if (free + clock_skew < work.launched && lag > 0 && lag < 50'000) lags.push_back(static_cast<double>(lag));
        if (free > work.launched + 10'000 && work.start - free < 10'000 && work.start >= free)
          gaps.push_back(static_cast<double>(work.start - free));
        if (rows_.duration[work.launch] < least_throttled)
          launches.push_back(static_cast<double>(rows_.duration[work.launch]));
      }
    graph_.typical.launch_lag = median_of(lags, graph_.typical.launch_lag);
    graph_.typical.queue_gap = median_of(gaps, graph_.typical.queue_gap);
    graph_.typical.launch_call = median_of(launches, graph_.typical.launch_call);
    for (SliceId s = 0; s < rows_.size(); ++s) {
      if (!is_wait(trace_, s) || events_.thread_of(s) == PathEvents::no_thread) continue;
      for (const PathWork* const work : events_.awaited(s)) {
        if (work->end <= rows_.start[s])
          waits.push_back(static_cast<double>(rows_.duration[s]));
        else if (work->end <= rows_.end(s))
          remainders.push_back(static_cast<double>(rows_.end(s) - work->end));
      }
    }
    graph_.typical.short_wait = std::min(median_of(waits, graph_.typical.short_wait), 10'000.0);
    remainder_ = std::min(median_of(remainders, 3'000.0), 20'000.0);
  }

  // Calls and ops that stand in no other call or op.
  void find_calls_and_ops(std::size_t thread) {
    const trace::Track& track = trace_.tracks[events_.track_of(thread)];
    std::vector<Stretch>& calls = calls_.emplace_back();
    std::vector<Stretch>& ops = ops_.emplace_back();
    std::vector<std::int64_t>&cuts = cuts_.emplace_back(), &marks = marks_.emplace_back();
    const trace::TrackId main = events_.track_of(threads_[graph_.main_thread]);
    for (SliceId s = track.first; s < track.last; ++s) {
      const SliceKind kind = rows_.kind[s];
      if (rows_.duration[s] < 0) continue;
      if (kind == SliceKind::annotation) {
        for (const std::int64_t time : {rows_.start[s], rows_.end(s)}) {
          marks.push_back(time);
          if (trace_.name(s).starts_with("Optimizer.")) cuts.push_back(time);
        }
      } else if (kind == SliceKind::op) {
        if (ops.empty() || rows_.start[s] >= ops.back().to) ops.push_back({rows_.start[s], rows_.end(s), s, false});
      } else if (trace::is_call(kind)) {
        if (calls.empty() || rows_.start[s] >= calls.back().to)
          calls.push_back({rows_.start[s], rows_.end(s), s, true});
      }
    }
    std::ranges::sort(marks);
    if (events_.track_of(thread) == main)
      for (const NodeRange& step : graph_.steps) {
        cuts.push_back(step.from);
        cuts.push_back(step.to);
      }
  }

  bool is_working(const PathTile& tile) const { return tile.slice != no_slice && tile.wait == CpuWait::none; }

  // The last moment in (after, by] at which a thread worked; `after` if there is none.
  std::int64_t last_work_of(std::size_t thread, std::int64_t after, std::int64_t by) const {
    const std::vector<PathTile>& tiles = events_.tiles(thread);
    auto tile = std::ranges::lower_bound(tiles, by, {}, &PathTile::start);
    std::int64_t end = by;
    constexpr int most = 1'024;  // tiles
    for (int looked = 0; tile != tiles.begin() && looked < most && end > after; ++looked) {
      --tile;
      if (is_working(*tile)) return end;
      end = tile->start;
    }
    return after;
  }

  // How long a thread worked before each of its tiles.
  void add_worked(std::size_t thread) {
    std::vector<std::int64_t>& worked = worked_.emplace_back();
    const PathTile* before = nullptr;
    for (const PathTile& tile : events_.tiles(thread)) {
      const bool adds = before != nullptr && is_working(*before);
      worked.push_back((worked.empty() ? 0 : worked.back()) + (adds ? tile.start - before->start : 0));
      before = &tile;
    }
  }
  std::int64_t worked_by(std::size_t i, std::int64_t time) const {
    const std::vector<PathTile>& tiles = events_.tiles(threads_[i]);
    const auto after = std::ranges::upper_bound(tiles, time, {}, &PathTile::start);
    if (after == tiles.begin()) return 0;
    const auto tile = static_cast<std::size_t>(after - tiles.begin()) - 1;
    return worked_[i][tile] + (is_working(tiles[tile]) ? time - tiles[tile].start : 0);
  }

  void find_hand_overs() {
    for (const std::size_t thread : threads_) add_worked(thread);
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      const std::vector<PathTile>& tiles = events_.tiles(threads_[i]);
      std::int64_t since = begin_;
      bool pauses = true;  // from `since` on
      bool asked = false;  // it waits for a thread by what it calls
      for (std::size_t t = 0; t < tiles.size(); ++t) {
        if (is_working(tiles[t])) {
          if (pauses && tiles[t].start - since >= least_pause) add_hand_over(i, since, tiles[t].start, asked);
          pauses = false;
          asked = false;
          continue;
        }
        if (!pauses) since = tiles[t].start;
        pauses = true;
        asked = asked || tiles[t].wait == CpuWait::autograd || tiles[t].wait == CpuWait::lock;
      }
    }
    // Where a thread gives way to another one, its stretch ends, but not within a call.
    for (HandOver& over : hand_overs_) {
      const std::vector<Stretch>& calls = calls_[over.other];
      auto call = std::ranges::upper_bound(calls, over.after, {}, &Stretch::from);
      if (call != calls.begin() && std::prev(call)->to > over.after) over.after = std::prev(call)->from;
      cuts_[over.other].push_back(over.after);
      cuts_[over.thread].push_back(over.from);
      cuts_[over.thread].push_back(over.to);
    }
  }

  void add_hand_over(std::size_t thread, std::int64_t from, std::int64_t to, bool asked) {
    HandOver best{thread, thread, from, to, from};
    for (std::size_t other = 0; other < threads_.size(); ++other) {
      if (other == thread) continue;
      // The main thread pauses between its ops, while others do what it does not wait for.
      const bool doubtful = !asked && thread == graph_.main_thread;
      if (doubtful && !events_.asks_gpu(threads_[other])) continue;
      const std::int64_t after = last_work_of(threads_[other], from, to);
      const bool waits = !doubtful || (worked_by(other, to) - worked_by(other, from)) * 3 >= to - from;
      if (!waits || after <= best.after) continue;
      best.other = other;
      best.after = after;
    }
    if (best.other == thread) return;
    // A range that begins or ends shows that the thread works again.
    const std::vector<std::int64_t>& marks = marks_[thread];
    const auto mark = std::ranges::lower_bound(marks, best.after);
    if (mark != marks.end() && *mark < best.to) best.to = *mark;
    if (best.to > best.from) hand_overs_.push_back(best);
  }

  std::uint32_t begin_resource(trace::TrackId track) {
    graph_.tracks.push_back(track);
    graph_.resources.emplace_back(static_cast<NodeId>(graph_.nodes.size()), 0);
    return static_cast<std::uint32_t>(graph_.resources.size() - 1);
  }
  void end_resource() { graph_.resources.back().second = static_cast<NodeId>(graph_.nodes.size()); }

  void add_thread(std::size_t i) {
    platform::give_way();
    const std::uint32_t resource = begin_resource(events_.track_of(threads_[i]));
    std::vector<std::int64_t>& cuts = cuts_[i];
    std::int64_t end = begin_;
    for (const PathTile& tile : events_.tiles(threads_[i])) end = std::max(end, tile.start);
    for (const std::vector<Stretch>* list : {&calls_[i], &ops_[i]})
      for (const Stretch& one : *list) {
        cuts.push_back(one.from);
        cuts.push_back(one.to);
      }
    cuts.push_back(begin_);
    cuts.push_back(end);
    // A cut within a call (the end of an op or a range that is recorded too early) is none.
    std::ranges::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::size_t call = 0, op = 0;
    const std::vector<Stretch>&calls = calls_[i], &ops = ops_[i];
    std::erase_if(cuts, [&](std::int64_t cut) {
      while (call < calls.size() && calls[call].to <= cut) ++call;
      return cut < begin_ || (call < calls.size() && calls[call].from < cut);
    });
    std::vector<HandOver> pauses;
    for (const HandOver& over : hand_overs_)
      if (over.thread == i) pauses.push_back(over);
    call = 0;
    std::size_t pause = 0;
    for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
      WorkNode node;
      node.from = cuts[c];
      node.to = cuts[c + 1];
      node.resource = resource;
      node.duration = static_cast<double>(node.to - node.from);
      while (call < calls.size() && calls[call].to <= node.from) ++call;
      while (op < ops.size() && ops[op].to <= node.from) ++op;
      while (pause < pauses.size() && pauses[pause].to <= node.from) ++pause;
      if (op < ops.size() && ops[op].from <= node.from) node.slice = ops[op].slice;
      if (call < calls.size() && calls[call].from <= node.from) {
        node.slice = calls[call].slice;
        add_call(node);
        continue;
      }
      if (pause < pauses.size() && pauses[pause].from <= node.from && node.to <= pauses[pause].to) {
        node.waits = node.handed = true;
        node.duration = 0;
        // What begins in a pause belongs to it; only its end depends on the other thread.
        if (node.to == pauses[pause].to) handed_.emplace_back(static_cast<NodeId>(graph_.nodes.size()), pauses[pause]);
      }
      graph_.nodes.push_back(node);
    }
    WorkNode last;
    last.from = last.to = cuts.empty() ? begin_ : cuts.back();
    last.resource = resource;
    graph_.nodes.push_back(last);
    end_resource();
  }

  // A call, and what it waits for.
  void add_call(WorkNode node) {
    node.call = true;
    const SliceId call = node.slice;
    std::vector<Dependence> waits;
    const bool is_waiting = is_wait(trace_, call);
    double own = node.duration;
    if (is_waiting) {
      for (const PathWork* const work : events_.awaited(call)) {
        if (work->end > node.to + clock_skew) continue;  // it did not wait for that
        const bool waited = work->end > node.from;
        if (waited) own = std::min(own, graph_.typical.short_wait);
        waited_.push_back({0, work->slice, waited ? static_cast<double>(node.to - work->end) : remainder_});
        waits.push_back({});
      }
    } else {
      for (std::size_t i = trace::first_launched(trace_, call);
           i < trace_.launched.size() && trace_.launched[i].first == call; ++i) {
        const SliceId work = trace_.launched[i].second;
        if (rows_.kind[work] != SliceKind::memcpy || rows_.duration[work] <= 0) continue;
        const bool blocks = trace_.name(work).find("Pageable") != std::string_view::npos ||
                            trace_.name(call).find("Async") == std::string_view::npos;
        if (!blocks || rows_.start[work] >= node.to) continue;
        own = std::min(own, graph_.typical.short_wait);
        waited_.push_back({0, work, static_cast<double>(node.to - rows_.end(work))});
        waits.push_back({});
      }
    }
    node.duration = own;
    const std::int64_t end = node.to;
    if (!waits.empty()) node.to = node.from + static_cast<std::int64_t>(own);
    graph_.by_slice.emplace_back(call, static_cast<NodeId>(graph_.nodes.size()));
    graph_.nodes.push_back(node);
    if (waits.empty()) return;
    WorkNode wait = node;
    wait.call = false;
    wait.waits = true;
    wait.from = node.to;
    wait.to = end;
    wait.duration = 0;
    for (std::size_t i = waited_.size() - waits.size(); i < waited_.size(); ++i)
      waited_[i].node = static_cast<NodeId>(graph_.nodes.size());
    graph_.nodes.push_back(wait);
  }

  void add_streams() {
    graph_.threads = graph_.resources.size();
    std::ranges::sort(graph_.by_slice);
    for (const std::vector<PathWork>& stream : events_.streams()) {
      const std::uint32_t resource = begin_resource(rows_.track[stream.front().slice]);
      for (const PathWork& work : stream) {
        WorkNode node;
        node.gpu = true;
        node.from = work.start;
        node.to = work.end;
        node.duration = static_cast<double>(work.end - work.start);
        node.slice = work.slice;
        node.launch = work.launch;
        node.launcher = call_node(work.launch);
        node.resource = resource;
        graph_.by_slice.emplace_back(work.slice, static_cast<NodeId>(graph_.nodes.size()));
        graph_.nodes.push_back(node);
      }
      end_resource();
    }
    std::ranges::sort(graph_.by_slice);
  }

  NodeId call_node(SliceId call) const {
    while (call != no_slice) {
      const auto found = std::ranges::lower_bound(graph_.by_slice, std::pair{call, NodeId{0}});
      if (found != graph_.by_slice.end() && found->first == call) return found->second;
      call = rows_.parent[call];
      if (call != no_slice && !trace::is_call(rows_.kind[call])) return no_node;
    }
    return no_node;
  }

  // All dependences, by node.
  void connect() {
    std::vector<std::pair<NodeId, Dependence>> all;
    for (const Waited& one : waited_)
      if (const NodeId on = graph_.node_of(one.work); on != no_node) all.push_back({one.node, {on, false, one.lag}});
    for (const auto& [node, over] : handed_) {
      const NodeId on = ended_by(over.other, over.after);
      if (on == no_node)
        graph_.nodes[node].duration = static_cast<double>(graph_.nodes[node].to - graph_.nodes[node].from);
      else
        all.push_back({node, {on, false, static_cast<double>(over.to - graph_.nodes[on].to)}});
    }
    for (std::size_t stream = 0; stream < events_.streams().size(); ++stream) connect_stream(stream, all);
    std::ranges::stable_sort(all, {}, [](const auto& one) { return one.first; });
    std::size_t next = 0;
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      graph_.nodes[n].first = static_cast<std::uint32_t>(graph_.dependences.size());
      for (; next < all.size() && all[next].first == n; ++next) graph_.dependences.push_back(all[next].second);
      graph_.nodes[n].last = static_cast<std::uint32_t>(graph_.dependences.size());
    }
  }

  // The last node of a thread that ends by this time.
  NodeId ended_by(std::size_t thread, std::int64_t time) const {
    const auto [first, end] = graph_.resources[thread];
    NodeId low = first, high = end;
    while (low < high) {
      const NodeId middle = low + (high - low) / 2;
      if (graph_.nodes[middle].to <= time)
        low = middle + 1;
      else
        high = middle;
    }
    return low == first ? no_node : low - 1;
  }

  void connect_stream(std::size_t number, std::vector<std::pair<NodeId, Dependence>>& all) {
    const std::vector<PathWork>& works = events_.streams()[number];
    const NodeId first = graph_.resources[graph_.threads + number].first;
    const TypicalTimes& typical = graph_.typical;
    for (std::size_t i = 0; i < works.size(); ++i) {
      const PathWork& work = works[i];
      WorkNode& node = graph_.nodes[first + i];
      const auto start = static_cast<double>(work.start);
      const double free = static_cast<double>(i == 0 ? begin_ : works[i - 1].end);
      const bool launched = node.launcher != no_node;
      const double call = launched ? static_cast<double>(graph_.nodes[node.launcher].from) : 0;
      double gap = std::min(typical.queue_gap, start - free), lag = std::min(typical.launch_lag, start - call);
      const PathOrder order = events_.order_of(work);
      const NodeId other = order.work == nullptr ? no_node : graph_.node_of(order.work->slice);
      double other_lag = 0;
      const double other_end = other == no_node ? 0 : static_cast<double>(order.work->end);
      if (other != no_node) other_lag = std::min(typical.queue_gap, start - other_end);
      // What it waited for last has the whole rest.
      const double by_call = launched ? call + lag : -1e300, by_free = free + gap;
      const double by_other = other != no_node ? other_end + other_lag : -1e300;
      if (by_other > by_call && by_other > by_free)
        other_lag = start - other_end;
      else if (launched && by_call >= by_free)
        lag = start - call;
      else
        gap = start - free;
      node.gap = gap;
      if (i == 0 && launched) node.gap = std::min(0.0, start - free);
      if (launched) all.push_back({first + static_cast<NodeId>(i), {node.launcher, true, lag}});
      if (other != no_node) all.push_back({first + static_cast<NodeId>(i), {other, false, other_lag}});
    }
    limit_queue(works, first, all);
  }

  // A launch waits while the queue of the stream is full.
  void limit_queue(const std::vector<PathWork>& works, NodeId first, std::vector<std::pair<NodeId, Dependence>>& all) {
    std::size_t limit = queue_entries, done = 0;
    std::vector<std::size_t> ahead(works.size(), 0);
    for (std::size_t i = 0; i < works.size(); ++i) {
      if (works[i].launch == no_slice) continue;
      while (done < i && works[done].end <= works[i].launched) ++done;
      ahead[i] = i - done;
      limit = std::max(limit, ahead[i]);
    }
    for (std::size_t i = 0; i < works.size(); ++i) {
      const NodeId launcher = graph_.nodes[first + i].launcher;
      if (launcher == no_node || (i > 0 && graph_.nodes[first + i - 1].launcher == launcher)) continue;
      WorkNode& call = graph_.nodes[launcher];
      if (call.duration >= least_throttled && ahead[i] >= queue_entries / 2) {
        // It did wait: until the last work that ended during the call.
        std::size_t last = i;
        for (std::size_t before = i - std::min(ahead[i], queue_entries); before < i && works[before].end <= call.to;
             ++before)
          last = before;
        if (last == i) continue;
        all.push_back({launcher,
                       {first + static_cast<NodeId>(last), false,
                        static_cast<double>(call.to - works[last].end) - graph_.typical.launch_call}});
        call.duration = graph_.typical.launch_call;
        call.throttled = true;
      } else if (i >= limit) {
        all.push_back({launcher, {first + static_cast<NodeId>(i - limit), false, 0}});
      }
    }
  }

  void find_step_nodes() {
    const auto [first, end] =
        graph_.resources.empty() ? std::pair<NodeId, NodeId>{} : graph_.resources[graph_.main_thread];
    if (first == end) {
      graph_.steps.clear();
      return;
    }
    const auto at = [&, first = first, end = end](std::int64_t time) {
      NodeId low = first, high = end - 1;
      while (low < high) {
        const NodeId middle = low + (high - low) / 2;
        if (graph_.nodes[middle].from < time)
          low = middle + 1;
        else
          high = middle;
      }
      return low;
    };
    if (graph_.steps.empty()) {
      graph_.steps.push_back({first, end - 1, graph_.nodes[first].from, graph_.nodes[end - 1].to, {}});
      return;
    }
    for (NodeRange& step : graph_.steps) {
      step.first = at(step.from);
      step.last = at(step.to);
    }
    std::erase_if(graph_.steps, [](const NodeRange& step) { return step.first >= step.last; });
    if (graph_.steps.empty())
      graph_.steps.push_back({first, end - 1, graph_.nodes[first].from, graph_.nodes[end - 1].to, {}});
  }

  // Work that is launched between the steps belongs to the step before.
  void find_last_works() {
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      const WorkNode& node = graph_.nodes[n];
      if (!node.gpu || node.launcher == no_node) continue;
      const auto after = std::ranges::upper_bound(graph_.steps, graph_.nodes[node.launcher].from, {}, &NodeRange::from);
      if (after == graph_.steps.begin()) continue;
      std::vector<NodeId>& last = std::prev(after)->last_work;
      if (!last.empty() && graph_.nodes[last.back()].resource == node.resource)
        last.back() = n;
      else
        last.push_back(n);
    }
  }

  struct Waited {
    NodeId node;
    SliceId work;
    double lag;
  };

  const Trace& trace_;
  const trace::Slices& rows_;
  PathEvents events_;
  WorkGraph graph_;
  std::vector<std::size_t> threads_;  // of PathEvents, by resource
  std::vector<std::vector<Stretch>> calls_, ops_;
  std::vector<std::vector<std::int64_t>> cuts_, marks_;  // where stretches end; starts and ends of ranges
  std::vector<std::vector<std::int64_t>> worked_;        // by thread and tile
  std::vector<HandOver> hand_overs_;
  std::vector<std::pair<NodeId, HandOver>> handed_;
  std::vector<Waited> waited_;
  std::int64_t begin_ = 0;
  double remainder_ = 0;
};

}  // namespace

NodeId WorkGraph::node_of(SliceId slice) const {
  const auto found = std::ranges::lower_bound(by_slice, std::pair{slice, NodeId{0}});
  return found != by_slice.end() && found->first == slice ? found->second : no_node;
}

WorkGraph work_graph(const Trace& trace) { return Builder(trace).build(); }

}  // namespace warpwalk::analysis
