#include "app/verbs/debug/barriers.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/gpu/exec/check/finding_text.h"
#include "core/gpu/history/pipeline/block_log.h"

namespace warpwalk::verbs {

namespace {

std::string counted(std::int64_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

/// "warps 0 to 3, 6": ascending numbers.
std::string list_of_warps(const std::vector<std::uint32_t>& warps) {
  std::string text = warps.size() == 1 ? "warp " : "warps ";
  for (std::size_t i = 0; i < warps.size();) {
    std::size_t end = i + 1;
    while (end < warps.size() && warps[end] == warps[end - 1] + 1) ++end;
    text += i == 0 ? "" : ", ";
    text += end == i + 1 ? fmt::format("{}", warps[i]) : fmt::format("{} to {}", warps[i], warps[end - 1]);
    i = end;
  }
  return text;
}

/// The block's mbarriers that an instruction has used or that a warp tests, ascending.
std::vector<std::uint32_t> offsets_of(const gpu::BlockState& block) {
  std::vector<std::uint32_t> offsets;
  for (const gpu::MbarrierUse& use : block.mbarriers) offsets.push_back(use.offset);
  for (const gpu::Warp& warp : block.warps)
    if (warp.failed_test.instruction != gpu::no_index &&
        (warp.failed_test.address >> gpu::block_rank_shift & 0xff) == block.cluster_rank)
      offsets.push_back(static_cast<std::uint32_t>(warp.failed_test.address & (gpu::window_bytes - 1)));
  std::ranges::sort(offsets);
  const auto repeated = std::ranges::unique(offsets);
  offsets.erase(repeated.begin(), repeated.end());
  std::erase_if(offsets, [&](std::uint32_t offset) {
    return offset < gpu::shared_begin || offset - gpu::shared_begin + 8 > block.shared.size();
  });
  return offsets;
}

std::string text_of_mbarrier(debug::Session& session, const gpu::BlockState& block, std::uint32_t offset) {
  const gpu::Program& program = session.recording().program();
  const std::uint64_t bits = gpu::mbarrier_bits(block.shared.data() + (offset - gpu::shared_begin));
  const gpu::MbarrierState state =
      gpu::has_older_mbarriers(program) ? gpu::Layout80::state_of(bits) : gpu::Layout90::state_of(bits);
  const auto use = std::ranges::find(block.mbarriers, offset, &gpu::MbarrierUse::offset);
  const bool used = use != block.mbarriers.end();
  // A phase may have ended since the last use was noted.
  const std::uint32_t phase = used ? use->phase + (use->odd != state.odd ? 1 : 0) : state.odd ? 1 : 0;
  const std::string place = gpu::shared_place(program, offset - static_cast<std::uint32_t>(gpu::shared_begin));
  std::string text = fmt::format("mbarrier {}{}: phase {}, lacks {} of {}", place.starts_with('`') ? "" : "in ", place,
                                 phase, state.pending, counted(state.expected, "arrival"));
  if (state.pending_bytes > 0) text += fmt::format(" and {}", counted(state.pending_bytes, "byte"));
  if (state.pending_bytes < 0)
    text += fmt::format("; copies have brought {} that are not announced",
                        counted(-std::int64_t{state.pending_bytes}, "byte"));
  std::vector<std::uint32_t> waiting;
  for (const gpu::Warp& warp : block.warps) {
    const gpu::MbarrierTest& test = warp.failed_test;
    if (!warp.done() && test.instruction != gpu::no_index && test.odd == state.odd &&
        (test.address & (gpu::window_bytes - 1)) == offset &&
        (test.address >> gpu::block_rank_shift & 0xff) == block.cluster_rank)
      waiting.push_back(warp.id);
  }
  if (!waiting.empty())
    text += fmt::format("; {} {} for it at {}", list_of_warps(waiting), waiting.size() == 1 ? "waits" : "wait",
                        session.place_text(block.warps[waiting.front()].failed_test.instruction));
  text += "\n";
  if (!used) return text;
  for (const gpu::MbarrierUse::Arrival& arrival : use->arrivals)
    text += fmt::format(
        "  warp {}{} arrived last in phase {}, at {}\n", arrival.warp,
        arrival.block == block.cluster_rank ? "" : fmt::format(" of block {} of the cluster", arrival.block),
        arrival.phase, session.place_text(arrival.instruction));
  if (use->expectation.instruction != gpu::no_index)
    text += fmt::format("  warp {} announced bytes last in phase {}, at {}\n", use->expectation.warp,
                        use->expectation.phase, session.place_text(use->expectation.instruction));
  return text;
}

}  // namespace

std::string barriers_text(debug::Session& session) {
  const std::uint64_t number = session.focus().block;
  const auto sm = session.recording().sm_of(number);
  const gpu::BlockState* block = nullptr;
  const gpu::SmState state = sm ? session.recording().state(*sm, session.cycle()) : gpu::SmState{};
  for (const gpu::WarpState& warp : state.warps)
    if (warp.place.block == number) block = warp.block;
  if (block == nullptr) return fmt::format("block {} is not on an SM at this cycle\n", number);
  std::string text;
  for (const std::uint32_t offset : offsets_of(*block)) text += text_of_mbarrier(session, *block, offset);
  for (std::uint32_t i = 0; i < gpu::BlockState::barrier_count; ++i) {
    const gpu::BarrierState& barrier = block->barriers[i];
    if (!barrier.in_use) continue;
    text += fmt::format("barrier {}: {} of {} threads have arrived\n", i, barrier.arrived,
                        barrier.expected != 0 ? barrier.expected : block->live_threads);
  }
  return text.empty() ? fmt::format("no thread of block {} has used an mbarrier or waits at a barrier yet\n", number)
                      : text;
}

}  // namespace warpwalk::verbs
