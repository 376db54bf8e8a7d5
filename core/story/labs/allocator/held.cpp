#include "core/story/labs/allocator/held.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/ops/dispatch/caching_allocator.h"

namespace warpwalk::story::allocator_lab {
namespace {

using BlockState = MemorySnapshot::State;
using Block = MemorySnapshot::Block;
using HeldSegment = MemorySnapshot::Segment;

bool is_of(const trace::MemoryEvent& event, std::int64_t device) {
  return event.device_type == 1 && event.device == device && event.bytes != trace::absent;
}

bool is_small_pool(std::int64_t bytes) {
  return ops::CachingAllocator::is_small(
      ops::CachingAllocator::rounded(static_cast<std::uint64_t>(std::max<std::int64_t>(1, bytes))));
}

/// Takes a range of addresses out of the segments.
void remove_range(std::vector<HeldSegment>& segments, std::uint64_t from, std::uint64_t to) {
  std::vector<HeldSegment> kept;
  for (HeldSegment& one : segments) {
    const std::uint64_t end = one.address + static_cast<std::uint64_t>(one.bytes);
    if (to <= one.address || end <= from) {
      kept.push_back(std::move(one));
      continue;
    }
    const auto part = [&](std::uint64_t begin, std::uint64_t stop) {
      if (stop <= begin) return;
      HeldSegment rest = one;
      rest.address = begin;
      rest.bytes = static_cast<std::int64_t>(stop - begin);
      kept.push_back(std::move(rest));
    };
    part(one.address, from);
    part(to, end);
  }
  segments = std::move(kept);
}

void add_range(std::vector<HeldSegment>& segments, std::int64_t device, std::uint64_t from, std::int64_t bytes) {
  remove_range(segments, from, from + static_cast<std::uint64_t>(bytes));
  HeldSegment one;
  one.device = device;
  one.address = from;
  one.bytes = bytes;
  one.small = bytes == static_cast<std::int64_t>(ops::CachingAllocator::segment_for(1));
  segments.push_back(one);
}

/// The blocks of a segment without gaps: what is not in use is free.
void fill(HeldSegment& segment, const std::map<std::uint64_t, Block>& used) {
  const std::uint64_t end = segment.address + static_cast<std::uint64_t>(segment.bytes);
  std::uint64_t at = segment.address;
  segment.blocks.clear();
  const auto gap = [&](std::uint64_t to) {
    if (to > at) segment.blocks.push_back({at, static_cast<std::int64_t>(to - at), 0, BlockState::inactive, 0});
  };
  for (auto one = used.lower_bound(segment.address); one != used.end() && one->first < end; ++one) {
    if (one->first < at) continue;
    gap(one->first);
    Block block = one->second;
    block.bytes = std::min(block.bytes, static_cast<std::int64_t>(end - one->first));
    segment.blocks.push_back(block);
    at = one->first + static_cast<std::uint64_t>(block.bytes);
  }
  gap(end);
}

void add_up(HeldMemory& held) {
  for (const HeldSegment& segment : held.segments) {
    held.reserved += segment.bytes;
    std::int64_t free = 0;
    for (const Block& block : segment.blocks) {
      if (block.state == BlockState::allocated) held.allocated += block.bytes;
      if (block.state == BlockState::awaiting_free) held.awaiting += block.bytes;
      if (block.state == BlockState::inactive) free += block.bytes;
    }
    (free == segment.bytes ? held.whole : held.inactive) += free;
  }
}

// With stacks="all", the default of _record_memory_history, a stack begins with frames of C++, whose files are "??",
// empty or C++ sources. Code that was typed in has a file such as <stdin>.
bool is_python(const MemorySnapshot::Frame& frame) {
  return frame.file.ends_with(".py") || frame.file.starts_with('<');
}

// Part of PyTorch, of an installed package or of Python itself. <stdin> and a notebook's cells are the program's own.
bool is_installed(const std::string& file) {
  if (file.starts_with('<')) return !file.starts_with("<stdin") && !file.starts_with("<ipython-input");
  return file.starts_with("torch/") || file.find("/torch/") != std::string::npos ||
         file.find("site-packages/") != std::string::npos || file.find("dist-packages/") != std::string::npos ||
         file.find("/lib/python") != std::string::npos;
}

// A frame of C++ that names a source, but not one of those that record the stack.
bool has_source(const MemorySnapshot::Frame& frame) {
  return !frame.file.empty() && frame.file != "??" && frame.name.find("unwind") == std::string::npos &&
         frame.name.find("CapturedTraceback") == std::string::npos &&
         frame.name.find("gather_with_cpp") == std::string::npos &&
         frame.name.find("CachingAllocator") == std::string::npos;
}

constexpr std::string_view dispatcher_namespace = "at::_ops::";

// "aten::mm" of "at::_ops::mm::call(at::Tensor const&, at::Tensor const&)"; empty for any other function.
std::string dispatched_op_name(const MemorySnapshot::Frame& frame) {
  const std::size_t at = frame.name.find(dispatcher_namespace);
  if (at == std::string::npos) return {};
  const std::size_t from = at + dispatcher_namespace.size(), to = frame.name.find("::", from);
  return to == std::string::npos ? std::string() : "aten::" + frame.name.substr(from, to - from);
}

// A stack without Python is mostly that of the thread on which autograd runs the backward pass. The outermost op in it
// is the one that the pass called, those within it are parts of it.
struct BackwardOp {
  const MemorySnapshot::Frame* frame = nullptr;
  bool backward = false;
};
BackwardOp outermost_op(const MemorySnapshot& snapshot, const std::vector<std::uint32_t>& stack) {
  BackwardOp found;
  for (const std::uint32_t number : stack) {
    const MemorySnapshot::Frame& frame = snapshot.frames[number];
    if (frame.name.find("Engine::evaluate_function") != std::string::npos) {
      found.backward = true;
      break;
    }
    if (!dispatched_op_name(frame).empty()) found.frame = &frame;
  }
  return found;
}

template <class Visit>
void each_free(const HeldMemory& held, std::int64_t bytes, Visit visit) {
  const bool small = is_small_pool(bytes);
  for (const HeldSegment& segment : held.segments)
    if (segment.small == small)
      for (const Block& block : segment.blocks)
        if (block.state == BlockState::inactive) visit(block.bytes);
}

}  // namespace

std::vector<std::int64_t> snapshot_devices(const trace::Trace& trace, const MemorySnapshot& snapshot) {
  std::set<std::int64_t> devices;
  for (const HeldSegment& segment : snapshot.segments) devices.insert(segment.device);
  for (const trace::MemoryEvent& event : trace.memory)
    if (event.device_type == 1) devices.insert(event.device);
  if (devices.empty()) devices.insert(0);
  return {devices.begin(), devices.end()};
}

HeldMemory held_at(const trace::Trace& trace, const MemorySnapshot& snapshot, std::int64_t device, std::size_t steps) {
  HeldMemory held;
  held.device = device;
  for (const HeldSegment& segment : snapshot.segments)
    if (segment.device == device) held.segments.push_back(segment);
  if (steps < trace.memory.size()) {
    std::map<std::uint64_t, Block> used;
    for (const HeldSegment& segment : held.segments)
      for (const Block& block : segment.blocks)
        if (block.state != BlockState::inactive) used.emplace(block.address, block);
    for (std::size_t row = trace.memory.size(); row-- > steps;) {
      const trace::MemoryEvent& event = trace.memory[row];
      if (!is_of(event, device) || event.out_of_memory) continue;
      const auto address = static_cast<std::uint64_t>(event.address);
      if (event.bytes > 0) {
        used.erase(address);
      } else if (event.bytes < 0) {
        const auto rounded =
            static_cast<std::int64_t>(ops::CachingAllocator::rounded(static_cast<std::uint64_t>(-event.bytes)));
        const std::uint32_t stack = trace::snapshot_event(trace, event).stack;
        used[address] = {address, rounded, -event.bytes, BlockState::allocated,
                         stack < snapshot.stacks.size() ? stack : 0};
      }
    }
    // A segment is taken right before the block for which it was.
    const std::int64_t now = steps == 0 ? -1 : trace.memory[steps - 1].time;
    for (std::size_t i = snapshot.changes.size(); i-- > 0 && snapshot.changes[i].time > now;) {
      const MemorySnapshot::SegmentChange& change = snapshot.changes[i];
      if (change.device != device) continue;
      if (change.bytes > 0)
        remove_range(held.segments, change.address, change.address + static_cast<std::uint64_t>(change.bytes));
      else if (change.bytes < 0)
        add_range(held.segments, device, change.address, -change.bytes);
    }
    std::ranges::sort(held.segments, {}, &HeldSegment::address);
    for (HeldSegment& segment : held.segments) fill(segment, used);
  }
  add_up(held);
  return held;
}

std::int64_t largest_free(const HeldMemory& held, std::int64_t bytes) {
  std::int64_t largest = 0;
  each_free(held, bytes, [&](std::int64_t size) { largest = std::max(largest, size); });
  return largest;
}

std::int64_t free_bytes(const HeldMemory& held, std::int64_t bytes) {
  std::int64_t sum = 0;
  each_free(held, bytes, [&](std::int64_t size) { sum += size; });
  return sum;
}

std::optional<std::size_t> allocated_in(const trace::Trace& trace, std::int64_t device, std::uint64_t address,
                                        std::size_t steps) {
  for (std::size_t row = std::min(steps, trace.memory.size()); row-- > 0;) {
    const trace::MemoryEvent& event = trace.memory[row];
    if (is_of(event, device) && !event.out_of_memory && event.bytes > 0 &&
        static_cast<std::uint64_t>(event.address) == address)
      return row;
  }
  return {};
}

const MemorySnapshot::Frame* own_frame(const MemorySnapshot& snapshot, std::uint32_t stack, std::size_t callers) {
  const std::vector<std::uint32_t>& numbers = snapshot.stacks[stack];
  std::vector<const MemorySnapshot::Frame*> frames;
  for (const std::uint32_t number : numbers)
    if (is_python(snapshot.frames[number])) frames.push_back(&snapshot.frames[number]);
  if (frames.empty())
    if (const MemorySnapshot::Frame* const op = outermost_op(snapshot, numbers).frame) return op;
  if (frames.empty())
    for (const std::uint32_t number : numbers)
      if (has_source(snapshot.frames[number])) frames.push_back(&snapshot.frames[number]);
  if (frames.empty()) return nullptr;
  const auto own = std::ranges::find_if(frames, [](const auto* frame) { return !is_installed(frame->file); });
  const std::size_t first = own == frames.end() ? 0 : static_cast<std::size_t>(own - frames.begin());
  return frames[std::min(first + callers, frames.size() - 1)];
}

std::string frame_text(const MemorySnapshot::Frame& frame) {
  if (std::string op = dispatched_op_name(frame); !op.empty()) return op;
  const std::size_t slash = frame.file.rfind('/');
  const std::string file = slash == std::string::npos ? frame.file : frame.file.substr(slash + 1);
  return fmt::format("{}:{} {}", file, frame.line, frame.name);
}

std::vector<LineSum> sums_by_line(const MemorySnapshot& snapshot, const HeldMemory& held, std::size_t callers) {
  std::map<std::string, LineSum> sums;
  std::map<std::uint32_t, std::string> texts;
  for (const HeldSegment& segment : held.segments)
    for (const Block& block : segment.blocks) {
      if (block.state == BlockState::inactive) continue;
      auto [text, added] = texts.try_emplace(block.stack);
      if (const MemorySnapshot::Frame* const frame = added ? own_frame(snapshot, block.stack, callers) : nullptr)
        text->second =
            (is_python(*frame) || !outermost_op(snapshot, snapshot.stacks[block.stack]).backward ? "" : "backward: ") +
            frame_text(*frame);
      LineSum& sum = sums[text->second];
      sum.line = text->second;
      sum.bytes += block.bytes;
      ++sum.blocks;
    }
  std::vector<LineSum> out;
  for (auto& [line, sum] : sums) out.push_back(std::move(sum));
  std::ranges::stable_sort(out, std::ranges::greater{}, &LineSum::bytes);
  return out;
}

std::optional<Refusal> last_refusal(const trace::Trace& trace, const MemorySnapshot& snapshot, std::int64_t device) {
  for (std::size_t row = trace.memory.size(); row-- > 0;) {
    const trace::MemoryEvent& event = trace.memory[row];
    if (!event.out_of_memory || !is_of(event, device)) continue;
    Refusal refusal;
    refusal.row = row;
    refusal.bytes = event.bytes;
    const trace::SnapshotEvent said = trace::snapshot_event(trace, event);
    refusal.device_free = said.device_free;
    refusal.stack = said.stack < snapshot.stacks.size() ? said.stack : 0;
    refusal.held = held_at(trace, snapshot, device, row);
    refusal.largest = largest_free(refusal.held, event.bytes);
    refusal.free = free_bytes(refusal.held, event.bytes);
    return refusal;
  }
  return {};
}

}  // namespace warpwalk::story::allocator_lab
