#include "core/compiled/lines/kernel_lines.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/base/text.h"
#include "core/compiled/lines/code_lines.h"
#include "core/compiled/mlir/mlir.h"
#include "core/compiled/triton_files.h"
#include "core/platform/read_file.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/encoding.h"

namespace warpwalk::compiled {
namespace {

/// Maps lines of the program to the functions that contain them. In Triton's first stage (.source) nothing is inlined
/// yet, so each operation stands in the function that it was written in.
using FunctionNames = std::map<std::pair<std::string, int>, std::string>;

/// "triton.language.standard.sum" of "triton.language.standard.sum__fp32S512S__(1,)cconstexpr_0_"
std::string_view written_name(std::string_view symbol) {
  const std::size_t module = symbol.substr(0, symbol.find('(')).rfind('.');
  const std::size_t name = symbol.find_first_not_of('_', module == std::string_view::npos ? 0 : module + 1);
  return symbol.substr(0, symbol.find("__", std::min(name, symbol.size())));
}

FunctionNames function_names(std::string_view source) {
  FunctionNames names;
  const MlirModule module = parse_mlir(source);
  std::string_view function;
  for (const MlirOp& op : module.ops) {
    if (op.name == "tt.func") function = written_name(op.symbol);
    if (function.empty()) continue;
    const auto frames = module.frames(op.location);
    if (frames.size() == 1) names.try_emplace({bounded_text(frames[0].file), frames[0].line}, bounded_text(function));
  }
  return names;
}

class Linker {
 public:
  /// `file`: that of the kernel's function.
  Linker(std::string_view kernel, std::string file, FunctionNames names)
      : kernel_(kernel), file_(std::move(file)), names_(std::move(names)) {}

  void add(CodeStage stage, const CodeChain& chain, std::uint64_t at) {
    if (chain.empty() || chain.front().line == 0) return;
    std::vector<std::uint64_t>& places = line_of(chain).places[static_cast<std::size_t>(stage)];
    if (places.empty() || places.back() != at) places.push_back(at);
  }

  std::vector<LinkedLine> finish() {
    std::vector<LinkedLine> lines;
    for (auto& [key, line] : lines_) lines.push_back(std::move(line));
    const auto rank = [](const LinkedLine& line) { return std::tuple(line.python.line == 0, line.python.line); };
    std::ranges::stable_sort(lines, {}, rank);
    return lines;
  }

 private:
  using Key = std::vector<std::pair<std::string, int>>;  // outermost first

  LinkedLine& line_of(const CodeChain& chain) {
    Key key;
    for (auto frame = chain.rbegin(); frame != chain.rend(); ++frame)
      if (frame->line > 0) key.emplace_back(frame->file, frame->line);
    const auto [at, added] = lines_.try_emplace(key);
    if (added) describe(chain, at->second);
    return at->second;
  }

  void describe(const CodeChain& chain, LinkedLine& line) const {
    // The user's line is that of the outermost call, if it is in the kernel's own file.
    std::size_t inlined = chain.size();
    if (own(chain.back().file)) {
      line.python = {chain.back().file, chain.back().line, kernel_, {}};
      --inlined;
    }
    for (std::size_t i = 0; i < inlined; ++i) {
      CodeFrame frame = chain[i];
      if (frame.line == 0) continue;
      frame.column = 0;
      if (frame.function == kernel_) frame.function.clear();  // Triton's debug information names no other function
      if (const auto named = names_.find({frame.file, frame.line}); named != names_.end())
        frame.function = named->second;
      line.inlined.push_back(std::move(frame));
    }
  }

  bool own(std::string_view file) const {
    if (file.starts_with('/') && file_.starts_with('/')) return file == file_;
    return file_.empty() || file_name(file) == file_name(file_);
  }

