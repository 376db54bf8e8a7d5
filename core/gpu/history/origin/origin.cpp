#include "core/gpu/history/origin/origin.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/gpu/exec/machine/machine.h"
#include "core/gpu/history/origin/backward_slice.h"
#include "core/gpu/history/origin/step_value.h"

namespace warpwalk::gpu {

namespace {

using Flow = OperationFlow::Kind;

/// A byte of global memory as a group of blocks had left it after some of its writes.
struct Request {
  std::uint64_t byte = 0, writes = 0;
  std::vector<std::uint32_t> consumers;  ///< steps of the origin that read it; empty: it is asked for
};
using Requests = std::map<std::uint64_t, std::vector<Request>>;  ///< by group

/// Reads the registers of the steps while the group runs again, and finds who wrote what they read.
class Capture final : public GroupObserver {
 public:
  struct Value {
    std::uint64_t bits = 0;
    std::uint8_t bytes = 0;
  };
  Capture(const Program& program, const std::vector<OperationFlow>& flows, const Options& options,
          const OperationLog& log, const BackwardSlice& slice)
      : GroupObserver(program, flows, options), log_(log), slice_(slice), values_(slice.steps.size()) {
    for (std::size_t i = 0; i < slice.steps.size(); ++i) by_entry_.emplace(slice.steps[i].entry, i);
    for (std::size_t i = 0; i < slice.read.size(); ++i) {
      writes().watch(slice.read[i].first);
      for (const std::uint32_t step : slice.read[i].second) reads_[slice.steps[step].entry].push_back(i);
    }
  }
  const std::vector<Value>& values() const { return values_; }
  struct OtherWriter {
    WriteCounts::Writer writer;
    std::size_t read = 0;  ///< index into BackwardSlice::read
    std::uint32_t step = 0;
  };
  const std::vector<OtherWriter>& others() const { return others_; }

 private:
  void begin(const Machine& machine, const Op& op, const OperationLog::Entry& entry) override {
    const auto reads = reads_.find(number_);
    if (reads != reads_.end())
      for (const std::size_t read : reads->second) {
        const auto& [byte, steps] = slice_.read[read];
        const WriteCounts::Writer* const writer = writes().last(byte);
        if (writer == nullptr) continue;
        for (const std::uint32_t step : steps)
          if (slice_.steps[step].entry == number_) others_.push_back({*writer, read, step});
      }
    if (const Flow kind = flows_[entry.op].kind; is_store(kind)) read_value(machine, op, kind);
  }
  void end(const Machine& machine, const Op& op, bool happened) override {
    if (!happened || by_entry_.count(number_) == 0) return;
    if (const Flow kind = flows_[log_.entries[number_].op].kind; !is_store(kind)) read_value(machine, op, kind);
  }
  void read_value(const Machine& machine, const Op& op, Flow kind) {
    const auto found = by_entry_.find(number_);
    if (found == by_entry_.end()) return;
    const SliceStep& step = slice_.steps[found->second];
    const OperationLog::Entry& entry = log_.entries[step.entry];
    if (step.place <= entry.frame || step.lanes == 0) return;
    Value& value = values_[found->second];
    value.bytes = std::min<std::uint8_t>(width_of_place(program_, op, kind, step.place - entry.frame), 8);
    const auto lane = static_cast<std::size_t>(std::countr_zero(step.lanes));
    const std::size_t at = step.place + lane * value.bytes;
    if (at + value.bytes <= machine.warp->registers.size())
      std::memcpy(&value.bits, machine.warp->registers.data() + at, value.bytes);
  }

  const OperationLog& log_;
  const BackwardSlice& slice_;
  std::map<std::size_t, std::size_t> by_entry_;            ///< step of an entry
  std::map<std::size_t, std::vector<std::size_t>> reads_;  ///< of an entry
  std::vector<Value> values_;
  std::vector<OtherWriter> others_;
};

/// Finds one origin.
class Search {
 public:
  Search(const Device& device, const Program& program, const Launch& before, const OriginOptions& options)
      : device_(device), program_(program), before_(before), options_(options), flows_(flows_of(program)) {}

