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

#include "core/platform/child_program.h"
#include "core/platform/find_program.h"
#include "core/run/record/disassembly.h"
#include "core/trace/chrome/json_text.h"
#include "core/trace/sass_lines.h"
#include "instrumentation/cubin.h"
#include "instrumentation/sass_text.h"

namespace warpwalk::recording {
namespace {

/// The outcome for a kernel's code.
enum class Fate : std::uint8_t {
  wanted,
  printed,
  not_loaded,
  ambiguous,
  too_large,
  no_room,
  no_time,
  stopped,
  not_printed
};

/// A launched function.
struct Kernel {
  trace::StringId entry = 0;
  trace::StringId name = 0;   // demangled
  std::int64_t gpu_time = 0;  // ns, over all launches
  Fate fate = Fate::wanted;
  std::size_t cubin = 0;
  std::uint32_t symbol = 0;
  run::Disassembly code;
  std::string ptx;
  std::size_t module = trace::no_record;
};

// The fate of a kernel whose code nvdisasm did not print.
Fate fate_of(const std::optional<platform::ChildRun>& run) {
  if (run && run->cancelled) return Fate::stopped;
  return run && !run->in_time ? Fate::no_time : Fate::not_printed;
}

class CodeTaker {
 public:
  CodeTaker(trace::Trace& trace, const LoadedCode& code, const CodeOptions& options)
      : trace_(trace), code_(code), options_(options) {}

