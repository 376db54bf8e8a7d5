#include "core/gpu/history/writer/step_capture.h"

#include <algorithm>
#include <cstring>

#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/history/origin/step_value.h"

namespace warpwalk::gpu {

StepCapture::StepCapture(const Program& program, const std::vector<OperationFlow>& flows, const Options& options,
                         const OperationLog& log, const BackwardSlice& slice)
    : GroupObserver(program, flows, options),
      log_(log),
      slice_(slice),
      values_(slice.steps.size()),
      memory_(slice.stops.size()) {
  for (std::size_t i = 0; i < slice.steps.size(); ++i) by_entry_.emplace(slice.steps[i].entry, i);
  for (std::size_t i = 0; i < slice.stops.size(); ++i) stops_[slice.steps[slice.stops[i].step].entry].push_back(i);
}

void StepCapture::begin(const Machine& machine, const Op& op, const OperationLog::Entry& entry) {
  if (const auto stops = stops_.find(number_); stops != stops_.end())
    for (const std::size_t stop : stops->second) read_memory(machine, stop);
  if (const OperationFlow::Kind kind = flows_[entry.op].kind; is_store(kind)) read_values(machine, op, kind);
}

void StepCapture::end(const Machine& machine, const Op& op, bool happened) {
  if (!happened || !by_entry_.contains(number_)) return;
  if (const OperationFlow::Kind kind = flows_[log_.entries[number_].op].kind; !is_store(kind))
    read_values(machine, op, kind);
}

void StepCapture::read_values(const Machine& machine, const Op& op, OperationFlow::Kind kind) {
  const auto found = by_entry_.find(number_);
  if (found == by_entry_.end()) return;
  const SliceStep& step = slice_.steps[found->second];
  const OperationLog::Entry& entry = log_.entries[step.entry];
  if (step.place <= entry.frame || step.lanes == 0) return;
  Values& values = values_[found->second];
  const std::size_t bytes = std::min<std::uint8_t>(width_of_place(program_, op, kind, step.place - entry.frame), 8);
  if (bytes == 0 || step.place + 32 * bytes > machine.warp->registers.size()) return;
  values.bytes = static_cast<std::uint8_t>(bytes);
  for_lanes(step.lanes, [&](int lane) {
    std::uint64_t& value = values.of_lanes.emplace_back();
    std::memcpy(&value, machine.warp->registers.data() + step.place + static_cast<std::size_t>(lane) * bytes, bytes);
  });
}

void StepCapture::read_memory(const Machine& machine, std::size_t stop) {
  const SliceRead& read = slice_.stops[stop];
  if (read.bytes > 8 || (read.byte & local_tag) != 0) return;
  const std::uint8_t* from = nullptr;
  if ((read.byte & shared_tag) != 0) {
    const std::uint64_t offset = read.byte & ~shared_tag;
    const std::uint64_t rank = offset >> block_rank_shift, at = offset % (std::uint64_t{1} << block_rank_shift);
    const BlockState* block = machine.block;
    if (block->cluster != nullptr && rank < block->cluster->blocks.size()) block = block->cluster->blocks[rank];
    if (at >= shared_begin && at - shared_begin + read.bytes <= block->shared.size())
      from = block->shared.data() + (at - shared_begin);
  } else if (const Region* const region = machine.context.memory->find(read.byte);
             region != nullptr && read.byte - region->base + read.bytes <= region->bytes) {
    from = region->data + (read.byte - region->base);
  }
  if (from == nullptr) return;
  std::memcpy(&memory_[stop].value, from, read.bytes);
  memory_[stop].known = true;
}

}  // namespace warpwalk::gpu
