// Answers who wrote a value, with core/gpu/history/writer, and finds the cycles of the instructions.
#include <bit>

#include <fmt/format.h>

#include "core/debug/session.h"
#include "core/gpu/exec/address_space.h"
#include "core/gpu/history/writer/nan_source.h"

namespace warpwalk::debug {
namespace {

/// The buffer of the launch file that an address is in.
const run::BufferSpec* buffer_at(const Recording& recording, std::uint64_t address, std::uint64_t& offset) {
  const auto& buffers = recording.loaded().file.buffers;
  for (std::size_t i = 0; i < buffers.size() && i < recording.buffer_addresses().size(); ++i) {
    offset = address - recording.buffer_addresses()[i];
    if (address >= recording.buffer_addresses()[i] && offset < buffers[i].bytes()) return &buffers[i];
  }
  return nullptr;
}

/// An expression for a place, if there is one that the debugger can read.
std::string place_name(const Recording& recording, const gpu::ValuePlace& place) {
  const std::string_view type = place.bytes == 8 ? "u64" : place.bytes == 2 ? "u16" : place.bytes == 1 ? "u8" : "u32";
  const auto in_window = [&](std::string_view name, std::uint64_t offset) {
    const std::uint64_t bytes = ops::bytes_of(*ops::dtype_of(type));
    if (offset % bytes == 0) return fmt::format("(({}*){})[{}]", type, name, offset / bytes);
    return fmt::format("*({}*)({} + {})", type, name, offset);
  };
  switch (place.kind) {
    case gpu::ValuePlace::Kind::shared:
      return in_window("shared", (place.address & (gpu::window_bytes - 1)) - gpu::shared_begin);
    case gpu::ValuePlace::Kind::local: return in_window("local", place.address);
    case gpu::ValuePlace::Kind::lane_register:
      if (!recording.program().machine_code) return "a register";
      return fmt::format("R{}", (place.address - recording.program().machine_code->frame.general) / 128);
    case gpu::ValuePlace::Kind::global: break;
  }
  std::uint64_t offset = 0;
  if (const run::BufferSpec* const buffer = buffer_at(recording, place.address, offset))
    return fmt::format("{}[{}]", buffer->name, offset / ops::bytes_of(buffer->dtype));
  return fmt::format("*({}*){:#x}", type, place.address);
}

std::string read_value(const Recording& recording, const gpu::ReadBytes& read) {
  if (!read.known) return {};
  ops::DType type = read.place.bytes == 8 ? ops::DType::u64 : ops::DType::u32;
  std::uint64_t offset = 0;
  if (read.place.kind == gpu::ValuePlace::Kind::global)
    if (const run::BufferSpec* const buffer = buffer_at(recording, read.place.address, offset);
        buffer != nullptr && ops::bytes_of(buffer->dtype) == read.place.bytes)
      type = buffer->dtype;
  std::string text = text_of(value_of_bits(type, read.value));
  if (type == ops::DType::u32)
    text += fmt::format(" {}f", std::bit_cast<float>(static_cast<std::uint32_t>(read.value)));
  return text;
}

WriterPlace place_of_step(const Recording& recording, const gpu::WriterStep& step) {
  WriterPlace place;
  place.instruction = step.step.instruction;
  place.thread = {step.step.warp.block, step.step.warp.warp,
                  step.step.lanes == 0 ? 0 : std::countr_zero(step.step.lanes)};
  place.at = recording.nth_issue(place.thread.block, place.thread.warp, place.instruction, step.step.occurrence);
  if (!step.values.empty()) {
    const std::uint64_t bits = step.values.front();
    place.value = fmt::format("{:#x}", bits);
    if (bits >> 32 == 0) place.value += fmt::format(" {}f", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  return place;
}

/// The lane of a step that writes a place in memory: a step is of all lanes.
void find_lane(const Recording& recording, const gpu::ValuePlace& place, WriterPlace& writer) {
  if (!writer.at || place.kind == gpu::ValuePlace::Kind::lane_register) return;
  const SmLog& log = recording.log(writer.at->sm);
  for (const AccessRow& access : log.accesses_of(writer.at->issue))
    if (const std::uint32_t lanes = access.writes ? log.lanes_touching(access, place.address, place.bytes) : 0;
        lanes != 0 && log.pattern_of(access).mask != 0)
      writer.thread.lane = std::countr_zero(lanes);
}

}  // namespace

base::Result<gpu::LaunchMoment> Session::now() const {
  if (!here_) return base::Error{"the thread has ended; look at one that has not, or go to the end of the launch"};
  const Position at = recording_->position(*recording_->sm_of(focus_.block), *here_);
  return gpu::LaunchMoment{{focus_.block, focus_.warp},
                           recording_->issue_at(at).instruction,
                           static_cast<std::uint32_t>(recording_->occurrence_of(at))};
}

base::Result<gpu::WriterQuestion> Session::question_of(std::string_view expression) {
  const auto parsed = Expression::parse(expression);
  if (!parsed) return base::Error{parsed.error()};
  Moment thread = moment();
  gpu::WriterQuestion question;
  if (const auto in_register = thread.register_place(parsed->name())) {
    question.place = *in_register;
  } else {
    const auto at = parsed->place(thread);
    if (!at) return base::Error{at.error()};
    const auto place = thread.place_of(at->pointer, std::max<std::int64_t>(0, at->index));
    if (!place) return base::Error{"it has no place in memory: write a[3], *p or a register"};
    question.place = *place;
  }
  // At the end of the launch, what it leaves in global memory.
  if (at_.cycle >= recording_->end() && question.place.kind == gpu::ValuePlace::Kind::global) return question;
  const auto before = now();
  if (!before) return base::Error{before.error()};
  question.before = *before;
  return question;
}

base::Result<WriterAnswer> Session::who_wrote(const WriterRequest& request) {
  gpu::WriterQuestion question;
  switch (request.kind) {
    case WriterRequest::Kind::value:
    case WriterRequest::Kind::nan: {
      auto asked = question_of(request.expression);
      if (!asked) return base::Error{asked.error()};
      question = *asked;
      break;
    }
    case WriterRequest::Kind::read:
      if (request.number >= answer_.reads.size()) return base::Error{"the last answer has no such read"};
      question = gpu::question_about(answer_, answer_.reads[request.number]);
      break;
    case WriterRequest::Kind::address: {
      const auto before = now();
      if (!before) return base::Error{before.error()};
      question.place.kind = gpu::ValuePlace::Kind::lane_register;
      question.place.warp = {focus_.block, focus_.warp};
      question.place.lane = focus_.lane;
      question.before = *before;
      question.address = true;
      break;
    }
  }
  WriterAnswer made;
  if (request.kind == WriterRequest::Kind::nan) {
    auto source = gpu::find_nan_source(recording_->writers(), question, gpu::NumberFormat::f32);
    if (!source) return base::Error{source.error()};
    made.found = source->step;
    answer_ = std::move(source->writer);
    // Functions of the compiler have no lines; the instruction that uses the result has one.
    if (answer_.written() && code().line_of(answer_.steps[made.found].step.instruction).line == 0 &&
        !source->path.empty())
      made.found = source->path.back();
  } else {
    auto answer = recording_->writers().ask(question);
    if (!answer) return base::Error{answer.error()};
    answer_ = std::move(*answer);
    if (answer_.written()) made.found = answer_.steps.size() - 1;
  }
  for (const gpu::WriterStep& step : answer_.steps) made.steps.push_back(place_of_step(*recording_, step));
  if (answer_.later) {
    made.later = place_of_step(*recording_, *answer_.later);
    find_lane(*recording_, question.place, *made.later);
  }
  made.was_input = answer_.before == gpu::Writer::Before::input;
  made.incomplete = answer_.incomplete;
  for (const gpu::ReadBytes& read : answer_.reads)
    made.reads.push_back({place_name(*recording_, read.place), read_value(*recording_, read), read.step});
  return made;
}

}  // namespace warpwalk::debug