  CodeAccount run() {
    find_kernels();
    if (kernels_.empty()) return {};
    if (!options_.nvdisasm) {
      lacks_.push_back("no machine code: nvdisasm is neither in PATH nor in a CUDA toolkit; install it");
      return finish();
    }
    if (!code_.recorded) return {};  // if code was requested, the recording itself reports the reason
    find_functions();
    take_all_apart();
    for (Kernel& kernel : kernels_) keep(kernel);
    add_records();
    say_what_lacks();
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
          kernel.fate = Fate::ambiguous;
        }
      }
    }
    first_of_.assign(cubins_.size(), kernels_.size());
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      Kernel& kernel = kernels_[k];
      if (machine_code[k].empty()) kernel.fate = Fate::not_loaded;
      // An instruction is 16 bytes, and longer as text.
      if (kernel.fate == Fate::wanted && machine_code[k].size() > options_.kernel_bytes) kernel.fate = Fate::too_large;
      if (kernel.fate == Fate::wanted) first_of_[kernel.cubin] = std::min(first_of_[kernel.cubin], k);
    }
  }

  // Starts with the cubin of the longest-running kernel. nvdisasm reads the entire cubin, which can take seconds, so
  // one process per core runs at a time.
  void take_all_apart() {
    std::vector<std::size_t> order;
    for (std::size_t c = 0; c < cubins_.size(); ++c)
      if (first_of_[c] < kernels_.size()) order.push_back(c);
    std::ranges::sort(order, {}, [&](std::size_t c) { return first_of_[c]; });
    errors_.resize(cubins_.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < order.size(); i = next++) take_apart(order[i]);
    };
    std::vector<std::jthread> helpers;
    const std::size_t cores = std::max(std::thread::hardware_concurrency(), 1u);
    while (helpers.size() + 1 < std::min(cores, order.size())) helpers.emplace_back(work);
    work();
  }

  void take_apart(std::size_t c) {
    std::string symbols;
    std::vector<Kernel*> of_cubin;
    for (Kernel& kernel : kernels_)
      if (kernel.fate == Fate::wanted && kernel.cubin == c) {
        of_cubin.push_back(&kernel);
        symbols += fmt::format("{}{}", symbols.empty() ? "" : ",", kernel.symbol);
      }
    const platform::TemporaryFile file(code_.cubins[c]);
    const Cubin& cubin = cubins_[c];
    Fate fate = Fate::printed;
    const auto printed = [&](const char* lines) -> std::string {
      std::vector<std::string> words = {options_.nvdisasm->string(), "-c", "-fun", symbols, file.name()};
      if (lines != nullptr) words.insert(words.begin() + 1, lines);
      auto run = platform::run_child(std::move(words), {options_.until, options_.cancel});
      if (run && run->good()) return std::move(run->printed);
      fate = fate_of(run);
      if (run && fate == Fate::not_printed) errors_[c] = run->printed.substr(0, run->printed.find('\n'));
      return {};
    };
    const std::string with_source = printed(cubin.has_source_lines ? "-gi" : nullptr);
    const bool has_ptx = cubin.has_ptx_lines && !cubin.ptx.empty() && cubin.ptx.size() <= options_.kernel_bytes;
    const std::string with_ptx = has_ptx && fate == Fate::printed ? printed("-gp") : std::string();
    for (Kernel* const kernel : of_cubin) {
      kernel->fate = fate;
      if (fate != Fate::printed) continue;
      kernel->code = run::read_disassembly(with_source, with_ptx, trace_.text(kernel->entry), "");
      kernel->code.sass = without_folders(kernel->code.sass);
      if (has_ptx) kernel->ptx = cubin.ptx;
      if (kernel->code.sass.empty()) kernel->fate = Fate::not_printed;
      if (kernel->code.sass.size() <= options_.kernel_bytes) continue;
      kernel->fate = Fate::too_large;
      kernel->code = {};
    }
  }

  void keep(Kernel& kernel) {
    if (kernel.fate != Fate::printed) return;
    const std::size_t bytes = kernel.code.sass.size() + kernel.ptx.size();
    if (bytes > options_.all_bytes - kept_bytes_) {
      kernel.fate = Fate::no_room;
      return;
    }
    kept_bytes_ += bytes;
    kernel.module = trace_.records.modules.size();
    trace::Module& module = trace_.records.modules.emplace_back();
    module.name = trace_.text(kernel.name);
    module.source_file = trace::sass_file(kernel.code.sass);
    module.sass = std::move(kernel.code.sass);
    module.ptx = std::move(kernel.ptx);
    // A line map without any source or PTX line has no information.
    if (std::ranges::any_of(kernel.code.line_map,
                            [](const trace::LineMapRow& row) { return row.source_line != 0 || row.ptx_line != 0; }))
      module.line_map = std::move(kernel.code.line_map);
    ++with_code_;
  }

  // Launches with the same configuration share a record.
  void add_records() {
    if (with_code_ == 0) return;
    const std::string by = trace_.records.sources.empty() ? std::string("CUPTI") : trace_.records.sources.front().by;
    using Alike = std::tuple<std::size_t, std::array<std::int32_t, 3>, std::array<std::int32_t, 3>, std::uint32_t>;
    std::map<Alike, std::int64_t> rows;
    for (std::size_t i = 0; i < trace_.kernels.size(); ++i) {
      trace::KernelDetail& detail = trace_.kernels[i];
      const LaunchedFunction& launched = code_.launched[i];
      const Kernel& kernel = kernels_[by_entry_.at(launched.name)];
      if (kernel.module == trace::no_record) continue;
      const auto [row, is_new] =
          rows.try_emplace(Alike{kernel.module, detail.grid, detail.block, launched.dynamic_shared_bytes},
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

  void say_what_lacks() {
    const auto say = [&](Fate fate, const std::string& why) {
      const auto n = std::ranges::count(kernels_, fate, &Kernel::fate);
      if (n > 0) lacks_.push_back(fmt::format("no machine code for {} kernel{}: {}", n, n == 1 ? "" : "s", why));
    };
    say(Fate::not_loaded,
        code_.cubins_missing == 0
            ? "not found in any loaded module"
            : fmt::format("not found in the recorded modules; {} modules were not recorded", code_.cubins_missing));
    say(Fate::ambiguous, "several loaded modules have different code under the same name");
    say(Fate::too_large, fmt::format("more than {} kB of text", options_.kernel_bytes / 1000));
    say(Fate::no_room, fmt::format("the walk already holds {} kB of machine code", kept_bytes_ / 1000));
    say(Fate::no_time, "nvdisasm took too long");
    say(Fate::stopped, "interrupted");
    const auto error = std::ranges::find_if_not(errors_, &std::string::empty);
    say(Fate::not_printed,
        error == errors_.end() ? "nvdisasm did not print it" : fmt::format("nvdisasm failed ({})", *error));
  }

  CodeAccount finish() {
    CodeAccount account{kernels_.size(), with_code_, std::move(lacks_)};
    std::string json =
        fmt::format("{{\"kernels\": {}, \"with_code\": {}, \"left_out\": [", account.kernels, account.with_code);
    for (std::size_t i = 0; i < account.lacks.size(); ++i) {
      if (i > 0) json += ", ";
      trace::append_quoted(json, account.lacks[i]);
    }
    trace_.metadata.emplace_back(trace_.strings.intern("warpwalk_code"), trace_.strings.intern(json + "]}"));
    return account;
  }

  trace::Trace& trace_;
  const LoadedCode& code_;
  const CodeOptions& options_;
  std::vector<Kernel> kernels_;  // longest-running first
  std::unordered_map<trace::StringId, std::size_t> by_entry_;
  std::vector<Cubin> cubins_;
  std::vector<std::size_t> first_of_;  // per cubin: the index of its first wanted kernel
  std::size_t with_code_ = 0;
  std::size_t kept_bytes_ = 0;
  std::vector<std::string> errors_;  // per cubin: nvdisasm's error
  std::vector<std::string> lacks_;
};

}  // namespace

CodeAccount add_code(trace::Trace& trace, const LoadedCode& code, const CodeOptions& options) {
  return CodeTaker(trace, code, options).run();
}

}  // namespace warpwalk::recording
