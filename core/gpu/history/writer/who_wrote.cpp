#include "core/gpu/history/writer/who_wrote.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

#include "core/gpu/exec/launch_addresses.h"
#include "core/gpu/history/origin/backward_slice.h"
#include "core/gpu/history/origin/step_value.h"
#include "core/gpu/history/writer/step_capture.h"

namespace warpwalk::gpu {

namespace {

/// The bytes of a place, or its register, as they are before an entry of the log.
std::vector<SliceTarget> targets_of(const ValuePlace& place, const OperationLog& log, std::size_t end) {
  const auto warp = static_cast<std::uint32_t>(std::ranges::find(log.warps, place.warp) - log.warps.begin());
  if (place.kind == ValuePlace::Kind::lane_register) return {{place.address, end, 1U << place.lane, warp}};
  std::vector<SliceTarget> targets;
  for (std::uint32_t i = 0; i < place.bytes; ++i) {
    const std::uint64_t byte = place.address + i;
    targets.push_back({place.kind == ValuePlace::Kind::shared  ? byte | shared_tag
                       : place.kind == ValuePlace::Kind::local ? local_key(byte, warp, place.lane)
                                                               : byte,
                       end});
  }
  return targets;
}

/// Finds who wrote a byte of global memory last before a moment of the group that it watches.
class LastBefore final : public GroupObserver {
 public:
  LastBefore(const Program& program, const std::vector<OperationFlow>& flows, const Options& options,
             std::uint64_t byte, const std::optional<LaunchMoment>& moment)
      : GroupObserver(program, flows, options), byte_(byte), moment_(moment) {
    writes().watch(byte);
  }
  std::optional<WriteCounts::Writer> found() const {
    if (came_) return found_;
    const WriteCounts::Writer* const last = writes().last(byte_);
    return last != nullptr ? std::optional(*last) : std::nullopt;
  }

 private:
  void issues(const LaunchMoment& moment) override {
    if (came_ || !moment_ || !(moment == *moment_)) return;
    came_ = true;
    if (const WriteCounts::Writer* const last = writes().last(byte_)) found_ = *last;
    stop_run();
  }
  const std::uint64_t byte_;
  const std::optional<LaunchMoment> moment_;
  std::optional<WriteCounts::Writer> found_;
  bool came_ = false;
};

/// The step of the last operation of an instruction comes first in a slice; the operations of one become one step.
class Joined {
 public:
  Joined(const std::vector<OperationFlow>& flows, const OperationLog& log, const BackwardSlice& slice,
         const StepCapture& capture)
      : flows_(flows), log_(log), slice_(slice) {
    for (std::size_t i = 0; i < slice.steps.size(); ++i) add(slice.steps[i], capture.values()[i]);
    for (std::size_t i = 0; i < slice.steps.size(); ++i)
      for (const std::uint32_t from : slice.steps[i].from)
        if (place_[i] != place_[from]) steps_[place_[i]].step.from.push_back(place_[from]);
  }

  /// The steps in the order in which they ran, and what they read.
  void move_to(Writer& writer, const StepCapture& capture) {
    const auto last = static_cast<std::uint32_t>(steps_.size()) - 1;
    const auto renumbered = [&](std::uint32_t step) { return last - step; };
    for (WriterStep& step : steps_) {
      for (std::uint32_t& from : step.step.from) from = renumbered(from);
      std::ranges::sort(step.step.from);
      step.step.from.erase(std::ranges::unique(step.step.from).begin(), step.step.from.end());
    }
    for (std::size_t i = 0; i < slice_.stops.size(); ++i) {
      const SliceRead& stop = slice_.stops[i];
      ReadBytes& read = writer.reads.emplace_back();
      read.step = renumbered(place_[stop.step]);
      read.place.kind = (stop.byte & shared_tag) != 0  ? ValuePlace::Kind::shared
                        : (stop.byte & local_tag) != 0 ? ValuePlace::Kind::local
                                                       : ValuePlace::Kind::global;
      read.place.address = stop.byte & ~(shared_tag | local_tag);
      if (read.place.kind == ValuePlace::Kind::local) read.place.address &= 0xffffff;
      read.place.bytes = stop.bytes;
      const WriterStep& step = steps_[place_[stop.step]];
      read.place.warp = step.step.warp;
      read.place.lane = std::countr_zero(step.step.lanes | 1U << 31);
      for (const OriginAccess& access : step.step.accesses)
        if (read.place.address - access.address < access.bytes || read.place.address == access.source)
          read.place.lane = access.lane;
      if (read.place.kind == ValuePlace::Kind::local) read.place.lane = static_cast<int>(stop.byte >> 24 & 31);
      read.value = capture.memory()[i].value;
      read.known = capture.memory()[i].known;
    }
    std::ranges::reverse(steps_);
    writer.steps = std::move(steps_);
    std::ranges::stable_sort(writer.reads, {}, &ReadBytes::step);
  }

