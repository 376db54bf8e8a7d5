// Threads, stacks, variables and memory.
#include <algorithm>
#include <bit>
#include <charconv>

#include <fmt/format.h>

#include "app/verbs/debug/adapter.h"
#include "core/base/base64.h"

namespace warpwalk::verbs {
namespace {

using NameKind = debug::Moment::Kind;

constexpr std::int64_t most_variables = 4096;
constexpr std::int64_t most_memory = std::int64_t{1} << 20;
constexpr std::int64_t most_instructions = 10'000;

}  // namespace

void DebugAdapter::threads(const JsonReader&) {
  const debug::Recording& recording = session().recording();
  const debug::Focus& focus = session().focus();
  const auto id = recording.block_id(focus.block);
  respond([&](MessageJson& json) {
    json.array("threads", [&] {
      for (std::uint32_t warp = 0; warp < recording.warps_per_block(); ++warp)
        json.object([&] {
          const std::uint32_t last = std::min(32 * warp + 31, recording.threads_per_block() - 1);
          json.member("id", thread_id({focus.block, warp, 0}));
          json.member("name", fmt::format("block ({},{},{}) warp {}: threads {} to {}", id[0], id[1], id[2], warp,
                                          32 * warp, last));
        });
    });
  });
}

void DebugAdapter::stack_trace(const JsonReader& arguments) {
  const auto id = arguments.number("threadId");
  if (!id) throw Refusal{"`threadId` is missing"};
  debug::Focus focus = focus_of_thread(*id);
  const bool in_focus = focus == session().focus();
  std::optional<std::uint32_t> at = session().next_instruction(focus.block, focus.warp);
  if (in_focus) at = session().next_instruction();
  std::vector<debug::StackFrame> stack;
  std::string ended;
  if (at) {
    if (!in_focus) {
      debug::Moment moment = session().moment(focus);
      if (const std::uint32_t live = moment.live_lanes(); live != 0) focus.lane = std::countr_zero(live);
    }
    stack = in_focus ? session().stack() : session().moment(focus).stack(*at);
  } else if (const auto sm = session().recording().sm_of(focus.block)) {
    // An ended warp keeps the place of its last instruction, so that a client has something to step back from.
    const debug::SmLog& log = session().recording().log(*sm);
    if (const auto last = log.last_of_warp(focus.block, focus.warp)) {
      at = log.issues()[*last].instruction;
      const auto frames = session().code().frames(*at);
      stack = {{frames.back(), *at}};
      ended = " (ended)";
    }
  }
  const std::size_t start = static_cast<std::size_t>(
      std::clamp<std::int64_t>(arguments.number("startFrame").value_or(0), 0, static_cast<std::int64_t>(stack.size())));
  std::size_t end = stack.size();
  if (const auto levels = arguments.number("levels"); levels && *levels > 0)
    end = std::min(end, start + static_cast<std::size_t>(*levels));
  respond([&](MessageJson& json) {
    json.array("stackFrames", [&] {
      for (std::size_t i = start; i < end; ++i)
        json.object([&] {
          frames_.push_back({focus, i});
          const debug::CodeLine& line = stack[i].code.at;
          json.member("id", frames_.size());
          json.member("name", stack[i].code.function + ended);
          json.member("line", line.line == 0 ? 0 : shown_line(line.line));
          json.member("column", line.column);
          if (line.line != 0) write_source(json, line.file);
          json.member("instructionPointerReference",
                      fmt::format("{:#x}", session().code().address_of(stack[i].instruction)));
          json.member("moduleId", 1);
        });
    });
    json.member("totalFrames", stack.size());
  });
}

DebugAdapter::Frame DebugAdapter::frame_of(const JsonReader& arguments) const {
  const auto id = arguments.number("frameId");
  if (!id || *id < 1 || static_cast<std::size_t>(*id) > frames_.size()) return {session().focus(), 0};
  return frames_[static_cast<std::size_t>(*id - 1)];
}

std::int64_t DebugAdapter::reference(Scope scope) {
  scopes_.push_back(std::move(scope));
  return static_cast<std::int64_t>(scopes_.size());
}

void DebugAdapter::scopes(const JsonReader& arguments) {
  const auto id = arguments.number("frameId");
  if (!id || *id < 1 || static_cast<std::size_t>(*id) > frames_.size()) throw Refusal{"no such frame at this stop"};
  const Frame frame = frame_of(arguments);
  struct Row {
    const char* name;
    const char* hint;
    Scope::Kind kind;
    bool expensive;
  };
  constexpr Row rows[] = {{"Tiles", "locals", Scope::Kind::tiles, false},
                          {"Locals", "locals", Scope::Kind::locals, false},
                          {"Arguments and memory", "arguments", Scope::Kind::arguments, false},
                          {"Thread", "", Scope::Kind::special, false},
                          {"Shared memory", "shared", Scope::Kind::shared, true},
                          {"Registers", "registers", Scope::Kind::registers, true},
                          {"Predicates", "registers", Scope::Kind::predicates, true}};
  respond([&](MessageJson& json) {
    json.array("scopes", [&] {
      for (const Row& row : rows) {
        if (row.kind == Scope::Kind::tiles && session().tiles() == nullptr) continue;
        if (row.kind == Scope::Kind::shared && session().moment().names(NameKind::shared).empty()) continue;
        json.object([&] {
          Scope scope;
          scope.kind = row.kind;
          scope.focus = frame.focus;
          scope.frame = frame.number;
          json.member("name", row.name);
          if (row.hint[0] != '\0') json.member("presentationHint", row.hint);
          json.member("variablesReference", reference(std::move(scope)));
          json.member("expensive", row.expensive);
        });
      }
    });
  });
}

void DebugAdapter::write_variable(MessageJson& json, const Variable& variable) const {
  json.object([&] {
    json.member("name", variable.name);
    json.member("value", variable.value);
    if (!variable.type.empty()) json.member("type", variable.type);
    if (!variable.evaluate.empty()) json.member("evaluateName", variable.evaluate);
    json.member("variablesReference", variable.reference);
    if (variable.indexed > 0) json.member("indexedVariables", variable.indexed);
    if (!variable.memory.empty()) json.member("memoryReference", variable.memory);
  });
}

std::string DebugAdapter::text_of(const debug::Value& value) const {
  if (!hexadecimal_ || value.kind != debug::Value::Kind::integer) return debug::text_of(value);
  const auto bits = static_cast<std::uint64_t>(value.integer);
  return fmt::format("{:#x}", value.bytes < 8 ? bits & ((std::uint64_t{1} << 8 * value.bytes) - 1) : bits);
}

DebugAdapter::Variable DebugAdapter::variable_of(const std::string& name, const debug::Value& value,
                                                 const Frame& frame) {
  Variable made{name, text_of(value), {}, name};
  if (value.source != nullptr) made.type = value.source->type_name;
  Scope scope;
  scope.focus = frame.focus;
  scope.frame = frame.number;
  scope.expression = name;
  scope.pointer = value;
  if (value.kind == debug::Value::Kind::object) {
    scope.kind = Scope::Kind::members;
    made.reference = reference(std::move(scope));
    return made;
  }
  if (value.kind != debug::Value::Kind::pointer) return made;
  if (made.type.empty()) made.type = fmt::format("{}*", ops::name_of(value.element));
  scope.kind = Scope::Kind::elements;
  const std::uint64_t bytes = std::max<std::uint64_t>(1, value.stride);
  if (value.space == debug::Value::Space::global) {
    made.memory = fmt::format("{:#x}", value.address);
    if (const gpu::Region* const region = session().recording().region_of(value.address))
      scope.count = (region->bytes - (value.address - region->base)) / bytes;
  } else if (value.space == debug::Value::Space::shared) {
    const std::uint64_t all = session().recording().shared_bytes();
    scope.count = value.address < all ? (all - value.address) / bytes : 0;
  }
  if (value.source != nullptr && value.source->count > 0) scope.count = value.source->count;
  if (scope.count == 0) return made;
  made.indexed = static_cast<std::int64_t>(scope.count);
  made.reference = reference(std::move(scope));
  return made;
}

DebugAdapter::Variable DebugAdapter::variable_of(const debug::SourceVariable& of, const std::string& evaluate,
                                                 const Frame& frame) {
  if (!of.value) return {of.name, of.note, of.type, {}};
  Variable made = variable_of(evaluate, *of.value, frame);
  made.name = of.name;
  made.type = of.type;
  if (!of.note.empty()) made.value += fmt::format(" ({})", of.note);
  add_lanes(made, frame);
  return made;
}

void DebugAdapter::add_lanes(Variable& variable, const Frame& frame) {
  if (variable.reference != 0 || variable.evaluate.empty()) return;
  Scope lanes;
  lanes.kind = Scope::Kind::lanes;
  lanes.focus = frame.focus;
  lanes.frame = frame.number;
  lanes.expression = variable.evaluate;
  variable.indexed = 32;
  variable.reference = reference(std::move(lanes));
}

void DebugAdapter::add_variables(const Scope& scope, std::int64_t start, std::int64_t count,
                                 std::vector<Variable>& made) {
  debug::Moment moment = session().moment(scope.focus, scope.frame);
  const Frame frame{scope.focus, scope.frame};
  const auto add_names = [&](NameKind kind) {
    for (const std::string& name : moment.names(kind))
      if (const auto value = moment.find(name)) made.push_back(variable_of(name, *value, frame));
  };
  const auto lane = static_cast<std::size_t>(scope.focus.lane);
  switch (scope.kind) {
    case Scope::Kind::locals:
      for (const debug::SourceVariables& block : moment.source_variables())
        for (const debug::SourceVariable& variable : block.variables)
          if (std::ranges::find(made, variable.name, &Variable::name) == made.end())
            made.push_back(variable_of(variable, variable.name, frame));
      if (const std::string& absence = session().recording().source().absence(); made.empty() && !absence.empty())
        made.push_back({"variables of the source", absence, {}, {}});
      break;
    case Scope::Kind::members:
      for (const debug::SourceVariable& variable : moment.members(scope.pointer))
        made.push_back(variable_of(variable, fmt::format("{}.{}", scope.expression, variable.name), frame));
      break;
    case Scope::Kind::arguments:
      for (const NameKind kind : {NameKind::parameter, NameKind::buffer, NameKind::variable}) add_names(kind);
      break;
    case Scope::Kind::special:
      add_names(NameKind::special);
      if (const gpu::WarpState* const state = moment.state()) {
        made.push_back({"state", std::string(gpu::name_of(state->reason)), {}, {}});
        made.push_back({"live lanes", fmt::format("{:#010x}", moment.live_lanes()), {}, {}});
      }
      break;
    case Scope::Kind::tiles:
    case Scope::Kind::tile: add_tiles(scope, start, count, made); break;
    case Scope::Kind::shared: add_names(NameKind::shared); break;
    case Scope::Kind::registers:
    case Scope::Kind::predicates:
      for (const debug::RegisterRow& row :
           scope.kind == Scope::Kind::registers ? moment.registers() : moment.predicates()) {
        Variable variable{row.name, {}, std::string(ptx::name_of(row.type)), row.name};
        if (row.bytes == 0) {
          variable.value = fmt::format("{} (lanes {:#010x})", row.lanes[0] >> lane & 1, row.lanes[0]);
        } else {
          const auto value = moment.find(row.name);
          variable.value = value ? text_of(*value) : std::string();
          if (row.bytes == 4 && !ptx::is_float(row.type))
            variable.value += fmt::format(" {}f", std::bit_cast<float>(static_cast<std::uint32_t>(row.lanes[lane])));
          add_lanes(variable, frame);
        }
        made.push_back(std::move(variable));
      }
      break;
    case Scope::Kind::lanes: {
      const std::uint32_t threads = session().recording().threads_per_block();
      debug::Focus of = scope.focus;
      for (std::int64_t i = start; i < std::min<std::int64_t>(32, start + count); ++i) {
        of.lane = static_cast<int>(i);
        if (32 * of.warp + static_cast<std::uint32_t>(i) >= threads) break;
        const auto value = session().evaluate(scope.expression, of, scope.frame);
        made.push_back({fmt::format("[{}]", i), value ? text_of(*value) : value.error(), {}, {}});
      }
      break;
    }
    case Scope::Kind::elements:
      for (std::int64_t i = start; i < std::min(static_cast<std::int64_t>(scope.count), start + count); ++i) {
        const auto value = moment.load(scope.pointer, i);
        const std::string index = fmt::format("[{}]", i);
        if (!value) {
          made.push_back({index, value.error(), {}, {}});
          continue;
        }
        Variable element = variable_of(scope.expression + index, *value, frame);
        element.name = index;
        if (element.type.empty()) element.type = ops::name_of(scope.pointer.element);
        made.push_back(std::move(element));
      }
      break;
  }
}

DebugAdapter::Variable DebugAdapter::variable_of_tile(const TileRow& row) {
  Variable made{row.name, row.value, row.type, row.evaluate};
  if (row.parts == 0) return made;
  Scope scope;
  scope.kind = Scope::Kind::tile;
  scope.focus = session().focus();
  scope.expression = row.evaluate;
  made.indexed = static_cast<std::int64_t>(row.parts);
  made.reference = reference(std::move(scope));
  return made;
}

void DebugAdapter::add_tiles(const Scope& scope, std::int64_t start, std::int64_t count, std::vector<Variable>& made) {
  // Tiles are those of the thread in focus.
  const debug::Focus before = session().focus();
  if (!session().set_focus(scope.focus)) return;
  const std::vector<TileRow> rows = scope.kind == Scope::Kind::tiles
                                        ? tile_rows(session())
                                        : parts_of_tile(session(), scope.expression, static_cast<std::size_t>(start),
                                                        static_cast<std::size_t>(count));
  for (const TileRow& row : rows) made.push_back(variable_of_tile(row));
  if (const auto back = session().set_focus(before); !back) throw Refusal{back.error()};
}

void DebugAdapter::variables(const JsonReader& arguments) {
  const std::int64_t of = arguments.number("variablesReference").value_or(0);
  if (of < 1 || static_cast<std::size_t>(of) > scopes_.size())
    throw Refusal{"`variablesReference` is of an earlier stop"};
  const Scope scope = scopes_[static_cast<std::size_t>(of - 1)];
  const std::int64_t start = std::clamp<std::int64_t>(arguments.number("start").value_or(0), 0, INT64_MAX / 2);
  std::int64_t count = arguments.number("count").value_or(0);
  if (count <= 0 || count > most_variables) count = most_variables;
  std::vector<Variable> made;
  add_variables(scope, start, count, made);
  respond([&](MessageJson& json) {
    json.array("variables", [&] {
      for (const Variable& variable : made) write_variable(json, variable);
    });
  });
}

void DebugAdapter::evaluate(const JsonReader& arguments) {
  const std::string expression = arguments.text("expression");
  const std::string context = arguments.text("context");
  const Frame frame = frame_of(arguments);
  const auto value = session().evaluate(expression, frame.focus, frame.number);
  if (value) {
    Variable variable = variable_of(expression, *value, frame);
    if (context != "hover" && context != "clipboard") add_lanes(variable, frame);
    respond([&](MessageJson& json) {
      json.member("result", variable.value);
      if (!variable.type.empty()) json.member("type", variable.type);
      json.member("variablesReference", variable.reference);
      if (variable.indexed > 0) json.member("indexedVariables", variable.indexed);
      if (!variable.memory.empty()) json.member("memoryReference", variable.memory);
    });
    return;
  }
  if (names_tile(session(), expression))
    if (const auto row = tile_row(session(), expression)) {
      const Variable variable = variable_of_tile(*row);
      respond([&](MessageJson& json) {
        json.member("result", variable.value);
        json.member("type", variable.type);
        json.member("variablesReference", variable.reference);
        if (variable.indexed > 0) json.member("indexedVariables", variable.indexed);
      });
      return;
    }
  if (context != "repl" || !DebugCommands::is_command(expression)) throw Refusal{value.error()};
  // The debug console takes the commands of the command line, too.
  const std::int64_t cycle = session().cycle();
  const debug::Focus before = session().focus();
  DebugCommands commands(*run_);
  const auto output = commands.execute(expression);
  if (!output) throw Refusal{output.error()};
  respond([&](MessageJson& json) {
    json.member("result", *output);
    json.member("variablesReference", 0);
  });
  if (session().cycle() != cycle || !(session().focus() == before)) report_stop();
}

std::uint64_t DebugAdapter::memory_address(const JsonReader& arguments, std::string_view what) {
  std::string text = arguments.text("memoryReference");
  std::uint64_t address = 0;
  if (text.starts_with("0x")) text.erase(0, 2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), address, 16);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    throw Refusal{fmt::format("`memoryReference` is {}", what)};
  return address + static_cast<std::uint64_t>(arguments.number("offset").value_or(0));
}

