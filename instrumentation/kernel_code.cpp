#include "instrumentation/kernel_code.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/platform/child_program.h"
#include "core/platform/find_program.h"
#include "core/run/record/disassembly.h"
#include "core/sass/elf/single_function.h"
#include "core/trace/json/json_text.h"
#include "core/trace/sass_lines.h"
#include "instrumentation/cubin.h"

namespace warpwalk::instrumentation {
namespace {

/// The outcome for a kernel's code.
enum class CodeStatus : std::uint8_t {
  wanted,
  disassembled,
  not_loaded,
  ambiguous,
  too_large,
  walk_full,
  timed_out,
  cancelled,
  disassembly_failed
};

/// A launched function.
struct Kernel {
  trace::StringId entry = 0;
  trace::StringId name = 0;   // demangled
  std::int64_t gpu_time = 0;  // ns, over all launches
  CodeStatus fate = CodeStatus::wanted;
  std::size_t cubin = 0;
  std::uint32_t symbol = 0;
  run::Disassembly code;
  std::string ptx;
  std::string cubin_bytes;  // with this kernel alone
  std::size_t module = trace::no_record;
};

// The fate of a kernel whose code nvdisasm did not print.
CodeStatus failure_status(const std::optional<platform::ChildRun>& run) {
  if (run && run->cancelled) return CodeStatus::cancelled;
  return run && !run->in_time ? CodeStatus::timed_out : CodeStatus::disassembly_failed;
}

class CodeCollector {
 public:
  CodeCollector(trace::Trace& trace, const LoadedCode& code, const CodeOptions& options)
      : trace_(trace), code_(code), options_(options), sources_(options.sources) {}

  CodeSummary run() {
    find_kernels();
    if (kernels_.empty()) return {};
    if (!options_.nvdisasm) {
      missing_.push_back("no machine code: nvdisasm is neither in PATH nor in a CUDA toolkit; install it");
      return finish();
    }
    if (!code_.recorded) return {};  // if code was requested, the recording itself reports the reason
    find_functions();
    disassemble_all();
    for (Kernel& kernel : kernels_) add_module(kernel);
    add_records();
    report_missing();
    return finish();
  }

 private:
  void find_kernels() {
    std::unordered_map<trace::StringId, std::size_t> known;
    for (trace::SliceId s = 0; s < trace_.slices.size(); ++s) {
      if (trace_.slices.kind[s] != trace::SliceKind::kernel || trace_.slices.detail[s] >= code_.launched.size())
        continue;
      const trace::StringId entry = code_.launched[trace_.slices.detail[s]].name;
      const auto [found, is_new] = known.try_emplace(entry, kernels_.size());
      if (is_new) {
        Kernel& kernel = kernels_.emplace_back();
        kernel.entry = entry;
        kernel.name = trace_.slices.name[s];
      }
      kernels_[found->second].gpu_time += trace_.slices.duration[s];
    }
    std::ranges::stable_sort(kernels_, std::greater{}, &Kernel::gpu_time);
    for (std::size_t k = 0; k < kernels_.size(); ++k) by_entry_[kernels_[k].entry] = k;
  }

