// Requests about a GPU core dump, in which nothing moves.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/verbs/debug/adapter.h"
#include "app/verbs/debug/dump_view.h"
#include "core/base/base64.h"

namespace warpwalk::verbs {
namespace {

constexpr std::size_t most_warps_shown = 4096;
constexpr std::int64_t most_dump_bytes = std::int64_t{1} << 20, most_dump_instructions = 10'000;

/// The scopes of a frame, and the names that they list.
enum class DumpScope : std::uint8_t { thread, arguments, registers, predicates };
constexpr std::pair<const char*, DumpScope> dump_scopes[] = {{"Thread", DumpScope::thread},
                                                             {"Arguments", DumpScope::arguments},
                                                             {"Registers", DumpScope::registers},
                                                             {"Predicates", DumpScope::predicates}};

std::vector<std::string> names_in(DumpView& dump, DumpScope scope) {
  switch (scope) {
    case DumpScope::arguments: return dump.argument_names();
    case DumpScope::registers: return dump.register_names();
    case DumpScope::predicates: return dump.predicate_names();
    case DumpScope::thread: break;
  }
  return {"threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x", "blockIdx.y", "blockIdx.z", "$sm", "$pc"};
}

void write_dump_source(MessageJson& json, const std::string& file) {
  std::error_code error;
  json.object("source", [&] {
    json.member("name", std::filesystem::path(file).filename().string());
    if (std::filesystem::is_regular_file(file, error)) json.member("path", file);
  });
}

}  // namespace

void DebugAdapter::open_dump(const DebugTarget& target) {
  auto opened = DumpView::open(target.file);
  if (!opened) throw Refusal{opened.error()};
  dump_ = std::shared_ptr<DumpView>(std::move(*opened));
  respond();
  event("initialized");
  event("output", [&](MessageJson& json) {
    json.member("category", "console");
    json.member("output", dump_->headline() + "\n");
  });
}

bool DebugAdapter::answer_of_dump(const JsonReader& arguments) {
  DumpView& dump = *dump_;
  const auto take_warp = [&](const char* name, std::int64_t frames) {
    const std::int64_t id = arguments.number(name).value_or(0);
    const auto warp = static_cast<std::uint64_t>((id - 1) / frames);
    if (id < 1 || warp >= dump.warps().size()) throw Refusal{fmt::format("no such `{}`", name)};
    if (warp != dump.warp()) dump.focus(warp, -1);
  };
  constexpr std::int64_t frames_per_warp = 1024;
  if (command_ == "configurationDone") {
    respond();
    event("stopped", [&](MessageJson& json) {
      json.member("reason", "exception");
      json.member("description", dump.headline());
      json.member("text", dump.headline());
      json.member("threadId", dump.warp() + 1);
      json.member("allThreadsStopped", true);
    });
  } else if (command_ == "threads") {
    respond([&](MessageJson& json) {
      json.array("threads", [&] {
        for (std::size_t i = 0; i < std::min(dump.warps().size(), most_warps_shown); ++i)
          json.object([&] {
            json.member("id", i + 1);
            json.member("name", dump.warp_text(i));
          });
      });
    });
  } else if (command_ == "stackTrace") {
    take_warp("threadId", 1);
    const auto frames = dump.frames();
    respond([&](MessageJson& json) {
      json.array("stackFrames", [&] {
        for (std::size_t i = 0; i < frames.size(); ++i)
          json.object([&] {
            json.member("id",
                        static_cast<std::int64_t>(dump.warp()) * frames_per_warp + static_cast<std::int64_t>(i) + 1);
            json.member("name", frames[i].function);
            json.member("line", frames[i].line == 0 ? 0 : shown_line(frames[i].line));
            json.member("column", 0);
            if (frames[i].line != 0) write_dump_source(json, frames[i].file);
            json.member("instructionPointerReference", fmt::format("{:#x}", frames[i].address));
          });
      });
      json.member("totalFrames", frames.size());
    });
  } else if (command_ == "scopes") {
    take_warp("frameId", frames_per_warp);
    respond([&](MessageJson& json) {
      json.array("scopes", [&] {
        for (const auto& [name, scope] : dump_scopes)
          json.object([&] {
            json.member("name", name);
            json.member("variablesReference",
                        4 * static_cast<std::int64_t>(dump.warp()) + static_cast<std::int64_t>(scope) + 1);
            json.member("expensive", scope == DumpScope::registers);
          });
      });
    });
  } else if (command_ == "variables") {
    take_warp("variablesReference", 4);
    const auto scope = static_cast<DumpScope>((arguments.number("variablesReference").value_or(1) - 1) % 4);
    respond([&](MessageJson& json) {
      json.array("variables", [&] {
        for (const std::string& name : names_in(dump, scope))
          if (const auto value = dump.find(name)) write_variable(json, {name, debug::text_of(*value), {}, name});
      });
    });
  } else if (command_ == "evaluate") {
    if (arguments.number("frameId")) take_warp("frameId", frames_per_warp);
    const std::string expression = arguments.text("expression");
    auto value = dump.evaluate(expression);
    std::string text = value ? debug::text_of(*value) : std::string();
    if (!value) {
      auto output = arguments.text("context") == "repl" ? dump.execute(expression) : base::Error{value.error()};
      if (!output) throw Refusal{output.error()};
      text = std::move(*output);
    }
    respond([&](MessageJson& json) {
      json.member("result", text);
      json.member("variablesReference", 0);
    });
  } else if (command_ == "readMemory") {
    const std::uint64_t at = memory_address(arguments);
    const std::int64_t count = std::clamp<std::int64_t>(arguments.number("count").value_or(0), 0, most_dump_bytes);
    const std::string_view bytes = dump.dump().memory_at(at, static_cast<std::uint64_t>(count));
    respond([&](MessageJson& json) {
      json.member("address", fmt::format("{:#x}", at));
      json.member("unreadableBytes", count - static_cast<std::int64_t>(bytes.size()));
      const std::vector<std::uint8_t> raw(bytes.begin(), bytes.end());
      if (!raw.empty()) json.member("data", base::to_base64(raw));
    });
  } else if (command_ == "disassemble") {
    const std::int64_t count =
        std::clamp<std::int64_t>(arguments.number("instructionCount").value_or(0), 0, most_dump_instructions);
    const std::int64_t first = std::clamp<std::int64_t>(arguments.number("instructionOffset").value_or(0),
                                                        -most_dump_instructions, most_dump_instructions);
    const std::uint64_t at = memory_address(arguments, "the address of an instruction");
    respond([&](MessageJson& json) {
      json.array("instructions", [&] {
        for (const DumpView::Instruction& row : dump.instructions(at, first, static_cast<std::size_t>(count)))
          json.object([&] {
            json.member("address", fmt::format("{:#x}", row.address));
            json.member("instruction", row.text);
            if (row.text.empty()) json.member("presentationHint", "invalid");
            if (row.line == 0) return;
            write_dump_source(json, row.file);
            json.member("line", shown_line(row.line));
          });
      });
    });
  } else if (command_.starts_with("set") && command_.ends_with("Breakpoints")) {
    respond([&](MessageJson& json) {
      json.array("breakpoints", [&] {
        arguments.each("breakpoints", [&](const rapidjson::Value&) {
          json.object([&] {
            json.member("verified", false);
            json.member("message", dump_stands);
          });
        });
      });
    });
  } else if (command_ == "pause" || command_ == "modules" || command_ == "loadedSources") {
    respond([&](MessageJson& json) {
      if (command_ != "pause") json.array(command_ == "modules" ? "modules" : "sources", [] {});
    });
  } else if (command_ == "warpwalk/moment") {
    respond([](MessageJson& json) { json.member("none", "a core dump has no cycles"); });
  } else if (command_ == "exceptionInfo") {
    respond([&](MessageJson& json) {
      json.member("exceptionId", "core dump");
      json.member("description", dump.headline());
      json.member("breakMode", "always");
    });
  } else {
    return false;
  }
  return true;
}

}  // namespace warpwalk::verbs
