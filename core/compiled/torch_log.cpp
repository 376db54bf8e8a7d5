#include "core/compiled/torch_log.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/compiled/fx_graph.h"
#include "core/compiled/inductor_output.h"
#include "core/compiled/json_member.h"

namespace warpwalk::compiled {
namespace {

/// The JSON in a record's line: "V0521 11:50:39.474000 3054118 torch/_dynamo/utils.py:1864] {...}", with or without
/// "[rank0]:" before it. Empty for another line.
std::string_view json_of(std::string_view line) {
  if (line.starts_with('[')) line = line.substr(std::min(line.find("]:") + 2, line.size()));
  const auto digit = [&](std::size_t at) {
    return at < line.size() && std::isdigit(static_cast<unsigned char>(line[at]));
  };
  const bool begins = !line.empty() && std::string_view("DIWEVC").find(line[0]) != std::string_view::npos && digit(1) &&
                      digit(2) && digit(3) && digit(4) && line.size() > 5 && line[5] == ' ';
  const std::size_t bracket = begins ? line.find("] {") : std::string_view::npos;
  return bracket == std::string_view::npos ? std::string_view() : line.substr(bracket + 2);
}

/// Reads records in their order.
class Log {
 public:
  Log(std::string_view name, Compiled& to) : name_(name), to_(to) {}

  void record(std::string_view line, std::string payload) {
    rapidjson::Document json;
    json.Parse<rapidjson::kParseIterativeFlag>(line.data(), line.size());
    if (json.HasParseError() || !json.IsObject()) {
      ++damaged_;
      return;
    }
    if (const Json* const text = member(json, "str");
        text != nullptr && text->IsArray() && text->Size() == 2 && (*text)[0].IsString() && (*text)[1].IsInt()) {
      texts_[(*text)[1].GetInt()] = (*text)[0].GetString();
      return;
    }
    const int frame = number_of(json, "frame_id", -1), compile = number_of(json, "frame_compile_id", -1);
    const std::string id = frame < 0 ? std::string() : fmt::format("{}/{}", frame, std::max(compile, 0));
    if (const Json* const start = member(json, "dynamo_start"); start != nullptr && start->IsObject())
      frames_[id] = innermost(member(*start, "stack"));
    for (const auto& [graph, nodes] :
         {std::pair("dynamo_output_graph", &Graphs::given), std::pair("aot_joint_graph", &Graphs::joint),
          std::pair("aot_inference_graph", &Graphs::forward), std::pair("aot_forward_graph", &Graphs::forward),
          std::pair("aot_backward_graph", &Graphs::backward)})
      if (member(json, graph) != nullptr) graphs_[id].*nodes = read_fx_graph(payload);
    if (const Json* const code = member(json, "inductor_output_code"); code != nullptr && code->IsObject())
      add_kernels(id, text_of(*code, "filename"), payload);
    if (const Json* const artifact = member(json, "artifact"); artifact != nullptr && artifact->IsObject())
      add_artifact(id, text_of(*artifact, "name"), payload);
  }

  void end() {
    // The reasons come before the compilation that they are of.
    for (CompileEvent& event : to_.events)
      if (event.python.line == 0 && frames_.contains(event.compile_id)) event.python = frames_[event.compile_id];
    if (damaged_ > 0)
      to_.problems.push_back(fmt::format("{}: damaged records, which were left out: {}", name_, damaged_));
  }

 private:
  /// The innermost frame of a stack, which is the compiled function's.
  PythonLine innermost(const Json* stack) const {
    if (stack == nullptr || !stack->IsArray() || stack->Empty()) return {};
    const Json& last = (*stack)[stack->Size() - 1];
    if (!last.IsObject()) return {};
    PythonLine line;
    if (const Json* const file = member(last, "filename"); file != nullptr && file->IsInt()) {
      const auto known = texts_.find(file->GetInt());
      if (known != texts_.end()) line.file = known->second;
    } else {
      line.file = text_of(last, "filename");
    }
    line.line = std::max(number_of(last, "line", -1), 0);
    line.function = text_of(last, "name");
    line.code = text_of(last, "loc");
    return line;
  }