  // A function may be loaded more than once. If the copies differ, it is unknown which one ran.
  void find_functions() {
    std::unordered_map<std::string_view, std::size_t> wanted;
    for (std::size_t k = 0; k < kernels_.size(); ++k) wanted.emplace(trace_.text(kernels_[k].entry), k);
    std::vector<std::string_view> machine_code(kernels_.size());
    for (const std::string& bytes : code_.cubins) {
      const Cubin& cubin = cubins_.emplace_back(parse_cubin(bytes));
      for (const CubinFunction& function : cubin.functions) {
        const auto found = wanted.find(function.name);
        if (found == wanted.end()) continue;
        Kernel& kernel = kernels_[found->second];
        std::string_view& known = machine_code[found->second];
        if (known.empty()) {
          known = function.code;
          kernel.cubin = cubins_.size() - 1;
          kernel.symbol = function.symbol;
        } else if (known != function.code) {
          kernel.fate = CodeStatus::ambiguous;
        }
      }
    }
    first_kernel_of_cubin_.assign(cubins_.size(), kernels_.size());
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      Kernel& kernel = kernels_[k];
      if (machine_code[k].empty()) kernel.fate = CodeStatus::not_loaded;
      // An instruction is 16 bytes, and longer as text.
      if (kernel.fate == CodeStatus::wanted && machine_code[k].size() > options_.max_kernel_bytes)
        kernel.fate = CodeStatus::too_large;
      if (kernel.fate == CodeStatus::wanted)
        first_kernel_of_cubin_[kernel.cubin] = std::min(first_kernel_of_cubin_[kernel.cubin], k);
    }
  }

  // Starts with the cubin of the longest-running kernel. nvdisasm reads the entire cubin, which can take seconds, so
  // one process per core runs at a time.
  void disassemble_all() {
    std::vector<std::size_t> order;
    for (std::size_t c = 0; c < cubins_.size(); ++c)
      if (first_kernel_of_cubin_[c] < kernels_.size()) order.push_back(c);
    std::ranges::sort(order, {}, [&](std::size_t c) { return first_kernel_of_cubin_[c]; });
    errors_.resize(cubins_.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < order.size(); i = next++) disassemble_cubin(order[i]);
    };
    std::vector<std::jthread> helpers;
    const std::size_t cores = std::max(std::thread::hardware_concurrency(), 1u);
    while (helpers.size() + 1 < std::min(cores, order.size())) helpers.emplace_back(work);
    work();
  }

  void disassemble_cubin(std::size_t c) {
    std::string symbols;
    std::vector<Kernel*> cubin_kernels;
    for (Kernel& kernel : kernels_)
      if (kernel.fate == CodeStatus::wanted && kernel.cubin == c) {
        cubin_kernels.push_back(&kernel);
        symbols += fmt::format("{}{}", symbols.empty() ? "" : ",", kernel.symbol);
      }
    const platform::TemporaryFile file(code_.cubins[c]);
    const Cubin& cubin = cubins_[c];
    CodeStatus fate = CodeStatus::disassembled;
    const auto printed = [&](const char* lines) -> std::string {
      std::vector<std::string> words = {options_.nvdisasm->string(), "-c", "-fun", symbols, file.name()};
      if (lines != nullptr) words.insert(words.begin() + 1, lines);
      auto run = platform::run_child(std::move(words), {options_.deadline, options_.cancel});
      if (run && run->good()) return std::move(run->output);
      fate = failure_status(run);
      if (run && fate == CodeStatus::disassembly_failed) errors_[c] = run->output.substr(0, run->output.find('\n'));
      return {};
    };
    const std::string with_source = printed(cubin.has_source_lines ? "-gi" : nullptr);
    const bool has_ptx = cubin.has_ptx_lines && !cubin.ptx.empty() && cubin.ptx.size() <= options_.max_kernel_bytes;
    const std::string with_ptx = has_ptx && fate == CodeStatus::disassembled ? printed("-gp") : std::string();
    for (Kernel* const kernel : cubin_kernels) {
      kernel->fate = fate;
      if (fate != CodeStatus::disassembled) continue;
      kernel->code = run::read_disassembly(with_source, with_ptx, trace_.text(kernel->entry), "");
      kernel->code.sass = strip_folders(kernel->code.sass);
      if (has_ptx) kernel->ptx = cubin.ptx;
      kernel->cubin_bytes = sass::single_function(code_.cubins[c], trace_.text(kernel->entry));
      if (kernel->code.sass.empty()) kernel->fate = CodeStatus::disassembly_failed;
      if (kernel->code.sass.size() <= options_.max_kernel_bytes) continue;
      kernel->fate = CodeStatus::too_large;
      kernel->code = {};
    }
  }