 private:
  void add(const SliceStep& from, const StepCapture::Values& values) {
    const OperationLog::Entry& entry = log_.entries[from.entry];
    const OperationFlow& flow = flows_[entry.op];
    const auto [found, fresh] =
        index_.try_emplace({entry.warp, flow.instruction, entry.occurrence}, static_cast<std::uint32_t>(steps_.size()));
    place_.push_back(found->second);
    if (fresh) steps_.emplace_back();
    WriterStep& joined = steps_[found->second];
    OriginStep& step = joined.step;
    step.warp = log_.warps[entry.warp];
    step.instruction = flow.instruction;
    step.occurrence = entry.occurrence;
    for (OriginAccess access : from.accesses) {
      step.space = (access.address & shared_tag) != 0  ? OriginStep::Space::shared
                   : (access.address & local_tag) != 0 ? OriginStep::Space::local
                                                       : OriginStep::Space::global;
      access.address &= ~(shared_tag | local_tag);
      access.source &= ~(shared_tag | local_tag);
      step.accesses.push_back(access);
    }
    const OriginStep::Kind kind = step_kind(flow.kind);
    if (fresh || (step.kind == OriginStep::Kind::compute && kind != OriginStep::Kind::compute)) step.kind = kind;
    // The values of several operations belong together only if they are of the same lanes.
    if (values.bytes != 0 && (step.value_bytes == 0 || step.lanes == 0)) {
      step.place = from.place - entry.frame;
      step.value = values.of_lanes.front();
      step.value_bytes = values.bytes;
      joined.values = values.of_lanes;
      value_lanes_.resize(steps_.size());
      value_lanes_[found->second] = from.lanes;
    }
    step.lanes |= from.lanes;
    value_lanes_.resize(steps_.size());
    if (value_lanes_[found->second] != step.lanes) joined.values.clear();
  }

