// "Why does it wait?" From the warp's state to the instruction, the request or the warps that it waits for.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/story/facts/code/instruction_text.h"
#include "core/story/facts/simulated/awaited_loads.h"
#include "core/story/scenes/schedulers/schedulers.h"

namespace warpwalk::story {
namespace {

using gpu::StallReason;

class Chain {
 public:
  Chain(const SchedulersSubject& s) : input_(s.input), s_(s) {
    table_.columns = {{word("step"), 1}, {"", 2.3, false, false, true}, {word("cycle"), 0.7, true}};
  }

  TablePicture take() { return std::move(table_); }

  void follow() {
    if (s_.warp == nullptr) return add("state", word("free"), {});
    const gpu::WarpState& warp = *s_.warp;
    const StallReason reason = s_.reason;
    add("state", state_word(input_.narration, reason), s_.since);
    if (const FoundError error = error_at(s_.travel, s_.history, warp.place, warp.instruction);
        error.finding != nullptr)
      add(error.by_warp ? "finding" : "finding_line", error_text(input_.narration, s_.history, error), {});
    switch (reason) {
      case StallReason::long_scoreboard:
      case StallReason::short_scoreboard: result(warp); break;
      case StallReason::barrier: barrier(warp); break;
      case StallReason::not_selected: other_warp(); break;
      case StallReason::membar: add("stores", count("store", warp.stores), {}); break;
      case StallReason::mio_throttle:
      case StallReason::lg_throttle: queue(warp); break;
      default: break;
    }
    if (reason == StallReason::selected) return;
    if (const auto until = end_of_state(s_.travel, s_.sm, warp.place, s_.cycle)) add("until", "", until);
  }

 private:
  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input_.narration.text("schedulers.why", key, values);
  }
  std::string count(std::string_view thing, std::int64_t n) const { return count_text(input_.narration, thing, n); }
  std::string text_of(std::uint32_t instruction) const {
    return instruction_text(s_.travel, s_.history, instruction).text;
  }

  void add(std::string_view step, std::string what, std::optional<std::int64_t> cycle) {
    TableRow row;
    row.cells = {word_cell(word(step), Tone::quiet), word_cell(std::move(what)),
                 cycle ? number_cell(*cycle) : word_cell("")};
    row.cycle = cycle;
    table_.rows.push_back(std::move(row));
  }

  void result(const gpu::WarpState& warp) {
    for (std::size_t i = 0; i < warp.dependences.size(); ++i) {
      const gpu::DependenceState& dependence = warp.dependences[i];
      if (dependence.pending == 0 || (warp.wait_mask >> i & 1) == 0) continue;
      if (!dependence.from_memory) {
        add("result", text_of(dependence.set_by), dependence.set_at);
        continue;
      }
      const AwaitedLoads loads = awaited_loads(s_.travel, *s_.now, warp, i);
      add("result", text_of(loads.instruction), loads.cycle);
      requests(loads);
    }
  }

  // The lines that the awaited loads asked for, and where the last of them comes from.
  void requests(const AwaitedLoads& loads) {
    const auto lines = [&](std::string_view key, int all, int sectors) {
      return word(key, {{"lines", count("line", all)},
                        {"sectors", count("sector", sectors)},
                        {"loads", count("load", static_cast<std::int64_t>(loads.accesses))}});
    };
    if (loads.accesses > 0)
      add("asked", lines(loads.accesses > 1 ? "lines_of" : "lines", loads.lines, loads.sectors), {});
    if (loads.last == nullptr) return add("request", word("none_away"), {});
    if (loads.accesses > 0) add("request", lines("lines", loads.lines_away, loads.sectors_away), {});
    static constexpr std::array<std::string_view, 3> sources = {"l2", "l2_far", "memory"};
    add("source", word(sources[static_cast<std::size_t>(loads.last->source)]),
        loads.last->arrives_at != 0 ? std::optional(loads.last->arrives_at) : std::nullopt);
  }

  void barrier(const gpu::WarpState& warp) {
    std::int64_t missing = 0;
    const gpu::WarpState* slowest = nullptr;
    for (const gpu::WarpState& other : s_.now->state.warps) {
      if (other.place.block != warp.place.block || other.at_barrier || other.exited || &other == &warp) continue;
      ++missing;
      if (slowest == nullptr || other.instruction < slowest->instruction) slowest = &other;
    }
    if (missing == 0) return;
    add("warps", count("warp", missing), {});
    add("slowest",
        fmt::format("{}: {}", warp_name(input_.narration, slowest->place),
                    state_word(input_.narration, slowest->reason)),
        start_of_state(s_.travel, s_.sm, slowest->place, s_.cycle));
  }

  void other_warp() {
    for (const gpu::Issue& issue : s_.this_cycle->issues)
      if (issue.what.warp.slot % s_.schedulers == s_.slot % s_.schedulers)
        add("picked", warp_name(input_.narration, issue.what.warp), issue.what.cycle);
  }

  void queue(const gpu::WarpState& warp) {
    const gpu::QueueState& queue =
        s_.now->state.sub_partitions[static_cast<std::size_t>(warp.place.slot % s_.schedulers)];
    add("queue", count("instruction", queue.memory), {});
  }

  const SceneInput& input_;
  const SchedulersSubject& s_;
  TablePicture table_;
};

}  // namespace

TablePicture why_table(const SchedulersSubject& s) {
  Chain chain(s);
  chain.follow();
  return chain.take();
}

}  // namespace warpwalk::story
