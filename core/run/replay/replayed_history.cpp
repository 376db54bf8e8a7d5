// Simulates a kernel again from its record.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/base/sha256.h"
#include "core/ptx/parse/parser.h"
#include "core/run/record/launch_trace.h"
#include "core/run/replay/make_history.h"
#include "core/run/replay/replay_plan.h"

namespace warpwalk::run {
namespace {

using trace::KernelArgument;
using trace::KernelRecord;
using trace::Trace;
template <class T>
using Or = base::Result<T>;  // the result, or a one-line error

constexpr std::size_t pointer_bytes = 8;

class Replay {
 public:
  Replay(const Trace& trace, std::vector<ReplayStep> steps, const HistoryOptions& options)
      : trace_(trace), steps_(std::move(steps)), options_(options), progress_(options, all_blocks(steps_)) {}

  Or<std::shared_ptr<const History>> run() {
    auto history = std::make_shared<History>();
    history->device = options_.device;
    history->replayed = steps_.size() - 1;
    for (const ReplayStep& step : steps_) {
      if (progress_.cancelled()) return base::Error{std::string(cancelled_reason)};
      auto launch = launch_of(step);
      if (!launch) return base::Error{launch.error()};
      auto& after = *launch;
      auto prepared = program_of(*step.record, gpu::passed_functions(after));
      if (!prepared) return base::Error{prepared.error()};
      history->program = std::move(*prepared);
      const bool last = &step == &steps_.back();
      if (last) history->before = after;
      auto simulated =
          gpu::simulate(options_.device, *history->program, after, progress_.next(blocks_of(step.record->grid)));
      if (!simulated) return base::Error{fmt::format("{}: {}", step.record->entry, simulated.error())};
      history->simulation = std::move(*simulated);
      if (history->simulation.cancelled) return base::Error{std::string(cancelled_reason)};
      compare(step, after, *history);
      if (last && !history->simulation.stopped) check(*history);
      for (std::size_t i = 0; i < step.buffers.size(); ++i)
        left_[step.buffers[i].allocation] = std::move(after.buffers[i].bytes);
    }
    const KernelRecord& record = *steps_.back().record;
    history->entry = gpu::entry_of(*history->program).name;
    history->ptx = trace_.records.modules[record.module].ptx;
    history->source = trace_.records.modules[record.module].source;
    return std::shared_ptr<const History>(std::move(history));
  }

 private:
  /// Runs a short kernel once more with the sanitizer, so that its errors can be shown where they happen.
  void check(History& history) const {
    if (history.simulation.counters.warp_instructions > options_.max_checked_warp_instructions) return;
    gpu::Launch launch = history.before;
    gpu::SimulateOptions how;
    how.threads = options_.threads;
    how.cancel = options_.cancel;
    how.sanitize = true;
    auto checked = gpu::simulate(options_.device, *history.program, launch, how);
    if (checked && !checked->cancelled) {
      history.simulation.findings = std::move(checked->findings);
      history.checked = true;
    }
  }

  static std::uint64_t all_blocks(const std::vector<ReplayStep>& steps) {
    std::uint64_t blocks = 0;
    for (const ReplayStep& step : steps) blocks += blocks_of(step.record->grid);
    return blocks;
  }

  std::string name(std::size_t allocation) const {
    const std::string& name = trace_.records.allocations[allocation].name;
    return name.empty() ? fmt::format("buffer {}", allocation) : name;
  }

  Or<std::shared_ptr<const gpu::Program>> program_of(const KernelRecord& record,
                                                     const std::vector<std::string>& functions) {
    if (record.module >= trace_.records.modules.size() || trace_.records.modules[record.module].ptx.empty())
      return base::Error{fmt::format("the PTX of {} is not recorded", record.entry)};
    const std::tuple key{record.module, record.entry, functions};
    const auto known = programs_.find(key);
    if (known != programs_.end()) return known->second;
    std::shared_ptr<const ptx::Module>& module = modules_[record.module];
    if (module == nullptr) {
      auto parsed = ptx::parse(trace_.records.modules[record.module].ptx);
      if (const auto* const error = std::get_if<ptx::Error>(&parsed))
        return base::Error{fmt::format("the PTX of {}: {}", record.entry, error->text())};
      module = std::make_shared<const ptx::Module>(std::move(std::get<ptx::Module>(parsed)));
    }
    auto prepared = gpu::prepare(module, record.entry, functions);
    if (!prepared) return base::Error{fmt::format("the PTX of {}: {}", record.entry, prepared.error())};
    return programs_.emplace(key, std::move(*prepared)).first->second;
  }

  static std::vector<gpu::AddressField> fields_of(const std::vector<trace::AddressField>& recorded,
                                                  const ReplayStep& step) {
    std::vector<gpu::AddressField> fields;
    for (const trace::AddressField& from : recorded) {
      gpu::AddressField& field = fields.emplace_back();
      field.at = from.at;
      field.variable = from.variable;
      field.function = from.function;
      field.offset = from.offset;
      if (from.allocation == trace::no_record) continue;
      const auto buffer = std::ranges::find(step.buffers, from.allocation, &ReplayBuffer::allocation);
      field.buffer = static_cast<std::int32_t>(buffer - step.buffers.begin());
    }
    return fields;
  }

