#include "core/compiled/triton_files.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/compiled/inductor_output.h"
#include "core/compiled/json_member.h"
#include "core/platform/read_file.h"

namespace warpwalk::compiled {
namespace {

constexpr std::string_view kinds[] = {"source", "ttir", "ttgir", "llir", "ptx", "cubin", "json"};

bool read_metadata(const Json& json, CompiledKernel& to) {
  const Json *const warps = member(json, "num_warps"), *const target = member(json, "target");
  if (warps == nullptr || !warps->IsInt()) return false;
  if (std::string name = text_of(json, "name"); !name.empty()) to.name = std::move(name);
  to.warps = warps->GetInt();
  to.ctas = number_of(json, "num_ctas", 0);
  to.stages = number_of(json, "num_stages", 0);
  if (const Json* const shared = member(json, "shared"); shared != nullptr && shared->IsInt64())
    to.shared_bytes = shared->GetInt64();
  if (target != nullptr && target->IsObject()) {
    const Json* const architecture = member(*target, "arch");
    if (architecture != nullptr && architecture->IsInt())
      to.target = fmt::format("sm_{}", architecture->GetInt());
    else
      to.target = text_of(*target, "arch");  // "gfx942"
  }
  return true;
}

/// The program's own frame in a stack: the innermost one outside of installed packages, before those of the compilers.
PythonLine own_frame(const Json& stack) {
  PythonLine own;
  const auto is_in = [](const std::string& file, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts, [&](std::string_view part) { return file.find(part) != std::string::npos; });
  };
  for (const Json& frame : stack.GetArray()) {
    if (!frame.IsObject()) continue;
    PythonLine line{text_of(frame, "filename"), number_of(frame, "line", 0), text_of(frame, "name"),
                    text_of(frame, "loc")};
    if (is_in(line.file, {"/triton/runtime/", "/torch/_dynamo/", "/torch/_inductor/", "torchinductor_"})) break;
    if (!is_in(line.file, {"site-packages", "dist-packages"}) && !line.file.starts_with('<') && line.line > 0)
      own = std::move(line);
  }
  return own;
}

void read_compilation(const Json& event, Compiled& to) {
  const Json* const payload = member(event, "payload");
  const Json* const metadata = payload == nullptr ? nullptr : member(*payload, "metadata");
  CompiledKernel kernel;
  if (metadata == nullptr || !read_metadata(*metadata, kernel)) return;
  if (const Json* const files = member(*payload, "file_path"); files != nullptr && files->IsObject())
    for (const auto& file : files->GetObject())
      for (const std::string_view kind : kinds)
        if (file.value.IsString() && std::string_view(file.name.GetString(), file.name.GetStringLength()) ==
                                         fmt::format("{}.{}", kernel.name, kind))
          kernel.files[std::string(kind)] = file.value.GetString();
  if (const Json* const source = member(*payload, "python_source"); source != nullptr) {
    kernel.triton.file = text_of(*source, "file_path");
    kernel.source = text_of(*source, "code");
    constexpr int most_lines = 100'000'000;
    if (const int start = number_of(*source, "start_line", 0); start > 0 && start < most_lines)
      kernel.triton.line = start + line_of_function(kernel.source, kernel.name) - 1;
    kernel.triton.function = kernel.name;
  }
  if (const Json* const place = member(*payload, "pt_info"); place != nullptr && member(*place, "frame_id") != nullptr)
    kernel.compile_id =
        fmt::format("{}/{}", number_of(*place, "frame_id", 0), number_of(*place, "frame_compile_id", 0));
  if (const Json* const stack = member(event, "stack"); stack != nullptr && stack->IsArray())
    if (PythonLine own = own_frame(*stack); own.line > 0) kernel.python.push_back(std::move(own));
  const auto same = [&](const CompiledKernel& other) {
    return other.name == kernel.name && other.files == kernel.files && other.triton == kernel.triton;
  };
  if (std::ranges::none_of(to.kernels, same)) to.kernels.push_back(std::move(kernel));
}

}  // namespace

bool read_triton_metadata(std::string_view text, CompiledKernel& to) {
  rapidjson::Document json;
  json.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  return !json.HasParseError() && read_metadata(json, to) && !to.name.empty();
}

PythonLine triton_place(std::string_view ir) {
  constexpr std::string_view location = " = loc(\"";
  for (std::size_t at = ir.find(location); at != std::string_view::npos; at = ir.find(location, at + 1)) {
    // #loc = loc("kernel.py":12:0), not a name: #loc3 = loc("x"(#loc))
    const std::string_view rest = ir.substr(at + location.size());
    const std::size_t quote = rest.find('"');
    if (quote == std::string_view::npos || quote + 1 >= rest.size() || rest[quote + 1] != ':') continue;
    PythonLine place{std::string(rest.substr(0, quote)), 0, {}, {}};
    const std::string_view number = rest.substr(quote + 2, 10);
    if (std::from_chars(number.data(), number.data() + number.size(), place.line).ec == std::errc() && place.line > 0)
      return place;
  }
  return {};
}

bool read_cache_entry(const std::filesystem::path& json_file, CompiledKernel& to) {
  const auto text = platform::read_text_file(json_file);
  if (!text || !read_triton_metadata(text->text, to)) return false;
  std::error_code error;
  for (const std::string_view kind : kinds) {
    const std::filesystem::path file = json_file.parent_path() / fmt::format("{}.{}", json_file.stem().string(), kind);
    if (std::filesystem::is_regular_file(file, error)) to.files[std::string(kind)] = file.string();
  }
  for (const char* const kind : {"ttir", "ttgir", "llir"})
    if (const auto file = to.files.find(kind); to.triton.line == 0 && file != to.files.end())
      if (const auto ir = platform::read_text_file(file->second)) to.triton = triton_place(ir->text);
  return to.files.size() > 1;
}

bool is_tritonparse_log(std::string_view text) {
  const std::string_view begin = text.substr(0, std::min<std::size_t>(text.find('\n'), 200));
  return begin.starts_with("{\"event_type\":") || begin.starts_with("{\"event_type\" :");
}

void read_tritonparse_log(std::string_view text, std::string_view name, Compiled& to) {
  std::size_t damaged = 0;
  for (const std::string_view line : base::lines_of(text)) {
    if (line.empty()) continue;
    rapidjson::Document json;
    json.Parse<rapidjson::kParseIterativeFlag>(line.data(), line.size());
    if (json.HasParseError() || !json.IsObject())
      ++damaged;
    else if (text_of(json, "event_type") == "compilation")
      read_compilation(json, to);
  }
  if (damaged > 0) to.problems.push_back(fmt::format("{}: damaged lines, which were left out: {}", name, damaged));
}

}  // namespace warpwalk::compiled
