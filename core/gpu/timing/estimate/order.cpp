#include <algorithm>
#include <queue>
#include <unordered_map>
#include <utility>

#include "core/gpu/timing/estimate/estimate_code.h"
#include "core/gpu/timing/estimate/scheduling.h"

namespace warpwalk::gpu {

namespace {

/// Registers whose loads are on their way at the same time, at most: ptxas loads no further ahead, to save registers.
/// The median of the maxima in those basic blocks of the recorded sm_90 code that load at least 16 registers.
constexpr int words_in_flight = 12;

struct Edge {
  std::uint32_t to;
  int cycles;
};

class ListSchedule {
 public:
  ListSchedule(std::vector<EstimatedInstruction>& instructions, const Timing& timing)
      : list_(instructions), timing_(timing), nodes_(instructions.size()) {}

  std::vector<std::uint32_t> run() {
    add_register_edges();
    add_memory_edges();
    add_control_edges();
    for (std::size_t n = nodes_.size(); n-- > 0;)
      for (const Edge& edge : nodes_[n].edges)
        nodes_[n].height = std::max(nodes_[n].height, nodes_[edge.to].height + edge.cycles);
    return schedule();
  }

 private:
  struct Node {
    std::vector<Edge> edges;
    int height = 0;                    ///< cycles to the end of the part
    int waits = 0;                     ///< predecessors that have not issued
    int earliest = 0;                  ///< cycle
    int readers = 0;                   ///< loads: instructions that read the result and have not issued
    std::vector<std::uint32_t> loads;  ///< whose results it reads
  };

  void connect(std::uint32_t from, std::uint32_t to, int cycles) {
    if (from == to) return;
    nodes_[from].edges.push_back({to, cycles});
    ++nodes_[to].waits;
  }

  static bool is_load(const EstimatedInstruction& i) { return i.words != 0; }

  /// The time that ptxas expects a result to take.
  int expected_cycles(const EstimatedInstruction& producer, const EstimatedInstruction& consumer,
                      std::int32_t reg) const {
    if (producer.folded) return 0;
    if (!producer.counted) return dependence_cycles(producer, consumer, reg);
    switch (producer.timing.kind) {
      case InstructionKind::global:
      case InstructionKind::local:
      case InstructionKind::texture: return static_cast<int>(timing_.latency_l2);
      case InstructionKind::shared: return static_cast<int>(timing_.latency_shared) + 4;
      default: return static_cast<int>(producer.timing.latency);
    }
  }

  void add_register_edges() {
    struct Register {
      std::int64_t writer = -1;
      std::vector<std::uint32_t> readers;
      std::vector<std::uint32_t> loads;  ///< that its value comes from, directly or through folded instructions
    };
    std::unordered_map<std::int32_t, Register> registers;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      const EstimatedInstruction& i = list_[n];
      std::vector<std::uint32_t> loads;
      for (const std::int32_t reg : i.reads) {
        Register& r = registers[reg];
        if (r.writer >= 0) {
          const auto writer = static_cast<std::uint32_t>(r.writer);
          connect(writer, n, expected_cycles(list_[writer], i, reg));
        }
        loads.insert(loads.end(), r.loads.begin(), r.loads.end());
        r.readers.push_back(n);
      }
      if (!i.folded) {
        for (const std::uint32_t load : loads) ++nodes_[load].readers;
        nodes_[n].loads = std::exchange(loads, {});
      }
      if (is_load(i)) loads = {n};
      for (const std::int32_t reg : i.writes) {
        Register& r = registers[reg];
        if (r.writer >= 0) connect(static_cast<std::uint32_t>(r.writer), n, 1);
        for (const std::uint32_t reader : r.readers) connect(reader, n, 0);
        r.readers.clear();
        r.writer = n;
        r.loads = loads;
      }
    }
  }