  /// The graphs of a compilation. Names of nodes mean different things in those of the forward and the backward pass.
  struct Graphs {
    FxNodes given, joint, forward, backward;
    FxNodes compiled;  ///< the one that Inductor compiles at present, before and after its passes
    /// The nodes of `given` that a node of `compiled` was made from. Names between them are those of passes' own
    /// graphs.
    std::unordered_map<std::string, std::vector<std::string>> origins;
  };

  /// The names in "from_node" that come from no other node.
  static void add_origins(const Json& list, std::vector<std::string>& to, int depth) {
    constexpr int deepest = 32;
    if (!list.IsArray() || depth > deepest) return;
    for (const Json& one : list.GetArray()) {
      if (!one.IsObject()) continue;
      const Json* const from = member(one, "from_node");
      if (from != nullptr && from->IsArray() && !from->Empty())
        add_origins(*from, to, depth + 1);
      else if (std::string name = text_of(one, "name"); !name.empty())
        to.push_back(std::move(name));
    }
  }

  void add_artifact(const std::string& id, const std::string& artifact, const std::string& payload) {
    if (artifact == "before_post_grad_graph") graphs_[id].compiled.clear();
    if (artifact.ends_with("_post_grad_graph")) {
      FxNodes& nodes = graphs_[id].compiled;
      for (auto& [name, node] : read_fx_graph(payload)) {
        if (const auto known = nodes.find(name); known != nodes.end() && node.python.line == 0)
          node.python = known->second.python;
        nodes[name] = std::move(node);
      }
      return;
    }
    if (artifact == "inductor_post_to_pre_grad_nodes") {
      rapidjson::Document nodes;
      nodes.Parse<rapidjson::kParseIterativeFlag>(payload.data(), payload.size());
      if (nodes.HasParseError() || !nodes.IsObject()) return;
      for (const auto& node : nodes.GetObject()) add_origins(node.value, graphs_[id].origins[node.name.GetString()], 0);
    } else if (artifact == "recompile_reasons") {
      const auto add = [&](std::string_view reason) {
        CompileEvent& event = to_.events.emplace_back();
        event.compile_id = id;
        event.reason = base::one_line(std::string(reason));
      };
      // A list, or, in PyTorch 2.11, lines of text.
      rapidjson::Document reasons;
      reasons.Parse<rapidjson::kParseIterativeFlag>(payload.data(), payload.size());
      if (!reasons.HasParseError() && reasons.IsArray()) {
        for (const Json& reason : reasons.GetArray())
          if (reason.IsString()) add(reason.GetString());
      } else {
        for (const std::string_view line : base::lines_of(payload))
          if (!line.empty()) add(line);
      }
    } else if (artifact.find("graph_break") != std::string::npos) {
      add_graph_break(id, payload);
    }
  }

  /// "Graph break in user code at train.py:12\nReason: ...\n  Explanation: ...\n  Hint: ...\nUser code traceback:...",
  /// the last with lines of Python's: `  File "train.py", line 12, in step` and the code.
  void add_graph_break(const std::string& id, std::string_view text) {
    CompileEvent& event = to_.events.emplace_back();
    event.kind = CompileEvent::Kind::graph_break;
    event.compile_id = id;
    constexpr std::string_view word = "Reason: ", place = "user code at ";
    const std::size_t trace = std::min(text.find("User code traceback"), text.size());
    const std::string_view said = text.substr(0, trace);
    const std::size_t reason = said.find(word), first_line = said.find('\n');
    const std::string_view explained =
        reason == std::string_view::npos ? said.substr(0, first_line) : said.substr(reason + word.size());
    event.reason = base::one_line(std::string(explained.substr(0, explained.find("\n  Explanation:"))));
    for (const std::string_view line : base::lines_of(explained))
      if (const std::size_t hint = line.find("Hint: "); hint != std::string_view::npos)
        event.hints.push_back(base::one_line(std::string(line.substr(hint + 6))));
    const std::string_view head = said.substr(0, first_line);
    const std::size_t at = head.find(place), colon = head.rfind(':');
    if (at == std::string_view::npos || colon == std::string_view::npos || colon < at) return;
    int line = 0;
    const std::string_view number = head.substr(colon + 1);
    std::from_chars(number.data(), number.data() + number.size(), line);
    if (line <= 0) return;
    event.python = {std::string(head.substr(at + place.size(), colon - at - place.size())), line, {}, {}};
    // The code of that line is the last one of the program's own stack.
    const std::string_view stack = text.substr(trace, std::min(text.find("\n\n", trace), text.size()) - trace);
    const std::string frame = fmt::format("\"{}\", line {}, in ", event.python.file, line);
    if (const std::size_t found = stack.rfind(frame); found != std::string_view::npos) {
      const std::string_view rest = stack.substr(found + frame.size());
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      event.python.function = rest.substr(0, end);
      std::string_view code = rest.substr(std::min(end + 1, rest.size()));
      code = code.substr(0, code.find('\n'));
      code.remove_prefix(std::min(code.find_first_not_of(" \t"), code.size()));
      event.python.code = code;
    }
  }