  const std::vector<OperationFlow>& flows_;
  const OperationLog& log_;
  const BackwardSlice& slice_;
  std::vector<std::uint32_t> place_;  ///< in steps_, of the steps of the slice
  std::vector<WriterStep> steps_;     ///< the last one first
  std::vector<std::uint32_t> value_lanes_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> index_;
};

}  // namespace

WriterQuestion question_about(const Writer& writer, const ReadBytes& read) {
  const OriginStep& step = writer.steps[read.step].step;
  return {read.place, LaunchMoment{step.warp, step.instruction, step.occurrence}};
}

WriterQuestion address_question(const WriterStep& step) {
  WriterQuestion question;
  question.place.kind = ValuePlace::Kind::lane_register;
  question.place.warp = step.step.warp;
  question.place.lane = std::countr_zero(step.step.lanes | 1U << 31);
  question.before = LaunchMoment{step.step.warp, step.step.instruction, step.step.occurrence};
  question.address = true;
  return question;
}

LaunchWriters::LaunchWriters(const Device& device, const Program& program, const Launch& before,
                             const std::atomic<bool>* cancel)
    : program_(program), before_(before), flows_(flows_of(program)), again_(device, program, before, cancel) {}

base::Result<std::optional<LaunchWriters::Target>> LaunchWriters::last_writer(
    std::uint64_t byte, const std::optional<LaunchMoment>& before) {
  using Found = std::optional<Target>;
  const auto index = again_.index();
  if (!index) return base::Error{index.error()};
  const auto word = (*index)->word(byte);
  if (!word) return Found{};
  if (!before && !word->mixed) return Found{Target{word->last, 0}};
  const std::uint64_t group = before ? again_.group_of_block(before->warp.block) : GroupObserver::no_group;
  // Only the group itself wrote the word: its log has the write, if it was before the moment.
  if (before && word->first == group && word->last == group && !word->mixed) return Found{Target{group, 0}};
  LastBefore watch(program_, flows_, {.group = group, .cancel = again_.cancel(), .stops_behind_group = true}, byte,
                   before);
  if (std::string error = again_.whole(watch); !error.empty()) return base::Error{std::move(error)};
  const auto found = watch.found();
  return found ? Found{Target{found->group, found->writes}} : Found{};
}

Writer LaunchWriters::unwritten(const ValuePlace& place) const {
  Writer writer;
  if (place.kind != ValuePlace::Kind::global) return writer;
  writer.before = Writer::Before::input;
  const std::vector<std::uint64_t> addresses = buffer_addresses(program_, before_);
  for (std::size_t i = 0; i < before_.buffers.size(); ++i) {
    const Buffer& buffer = before_.buffers[i];
    if (place.address < addresses[i] || place.address - addresses[i] >= buffer.bytes.size()) continue;
    const std::uint64_t at = place.address - addresses[i];
    const auto holds = [&](const ByteRange& range) { return at >= range.begin && at < range.end; };
    if (!buffer.initialized && std::ranges::none_of(buffer.written, holds))
      writer.before = Writer::Before::uninitialized;
  }
  return writer;
}

std::optional<std::size_t> LaunchWriters::access_at(const LaunchMoment& moment, const OperationLog& log,
                                                    std::size_t begin) const {
  for (std::size_t i = begin; i < log.entries.size(); ++i) {
    const OperationLog::Entry& entry = log.entries[i];
    const Op& op = program_.ops[entry.op];
    if (op.instruction != moment.instruction || entry.occurrence != moment.occurrence ||
        !(log.warps[entry.warp] == moment.warp))
      continue;
    const OriginStep::Kind kind = step_kind(flows_[entry.op].kind);
    if (kind == OriginStep::Kind::load || kind == OriginStep::Kind::store || kind == OriginStep::Kind::copy) return i;
  }
  return {};
}

base::Result<Writer> LaunchWriters::ask_group(const WriterQuestion& question, const Target& target) {
  const ValuePlace& place = question.place;
  const GroupObserver::Options options{.group = target.group, .cancel = again_.cancel(), .stops_behind_group = true};
  OperationLogger logger(program_, flows_, options, log_bytes);
  if (target.writes != 0) logger.mark(place.address, target.writes);
  if (question.before) logger.mark(*question.before);
  if (std::string error = again_.group(logger, target.group); !error.empty()) return base::Error{std::move(error)};
  const std::optional<std::size_t> moment = logger.end_of_moment();
  const std::size_t nth = target.writes != 0 ? logger.end_of(place.address, target.writes) : 0;
  const OperationLog log = logger.take();
  // Another group wrote the byte before the moment: its nth write counts, not the moment.
  const std::size_t end = target.writes != 0 ? nth : moment.value_or(log.entries.size());
  SliceOptions how{.max_steps = max_steps, .stops_at_memory = true};
  std::vector<SliceTarget> targets;
  if (!question.address)
    targets = targets_of(place, log, end);
  else if (const auto entry = access_at(*question.before, log, end))
    how.address_of = {*entry, 1U << place.lane};
  const std::uint64_t byte = targets.empty() ? 0 : targets.front().byte;
  const BackwardSlice slice = slice_backwards(program_, flows_, log, std::move(targets), how);
  Writer writer;
  if (slice.steps.empty()) {
    writer = unwritten(place);
    if (place.kind != ValuePlace::Kind::lane_register) {
      const std::size_t next = next_write(program_, flows_, log, byte, end);
      if (next < log.entries.size()) {
        const OperationLog::Entry& entry = log.entries[next];
        OriginStep& step = writer.later.emplace().step;
        step.kind = step_kind(flows_[entry.op].kind);
        step.warp = log.warps[entry.warp];
        step.instruction = flows_[entry.op].instruction;
        step.occurrence = entry.occurrence;
        step.lanes = entry.lanes;
      }
    }
  } else {
    StepCapture capture(program_, flows_, options, log, slice);
    if (std::string error = again_.group(capture, target.group); !error.empty()) return base::Error{std::move(error)};
    Joined(flows_, log, slice, capture).move_to(writer, capture);
  }
  if (log.full)
    writer.incomplete = "The block did more than the log of its operations holds.";
  else if (slice.truncated)
    writer.incomplete = "More instructions count than are followed.";
  else if (slice.opaque)
    writer.incomplete =
        "A value comes from a texture or from a reduction over "
        "a block, which is not followed.";
  return writer;
}

base::Result<Writer> LaunchWriters::ask(const WriterQuestion& question) {
  const std::size_t whole = again_.whole_runs(), groups = again_.group_runs();
  std::optional<Target> target;
  if (question.place.kind == ValuePlace::Kind::global) {
    auto found = last_writer(question.place.address, question.before);
    if (!found) return base::Error{found.error()};
    target = *found;
    // The block of the moment may write it later.
    if (!target && question.before) target = Target{again_.group_of_block(question.before->warp.block), 0};
  } else {
    const std::uint64_t block = question.before ? question.before->warp.block : question.place.warp.block;
    target = Target{again_.group_of_block(block), 0};
  }
  Writer writer;
  if (target) {
    auto answered = ask_group(question, *target);
    if (!answered) return answered;
    writer = std::move(*answered);
  } else {
    writer = unwritten(question.place);
  }
  writer.whole_runs = again_.whole_runs() - whole;
  writer.group_runs = again_.group_runs() - groups;
  return writer;
}

}  // namespace warpwalk::gpu
