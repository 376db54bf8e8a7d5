// Pictures of the lab "cuda-triton" about PyTorch: torch.compile's kernel, and registered ops.
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/records/record_table.h"
#include "core/story/facts/code/linked_code.h"
#include "core/story/labs/cuda_triton/cuda_triton.h"

namespace warpwalk::story {
namespace {

// The outcome of a step: "works, same bits as torch.relu", or the type of the error.
std::string outcome(const CudaTriton& lab, std::string_view step, std::string_view expected) {
  const records::OpStep* const found = lab.record->find(lab.op, step);
  if (found == nullptr) return "–";
  if (!found->ok) return found->more;
  const records::OpStep* const wanted = lab.record->find("expected", expected);
  if (wanted == nullptr || found->result.empty()) return lab.word("works");
  return lab.word(found->result == wanted->result ? "same_bits" : "other_bits");
}

struct RegistrationLine {
  std::string_view triton_op, custom_op, before, after, expected;
};

// The code of tests/triton/record.py. `before` and `after`: the recorded steps without and with this line.
constexpr RegistrationLine registration[] = {
    {"@triton_op(\"lab::relu\", mutates_args={})", "@custom_op(\"lab::opaque_relu\", mutates_args={})", "", "", ""},
    {"def relu(x: torch.Tensor) -> torch.Tensor:", "def opaque_relu(x: torch.Tensor) -> torch.Tensor:", "", "eager",
     "eager"},
    {"    y = torch.empty_like(x)", "    y = torch.empty_like(x)", "", "", ""},
    {"    wrap_triton(kernel)[grid](x, y, x.numel(), 1024)", "    kernel[grid](x, y, x.numel(), 1024)", "",
     "cpu_tensor", ""},
    {"    return y", "    return y", "", "", ""},
    {"", "@register_fake(\"lab::opaque_relu\")", "compiled_without_fake", "compiled", "compiled"},
    {"", "def fake(x): return torch.empty_like(x)", "", "", ""},
    {"register_autograd(\"lab::relu\", backward, ...)", "register_autograd(\"lab::opaque_relu\", backward, ...)",
     "gradient_without_autograd", "gradient", "gradient"},
    {"torch.compile(lambda v: relu(v + 1) * 2)(x)", "torch.compile(lambda v: opaque_relu(v + 1) * 2)(x)", "",
     "compiled_kernels", ""},
    {"opcheck(relu, (x,))", "opcheck(opaque_relu, (x,))", "", "opcheck", ""},
};

}  // namespace

Panel compiled_panel(const CudaTriton& lab, double progress) {
  trace::Module module;
  module.source_file = "fused.py";
  module.source = lab.record->text("fused.py");
  module.ptx = lab.record->text("fused.ptx");
  const std::optional<double> asked = lab.input.set(CudaTriton::name, "line");
  constexpr std::size_t limit = 60;
  CodeView view = code_view(module, "triton_poi_fused_add_relu_0",
                            asked && std::isfinite(*asked) ? std::llround(std::clamp(*asked, 0.0, 1e6)) : 0, limit);
  CodePicture code;
  code.columns.resize(2);
  code.columns[0].name = lab.word("generated");
  code.columns[0].window = std::move(view.source);
  code.columns[0].share = 1.2;
  code.columns[1].name = "PTX";
  code.columns[1].kind = CodeKind::ptx;
  code.columns[1].window = std::move(view.ptx);
  if (module.ptx.empty()) code.columns[1].missing = lab.word("no_ptx");
  code.line = view.line;
  code.lines = std::move(view.lines);
  code.progress = progress;
  code.control = fmt::format("{}.line", CudaTriton::name);
  return {"", 1, std::move(code)};
}

Panel registration_panel(const CudaTriton& lab, std::size_t lit) {
  std::vector<std::string> source, results;
  const bool custom = lab.op == "custom_op";
  for (const RegistrationLine& line : registration) {
    const std::string_view text = custom ? line.custom_op : line.triton_op;
    if (text.empty()) {
      // A triton_op needs no fake function: tracing goes through it.
      if (line.after == "compiled") {
        source.push_back(lab.word("no_fake"));
        results.push_back(outcome(lab, line.before, line.expected));
      }
      continue;
    }
    source.emplace_back(text);
    std::string result;
    if (line.after == "compiled_kernels") {
      if (const records::OpStep* const step = lab.record->find(lab.op, line.after); step != nullptr)
        result = lab.word(step->more == "0" ? "kernels_only" : "kernels_and_calls",
                          {{"kernels", step->result}, {"calls", step->more}});
    } else if (line.after == "cpu_tensor") {
      result = lab.word("cpu_tensor", {{"error", outcome(lab, line.after, "")}});
    } else if (!line.before.empty()) {
      result = lab.word("without_with", {{"without", outcome(lab, line.before, line.expected)},
                                         {"with", outcome(lab, line.after, line.expected)}});
    } else if (!line.after.empty()) {
      result = outcome(lab, line.after, line.expected);
    }
    results.push_back(std::move(result));
  }
  lit = std::min(lit, source.size());
  CodePicture code;
  code.columns = {text_column(lab.word("source"), std::move(source), lit, 1.1),
                  text_column(lab.word("recorded"), std::move(results), lit, 1)};
  for (CodePicture::Column& column : code.columns) column.window.focus = lit - 1;
  return {"", 1, std::move(code)};
}

Panel call_panel(const CudaTriton& lab) {
  TimelinePicture picture;
  RowGroup group;
  Row gpu{lab.word("gpu"), {}};
  std::vector<std::int64_t> open;  // ends of the calls around the next one
  picture.to = 1;
  for (const records::OpStep& step : lab.record->steps) {
    const bool on_gpu = step.step.starts_with("call gpu ");
    if (step.op != lab.op || (!on_gpu && !step.step.starts_with("call cpu "))) continue;
    // The op itself and what it calls; autograd's node between them does no work of its own.
    if (step.step.find(" GeneratedBackwardFor_") != std::string::npos) continue;
    const std::optional<double> start = records::number_in(step.result), us = records::number_in(step.more);
    if (!start || !us || *start + *us > 1e9) continue;
    Bar bar;
    bar.label = step.step.substr(9);
    bar.start = std::llround(1000 * *start);
    bar.end = std::llround(1000 * (*start + *us));
    bar.role = on_gpu ? Role::kernel : bar.label.starts_with("cu") ? Role::launch : Role::op;
    bar.followed = true;
    picture.to = std::max(picture.to, static_cast<double>(bar.end) * 1.03);
    if (on_gpu) {
      gpu.bars.push_back(std::move(bar));
      continue;
    }
    while (!open.empty() && open.back() <= bar.start) open.pop_back();
    const std::size_t row = open.size();
    open.push_back(bar.end);
    constexpr std::size_t max_depth = 2;
    if (row >= max_depth) continue;
    if (row >= group.rows.size()) group.rows.resize(row + 1);
    group.rows[row].bars.push_back(std::move(bar));
  }
  if (!group.rows.empty()) group.rows.front().name = lab.word("cpu");
  if (!gpu.bars.empty()) group.rows.push_back(std::move(gpu));
  picture.groups.push_back(std::move(group));
  return {"", 1, std::move(picture)};
}

}  // namespace warpwalk::story