  void add_module(Kernel& kernel) {
    if (kernel.fate != CodeStatus::disassembled) return;
    const std::size_t bytes = kernel.code.sass.size() + kernel.ptx.size();
    if (bytes > options_.max_walk_bytes - kept_bytes_) {
      kernel.fate = CodeStatus::walk_full;
      return;
    }
    kept_bytes_ += bytes;
    kernel.module = trace_.records.modules.size();
    trace::Module& module = trace_.records.modules.emplace_back();
    module.name = trace_.text(kernel.name);
    module.source_file = trace::sass_file(kernel.code.sass);
    module.sass = std::move(kernel.code.sass);
    module.ptx = std::move(kernel.ptx);
    // The text remains without it: the code, but neither its scheduling nor its registers.
    if (const std::size_t size = kernel.cubin_bytes.size();
        size <= options_.max_kernel_bytes && size <= options_.max_walk_bytes - kept_cubin_bytes_) {
      module.cubin.assign(kernel.cubin_bytes.begin(), kernel.cubin_bytes.end());
      kept_cubin_bytes_ += size;
    }
    // Line maps without source and PTX lines are dropped.
    if (std::ranges::any_of(kernel.code.line_map,
                            [](const trace::LineMapRow& row) { return row.source_line != 0 || row.ptx_line != 0; }))
      module.line_map = std::move(kernel.code.line_map);
    add_source(kernel, module);
    ++with_code_;
  }

  // A kernel that was compiled without a line table has no source file; no message says so.
  void add_source(const Kernel& kernel, trace::Module& module) {
    if (!options_.sources.keep) return;
    KernelSource source = sources_.find(kernel.cubin_bytes, trace_.text(kernel.entry));
    if (!source.missing.empty() && std::ranges::find(missing_sources_, source.missing) == missing_sources_.end())
      missing_sources_.push_back(source.missing);
    if (source.text.empty()) return;
    module.source_file = trace::file_name(source.path);
    module.source = std::move(source.text);
    ++with_source_;
  }

  // Launches with the same configuration share a record.
  void add_records() {
    if (with_code_ == 0) return;
    const std::string by = trace_.records.sources.empty() ? std::string("CUPTI") : trace_.records.sources.front().by;
    using LaunchKey = std::tuple<std::size_t, std::array<std::int32_t, 3>, std::array<std::int32_t, 3>, std::uint32_t>;
    std::map<LaunchKey, std::int64_t> rows;
    for (std::size_t i = 0; i < trace_.kernels.size(); ++i) {
      trace::KernelDetail& detail = trace_.kernels[i];
      const LaunchedFunction& launched = code_.launched[i];
      const Kernel& kernel = kernels_[by_entry_.at(launched.name)];
      if (kernel.module == trace::no_record) continue;
      if (detail.record >= 0) {  // of the simulated GPU
        trace::KernelRecord& record = trace_.records.kernels[static_cast<std::size_t>(detail.record)];
        if (record.module == trace::no_record) record.module = kernel.module;
        continue;
      }
      const auto [row, is_new] =
          rows.try_emplace(LaunchKey{kernel.module, detail.grid, detail.block, launched.dynamic_shared_bytes},
                           static_cast<std::int64_t>(trace_.records.kernels.size()));
      detail.record = row->second;
      if (!is_new) continue;
      trace::KernelRecord& record = trace_.records.kernels.emplace_back();
      record.module = kernel.module;
      record.entry = trace_.text(kernel.entry);
      std::ranges::copy(detail.grid, record.grid.begin());
      std::ranges::copy(detail.block, record.block.begin());
      record.dynamic_shared_bytes = launched.dynamic_shared_bytes;
      record.registers = static_cast<std::uint32_t>(std::max<std::int64_t>(detail.registers, 0));
      record.registers_origin = "cubin";
      record.measured_by = by;
    }
    trace_.records.sources.push_back(
        {"sass", "nvdisasm, from the cubins that the program loaded", trace::Origin::derived});
  }

