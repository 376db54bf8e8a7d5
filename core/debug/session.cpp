#include "core/debug/session.h"

#include <algorithm>
#include <bit>
#include <set>

#include <fmt/format.h>

#include "core/debug/tiles.h"
#include "core/gpu/exec/address_space.h"

namespace warpwalk::debug {
namespace {

std::string_view last_part(std::string_view path) { return path.substr(path.find_last_of("/\\") + 1); }

int lane_or_first(std::uint32_t lanes, int lane) {
  if (lane >= 0 && lane < 32 && (lanes >> lane & 1) != 0) return lane;
  return lanes == 0 ? 0 : std::countr_zero(lanes);
}

}  // namespace

Session::Session(std::unique_ptr<Recording> recording) : recording_(std::move(recording)) { restart(); }

std::optional<std::uint32_t> Session::next_instruction(std::uint64_t block, std::uint32_t warp) const {
  const auto sm = recording_->sm_of(block);
  if (!sm) return {};
  const auto issue = recording_->log(*sm).first_of_warp(block, warp, at_.cycle);
  if (!issue) return {};
  return recording_->log(*sm).issues()[*issue].instruction;
}

std::optional<std::uint32_t> Session::next_instruction() const {
  if (!here_) return {};
  return recording_->log(*recording_->sm_of(focus_.block)).issues()[*here_].instruction;
}

Moment Session::moment(const Focus& focus, std::size_t frame) {
  Moment made(*recording_, at_.cycle, focus.block, focus.warp, focus.lane);
  const bool of_focus = focus.block == focus_.block && focus.warp == focus_.warp;
  made.select_frame(frame + (of_focus ? hidden_frames() : 0));
  return made;
}

/// Calls that are inlined at the next instruction and not shown as entered.
std::size_t Session::hidden_frames() const {
  const auto instruction = next_instruction();
  const unsigned depth = instruction ? code().inline_depth(*instruction) : 0;
  return depth - std::min(depth_, depth);
}

void Session::find_here() {
  here_.reset();
  const auto sm = recording_->sm_of(focus_.block);
  if (sm) here_ = recording_->log(*sm).first_of_warp(focus_.block, focus_.warp, at_.cycle);
  if (here_) depth_ = depth_of(*here_);
}

base::Result<void> Session::set_focus(const Focus& focus) {
  if (!recording_->sm_of(focus.block) || focus.warp >= recording_->warps_per_block() || focus.lane < 0 ||
      focus.lane > 31 || 32 * focus.warp + static_cast<std::uint32_t>(focus.lane) >= recording_->threads_per_block())
    return base::Error{fmt::format("no such thread: blocks are 0 to {}, warps 0 to {}, lanes 0 to 31",
                                   recording_->blocks() - 1, recording_->warps_per_block() - 1)};
  focus_ = focus;
  find_here();
  return {};
}

std::vector<std::uint64_t> Session::resident_blocks() const {
  std::vector<std::uint64_t> blocks;
  const gpu::LaunchTiming& timing = recording_->timing();
  for (std::uint64_t block = 0; block < recording_->blocks(); ++block)
    if (recording_->sm_of(block) && timing.start[block] <= static_cast<double>(at_.cycle) &&
        (timing.end[block] >= static_cast<double>(at_.cycle) || timing.end[block] <= timing.start[block]))
      blocks.push_back(block);
  return blocks;
}

const Stop& Session::stand(const Position& at, int lane, Stop stop) {
  at_ = at;
  first_.reset();
  const gpu::WarpPlace warp = recording_->warp_at(at);
  focus_ = {warp.block, warp.warp, lane_or_first(recording_->issue_at(at).lanes, lane)};
  here_ = at.issue;
  depth_ = depth_of(at.issue);
  stop_ = std::move(stop);
  return stop_;
}

unsigned Session::depth_of(std::size_t issue) const {
  return code().inline_depth(recording_->log(*recording_->sm_of(focus_.block)).issues()[issue].instruction);
}

std::vector<StackFrame> Session::stack() {
  const auto instruction = next_instruction();
  if (!instruction) return {};
  std::vector<StackFrame> stack = moment().stack(*instruction);
  const std::size_t hidden = std::min(hidden_frames(), stack.size());
  stack.erase(stack.begin(), stack.begin() + static_cast<std::ptrdiff_t>(hidden));
  return stack;
}

const Stop& Session::stand_at_end(StopReason reason) {
  const bool cut = recording_->timing().cut;
  at_ = {static_cast<std::uint32_t>(recording_->end()), 0, 0};
  first_.reset();
  here_.reset();
  stop_ = {reason,
           cut                            ? "only these cycles were simulated"
           : recording_->timing().stopped ? "an error ended the launch, or its warps wait for one another"
                                          : "the launch has ended",
           {}};
  return stop_;
}

const Stop& Session::restart() {
  std::optional<Position> first;
  for (std::uint16_t sm = 0; sm < recording_->sms(); ++sm)
    if (!recording_->log(sm).issues().empty())
      if (const Position at = recording_->position(sm, 0); !first || at < *first) first = at;
  if (!first) return stand_at_end(StopReason::end);
  // The first block of the grid, if it is among those that start.
  if (const auto sm = recording_->sm_of(0); sm)
    if (const auto issue = recording_->log(*sm).first_of_warp(0, 0, 0);
        issue && recording_->position(*sm, *issue).cycle <= first->cycle + 64)
      first = recording_->position(*sm, *issue);
  stand(*first, 0, {StopReason::entry, "the launch begins", {}});
  first_ = Position{};
  return stop_;
}

std::string Session::thread_text(const Focus& focus) const {
  const auto block = recording_->block_id(focus.block);
  const Moment thread(*recording_, at_.cycle, focus.block, focus.warp, focus.lane);
  const auto id = thread.thread_id();
  return fmt::format("block ({},{},{}), thread ({},{},{}), warp {}, lane {}", block[0], block[1], block[2], id[0],
                     id[1], id[2], focus.warp, focus.lane);
}

std::string Session::place_text(std::uint32_t instruction) const {
  const CodeLine& line = code().line_of(instruction);
  if (line.line == 0) return fmt::format("{:#x}", code().address_of(instruction));
  return fmt::format("{}:{}", last_part(code().files()[line.file]), line.line);
}

std::string Session::hit_text(const Breakpoint& breakpoint, const Breakpoint::Hit& hit) {
  if (breakpoint.kind == Breakpoint::Kind::exception) {
    const auto findings = recording_->findings(breakpoint.finding);
    if (!findings || hit.note >= (*findings)->size()) return {};
    const gpu::Finding& finding = (**findings)[hit.note];
    const std::string of_tile = tiles_ ? tiles_->of_finding(*recording_, finding) : std::string();
    return of_tile.empty() ? finding.message : fmt::format("{}; {}", finding.message, of_tile);
  }
  if (breakpoint.kind != Breakpoint::Kind::data) return fmt::format("breakpoint {}", breakpoint.id);
  const auto change = change_at(*recording_, breakpoint.place, hit.at);
  if (!change || change->before == change->after) return fmt::format("{} is accessed", breakpoint.name);
  ops::DType type = breakpoint.place.bytes == 8   ? ops::DType::u64
                    : breakpoint.place.bytes == 4 ? ops::DType::u32
                    : breakpoint.place.bytes == 2 ? ops::DType::u16
                                                  : ops::DType::u8;
  Moment thread = moment();
  if (breakpoint.place.kind == gpu::ValuePlace::Kind::lane_register) {
    // A register of PTX has a type, and so has a variable of the source.
    if (const auto value = thread.find(breakpoint.name); value && value->kind == Value::Kind::real)
      type = breakpoint.place.bytes == 8 ? ops::DType::f64 : breakpoint.place.bytes == 4 ? ops::DType::f32 : type;
  } else if (const auto parsed = Expression::parse(breakpoint.name)) {
    const auto place = parsed->place(thread);
    if (place && place->pointer.kind == Value::Kind::pointer &&
        ops::bytes_of(place->pointer.element) == breakpoint.place.bytes)
      type = place->pointer.element;
  }
  const auto text = [&](const std::vector<std::uint8_t>& bytes) {
    if (bytes.size() < ops::bytes_of(type)) return std::string("?");
    return text_of(value_of_bits(type, ops::load_bits(type, bytes.data())));
  };
  return fmt::format("{} changes from {} to {}", breakpoint.name, text(change->before), text(change->after));
}

const Stop& Session::run(bool forward) {
  // Where it stands if the search is interrupted.
  const auto stay = [&]() -> const Stop& {
    stop_ = {StopReason::interrupted, "interrupted; it stands where it stood", {}};
    return stop_;
  };
  std::optional<Breakpoint::Hit> nearest;
  std::vector<const Breakpoint*> here;
  std::string error;
  for (const auto& breakpoint : breakpoints_) {
    const auto hit =
        next_hit(*recording_, *breakpoint, forward ? first_.value_or(at_) : at_, forward, first_.has_value(), error);
    if (!hit) continue;
    if (nearest && hit->at == nearest->at) {
      here.push_back(breakpoint.get());
    } else if (!nearest || (forward ? hit->at < nearest->at : nearest->at < hit->at)) {
      nearest = hit;
      here = {breakpoint.get()};
    }
  }
  if (recording_->cancelled()) return stay();
  if (!nearest) {
    if (forward) {
      stand_at_end(StopReason::end);
    } else {
      restart();
      stop_ = {StopReason::beginning, "the beginning of the launch", {}};
    }
    if (!error.empty()) stop_.text += fmt::format("; a condition has no value: {}", error);
    return stop_;
  }
  Stop stop;
  stop.reason = StopReason::breakpoint;
  for (const Breakpoint* const breakpoint : here) {
    stop.breakpoints.push_back(breakpoint->id);
    if (breakpoint->kind == Breakpoint::Kind::exception) stop.reason = StopReason::exception;
    if (breakpoint->kind == Breakpoint::Kind::data && stop.reason != StopReason::exception)
      stop.reason = StopReason::data;
  }
  stand(nearest->at, nearest->lane, std::move(stop));
  for (const Breakpoint* const breakpoint : here) {
    if (!stop_.text.empty()) stop_.text += "; ";
    stop_.text += hit_text(*breakpoint, *nearest);
  }
  return stop_;
}

bool Session::line_changed(std::uint32_t from, std::uint32_t to, StepKind kind, int calls, unsigned before) const {
  const CodeMap& map = code();
  const unsigned now = map.inline_depth(to);
  if (calls < 0) return true;
  switch (kind) {
    case StepKind::in:
      return map.line_of(to).line != 0 && (calls != 0 || before != now || !(map.line_of(from) == map.line_of(to)));
    case StepKind::over:
      if (calls > 0) return false;
      if (now < before) return map.line_of(to).line != 0;
      return map.line_at(to, before).line != 0 && !(map.line_at(to, before) == map.line_at(from, before));
    case StepKind::out: return calls == 0 && now < before;
  }
  return true;
}

const Stop& Session::step(StepKind kind, StepUnit unit, bool forward) {
  const auto sm = recording_->sm_of(focus_.block);
  if (!sm) return stop_;
  const SmLog& log = recording_->log(*sm);
  const auto after = [&](std::size_t issue) {
    return forward ? log.next_of_warp(issue, focus_.lane) : log.previous_of_warp(issue, focus_.lane);
  };
  const auto ended = [&]() -> const Stop& {
    const auto last = log.last_of_warp(focus_.block, focus_.warp);
    const int lane = focus_.lane;
    if (last) at_ = {log.issues()[*last].cycle + 1, 0, 0};
    first_ = at_;
    here_.reset();
    focus_.lane = lane;
    const bool runs_on = recording_->timing().cut && moment().live_lanes() != 0;
    stop_ = {StopReason::thread_end, runs_on ? "only these cycles were simulated" : "the thread has ended", {}};
    return stop_;
  };
  if (!here_) {
    if (forward) return ended();
    // From the end of the thread back to its last instruction.
    auto last = log.last_of_warp(focus_.block, focus_.warp);
    if (last && (log.issues()[*last].lanes >> focus_.lane & 1) == 0) last = log.previous_of_warp(*last, focus_.lane);
    if (!last) return stop_;
    here_ = last;
    if (unit == StepUnit::instruction)
      return stand(recording_->position(*sm, *last), focus_.lane, {StopReason::step, {}, {}});
  } else {
    // The place is that of another lane or of the warp: go on from the lane's own.
    const auto first = after(*here_);
    if (!first) {
      if (forward) return ended();
      return stand(recording_->position(*sm, *here_), focus_.lane,
                   {StopReason::beginning, "the thread begins here", {}});
    }
    if (unit == StepUnit::instruction && kind != StepKind::out) {
      std::size_t at = *first;
      if (kind == StepKind::over) {
        // Over a call: to the instruction after it.
        int calls = 0;
        std::size_t from = *here_;
        for (auto next = first; next; next = after(*next)) {
          const std::uint32_t a = log.issues()[forward ? from : *next].instruction;
          const std::uint32_t b = log.issues()[forward ? *next : from].instruction;
          const int enters = code().is_call(a) && b != a + 1 ? 1 : code().is_return(a) && b != a + 1 ? -1 : 0;
          calls += forward ? enters : -enters;
          at = *next;
          from = *next;
          if (calls <= 0) break;
        }
      }
      return stand(recording_->position(*sm, at), focus_.lane, {StopReason::step, {}, {}});
    }
    const std::uint32_t start = log.issues()[*here_].instruction;
    const unsigned depth = depth_;
    if (kind == StepKind::in && depth < depth_of(*here_) && forward) {
      // Into a call that is inlined: nothing moves.
      ++depth_;
      stop_ = {StopReason::step, {}, {}};
      return stop_;
    }
    int calls = 0;
    std::size_t from = *here_;
    std::optional<std::size_t> found;
    for (auto next = first; next; next = after(*next)) {
      const std::uint32_t a = log.issues()[forward ? from : *next].instruction;
      const std::uint32_t b = log.issues()[forward ? *next : from].instruction;
      const int enters = code().is_call(a) && b != a + 1 ? 1 : code().is_return(a) && b != a + 1 ? -1 : 0;
      calls += forward ? enters : -enters;
      from = *next;
      if (line_changed(start, log.issues()[*next].instruction, kind, calls, depth)) {
        found = next;
        break;
      }
    }
    if (!found) {
      if (forward) return ended();
      // Nothing before has another line: the thread's first instruction.
      return stand(recording_->position(*sm, from), focus_.lane, {StopReason::beginning, "the thread begins here", {}});
    }
    here_ = found;
    if (forward) {
      stand(recording_->position(*sm, *found), focus_.lane, {StopReason::step, {}, {}});
      if (kind != StepKind::in) depth_ = std::min(depth_, depth);
      return stop_;
    }
  }
  // Back: to the first instruction of the run of this line.
  const std::uint32_t line = log.issues()[*here_].instruction;
  const StepKind run_kind = kind == StepKind::out ? StepKind::over : kind;
  const unsigned depth = kind == StepKind::in ? depth_of(*here_) : std::min(depth_, depth_of(*here_));
  int calls = 0;
  std::size_t begin = *here_, from = *here_;
  for (auto before = log.previous_of_warp(*here_, focus_.lane); before;
       before = log.previous_of_warp(*before, focus_.lane)) {
    const std::uint32_t a = log.issues()[*before].instruction, b = log.issues()[from].instruction;
    const int enters = code().is_call(a) && b != a + 1 ? 1 : code().is_return(a) && b != a + 1 ? -1 : 0;
    calls -= enters;
    from = *before;
    if (line_changed(line, a, run_kind, calls, depth)) break;
    if (calls == 0 && code().line_of(a).line != 0) begin = *before;
  }
  stand(recording_->position(*sm, begin), focus_.lane, {StopReason::step, {}, {}});
  depth_ = std::min(depth_, depth);
  return stop_;
}

const Stop& Session::go_to_cycle(std::int64_t cycle) {
  at_ = {static_cast<std::uint32_t>(std::clamp<std::int64_t>(cycle, 0, recording_->end())), 0, 0};
  first_ = at_;
  find_here();
  stop_ = {StopReason::go_to, fmt::format("cycle {}", at_.cycle), {}};
  return stop_;
}

const Stop& Session::go_to(const Position& at, int lane) { return stand(at, lane, {StopReason::go_to, {}, {}}); }

Breakpoint& Session::add(Breakpoint::Kind kind, std::string_view condition, std::string_view hits) {
  Breakpoint& made = *breakpoints_.emplace_back(std::make_unique<Breakpoint>());
  made.id = ++last_id_;
  made.kind = kind;
  made.verified = true;
  if (!condition.empty()) {
    made.condition_text = condition;
    auto parsed = Expression::parse(condition);
    if (parsed) {
      made.condition = std::move(*parsed);
    } else {
      made.verified = false;
      made.message = fmt::format("the condition cannot be read: {}", parsed.error());
    }
  }
  if (!hits.empty()) {
    made.hits_text = hits;
    if (!parse_hit_rule(hits)) {
      made.verified = false;
      made.message = fmt::format("the hit count `{}` cannot be read: write 5, >= 5, > 5, < 5 or % 5", hits);
    }
  }
  return made;
}

const Breakpoint& Session::add_line(std::string_view file, std::uint32_t line, std::string_view condition,
                                    std::string_view hits) {
  Breakpoint& made = add(Breakpoint::Kind::line, condition, hits);
  made.file = file;
  made.line = line;
  for (const std::uint32_t index : code().files_named(file)) {
    const std::uint32_t moved = code().line_with_code(index, line);
    if (moved == 0) continue;
    made.file_index = index;
    made.line = moved;
    made.instructions = code().instructions_of(index, moved);
    return made;
  }
  if (made.verified) {
    made.verified = false;
    std::string known;
    for (const std::string& name : code().files()) known += (known.empty() ? "" : ", ") + std::string(last_part(name));
    made.message = code().files_named(file).empty()
                       ? fmt::format("the code has no lines of this file; it has lines of {}", known)
                       : "no line with code from here on";
  }
  return made;
}

const Breakpoint& Session::add_function(std::string_view name, std::string_view condition, std::string_view hits) {
  Breakpoint& made = add(Breakpoint::Kind::function, condition, hits);
  made.name = name;
  made.instructions = code().entries_of(name);
  if (!made.instructions.empty()) {
    const CodeLine& at = code().line_of(made.instructions.front());
    made.file_index = at.file;
    made.line = at.line;
  } else if (made.verified) {
    made.verified = false;
    std::string known;
    for (const std::string& function : code().functions()) known += (known.empty() ? "" : ", ") + function;
    made.message = fmt::format("no function `{}` that is not inlined; there are: {}", name, known);
  }
  return made;
}

const Breakpoint& Session::add_instruction(std::uint64_t address, std::string_view condition, std::string_view hits) {
  Breakpoint& made = add(Breakpoint::Kind::instruction, condition, hits);
  for (std::uint32_t i = 0; i < code().size(); ++i)
    if (code().address_of(i) == address) made.instructions.push_back(i);
  if (made.instructions.empty() && made.verified) {
    made.verified = false;
    made.message = fmt::format("no instruction at {:#x}", address);
  }
  return made;
}

const Breakpoint& Session::add_data(std::string_view expression, std::uint32_t bytes, Breakpoint::Access access,
                                    std::string_view condition, std::string_view hits) {
  Breakpoint& made = add(Breakpoint::Kind::data, condition, hits);
  made.name = expression;
  made.access = access;
  const auto refuse = [&](std::string_view why) {
    if (made.verified) made.message = why;
    made.verified = false;
  };
  const auto parsed = Expression::parse(expression);
  if (!parsed) {
    refuse(parsed.error());
    return made;
  }
  Moment thread = moment();
  std::optional<gpu::ValuePlace> place = thread.register_place(parsed->name());
  if (place && !recording_->program().machine_code && access != Breakpoint::Access::change) {
    refuse("of registers of PTX, changes can be watched, not reads");
    return made;
  }
  if (!place) {
    const auto at = parsed->place(thread);
    if (!at) {
      refuse(at.error());
      return made;
    }
    place = thread.place_of(at->pointer, std::max<std::int64_t>(0, at->index));
  }
  if (!place) {
    refuse("it has no place in memory: write a[3], *p or a register");
    return made;
  }
  made.place = *place;
  if (bytes > 0 && place->kind != gpu::ValuePlace::Kind::lane_register) made.place.bytes = std::min(bytes, 4096U);
  return made;
}

const Breakpoint& Session::add_exception(gpu::FindingKind kind, std::string_view condition) {
  Breakpoint& made = add(Breakpoint::Kind::exception, condition, {});
  made.finding = kind;
  made.name = gpu::name_of(kind);
  return made;
}

void Session::copy_breakpoints(const Session& from) {
  breakpoints_.clear();
  for (const auto& of : from.breakpoints_) {
    last_id_ = of->id - 1;
    switch (of->kind) {
      case Breakpoint::Kind::line: add_line(of->file, of->line, of->condition_text, of->hits_text); break;
      case Breakpoint::Kind::function: add_function(of->name, of->condition_text, of->hits_text); break;
      case Breakpoint::Kind::instruction:
        add_instruction(of->instructions.empty() ? 0 : from.code().address_of(of->instructions.front()),
                        of->condition_text, of->hits_text);
        break;
      case Breakpoint::Kind::data:
        add_data(of->name, of->place.bytes, of->access, of->condition_text, of->hits_text);
        break;
      case Breakpoint::Kind::exception: add_exception(of->finding, of->condition_text); break;
    }
    breakpoints_.back()->log_message = of->log_message;
  }
  last_id_ = from.last_id_;
}

void Session::set_log_message(int id, std::string text) {
  for (const auto& breakpoint : breakpoints_)
    if (breakpoint->id == id) breakpoint->log_message = std::move(text);
}

bool Session::remove(int id) {
  return std::erase_if(breakpoints_, [&](const auto& breakpoint) { return breakpoint->id == id; }) > 0;
}

void Session::remove(Breakpoint::Kind kind) {
  std::erase_if(breakpoints_, [&](const auto& breakpoint) { return breakpoint->kind == kind; });
}

void Session::remove_lines(std::string_view file) {
  std::erase_if(breakpoints_, [&](const auto& breakpoint) {
    return breakpoint->kind == Breakpoint::Kind::line && last_part(breakpoint->file) == last_part(file);
  });
}

base::Result<Value> Session::evaluate(std::string_view expression, const Focus& focus, std::size_t frame) {
  const auto parsed = Expression::parse(expression);
  if (!parsed) return base::Error{parsed.error()};
  Moment thread = moment(focus, frame);
  return parsed->evaluate(thread);
}

}  // namespace warpwalk::debug