  void add_kernels(const std::string& id, const std::string& file, const std::string& text) {
    Graphs& graphs = graphs_[id];
    const std::array order = {&graphs.compiled, is_backward(text) ? &graphs.backward : &graphs.forward, &graphs.joint};
    const std::array given = {&graphs.given};
    for (InductorKernel& one : read_inductor_output(text)) {
      std::vector<FxNode> fx;
      for (const std::string& name : one.nodes) {
        FxNode node = find_node(name, order);
        // What the passes have made has no line of its own.
        for (const std::string& origin : graphs.origins[name])
          if (node.python.line == 0) node.python = find_node(origin, given).python;
        fx.push_back(std::move(node));
      }
      if (fx.empty())
        for (const std::string& name : one.source_nodes) fx.push_back(find_node(name, given));
      if (one.is_library_call) {
        to_.library_calls.push_back({std::move(one.name), std::move(fx), id});
        continue;
      }
      PythonLine place = one.place(file);
      CompiledKernel& kernel = to_.kernels.emplace_back();
      kernel.name = std::move(one.name);
      kernel.compile_id = id;
      kernel.fx = std::move(fx);
      kernel.ops = std::move(one.ops);
      kernel.source = std::move(one.source);
      kernel.triton = std::move(place);
      add_lines(kernel);
    }
    graphs.compiled.clear();
  }

  /// The node as the first graph that has it and its line says, otherwise as any says, otherwise its name alone.
  template <std::size_t N>
  static FxNode find_node(const std::string& name, const std::array<FxNodes*, N>& order) {
    FxNode found{name, {}, {}};
    for (const FxNodes* const graph : order)
      if (const auto node = graph->find(name); node != graph->end()) {
        if (found.target.empty()) found.target = node->second.target;
        if (found.python.line == 0) found.python = node->second.python;
      }
    return found;
  }

  /// The lines of the nodes, each once; without any, the function that was compiled.
  void add_lines(CompiledKernel& kernel) {
    for (const FxNode& node : kernel.fx)
      if (node.python.line != 0 && std::ranges::find(kernel.python, node.python) == kernel.python.end())
        kernel.python.push_back(node.python);
    std::ranges::stable_sort(kernel.python, {}, [](const PythonLine& one) { return std::pair(one.file, one.line); });
    if (const PythonLine& frame = frames_[kernel.compile_id]; kernel.python.empty() && frame.line != 0)
      kernel.python.push_back(frame);
  }

  std::string_view name_;
  Compiled& to_;
  std::unordered_map<int, std::string> texts_;          // that stacks refer to by number
  std::unordered_map<std::string, PythonLine> frames_;  // by compilation: the compiled function
  std::unordered_map<std::string, Graphs> graphs_;      // by compilation
  std::size_t damaged_ = 0;
};

}  // namespace

bool is_torch_log(std::string_view text) {
  const std::string_view begin = text.substr(0, text.find('\n'));
  return !json_of(begin).empty();
}

void read_torch_log(std::string_view text, std::string_view name, Compiled& to) {
  Log log(name, to);
  std::string_view json;
  std::string payload;
  for (const std::string_view line : base::lines_of(text)) {
    if (line.starts_with('\t')) {
      payload.append(line.substr(1)).push_back('\n');
      continue;
    }
    const std::string_view next = json_of(line);
    if (next.empty()) continue;
    if (!json.empty()) log.record(json, std::exchange(payload, {}));
    json = next;
    payload.clear();
  }
  if (!json.empty()) log.record(json, std::move(payload));
  log.end();
}

}  // namespace warpwalk::compiled
