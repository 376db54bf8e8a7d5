#include <bit>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "core/gpu/exec/check/sanitizer.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/memory/device_heap.h"
#include "core/gpu/exec/run/print_format.h"
#include "core/gpu/exec/run/stack.h"

namespace warpwalk::gpu::handlers {

namespace {

/// Maximum printf output kept per launch: the default size of CUDA's printf buffer.
constexpr std::size_t text_limit = std::size_t{1} << 20;
constexpr std::size_t longest_string = std::size_t{1} << 16;

/// Reads from a generic address for one lane. On an invalid address, reports a finding and returns false.
bool read_generic(Machine& m, const Op& op, int lane, std::uint64_t address, int bytes, std::uint8_t* into) {
  const std::uint32_t mask = 1u << lane;
  std::uint64_t at[lanes_per_warp] = {};
  Places places;
  const bool is_local = address - local_window < window_bytes;
  const bool is_shared = address - shared_window < shared_window_bytes;
  at[lane] = is_local ? address - local_window : is_shared ? address - shared_window : address;
  if (is_local) {
    if (m.translate_local(op, mask, at, bytes, false) == 0) return false;
    read_stack(*m.warp, lane, static_cast<std::uint32_t>(at[lane]), static_cast<std::uint32_t>(bytes), into);
    return true;
  }
  const std::uint32_t reached = is_shared ? m.translate_shared(op, mask, at, bytes, false, places)
                                          : m.translate_global(op, mask, at, bytes, MemoryObserver::Kind::read, places);
  if (reached == 0) return false;
  std::memcpy(into, places.host[lane], static_cast<std::size_t>(bytes));
  return true;
}

std::string read_string(Machine& m, const Op& op, int lane, std::uint64_t address) {
  std::string text;
  for (std::uint8_t letter = 0; text.size() < longest_string; text += static_cast<char>(letter)) {
    if (!read_generic(m, op, lane, address + text.size(), 1, &letter) || letter == 0) break;
  }
  return text;
}

/// The words of a lane in a register and the ones after it. Machine code passes arguments in registers.
std::uint32_t& register_word(Machine& m, std::uint32_t reg, int lane) {
  constexpr std::uint32_t register_bytes = lanes_per_warp * 4;
  const std::uint32_t offset = m.program.machine_code->frame.general + reg * register_bytes;
  return m.at<std::uint32_t>(Slot::at(SlotSpace::frame, offset))[lane];
}

/// Reads argument `k` of a runtime call from the caller's stack.
std::uint64_t argument(Machine& m, const Op& op, int lane, std::size_t k) {
  const CallCopy& copy = m.program.calls[op.table_index].arguments[k];
  std::uint64_t value = 0;
  if (m.program.machine_code) {
    value = register_word(m, copy.caller, lane);
    if (copy.bytes == 8) value |= std::uint64_t{register_word(m, copy.caller + 1, lane)} << 32;
    return value;
  }
  std::uint8_t bytes[8] = {};
  read_stack(*m.warp, lane, m.split->local + copy.caller, copy.bytes, bytes);
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// Writes the result of a runtime call, which has 32 or 64 bits.
void set_result(Machine& m, const Op& op, int lane, std::uint64_t value) {
  const CallCopy& result = m.program.calls[op.table_index].results.front();
  if (m.program.machine_code) {
    register_word(m, result.caller, lane) = static_cast<std::uint32_t>(value);
    if (result.bytes == 8) register_word(m, result.caller + 1, lane) = static_cast<std::uint32_t>(value >> 32);
    return;
  }
  std::uint64_t at[lanes_per_warp] = {};
  at[lane] = m.split->local + result.caller;
  if (m.translate_local(op, 1u << lane, at, static_cast<int>(result.bytes), true) == 0) return;
  std::uint8_t bytes[8];
  std::memcpy(bytes, &value, sizeof bytes);
  write_stack(*m.warp, lane, static_cast<std::uint32_t>(at[lane]), result.bytes, bytes);
}

/// Gives each lane memory of the heap, in lane order, or null.
void allocate(Machine& m, const Op& op, bool aligned) {
  for_lanes(m.executing_lanes(op), [&](int lane) {
    const std::uint64_t bytes = argument(m, op, lane, 0), alignment = aligned ? argument(m, op, lane, 1) : 1;
    const std::uint64_t address =
        m.context.heap == nullptr || !std::has_single_bit(alignment) ? 0 : m.context.heap->allocate(bytes, alignment);
    if (address != 0 && m.sanitizer != nullptr) m.sanitizer->allocated(address, m.context.heap->bytes_of(address));
    set_result(m, op, lane, address);
  });
}

}  // namespace

void print(Machine& m, const Op& op) {
  std::string& all = m.tally.printed;
  for_lanes(m.executing_lanes(op), [&](int lane) {
    const std::string format = read_string(m, op, lane, argument(m, op, lane, 0));
    std::uint64_t next = argument(m, op, lane, 1);
    PrintSource source;
    source.next = [&](int bytes) {
      std::uint64_t value = 0;
      next = (next + static_cast<std::uint64_t>(bytes) - 1) / static_cast<std::uint64_t>(bytes) *
             static_cast<std::uint64_t>(bytes);
      std::uint8_t place[8] = {};
      read_generic(m, op, lane, next, bytes, place);
      std::memcpy(&value, place, sizeof value);
      next += static_cast<std::uint64_t>(bytes);
      return value;
    };
    source.text = [&](std::uint64_t address) { return read_string(m, op, lane, address); };
    const Printed printed = print_formatted(format, source);
    if (all.size() <= text_limit) {
      all += printed.text;
      if (all.size() > text_limit) all += "\n(printf: output is limited to 1 MiB; the rest is omitted)\n";
    }
    set_result(m, op, lane, static_cast<std::uint32_t>(printed.arguments));
  });
}

void fail_assertion(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  const int lane = std::countr_zero(mask);
  const auto text = [&](std::size_t k) { return read_string(m, op, lane, argument(m, op, lane, k)); };
  const std::string condition = text(0), file = text(1), function = text(3);
  const auto line = static_cast<std::uint32_t>(argument(m, op, lane, 2));
  for_lanes(mask, [&](int failing) {
    if (m.tally.printed.size() > text_limit) return;
    const auto& block = m.block->id;
    const auto thread = m.thread_position(m.thread_of(failing));
    m.tally.printed +=
        fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n", file, line, function,
                    block[0], block[1], block[2], thread[0], thread[1], thread[2], condition);
  });
  m.report_and_stop(FindingKind::failed_assert, op, mask,
                    fmt::format("fails assert({}) in {}, line {} of {}", condition, function, line, file));
}

void allocate_memory(Machine& m, const Op& op) { allocate(m, op, false); }
void allocate_aligned_memory(Machine& m, const Op& op) { allocate(m, op, true); }

void free_memory(Machine& m, const Op& op) {
  std::uint32_t wrong = 0;
  for_lanes(m.executing_lanes(op), [&](int lane) {
    const std::uint64_t address = argument(m, op, lane, 0);
    if (m.context.heap != nullptr ? !m.context.heap->free(address) : address != 0) wrong |= 1u << lane;
  });
  if (wrong == 0) return;
  const std::uint64_t address = argument(m, op, std::countr_zero(wrong), 0);
  const bool in_heap = m.context.heap != nullptr && address - heap_base < m.context.heap->bytes();
  m.report_and_stop(
      FindingKind::bad_free, op, wrong,
      in_heap
          ? fmt::format("frees address {:#x}, where no allocation of malloc begins; it may have been freed", address)
          : fmt::format("frees address {:#x}, which no kernel allocated with malloc", address));
}

}  // namespace warpwalk::gpu::handlers