  void report_missing() {
    const auto report = [&](CodeStatus fate, const std::string& why) {
      const auto n = std::ranges::count(kernels_, fate, &Kernel::fate);
      if (n > 0) missing_.push_back(fmt::format("no machine code for {} kernel{}: {}", n, n == 1 ? "" : "s", why));
    };
    report(CodeStatus::not_loaded,
           code_.cubins_missing > 0
               ? fmt::format("not found in the recorded modules; {} modules were not recorded", code_.cubins_missing)
           : code_.late ? "loaded before the recording began; begin it before the first launch of a kernel, or record "
                          "the whole program with warpwalk record -- PROGRAM"
                        : "not found in any loaded module");
    report(CodeStatus::ambiguous, "several loaded modules have different code under the same name");
    report(CodeStatus::too_large,
           fmt::format("more than {} of text", base::bytes_text(static_cast<double>(options_.max_kernel_bytes))));
    report(CodeStatus::walk_full, fmt::format("the walk already holds {} of machine code",
                                              base::bytes_text(static_cast<double>(kept_bytes_))));
    report(CodeStatus::timed_out, "nvdisasm took too long");
    report(CodeStatus::cancelled, "interrupted");
    const auto error = std::ranges::find_if_not(errors_, &std::string::empty);
    report(CodeStatus::disassembly_failed,
           error == errors_.end() ? "nvdisasm did not print it" : fmt::format("nvdisasm failed ({})", *error));
  }

  CodeSummary finish() {
    CodeSummary account{kernels_.size(), with_code_, std::move(missing_), with_source_, std::move(missing_sources_)};
    std::string json =
        fmt::format("{{\"kernels\": {}, \"with_code\": {}, \"left_out\": [", account.kernels, account.with_code);
    const auto append = [&](const std::vector<std::string>& lines) {
      for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0) json += ", ";
        trace::append_quoted(json, lines[i]);
      }
    };
    append(account.missing);
    json += fmt::format("], \"with_source\": {}, \"sources_left_out\": [", account.with_source);
    append(account.missing_sources);
    trace_.metadata.emplace_back(trace_.strings.intern("warpwalk_code"), trace_.strings.intern(json + "]}"));
    return account;
  }

  trace::Trace& trace_;
  const LoadedCode& code_;
  const CodeOptions& options_;
  KernelSources sources_;
  std::vector<Kernel> kernels_;  // longest-running first
  std::unordered_map<trace::StringId, std::size_t> by_entry_;
  std::vector<Cubin> cubins_;
  std::vector<std::size_t> first_kernel_of_cubin_;  // per cubin: the index of its first wanted kernel
  std::size_t with_code_ = 0;
  std::size_t kept_bytes_ = 0;  // of text
  std::size_t kept_cubin_bytes_ = 0;
  std::size_t with_source_ = 0;
  std::vector<std::string> errors_;  // per cubin: nvdisasm's error
  std::vector<std::string> missing_;
  std::vector<std::string> missing_sources_;
};

}  // namespace

std::string strip_folders(std::string_view sass) {
  std::string out;
  while (!sass.empty()) {
    const std::string_view line = sass.substr(0, sass.find('\n'));
    sass.remove_prefix(std::min(line.size() + 1, sass.size()));
    const char* copied = line.data();
    if (const auto place = trace::parse_sass_location(line)) {
      for (const std::string_view file : {place->file, place->inlined_at}) {
        if (file.empty()) continue;
        out.append(copied, file.data());
        copied = trace::file_name(file).data();
      }
    }
    out.append(copied, line.data() + line.size());
    out += '\n';
  }
  return out;
}

CodeSummary add_code(trace::Trace& trace, const LoadedCode& code, const CodeOptions& options) {
  return CodeCollector(trace, code, options).run();
}

}  // namespace warpwalk::instrumentation