  std::string kernel_, file_;
  FunctionNames names_;
  std::map<Key, LinkedLine> lines_;
};

CodeChain chain_of(const std::vector<MlirFrame>& frames) {
  CodeChain chain;
  for (const MlirFrame& frame : frames) chain.push_back({bounded_text(frame.file), frame.line, frame.column, {}});
  return chain;
}

void add_mlir(CodeStage stage, std::string_view text, Linker& to, std::size_t& total) {
  const MlirModule module = parse_mlir(text);
  for (const MlirOp& op : module.ops) {
    if (op.name == "module") continue;
    ++total;
    to.add(stage, chain_of(module.frames(op.location)), static_cast<std::uint64_t>(op.line));
  }
}

}  // namespace

KernelLines link_lines(const StageTexts& texts, std::string_view kernel, const PythonLine& place) {
  KernelLines all;
  const auto total = [&](CodeStage stage) -> std::size_t& { return all.totals[static_cast<std::size_t>(stage)]; };
  all.place = triton_place(texts.ttir);
  if (all.place.line == 0) all.place = triton_place(texts.ttgir);
  if (all.place.line == 0) all.place = place;
  Linker linker(kernel, all.place.file, function_names(texts.source));
  add_mlir(CodeStage::ttir, texts.ttir, linker, total(CodeStage::ttir));
  add_mlir(CodeStage::ttgir, texts.ttgir, linker, total(CodeStage::ttgir));
  const LlvmLines llvm = read_llvm_lines(texts.llir);
  for (std::size_t i = 0; i < llvm.of_line.size(); ++i) {
    if (!llvm.instruction[i]) continue;
    ++total(CodeStage::llir);
    if (llvm.of_line[i] >= 0)
      linker.add(CodeStage::llir, llvm.chains[static_cast<std::size_t>(llvm.of_line[i])], i + 1);
  }
  PtxLines ptx = read_ptx_lines(texts.ptx);
  complete_from_llvm(ptx, llvm);
  for (std::size_t i = 0; i < ptx.of_line.size(); ++i) {
    if (!ptx.instruction[i]) continue;
    ++total(CodeStage::ptx);
    if (ptx.of_line[i] >= 0) linker.add(CodeStage::ptx, ptx.chains[static_cast<std::size_t>(ptx.of_line[i])], i + 1);
  }
  if (const auto cubin = sass::parse_cubin(texts.cubin)) {
    const auto function = std::ranges::find(cubin->functions, kernel, &sass::CubinFunction::name);
    if (function != cubin->functions.end()) {
      std::uint64_t address = 0;
      for (const InstructionChain& one : instruction_chains(*cubin, *function, ptx)) {
        linker.add(CodeStage::sass, one.chain, address);
        if (one.without_line || one.chain.empty()) all.sass_without_line.push_back(address);
        address += sass::instruction_bytes;
        ++total(CodeStage::sass);
      }
    }
  }
  all.lines = linker.finish();
  return all;
}

StageTexts read_stage_texts(const CompiledKernel& kernel) {
  StageTexts texts;
  const std::pair<std::string_view, std::string*> files[] = {{"source", &texts.source}, {"ttir", &texts.ttir},
                                                             {"ttgir", &texts.ttgir},   {"llir", &texts.llir},
                                                             {"ptx", &texts.ptx},       {"cubin", &texts.cubin}};
  for (const auto& [kind, text] : files)
    if (const auto file = kernel.files.find(std::string(kind)); file != kernel.files.end())
      if (auto read = platform::read_text_file(file->second)) *text = std::move(read->text);
  return texts;
}

KernelLines read_kernel_lines(const CompiledKernel& kernel) {
  return link_lines(read_stage_texts(kernel), kernel.name, kernel.triton);
}

std::optional<std::string> read_kernel_python(const PythonLine& place, std::string_view kernel) {
  auto read = platform::read_text_file(place.file);
  if (!read || place.line < 1) return std::nullopt;
  const auto lines = base::lines_of(read->text);
  if (static_cast<std::size_t>(place.line) > lines.size()) return std::nullopt;
  std::string_view line = lines[static_cast<std::size_t>(place.line) - 1];
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  constexpr std::string_view def = "def ";
  if (!line.starts_with(def)) return std::nullopt;
  // Kernels can have a name that begins with the function's (triton.jit's repr).
  const std::string_view name = line.substr(def.size(), line.find('(') - def.size());
  if (name.empty() || !kernel.starts_with(name)) return std::nullopt;
  return std::move(read->text);
}

std::string helper_name(std::string_view function) {
  constexpr std::string_view library = "triton.language.";
  const std::size_t dot = function.rfind('.');
  const std::string_view name = dot == std::string_view::npos ? function : function.substr(dot + 1);
  // Functions with an underscore in front are the library's own.
  const bool exported = function.starts_with(library) && !function.starts_with("triton.language.extra.");
  return (exported && !name.starts_with('_') ? "tl." : "") + std::string(name);
}

}  // namespace warpwalk::compiled