void DebugAdapter::read_memory(const JsonReader& arguments) {
  const std::uint64_t address = memory_address(arguments);
  const std::int64_t count = arguments.number("count").value_or(0);
  if (count < 0 || count > most_memory) throw Refusal{fmt::format("`count` is at most {}", most_memory)};
  const gpu::Region* const region = session().recording().region_of(address);
  const std::uint64_t there = region == nullptr ? 0 : region->bytes - (address - region->base);
  std::vector<std::uint8_t> bytes(std::min<std::uint64_t>(there, static_cast<std::uint64_t>(count)));
  if (!bytes.empty() && !session().moment().read_global(address, bytes)) bytes.clear();
  respond([&](MessageJson& json) {
    json.member("address", fmt::format("{:#x}", address));
    json.member("unreadableBytes", count - static_cast<std::int64_t>(bytes.size()));
    if (!bytes.empty()) json.member("data", base::to_base64(bytes));
  });
}

void DebugAdapter::disassemble(const JsonReader& arguments) {
  const std::uint64_t address = memory_address(arguments, "the address of an instruction");
  const debug::CodeMap& code = session().code();
  std::int64_t at = 0;
  while (at < code.size() && code.address_of(static_cast<std::uint32_t>(at)) < address) ++at;
  const std::int64_t count =
      std::clamp<std::int64_t>(arguments.number("instructionCount").value_or(0), 0, most_instructions);
  at += std::clamp<std::int64_t>(arguments.number("instructionOffset").value_or(0), -most_instructions,
                                 most_instructions);
  respond([&](MessageJson& json) {
    json.array("instructions", [&] {
      for (std::int64_t i = at; i < at + count; ++i)
        json.object([&] {
          // The client counts on as many as it asked for.
          if (i < 0 || i >= code.size()) {
            json.member("address", i < 0 ? "-0x1" : "0xffffffffffffffff");
            json.member("instruction", "");
            json.member("presentationHint", "invalid");
            return;
          }
          const auto index = static_cast<std::uint32_t>(i);
          json.member("address", fmt::format("{:#x}", code.address_of(index)));
          json.member("instruction", code.text_of(index));
          const debug::CodeLine& line = code.line_of(index);
          if (line.line == 0) return;
          write_source(json, line.file);
          json.member("line", shown_line(line.line));
        });
    });
  });
}

}  // namespace warpwalk::verbs
