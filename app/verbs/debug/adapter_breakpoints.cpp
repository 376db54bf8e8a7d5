// Breakpoints of all kinds, sources and modules.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "app/verbs/debug/adapter.h"

namespace warpwalk::verbs {
namespace {

using Access = debug::Breakpoint::Access;
using BreakpointKind = debug::Breakpoint::Kind;

constexpr std::size_t most_log_lines = 10'000;  // then it stops
constexpr std::int64_t most_lines = 100'000'000;

/// "0x1f0" as a number.
std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

/// The thread and the expression of a data breakpoint, as its identifier names them: "3:1:5:a[2]".
std::string data_id(const debug::Focus& focus, std::string_view expression) {
  return fmt::format("{}:{}:{}:{}", focus.block, focus.warp, focus.lane, expression);
}

std::optional<std::pair<debug::Focus, std::string>> read_data_id(std::string_view id) {
  std::array<std::uint64_t, 3> numbers{};
  for (std::uint64_t& number : numbers) {
    const std::size_t colon = id.find(':');
    if (colon == std::string_view::npos) return {};
    const auto [end, error] = std::from_chars(id.data(), id.data() + colon, number);
    if (error != std::errc() || end != id.data() + colon || number > INT32_MAX) return {};
    id.remove_prefix(colon + 1);
  }
  return std::pair(debug::Focus{numbers[0], static_cast<std::uint32_t>(numbers[1]), static_cast<int>(numbers[2])},
                   std::string(id));
}

}  // namespace

void DebugAdapter::write_source(MessageJson& json, std::uint32_t file) const {
  const debug::CodeMap& code = session().code();
  if (file >= code.files().size()) return;
  const std::string& name = code.files()[file];
  json.object("source", [&] {
    json.member("name", name.substr(name.find_last_of('/') + 1));
    if (const std::filesystem::path path = source_path(session(), file); !path.empty())
      json.member("path", path.string());
    else if (!source_text(session(), file).empty())
      json.member("sourceReference", file + 1);
    else
      json.member("path", name);
  });
}

void DebugAdapter::write_breakpoint(MessageJson& json, const debug::Breakpoint& breakpoint) const {
  json.object([&] {
    json.member("id", breakpoint.id);
    json.member("verified", breakpoint.verified);
    if (!breakpoint.message.empty()) json.member("message", breakpoint.message);
    const bool has_line = breakpoint.kind == BreakpointKind::line || breakpoint.kind == BreakpointKind::function;
    if (has_line && breakpoint.line != 0) {
      json.member("line", shown_line(breakpoint.line));
      if (breakpoint.verified) write_source(json, breakpoint.file_index);
    }
    if (breakpoint.kind == BreakpointKind::instruction && !breakpoint.instructions.empty())
      json.member("instructionReference",
                  fmt::format("{:#x}", session().code().address_of(breakpoint.instructions.front())));
  });
}

void DebugAdapter::respond_breakpoints(const std::vector<const debug::Breakpoint*>& made) {
  respond([&](MessageJson& json) {
    json.array("breakpoints", [&] {
      for (const debug::Breakpoint* const breakpoint : made) write_breakpoint(json, *breakpoint);
    });
  });
}

void DebugAdapter::set_breakpoints(const JsonReader& arguments) {
  const JsonReader source = arguments.object("source");
  std::string file = source.text("path");
  if (file.empty()) file = source.text("name");
  if (const auto reference = source.number("sourceReference");
      reference && *reference > 0 && static_cast<std::size_t>(*reference) <= session().code().files().size())
    file = session().code().files()[static_cast<std::size_t>(*reference - 1)];
  if (file.empty()) throw Refusal{"`source` names no file"};
  session().remove_lines(file);
  std::vector<const debug::Breakpoint*> made;
  arguments.each("breakpoints", [&](const rapidjson::Value& value) {
    const JsonReader wanted(&value);
    const std::int64_t line = std::clamp<std::int64_t>(given_line(wanted.number("line").value_or(0)), 0, most_lines);
    made.push_back(&session().add_line(file, static_cast<std::uint32_t>(line), wanted.text("condition"),
                                       wanted.text("hitCondition")));
    if (const std::string text = wanted.text("logMessage"); !text.empty())
      session().set_log_message(made.back()->id, text);
  });
  respond_breakpoints(made);
}

bool DebugAdapter::write_logs() {
  const debug::Stop& stop = session().stop();
  bool stops = stop.reason != debug::StopReason::breakpoint || stop.breakpoints.empty();
  for (const int id : stop.breakpoints)
    for (const auto& breakpoint : session().breakpoints()) {
      if (breakpoint->id != id) continue;
      stops = stops || breakpoint->log_message.empty();
      if (breakpoint->log_message.empty()) continue;
      std::string text;
      for (std::string_view rest = breakpoint->log_message; !rest.empty();) {
        const std::size_t open = rest.find('{'), close = rest.find('}', open);
        text += rest.substr(0, close == std::string_view::npos ? rest.size() : open);
        if (close == std::string_view::npos) break;
        const auto value = session().evaluate(rest.substr(open + 1, close - open - 1));
        text += value ? debug::text_of(*value) : value.error();
        rest.remove_prefix(close + 1);
      }
      event("output", [&](MessageJson& json) {
        json.member("category", "console");
        json.member("output", text + "\n");
        if (breakpoint->kind != BreakpointKind::line) return;
        write_source(json, breakpoint->file_index);
        json.member("line", shown_line(breakpoint->line));
      });
    }
  return !stops;
}

void DebugAdapter::go(bool forward) {
  for (std::size_t lines = 0; lines < most_log_lines; ++lines) {
    if (forward)
      run_->run_on();
    else
      session().run(false);
    if (!write_logs()) return;
  }
}

void DebugAdapter::set_function_breakpoints(const JsonReader& arguments) {
  session().remove(BreakpointKind::function);
  std::vector<const debug::Breakpoint*> made;
  arguments.each("breakpoints", [&](const rapidjson::Value& value) {
    const JsonReader wanted(&value);
    made.push_back(&session().add_function(wanted.text("name"), wanted.text("condition"), wanted.text("hitCondition")));
  });
  respond_breakpoints(made);
}

void DebugAdapter::set_instruction_breakpoints(const JsonReader& arguments) {
  session().remove(BreakpointKind::instruction);
  std::vector<const debug::Breakpoint*> made;
  arguments.each("breakpoints", [&](const rapidjson::Value& value) {
    const JsonReader wanted(&value);
    const auto address = hexadecimal(wanted.text("instructionReference"));
    const std::int64_t offset = wanted.number("offset").value_or(0);
    made.push_back(
        &session().add_instruction(address ? *address + static_cast<std::uint64_t>(offset) : ~std::uint64_t{0},
                                   wanted.text("condition"), wanted.text("hitCondition")));
  });
  respond_breakpoints(made);
}

void DebugAdapter::set_exception_breakpoints(const JsonReader& arguments) {
  session().remove(BreakpointKind::exception);
  std::vector<const debug::Breakpoint*> made;
  const auto add = [&](std::string_view name, std::string_view condition) {
    for (int i = 0; i <= static_cast<int>(gpu::FindingKind::unsupported); ++i)
      if (const auto kind = static_cast<gpu::FindingKind>(i); gpu::name_of(kind) == name)
        made.push_back(&session().add_exception(kind, condition));
  };
  arguments.each("filters", [&](const rapidjson::Value& filter) {
    if (filter.IsString()) add(filter.GetString(), "");
  });
  arguments.each("filterOptions", [&](const rapidjson::Value& value) {
    const JsonReader wanted(&value);
    add(wanted.text("filterId"), wanted.text("condition"));
  });
  respond_breakpoints(made);
}

void DebugAdapter::data_breakpoint_info(const JsonReader& arguments) {
  std::string expression = arguments.text("name");
  const debug::Focus focus = focus_of_frame(arguments);
  if (const auto of = arguments.number("variablesReference"); of && *of > 0) {
    if (static_cast<std::size_t>(*of) > scopes_.size()) throw Refusal{"`variablesReference` is of an earlier stop"};
    const Scope& scope = scopes_[static_cast<std::size_t>(*of - 1)];
    if (scope.kind == Scope::Kind::elements && expression.starts_with('[')) expression = scope.expression + expression;
  }
  const debug::Focus before = session().focus();
  if (const auto done = session().set_focus(focus); !done) throw Refusal{done.error()};
  const debug::Breakpoint& tried = session().add_data(expression, 0, Access::change, "", "");
  const bool good = tried.verified;
  const std::string message = tried.message;
  session().remove(tried.id);
  static_cast<void>(session().set_focus(before));
  respond([&](MessageJson& json) {
    if (good) {
      json.member("dataId", data_id(focus, expression));
      json.member("description", expression);
      json.array("accessTypes", [&] {
        for (const char* const type : {"read", "write", "readWrite"}) json.element(std::string_view(type));
      });
      json.member("canPersist", false);
    } else {
      json.member("dataId", nullptr);
      json.member("description", message);
    }
  });
}

void DebugAdapter::set_data_breakpoints(const JsonReader& arguments) {
  session().remove(BreakpointKind::data);
  std::vector<const debug::Breakpoint*> made;
  const debug::Focus before = session().focus();
  arguments.each("breakpoints", [&](const rapidjson::Value& value) {
    const JsonReader wanted(&value);
    std::string expression = wanted.text("dataId");
    // A client may also name the expression itself.
    if (const auto id = read_data_id(expression); id && session().set_focus(id->first)) expression = id->second;
    const std::string type = wanted.text("accessType");
    made.push_back(&session().add_data(expression, 0,
                                       type == "read"        ? Access::read
                                       : type == "readWrite" ? Access::any
                                                             : Access::change,
                                       wanted.text("condition"), wanted.text("hitCondition")));
    static_cast<void>(session().set_focus(before));
  });
  respond_breakpoints(made);
}

void DebugAdapter::breakpoint_locations(const JsonReader& arguments) {
  const JsonReader source = arguments.object("source");
  const std::string file = source.text("path").empty() ? source.text("name") : source.text("path");
  const std::int64_t from = given_line(arguments.number("line").value_or(1));
  const std::int64_t to = arguments.number("endLine") ? given_line(*arguments.number("endLine")) : from;
  respond([&](MessageJson& json) {
    json.array("breakpoints", [&] {
      for (const std::uint32_t index : session().code().files_named(file))
        for (const std::uint32_t line : session().code().lines_with_code(index))
          if (line >= from && line <= to) json.object([&] { json.member("line", shown_line(line)); });
    });
  });
}

void DebugAdapter::exception_info(const JsonReader&) {
  const debug::Stop& stop = session().stop();
  if (stop.reason != debug::StopReason::exception) throw Refusal{"it does not stand at a finding of the sanitizer"};
  std::string name = "finding";
  for (const auto& breakpoint : session().breakpoints())
    if (breakpoint->kind == BreakpointKind::exception &&
        std::ranges::find(stop.breakpoints, breakpoint->id) != stop.breakpoints.end())
      name = breakpoint->name;
  respond([&](MessageJson& json) {
    json.member("exceptionId", name);
    json.member("description", stop.text);
    json.member("breakMode", "always");
  });
}

void DebugAdapter::modules(const JsonReader&) {
  const debug::Recording& recording = session().recording();
  respond([&](MessageJson& json) {
    json.array("modules", [&] {
      json.object([&] {
        json.member("id", 1);
        json.member("name",
                    recording.program().entry != nullptr ? recording.program().entry->name : std::string("kernel"));
        json.member("path", recording.loaded().module_file.string());
        json.member("symbolStatus", session().code().is_listing(0) ? "no lines" : "lines");
        json.member("version", recording.loaded().code);
      });
    });
    json.member("totalModules", 1);
  });
}

void DebugAdapter::loaded_sources(const JsonReader&) {
  respond([&](MessageJson& json) {
    json.array("sources", [&] {
      for (std::uint32_t file = 0; file < session().code().files().size(); ++file) {
        const std::string& name = session().code().files()[file];
        const std::filesystem::path path = source_path(session(), file);
        json.object([&] {
          json.member("name", name.substr(name.find_last_of('/') + 1));
          if (!path.empty())
            json.member("path", path.string());
          else
            json.member("sourceReference", file + 1);
        });
      }
    });
  });
}

void DebugAdapter::source(const JsonReader& arguments) {
  const std::int64_t reference =
      arguments.object("source").number("sourceReference").value_or(arguments.number("sourceReference").value_or(0));
  if (reference < 1 || static_cast<std::size_t>(reference) > session().code().files().size())
    throw Refusal{"no such source"};
  const std::string text = source_text(session(), static_cast<std::uint32_t>(reference - 1));
  if (text.empty()) throw Refusal{"the text of this file is not here"};
  respond([&](MessageJson& json) {
    json.member("content", text);
    json.member("mimeType", "text/plain");
  });
}

}  // namespace warpwalk::verbs
