#include "core/story/labs/collectives/plan.h"

#include <algorithm>

namespace warpwalk::story {

bool ChunkSum::empty() const {
  return std::ranges::all_of(parts, [](std::uint8_t times) { return times == 0; });
}

bool ChunkSum::complete(int gpus) const {
  for (int gpu = 0; gpu < max_collective_gpus; ++gpu)
    if (parts[static_cast<std::size_t>(gpu)] != (gpu < gpus ? 1 : 0)) return false;
  return true;
}

ChunkSum own_chunk(int gpu, int chunk) {
  ChunkSum own{chunk, {}};
  own.parts[static_cast<std::size_t>(gpu)] = 1;
  return own;
}

std::vector<ChunkSum> own_chunks(int gpus, int chunks) {
  std::vector<ChunkSum> all;
  for (int gpu = 0; gpu < gpus; ++gpu)
    for (int chunk = 0; chunk < chunks; ++chunk) all.push_back(own_chunk(gpu, chunk));
  return all;
}

int CollectivePlan::sent_by(int gpu) const {
  return static_cast<int>(std::ranges::count(sends, gpu, &CollectiveSend::from));
}

double CollectivePlan::busiest_share() const {
  int most = 0;
  for (int gpu = 0; gpu < gpus; ++gpu) most = std::max(most, sent_by(gpu));
  return static_cast<double>(most) / chunks;
}

std::vector<ChunkSum> sums_after(const CollectivePlan& plan, int steps) {
  std::vector<ChunkSum> now = plan.start;
  auto send = plan.sends.begin();
  for (int step = 1; step <= steps; ++step) {
    const std::vector<ChunkSum> before = now;
    for (; send != plan.sends.end() && send->step == step; ++send) {
      const ChunkSum& sent = (send->from_input ? plan.start : before)[plan.index(send->from, send->source)];
      ChunkSum& held = now[plan.index(send->to, send->target)];
      if (!send->adds) {
        held = sent;
        continue;
      }
      for (std::size_t gpu = 0; gpu < held.parts.size(); ++gpu)
        held.parts[gpu] = static_cast<std::uint8_t>(held.parts[gpu] + sent.parts[gpu]);
    }
  }
  return now;
}

CollectivePlan one_after_the_other(const CollectivePlan& first, const CollectivePlan& second) {
  CollectivePlan both = first;
  both.steps = first.steps + second.steps;
  for (CollectiveSend send : second.sends) {
    send.step += first.steps;
    both.sends.push_back(send);
  }
  return both;
}

}  // namespace warpwalk::story