  Or<gpu::Launch> launch_of(const ReplayStep& step) {
    const KernelRecord& record = *step.record;
    gpu::Launch launch;
    launch.grid = record.grid;
    launch.block = record.block;
    if (record.dynamic_shared_bytes > ~std::uint32_t{0})
      return base::Error{fmt::format("the record gives {} {} bytes of dynamic shared memory, which is too much",
                                     record.entry, record.dynamic_shared_bytes)};
    launch.dynamic_shared_bytes = static_cast<std::uint32_t>(record.dynamic_shared_bytes);
    // Registers that were estimated from the PTX are estimated again and marked as such.
    if (record.registers > 0 && record.registers < 65536 && record.registers_origin != "estimated")
      launch.registers = static_cast<int>(record.registers);
    for (const ReplayBuffer& from : step.buffers) {
      gpu::Buffer& buffer = launch.buffers.emplace_back();
      buffer.name = name(from.allocation);
      buffer.initialized = from.from != ReplayBuffer::From::unwritten;
      if (from.from == ReplayBuffer::From::kernel)
        buffer.bytes = std::move(left_.at(from.allocation));  // moved back after the kernel
      else if (from.from == ReplayBuffer::From::record)
        buffer.bytes = contents_of(*from.initial);
      buffer.bytes.resize(trace_.records.allocations[from.allocation].bytes);
      buffer.variable = trace_.records.allocations[from.allocation].variable;
      if (from.from != ReplayBuffer::From::record) continue;
      buffer.addresses = fields_of(from.initial->addresses, step);
      if (from.initial->written.empty()) continue;
      buffer.initialized = false;
      const std::uint64_t width = bytes_of(*ops::dtype_of(from.initial->dtype));
      for (const auto& [first, count] : from.initial->written)
        buffer.written.push_back({first * width, (first + count) * width});
    }
    for (std::size_t i = 0; i < record.arguments.size(); ++i) {
      const KernelArgument& from = record.arguments[i];
      gpu::Argument& argument = launch.arguments.emplace_back();
      if (from.kind == KernelArgument::Kind::scalar) {
        argument.bytes = from.bytes;
        argument.addresses = fields_of(from.addresses, step);
      } else if (from.allocation == trace::no_record) {
        if (from.offset != 0)
          return base::Error{
              fmt::format("argument {} of {} points to memory that the trace does not describe", i, record.entry)};
        argument.bytes.resize(pointer_bytes);  // a null pointer
      } else {
        const auto buffer = std::ranges::find(step.buffers, from.allocation, &ReplayBuffer::allocation);
        argument.buffer = static_cast<std::int32_t>(buffer - step.buffers.begin());
        argument.offset = from.offset;
      }
    }
    return launch;
  }

  /// Announces only the first difference, since later ones follow from it.
  void compare(const ReplayStep& step, const gpu::Launch& after, History& history) const {
    using Digests = History::Digests;
    const bool last = &step == &steps_.back();
    if (last) history.digests = Digests::none;
    const auto announce = [&](std::string line) {
      if (history.announced.empty()) history.announced = std::move(line);
    };
    if (history.simulation.stopped)
      announce(fmt::format("{} was stopped when it was simulated again: {}", step.record->entry,
                           history.simulation.findings.front().message));
    for (std::size_t i = 0; i < step.buffers.size(); ++i) {
      const std::size_t allocation = step.buffers[i].allocation;
      const std::string_view digest = digest_of(*step.record, allocation);
      if (digest.empty()) continue;
      const bool equal = base::sha256(after.buffers[i].bytes) == digest;
      if (last && history.digests != Digests::different) history.digests = equal ? Digests::equal : Digests::different;
      if (equal) continue;
      const std::string& by = step.record->simulator_version;
      announce(fmt::format("simulated again, {} leaves different contents in {} than its record shows{}",
                           step.record->entry, name(allocation),
                           by.empty() || by == simulator_version
                               ? std::string()
                               : fmt::format(", which is from warpwalk {} (this is {})", by, simulator_version)));
    }
  }

  const Trace& trace_;
  const std::vector<ReplayStep> steps_;
  const HistoryOptions& options_;
  HistoryProgress progress_;
  std::map<std::size_t, std::shared_ptr<const ptx::Module>> modules_;  // by row
  /// By module, entry, and the functions whose addresses are passed.
  std::map<std::tuple<std::size_t, std::string, std::vector<std::string>>, std::shared_ptr<const gpu::Program>>
      programs_;
  std::map<std::size_t, std::vector<std::uint8_t>> left_;  // by allocation: contents after the last kernel
};

}  // namespace

base::Result<std::shared_ptr<const History>> replayed_history(const Trace& trace, trace::SliceId kernel,
                                                              const HistoryOptions& options) {
  auto planned = plan_replay(trace, kernel);
  if (!planned) return base::Error{planned.error()};
  return Replay(trace, std::move(*planned), options).run();
}

}  // namespace warpwalk::run
