#include "app/verbs/info/compiled.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/verbs/common/numbers.h"
#include "app/verbs/info/compiled_lines.h"
#include "app/verbs/info/json_writer.h"
#include "core/compiled/mlir/mlir.h"
#include "core/platform/read_file.h"
#include "core/run/layouts/layout_report.h"

namespace warpwalk::verbs {
namespace {

using compiled::Compiled;
using compiled::CompiledKernel;
using compiled::CompileEvent;
using compiled::FxNode;
using compiled::LibraryCall;
using compiled::PythonLine;

constexpr std::string_view stages[] = {"ttir", "ttgir", "llir", "ptx", "cubin"};

std::vector<std::string> names_of(const std::vector<FxNode>& nodes) {
  std::vector<std::string> names;
  for (const FxNode& node : nodes) names.push_back(node.name);
  return names;
}

std::string place_text(const PythonLine& line) {
  return fmt::format("{}:{}{}", line.file, line.line, line.code.empty() ? "" : "  " + line.code);
}

std::string kernel_text(const CompiledKernel& kernel, bool lines) {
  std::string text = fmt::format("\n{}{}\n", kernel.name,
                                 kernel.compile_id.empty() ? "" : fmt::format("  (compilation {})", kernel.compile_id));
  for (const PythonLine& line : kernel.python) text += fmt::format("  {}\n", place_text(line));
  if (!kernel.ops.empty()) text += fmt::format("  fused    {}\n", fmt::join(kernel.ops, ", "));
  if (!kernel.fx.empty()) text += fmt::format("  nodes    {}\n", fmt::join(names_of(kernel.fx), ", "));
  if (kernel.triton.line > 0) text += fmt::format("  Triton   {}\n", place_text(kernel.triton));
  if (kernel.warps > 0)
    text += fmt::format("  compiled {} {} of a block{}{}{}\n", kernel.target,
                        counted(static_cast<std::uint64_t>(kernel.warps), "warp"),
                        kernel.shared_bytes < 0 ? "" : fmt::format(", {} B of shared memory", kernel.shared_bytes),
                        kernel.ctas > 1 ? fmt::format(", clusters of {} blocks", kernel.ctas) : "",
                        kernel.stages > 0 ? ", " + counted(static_cast<std::uint64_t>(kernel.stages), "stage") : "");
  std::vector<std::string_view> found;
  for (const std::string_view stage : stages)
    if (kernel.files.contains(std::string(stage))) found.push_back(stage);
  if (!found.empty()) text += fmt::format("  files    {}\n", fmt::join(found, ", "));
  if (lines && !found.empty()) text += kernel_lines_text(compiled::read_kernel_lines(kernel), kernel.name);
  return text;
}

void write_line(JsonWriter& json, const PythonLine& line) {
  json.object([&] {
    json.text("file", line.file);
    json.integer("line", line.line);
    json.text_or_null("function", line.function);
    json.text_or_null("code", line.code);
  });
}

void write_nodes(JsonWriter& json, const std::vector<FxNode>& nodes) {
  json.array("fx", names_of(nodes), [&](const std::string& name) { json.text(name); });
  json.array("fx_nodes", nodes, [&](const FxNode& node) {
    json.object([&] {
      json.text("name", node.name);
      json.text_or_null("target", node.target);
      json.text_or_null("file", node.python.file);
      json.integer("line", node.python.line);
    });
  });
}

}  // namespace

base::Result<KernelLayouts> layouts_of_kernels(const Compiled& all) {
  KernelLayouts layouts;
  for (const CompiledKernel& kernel : all.kernels) {
    auto& of_kernel = layouts.emplace_back();
    const auto file = kernel.files.find("ttgir");
    if (file == kernel.files.end()) continue;
    const auto text = platform::read_text_file(file->second);
    if (!text) return base::Error{text.error()};
    of_kernel = run::unchecked_layouts(compiled::parse_mlir(text->text), kernel.name);
  }
  return layouts;
}

std::string compiled_text(const Compiled& all, std::string_view name, bool lines, const KernelLayouts& layouts) {
  std::string text =
      fmt::format("{}: {}, {} of libraries, {}, {}\n", name, counted(all.kernels.size(), "compiled kernel"),
                  counted(all.library_calls.size(), "call"),
                  counted(static_cast<std::uint64_t>(
                              std::ranges::count(all.events, CompileEvent::Kind::graph_break, &CompileEvent::kind)),
                          "graph break"),
                  counted(static_cast<std::uint64_t>(
                              std::ranges::count(all.events, CompileEvent::Kind::recompilation, &CompileEvent::kind)),
                          "recompilation"));
  for (std::size_t i = 0; i < all.kernels.size(); ++i) {
    text += kernel_text(all.kernels[i], lines);
    if (i < layouts.size() && layouts[i]) text += run::layouts_text(*layouts[i]);
  }
  if (!all.library_calls.empty()) {
    text += "\nnot fused: calls of libraries\n";
    for (const LibraryCall& call : all.library_calls)
      text += fmt::format("  {}{}{}{}\n", call.name,
                          call.compile_id.empty() ? "" : fmt::format("  (compilation {})", call.compile_id),
                          call.fx.empty() ? "" : "  of ", fmt::join(names_of(call.fx), ", "));
  }
  if (!all.events.empty()) text += "\nwhy it compiled again, and where graphs end\n";
  for (const CompileEvent& event : all.events) {
    text +=
        fmt::format("  {} {}{}: {}\n", event.kind == CompileEvent::Kind::graph_break ? "graph break" : "recompilation",
                    event.compile_id, event.python.line > 0 ? " at " + place_text(event.python) : "", event.reason);
    for (const std::string& hint : event.hints) text += fmt::format("    {}\n", hint);
  }
  if (!all.problems.empty()) text += "\nproblems\n";
  for (const std::string& problem : all.problems) text += fmt::format("  {}\n", problem);
  return text;
}

std::string compiled_json(const Compiled& all, const KernelLayouts& layouts) {
  JsonWriter json;
  json.object([&] {
    json.text("format", "compiled");
    json.array("compiled", all.kernels, [&](const CompiledKernel& kernel) {
      json.object([&] {
        json.text("kernel", kernel.name);
        json.text_or_null("compile_id", kernel.compile_id);
        json.array("python", kernel.python, [&](const PythonLine& line) { write_line(json, line); });
        write_nodes(json, kernel.fx);
        if (kernel.triton.line > 0)
          json.object("triton", [&] {
            json.text("file", kernel.triton.file);
            json.integer("line", kernel.triton.line);
          });
        else
          json.null("triton");
        json.array("fused_ops", kernel.ops, [&](const std::string& op) { json.text(op); });
        json.object("files", [&] {
          for (const std::string_view stage : stages) {
            const auto file = kernel.files.find(std::string(stage));
            json.text_or_null(stage.data(), file == kernel.files.end() ? std::string_view() : file->second);
          }
        });
        json.text_or_null("target", kernel.target);
        if (kernel.warps > 0) {
          json.integer("warps", kernel.warps);
          json.integer("ctas", kernel.ctas);
          json.integer("stages", kernel.stages);
          json.integer("shared_bytes", kernel.shared_bytes);
        }
        write_kernel_lines(json, compiled::read_kernel_lines(kernel));
        if (const auto at = static_cast<std::size_t>(&kernel - all.kernels.data()); at < layouts.size() && layouts[at])
          json.raw("layouts", run::layouts_json(*layouts[at]), rapidjson::kArrayType);
      });
    });
    json.array("library_calls", all.library_calls, [&](const LibraryCall& call) {
      json.object([&] {
        json.text("name", call.name);
        json.text_or_null("compile_id", call.compile_id);
        write_nodes(json, call.fx);
      });
    });
    json.array("events", all.events, [&](const CompileEvent& event) {
      json.object([&] {
        json.text("kind", event.kind == CompileEvent::Kind::graph_break ? "graph_break" : "recompilation");
        json.text_or_null("compile_id", event.compile_id);
        json.text("reason", event.reason);
        json.array("hints", event.hints, [&](const std::string& hint) { json.text(hint); });
        json.text_or_null("file", event.python.file);
        json.integer("line", event.python.line);
      });
    });
    json.array("problems", all.problems, [&](const std::string& problem) { json.text(problem); });
  });
  return json.document() + "\n";
}

}  // namespace warpwalk::verbs
