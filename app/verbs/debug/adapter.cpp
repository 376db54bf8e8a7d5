#include "app/verbs/debug/adapter.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "app/verbs/debug/dump_view.h"
#include "core/base/exact_json.h"

namespace warpwalk::verbs {
namespace {

/// No more than so many warps are threads of the client; a block has at most 32.
constexpr std::int64_t warps_per_thread_block = 64;

std::string stop_reason(const debug::Session& session) {
  using Kind = debug::Breakpoint::Kind;
  switch (session.stop().reason) {
    case debug::StopReason::step:
    case debug::StopReason::thread_end: return "step";
    case debug::StopReason::go_to: return "goto";
    case debug::StopReason::data: return "data breakpoint";
    case debug::StopReason::exception: return "exception";
    case debug::StopReason::entry:
    case debug::StopReason::beginning: return "entry";
    case debug::StopReason::interrupted:
    case debug::StopReason::end: return "pause";
    case debug::StopReason::breakpoint: break;
  }
  for (const auto& breakpoint : session.breakpoints())
    if (std::ranges::find(session.stop().breakpoints, breakpoint->id) != session.stop().breakpoints.end()) {
      if (breakpoint->kind == Kind::function) return "function breakpoint";
      if (breakpoint->kind == Kind::instruction) return "instruction breakpoint";
    }
  return "breakpoint";
}

}  // namespace

DebugAdapter::DebugAdapter(DebugLoader loader, DebugTarget target, std::function<void(std::string_view)> send)
    : loader_(std::move(loader)), target_(std::move(target)), send_(std::move(send)) {}

const std::vector<DebugAdapter::Request>& DebugAdapter::requests() {
  using A = DebugAdapter;
  static const std::vector<Request> all = {
      {"initialize", &A::initialize, false},
      {"launch", &A::launch, false},
      {"attach", &A::launch, false},
      {"configurationDone", &A::configuration_done, true},
      {"disconnect", &A::disconnect, false},
      {"terminate", &A::disconnect, false},
      {"cancel", &A::cancel, false},
      {"restart", &A::restart, true},
      {"pause", &A::pause, true},
      {"setBreakpoints", &A::set_breakpoints, true},
      {"setFunctionBreakpoints", &A::set_function_breakpoints, true},
      {"setInstructionBreakpoints", &A::set_instruction_breakpoints, true},
      {"setExceptionBreakpoints", &A::set_exception_breakpoints, true},
      {"dataBreakpointInfo", &A::data_breakpoint_info, true},
      {"setDataBreakpoints", &A::set_data_breakpoints, true},
      {"breakpointLocations", &A::breakpoint_locations, true},
      {"exceptionInfo", &A::exception_info, true},
      {"continue", &A::run_on, true},
      {"reverseContinue", &A::run_back, true},
      {"next", &A::next, true},
      {"stepIn", &A::step_in, true},
      {"stepOut", &A::step_out, true},
      {"stepBack", &A::step_back, true},
      {"threads", &A::threads, true},
      {"stackTrace", &A::stack_trace, true},
      {"scopes", &A::scopes, true},
      {"variables", &A::variables, true},
      {"evaluate", &A::evaluate, true},
      {"setVariable", &A::set_variable, true},
      {"setExpression", &A::set_expression, true},
      {"writeMemory", &A::write_memory, true},
      {"completions", &A::completions, true},
      {"readMemory", &A::read_memory, true},
      {"disassemble", &A::disassemble, true},
      {"modules", &A::modules, true},
      {"loadedSources", &A::loaded_sources, true},
      {"source", &A::source, true},
      {"warpwalk/goToCycle", &A::go_to_cycle, true},
      {"warpwalk/whoWrote", &A::who_wrote, true},
      {"warpwalk/focus", &A::set_focus, true},
      {"warpwalk/moment", &A::moment, true},
  };
  return all;
}

bool DebugAdapter::handle(std::string_view message) {
  rapidjson::Document document;
  const bool parsed = !base::parse_exact(message, document).IsError();
  const JsonReader request(parsed ? &document : nullptr);
  request_ = request.number("seq").value_or(0);
  command_ = request.text("command");
  answered_ = false;
  hexadecimal_ = request.object("arguments").object("format").truth("hex");
  if (!begin_work()) {
    refuse("cancelled");
    return true;
  }
  struct WorkEnd {
    DebugAdapter& adapter;
    ~WorkEnd() { adapter.end_work(); }
  } const end{*this};
  if (!parsed || command_.empty()) {
    if (request.text("type") == "response" || request.text("type") == "event") return true;
    refuse(parsed ? "the message is no request" : "the message is not JSON");
    return true;
  }
  const auto known = std::ranges::find(requests(), command_, &Request::command);
  if (known == requests().end()) {
    refuse(fmt::format("no request `{}` here", command_));
    return true;
  }
  if (known->needs_session && dump_ != nullptr) {
    try {
      if (!answer_of_dump(request.object("arguments"))) refuse(dump_stands);
    } catch (const Refusal& refusal) {
      refuse(refusal.line);
    }
    return true;
  }
  if (known->needs_session && run_ == nullptr) {
    refuse("nothing is debugged yet; send `launch` first");
    return true;
  }
  try {
    (this->*known->handler)(request.object("arguments"));
    if (!answered_) respond();
  } catch (const Refusal& refusal) {
    refuse(refusal.line);
  }
  return !done_ && !gone_ && (target_.ended != nullptr ? *target_.ended : ended_) == 0;
}

void DebugAdapter::respond(const Body& body) {
  MessageJson json;
  json.object([&] {
    json.member("seq", ++sequence_);
    json.member("type", "response");
    json.member("request_seq", request_);
    json.member("success", true);
    json.member("command", command_);
    if (body) json.object("body", [&] { body(json); });
  });
  answered_ = true;
  send_(json.text());
}

void DebugAdapter::refuse(std::string_view line) {
  MessageJson json;
  json.object([&] {
    json.member("seq", ++sequence_);
    json.member("type", "response");
    json.member("request_seq", request_);
    json.member("success", false);
    json.member("command", command_);
    json.member("message", line);
    json.object("body", [&] {
      json.object("error", [&] {
        json.member("id", 1);
        json.member("format", line);
        json.member("showUser", true);
      });
    });
  });
  answered_ = true;
  send_(json.text());
}

void DebugAdapter::event(std::string_view name, const Body& body) {
  MessageJson json;
  json.object([&] {
    json.member("seq", ++sequence_);
    json.member("type", "event");
    json.member("event", name);
    if (body) json.object("body", [&] { body(json); });
  });
  send_(json.text());
}

void DebugAdapter::initialize(const JsonReader& arguments) {
  progress_ = arguments.truth("supportsProgressReporting");
  lines_from_one_ = arguments.truth("linesStartAt1", true);
  columns_from_one_ = arguments.truth("columnsStartAt1", true);
  invalidates_ = arguments.truth("supportsInvalidatedEvent");
  respond([](MessageJson& json) {
    for (const char* const name : {"supportsConfigurationDoneRequest",
                                   "supportsFunctionBreakpoints",
                                   "supportsConditionalBreakpoints",
                                   "supportsHitConditionalBreakpoints",
                                   "supportsEvaluateForHovers",
                                   "supportsStepBack",
                                   "supportsRestartRequest",
                                   "supportsExceptionInfoRequest",
                                   "supportsExceptionFilterOptions",
                                   "supportsLoadedSourcesRequest",
                                   "supportsModulesRequest",
                                   "supportsTerminateRequest",
                                   "supportsDataBreakpoints",
                                   "supportsReadMemoryRequest",
                                   "supportsDisassembleRequest",
                                   "supportsBreakpointLocationsRequest",
                                   "supportsInstructionBreakpoints",
                                   "supportsSteppingGranularity",
                                   "supportsDelayedStackTraceLoading",
                                   "supportsValueFormattingOptions",
                                   "supportsLogPoints",
                                   "supportsCancelRequest",
                                   "supportsClipboardContext",
                                   "supportsCompletionsRequest",
                                   "supportsSetExpression",
                                   "supportsSetVariable",
                                   "supportsWriteMemoryRequest"})
      json.member(name, true);
    json.array("completionTriggerCharacters", [&] {
      for (const std::string_view after : {" ", ".", "$", "%"}) json.element(after);
    });
    json.array("exceptionBreakpointFilters", [&] {
      for (int i = 0; i <= static_cast<int>(gpu::FindingKind::unsupported); ++i)
        json.object([&] {
          const auto kind = static_cast<gpu::FindingKind>(i);
          std::string label(gpu::name_of(kind));
          std::ranges::replace(label, '_', ' ');
          json.member("filter", gpu::name_of(kind));
          json.member("label", label);
          json.member("default", gpu::ends_launch(kind));
          json.member("supportsCondition", true);
        });
    });
  });
}

void DebugAdapter::launch(const JsonReader& arguments) {
  DebugTarget target = target_;
  if (const std::string program = arguments.text("program"); !program.empty()) target.file = program;
  if (const std::string folder = arguments.text("cwd"); !folder.empty() && target.file.is_relative())
    target.file = std::filesystem::path(folder) / target.file;
  if (target.file.empty()) throw Refusal{"`program` is missing: a launch file, a .cu, a cubin or a walk"};
  if (words::is_core_dump_file(target.file)) return open_dump(target);
  dump_.reset();
  if (const auto number = arguments.number("launch"); number && *number > 0)
    target.launch = static_cast<std::uint64_t>(*number);
  if (const std::string gpu = arguments.text("gpu"); !gpu.empty()) target.gpu = gpu;
  if (const std::string code = arguments.text("code"); !code.empty()) target.code = code;
  if (const std::string grid = arguments.text("grid"); !grid.empty()) target.given.grid = grid;
  if (const std::string block = arguments.text("block"); !block.empty()) target.given.block = block;
  if (const std::string kernel = arguments.text("kernel"); !kernel.empty()) target.given.kernel = kernel;
  if (const rapidjson::Value* const given = arguments.find("args"); given != nullptr && given->IsObject())
    for (const auto& member : given->GetObject())
      if (member.value.IsString()) target.given.arguments[member.name.GetString()] = member.value.GetString();
  arguments.each("args", [&](const rapidjson::Value& argument) {
    if (argument.IsString()) target.arguments.emplace_back(argument.GetString());
  });
  target.device_debug = arguments.truth("deviceDebug", target.device_debug);
  stop_on_entry_ = arguments.truth("stopOnEntry", true);
  target.cancel = &interrupt_;
  if (target.ended == nullptr) target.ended = &ended_;
  target.no_input = true;
  work_began_ = {};  // it is reported from its beginning on
  progressed(0, 1);
  auto loaded = DebugRun::open(loader_, target, control());
  if (!loaded) throw Refusal{interrupt_ ? std::string("cancelled") : loaded.error()};
  run_ = std::move(*loaded);
  configured_ = false;
  moved();
  respond();
  event("initialized");
  const debug::Recording& recording = session().recording();
  event("output", [&](MessageJson& json) {
    json.member("category", "console");
    json.member("output", fmt::format("{}: {}, {} blocks, {} warp instructions in {} cycles{}\n",
                                      recording.program().entry != nullptr ? recording.program().entry->name : "kernel",
                                      recording.loaded().code, recording.blocks(), recording.timing().warp_instructions,
                                      recording.end(), recording.timing().cut ? "; the rest is not simulated" : ""));
  });
}

void DebugAdapter::configuration_done(const JsonReader&) {
  respond();
  if (configured_) return;
  configured_ = true;
  session().restart();
  if (!stop_on_entry_) go(true);
  report_stop();
}

void DebugAdapter::restart(const JsonReader&) {
  session().restart();
  if (!stop_on_entry_) go(true);
  respond();
  report_stop();
}

void DebugAdapter::moved() {
  scopes_.clear();
  frames_.clear();
}

void DebugAdapter::report_stop() {
  moved();
  const debug::Stop& stop = session().stop();
  event("stopped", [&](MessageJson& json) {
    json.member("reason", stop_reason(session()));
    if (!stop.text.empty()) {
      json.member("description", stop.text);
      json.member("text", stop.text);
    }
    json.member("threadId", thread_id(session().focus()));
    json.member("allThreadsStopped", true);
    json.array("hitBreakpointIds", [&] {
      for (const int id : stop.breakpoints) json.element(std::int64_t{id});
    });
  });
}

std::int64_t DebugAdapter::thread_id(const debug::Focus& focus) const {
  return static_cast<std::int64_t>(focus.block) * warps_per_thread_block + focus.warp + 1;
}

debug::Focus DebugAdapter::focus_of_thread(std::int64_t id) {
  const debug::Focus& now = session().focus();
  if (id == thread_id(now)) return now;
  if (id < 1) throw Refusal{fmt::format("no thread {}", id)};
  debug::Focus focus{static_cast<std::uint64_t>((id - 1) / warps_per_thread_block),
                     static_cast<std::uint32_t>((id - 1) % warps_per_thread_block), 0};
  if (!session().recording().sm_of(focus.block) || focus.warp >= session().recording().warps_per_block())
    throw Refusal{fmt::format("no thread {}", id)};
  return focus;
}

void DebugAdapter::take_thread(const JsonReader& arguments) {
  const auto id = arguments.number("threadId");
  if (!id) return;
  if (const debug::Focus focus = focus_of_thread(*id); !(focus == session().focus()))
    if (const auto done = session().set_focus(focus); !done) throw Refusal{done.error()};
}

void DebugAdapter::run_on(const JsonReader&) {
  respond([](MessageJson& json) { json.member("allThreadsContinued", true); });
  go(true);
  report_stop();
}

void DebugAdapter::run_back(const JsonReader&) {
  respond();
  go(false);
  report_stop();
}

void DebugAdapter::step(const JsonReader& arguments, debug::StepKind kind, bool forward) {
  take_thread(arguments);
  const bool instruction = arguments.text("granularity") == "instruction";
  respond();
  session().step(kind, instruction ? debug::StepUnit::instruction : debug::StepUnit::line, forward);
  report_stop();
}

void DebugAdapter::next(const JsonReader& arguments) { step(arguments, debug::StepKind::over, true); }
void DebugAdapter::step_in(const JsonReader& arguments) { step(arguments, debug::StepKind::in, true); }
void DebugAdapter::step_out(const JsonReader& arguments) { step(arguments, debug::StepKind::out, true); }
void DebugAdapter::step_back(const JsonReader& arguments) { step(arguments, debug::StepKind::in, false); }

void DebugAdapter::go_to_cycle(const JsonReader& arguments) {
  const auto cycle = arguments.number("cycle");
  if (!cycle || *cycle < 0) throw Refusal{"`cycle` is missing: a whole number"};
  take_thread(arguments);
  respond();
  session().go_to_cycle(*cycle);
  report_stop();
}

void DebugAdapter::set_focus(const JsonReader& arguments) {
  debug::Focus focus = session().focus();
  const auto three = [&](const char* name, std::array<std::uint32_t, 3>& into) {
    if (arguments.find(name) == nullptr) return false;
    std::size_t i = 0;
    arguments.each(name, [&](const rapidjson::Value& number) {
      if (i < 3 && number.IsUint()) into[i++] = number.GetUint();
    });
    if (i == 0) throw Refusal{fmt::format("`{}` is an array of up to three numbers", name)};
    return true;
  };
  const debug::Recording& recording = session().recording();
  std::array<std::uint32_t, 3> block{}, thread{};
  if (three("block", block)) focus.block = recording.block_number(block);
  if (three("thread", thread)) {
    const auto& size = recording.before().block;
    for (std::size_t i = 0; i < 3; ++i)
      if (thread[i] >= size[i]) throw Refusal{"no such thread in the block"};
    const std::uint32_t number = thread[0] + size[0] * (thread[1] + size[1] * thread[2]);
    focus.warp = number / 32;
    focus.lane = static_cast<int>(number % 32);
  }
  if (const auto warp = arguments.number("warp"); warp && *warp >= 0 && *warp < 64)
    focus.warp = static_cast<std::uint32_t>(*warp);
  if (const auto lane = arguments.number("lane"); lane && *lane >= 0 && *lane < 64)
    focus.lane = static_cast<int>(*lane);
  if (const auto done = session().set_focus(focus); !done) throw Refusal{done.error()};
  respond([&](MessageJson& json) {
    json.member("threadId", thread_id(session().focus()));
    json.member("thread", session().thread_text(session().focus()));
  });
  report_stop();
}

void DebugAdapter::who_wrote(const JsonReader& arguments) {
  take_thread(arguments);
  debug::WriterRequest request;
  request.expression = arguments.text("expression");
  if (arguments.truth("nan")) request.kind = debug::WriterRequest::Kind::nan;
  if (arguments.truth("address")) request.kind = debug::WriterRequest::Kind::address;
  if (const auto read = arguments.number("read")) {
    if (*read < 0) throw Refusal{"the last answer has no such read"};
    request.kind = debug::WriterRequest::Kind::read;
    request.number = static_cast<std::size_t>(*read);
  }
  const auto answer = session().who_wrote(request);
  if (!answer) throw Refusal{answer.error()};
  const auto write_place = [&](MessageJson& json, const debug::WriterPlace& place) {
    const debug::CodeLine& line = session().code().line_of(place.instruction);
    if (line.line != 0) {
      write_source(json, line.file);
      json.member("line", shown_line(line.line));
    }
    json.member("instruction", session().code().text_of(place.instruction));
    json.member("threadId", thread_id(place.thread));
    json.member("thread", session().thread_text(place.thread));
    if (place.at) json.member("cycle", place.at->cycle);
    if (!place.value.empty()) json.member("value", place.value);
  };
  respond([&](MessageJson& json) {
    json.member("written", answer->written());
    if (!answer->written()) {
      json.member("before", answer->was_input ? "in memory before the launch" : "never written");
      if (answer->later) json.object("later", [&] { write_place(json, *answer->later); });
      return;
    }
    write_place(json, answer->steps[answer->found]);
    json.array("steps", [&] {
      for (const debug::WriterPlace& step : answer->steps) json.object([&] { write_place(json, step); });
    });
    json.array("reads", [&] {
      for (const debug::WriterAnswer::Read& read : answer->reads)
        json.object([&] {
          const debug::CodeLine& line = session().code().line_of(answer->steps[read.step].instruction);
          json.member("expression", read.place);
          json.member("value", read.value);
          json.member("step", read.step);
          if (line.line != 0) json.member("line", shown_line(line.line));
        });
    });
    if (!answer->incomplete.empty()) json.member("incomplete", answer->incomplete);
  });
  if (!answer->written() || !arguments.truth("go", true)) return;
  if (const debug::WriterPlace& found = answer->steps[answer->found]; found.at) {
    session().go_to(*found.at, found.thread.lane);
    report_stop();
  }
}

}  // namespace warpwalk::verbs
