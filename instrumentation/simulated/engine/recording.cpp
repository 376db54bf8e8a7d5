// How recordings begin and end, and the code that they have.
#include "instrumentation/simulated/engine/recording.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "instrumentation/recording_names.h"
#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {
namespace {

std::string recording_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

std::uint64_t program_time() { return static_cast<std::uint64_t>(Gpu::if_made()->clock.now()); }

}  // namespace

InsideWish inside_wish(bool by_program) {
  InsideWish wish;
  wish.limit = std::strtoull(recording_variable(instrumentation::inside_limit_variable).c_str(), nullptr, 10);
  // One pattern per line.
  const std::string asked = recording_variable(instrumentation::inside_variable);
  if (asked.empty()) return wish;
  wish.asked = 1 + static_cast<std::size_t>(std::ranges::count(asked, '\n'));
  wish.whole = recording_variable(instrumentation::inside_whole_variable) == "1";
  wish.ends = recording_variable(instrumentation::inside_only_variable) == "1";
  if (wish.whole || wish.ends || by_program) wish.named = instrumentation::split_patterns(asked);
  return wish;
}

void Gpu::start_recording() {
  recording_.inside = inside_wish(false);
  recorder.start(&program_time, device.name);
  if (recorder.on()) record_device();
}

void Gpu::begin_recording(const RecordingTarget& target) {
  tell_repeated_findings();
  {
    const std::lock_guard lock(told_mutex_);
    recorded_findings_.clear();
  }
  recording_ = {};
  recording_.inside = inside_wish(true);
  recorder.attach(target);
  record_device();
}

void Gpu::end_recording() {
  if (!recorder.on()) return;
  wait_all();
  recorder.detach();
  tell_repeated_findings();
}

void Gpu::record_device() {
  instrumentation::DeviceRow row;
  row.name = recorder.name(device.name);
  const std::string& capability = *device.compute_capability;
  row.compute_major = static_cast<std::uint32_t>(std::atoi(capability.c_str()));
  row.compute_minor = static_cast<std::uint32_t>(std::atoi(capability.c_str() + capability.find('.') + 1));
  row.sms = static_cast<std::uint32_t>(*device.sm_count);
  row.warp_size = static_cast<std::uint32_t>(*device.threads_per_warp);
  row.max_warps_per_sm = static_cast<std::uint32_t>(*device.warps_per_sm);
  row.max_threads_per_block = static_cast<std::uint32_t>(*device.threads_per_block);
  row.registers_per_sm = static_cast<std::uint32_t>(*device.registers_per_sm);
  row.registers_per_block = static_cast<std::uint32_t>(*device.registers_per_block);
  row.shared_per_sm = static_cast<std::uint32_t>(*device.shared_per_sm);
  row.shared_per_block = static_cast<std::uint32_t>(*device.shared_per_block);
  row.memory_bytes = memory.capacity();
  recorder.add(row);
  recorder.add(instrumentation::ContextRow{1, 0, legacy_stream_id});
  for (const Stream* const stream : streams.all())
    recorder.add(instrumentation::StreamRow{1, stream->id, stream->priority});
}

/// CUPTI records the variables of a module, in the order of its symbols, without a call.
void Gpu::record_variables(Module& module) {
  for (const ModuleVariable& variable : module.variables()) {
    instrumentation::MemoryRow row;
    row.time = static_cast<std::uint64_t>(clock.now());
    row.address = variable.memory->address, row.bytes = variable.memory->bytes;
    row.operation = 1;
    row.kind = variable.memory->kind == MemoryKind::managed ? memory_managed_static : memory_static;
    row.context = 1;
    recorder.add(row);
  }
}

std::uint32_t Gpu::record_code(const Module& module) {
  const auto [found, is_new] = recording_.code_numbers.try_emplace(module.number, 0);
  if (!is_new) return found->second;
  const bool machine_code = !module.cubin().empty();
  const std::string_view code = machine_code ? module.cubin() : module.ptx();
  const std::uint32_t number = found->second = machine_code ? ++recording_.last_cubin : ++recording_.last_ptx;
  if (machine_code)
    recorder.add(instrumentation::CubinRow{number, code.size(), 1});
  else
    recorder.add(instrumentation::PtxRow{number});
  for (std::size_t at = 0; at < code.size(); at += recorded_part) {
    const std::string_view part = code.substr(at, recorded_part);
    if (machine_code)
      recorder.add(instrumentation::CubinPart{number, part});
    else
      recorder.add(instrumentation::PtxPart{number, part});
  }
  return number;
}

}  // namespace warpwalk::simulated