  void add_memory_edges() {
    // For each state space: the last store, and the loads since.
    struct Space {
      std::int64_t store = -1;
      std::vector<std::uint32_t> loads;
    };
    constexpr int spaces = 4;
    std::array<Space, spaces> last;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      const EstimatedInstruction& i = list_[n];
      if (i.memory == no_memory) continue;
      for (int s = 0; s < spaces; ++s) {
        if (!i.ordered && (i.memory >> s & 1) == 0) continue;
        Space& space = last[static_cast<std::size_t>(s)];
        if (space.store >= 0) connect(static_cast<std::uint32_t>(space.store), n, 1);
        if (i.stores || i.ordered) {
          for (const std::uint32_t load : space.loads) connect(load, n, 0);
          space.loads.clear();
          space.store = n;
        } else {
          space.loads.push_back(n);
        }
      }
    }
  }

  /// Branches come last; the overhead of a block (BSYNC) first.
  void add_control_edges() {
    const auto is_control = [](const EstimatedInstruction& i) {
      return i.timing.kind == InstructionKind::branch || i.timing.kind == InstructionKind::exit;
    };
    std::uint32_t since = 0;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (!is_control(list_[n])) continue;
      for (std::uint32_t before = since; before < n; ++before) connect(before, n, list_[before].folded ? 0 : 1);
      for (std::uint32_t after = n + 1; after < nodes_.size(); ++after) {
        connect(n, after, 0);
        if (is_control(list_[after])) break;
      }
      since = n;
    }
  }

  std::vector<std::uint32_t> schedule() {
    std::vector<std::uint32_t> order;
    order.reserve(nodes_.size());
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
      return nodes_[a].height != nodes_[b].height ? nodes_[a].height < nodes_[b].height : a > b;
    };
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(less)> ready(less);
    using Later = std::pair<int, std::uint32_t>;
    std::priority_queue<Later, std::vector<Later>, std::greater<>> later;
    int now = 0, in_flight = 0;
    const auto place = [&](std::uint32_t first) {
      std::vector<std::uint32_t> placing{first};
      while (!placing.empty()) {
        const std::uint32_t n = placing.back();
        placing.pop_back();
        order.push_back(n);
        const int issued = list_[n].folded ? nodes_[n].earliest : now;
        for (const std::uint32_t load : nodes_[n].loads)
          if (--nodes_[load].readers == 0) in_flight -= list_[load].words;
        if (is_load(list_[n]) && nodes_[n].readers > 0) in_flight += list_[n].words;
        for (const Edge& edge : nodes_[n].edges) {
          Node& to = nodes_[edge.to];
          to.earliest = std::max(to.earliest, issued + edge.cycles);
          if (--to.waits > 0) continue;
          if (list_[edge.to].folded) {
            placing.push_back(edge.to);
          } else {
            later.push({to.earliest, edge.to});
          }
        }
      }
    };
    std::vector<std::uint32_t> free;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n)
      if (nodes_[n].waits == 0) free.push_back(n);
    for (const std::uint32_t n : free) {
      if (list_[n].folded) {
        place(n);
      } else {
        later.push({0, n});
      }
    }
    std::vector<std::uint32_t> held;
    while (!ready.empty() || !later.empty()) {
      if (ready.empty()) now = std::max(now, later.top().first);
      while (!later.empty() && later.top().first <= now) {
        ready.push(later.top().second);
        later.pop();
      }
      // With many values on their way, loads wait for an instruction that reads one of them.
      held.clear();
      while (in_flight >= words_in_flight && !ready.empty() && is_load(list_[ready.top()])) {
        held.push_back(ready.top());
        ready.pop();
      }
      std::uint32_t n = no_index;
      if (!ready.empty()) {
        n = ready.top();
        ready.pop();
      } else if (later.empty()) {
        n = held.front();
        held.erase(held.begin());
      }
      for (const std::uint32_t load : held) ready.push(load);
      if (n == no_index) {
        now = std::max(now + 1, later.top().first);
        continue;
      }
      place(n);
      ++now;
    }
    return order;
  }

  const std::vector<EstimatedInstruction>& list_;
  const Timing& timing_;
  std::vector<Node> nodes_;
};

}  // namespace

std::vector<EstimatedInstruction> in_issue_order(std::vector<EstimatedInstruction> instructions, const Timing& timing) {
  if (instructions.size() < 2) return instructions;
  std::vector<EstimatedInstruction> ordered;
  ordered.reserve(instructions.size());
  for (const std::uint32_t n : ListSchedule(instructions, timing).run()) ordered.push_back(std::move(instructions[n]));
  return ordered;
}

}  // namespace warpwalk::gpu