  base::Result<Origin> run(std::uint64_t address, std::uint32_t bytes) {
    GroupObserver watch(program_, flows_, {.cancel = options_.cancel});
    for (std::uint32_t i = 0; i < bytes; ++i) watch.writes().watch(address + i);
    if (std::string error = run_again(watch); !error.empty()) return base::Error{std::move(error)};
    std::uint32_t written = 0;
    for (std::uint32_t i = 0; i < bytes; ++i)
      if (const WriteCounts::Writer* const writer = watch.writes().last(address + i)) {
        requests_[writer->group].push_back({address + i, writer->writes, {}});
        ++written;
      }
    if (written != 0 && written < bytes)
      note(fmt::format("The launch writes only {} of the {} bytes.", written, bytes));
    for (std::size_t groups = 0; !requests_.empty(); ++groups) {
      if (groups == options_.max_groups) {
        note(requests_.size() == 1
                 ? "It also depends on one more block or cluster, which was not looked at."
                 : fmt::format("It also depends on {} more blocks or clusters, which were not looked at.",
                               requests_.size()));
        break;
      }
      const auto next = requests_.extract(std::prev(requests_.end()));
      if (std::string error = follow(next.key(), next.mapped()); !error.empty()) return base::Error{std::move(error)};
    }
    return finish();
  }

 private:
  /// A step and when it ran, to order the steps of several groups: a group that is found later ran earlier.
  struct Known {
    OriginStep step;
    std::size_t group = 0, entry = 0;
  };

  std::string run_again(GroupObserver& observer) {
    Launch launch = before_;
    SimulateOptions options;
    options.observer = &observer;
    options.cancel = &observer.stop();
    auto simulated = simulate(device_, program_, launch, options);
    ++origin_.runs;
    if (!simulated) return simulated.error();
    return options_.cancel != nullptr && options_.cancel->load() ? "cancelled" : "";
  }

  void note(std::string why) {
    if (origin_.incomplete.empty()) origin_.incomplete = std::move(why);
  }

  std::string follow(std::uint64_t group, const std::vector<Request>& requests) {
    const GroupObserver::Options of_group{.group = group, .cancel = options_.cancel, .stops_behind_group = true};
    OperationLogger logger(program_, flows_, of_group, options_.log_bytes);
    for (const Request& request : requests) logger.mark(request.byte, request.writes);
    if (std::string error = run_again(logger); !error.empty()) return error;
    std::vector<SliceTarget> targets;
    for (const Request& request : requests)
      targets.push_back({request.byte, logger.end_of(request.byte, request.writes)});
    const OperationLog log = logger.take();
    if (log.full) note("A block did more than the log of its operations holds.");
    const BackwardSlice slice = slice_backwards(program_, flows_, log, targets, {.max_steps = options_.max_steps});
    if (slice.truncated) note("More operations count than are followed.");
    if (slice.opaque) note("A value comes from a texture or from a reduction over a block, which is not followed.");
    // A log that was cut off does not hold every write either, but then that is the reason, and noted already.
    if (slice.written.size() < targets.size())
      note("Some bytes were written by an instruction that is not followed, such as a store to a surface.");
    Capture capture(program_, flows_, of_group, log, slice);
    if (std::string error = run_again(capture); !error.empty()) return error;
    add(log, slice, capture, requests);
    return {};
  }

  /// Adds the steps of a slice to those of the origin; the operations of an instruction become one step.
  void add(const OperationLog& log, const BackwardSlice& slice, const Capture& capture,
           const std::vector<Request>& requests) {
    std::vector<std::uint32_t> step_of(slice.steps.size());
    for (std::size_t i = 0; i < slice.steps.size(); ++i) {
      const SliceStep& from = slice.steps[i];
      const OperationLog::Entry& entry = log.entries[from.entry];
      const OriginWarp warp = log.warps[entry.warp];
      const std::uint32_t instruction = flows_[entry.op].instruction;
      const auto [found, fresh] = index_.try_emplace({warp.block, warp.warp, instruction, entry.occurrence},
                                                     static_cast<std::uint32_t>(known_.size()));
      step_of[i] = found->second;
      if (fresh) known_.push_back({{}, groups_, from.entry});
      OriginStep& step = known_[found->second].step;
      step.warp = warp;
      step.instruction = instruction;
      step.occurrence = entry.occurrence;
      step.lanes |= from.lanes;
      for (OriginAccess access : from.accesses) {
        step.space = (access.address & shared_tag) != 0  ? OriginStep::Space::shared
                     : (access.address & local_tag) != 0 ? OriginStep::Space::local
                                                         : OriginStep::Space::global;
        access.address &= ~(shared_tag | local_tag);
        access.source &= ~(shared_tag | local_tag);
        step.accesses.push_back(access);
      }
      // The last operation of the instruction comes first.
      const OriginStep::Kind kind = step_kind(flows_[entry.op].kind);
      if (fresh || (step.kind == OriginStep::Kind::compute && kind != OriginStep::Kind::compute)) step.kind = kind;
      if (step.value_bytes == 0 && capture.values()[i].bytes != 0) {
        step.place = from.place - entry.frame;
        step.value = capture.values()[i].bits;
        step.value_bytes = capture.values()[i].bytes;
      }
    }
    for (std::size_t i = 0; i < slice.steps.size(); ++i)
      for (const std::uint32_t from : slice.steps[i].from) connect(step_of[i], step_of[from]);
    for (const Request& request : requests)
      for (const auto& [byte, step] : slice.written)
        if (byte == request.byte)
          for (const std::uint32_t consumer : request.consumers) connect(consumer, step_of[step]);
    std::vector<std::uint8_t> from_others(slice.read.size(), 0);
    for (const Capture::OtherWriter& other : capture.others()) {
      from_others[other.read] = 1;
      std::vector<Request>& of_group = requests_[other.writer.group];
      of_group.push_back({slice.read[other.read].first, other.writer.writes, {step_of[other.step]}});
    }
    for (std::size_t i = 0; i < slice.read.size(); ++i) {
      if (from_others[i] != 0) continue;
      std::vector<std::uint32_t>& steps = inputs_[slice.read[i].first];
      for (const std::uint32_t step : slice.read[i].second) steps.push_back(step_of[step]);
    }
    ++groups_;
  }

  void connect(std::uint32_t step, std::uint32_t from) {
    if (step != from) known_[step].step.from.push_back(from);
  }

  Origin finish() {
    std::vector<std::uint32_t> order(known_.size()), place(known_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return std::tuple(~known_[a].group, known_[a].entry) < std::tuple(~known_[b].group, known_[b].entry);
    });
    for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    const auto renumber = [&](std::vector<std::uint32_t>& steps) {
      for (std::uint32_t& step : steps) step = place[step];
      std::ranges::sort(steps);
      steps.erase(std::ranges::unique(steps).begin(), steps.end());
    };
    for (const std::uint32_t i : order) {
      renumber(known_[i].step.from);
      origin_.steps.push_back(std::move(known_[i].step));
    }
    for (auto& [byte, steps] : inputs_) {
      renumber(steps);
      OriginInput* const last = origin_.inputs.empty() ? nullptr : &origin_.inputs.back();
      if (last != nullptr && last->address + last->bytes == byte && last->steps == steps)
        ++last->bytes;
      else
        origin_.inputs.push_back({byte, 1, steps});
    }
    return std::move(origin_);
  }

  const Device& device_;
  const Program& program_;
  const Launch& before_;
  const OriginOptions& options_;
  const std::vector<OperationFlow> flows_;
  Requests requests_;
  std::vector<Known> known_;
  std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> index_;
  std::map<std::uint64_t, std::vector<std::uint32_t>> inputs_;  ///< by byte
  std::size_t groups_ = 0;
  Origin origin_;
};

}  // namespace

base::Result<Origin> find_origin(const Device& device, const Program& program, const Launch& before,
                                 std::uint64_t address, std::uint32_t bytes, const OriginOptions& options) {
  return Search(device, program, before, options).run(address, bytes);
}

}  // namespace warpwalk::gpu
