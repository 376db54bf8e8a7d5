#include "core/compiled/open_compiled.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/compiled/inductor_output.h"
#include "core/compiled/torch_log.h"
#include "core/compiled/triton_files.h"
#include "core/platform/byte_source.h"
#include "core/platform/read_file.h"

namespace warpwalk::compiled {
namespace {

namespace fs = std::filesystem;

/// More files in a folder are not looked at: a cache of months.
constexpr std::size_t most_files = 200'000;

bool ends_with_any(const std::string& name, std::initializer_list<std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

/// The NAME.json of an entry of Triton's cache that a file belongs to; empty if it cannot be one.
fs::path entry_of(const fs::path& file) {
  if (!ends_with_any(file.filename().string(), {".source", ".ttir", ".ttgir", ".llir", ".ptx", ".cubin", ".json"}))
    return {};
  fs::path json = file;
  return json.replace_extension(".json");
}

/// The first bytes of a file, plain or gzip; empty if it cannot be read.
std::string first_bytes(const fs::path& file) {
  const auto source = platform::open_source(file);
  if (!source) return {};
  std::string bytes(4096, '\0');
  bytes.resize((*source)->read(bytes.data(), bytes.size()));
  return bytes;
}

/// The first line of a file, as far as it is among the first bytes.
std::string first_line(const fs::path& file) {
  const std::string bytes = first_bytes(file);
  return bytes.substr(0, bytes.find('\n'));
}

/// Whether a file is a trace of torch.profiler, by its first members.
bool is_trace(const fs::path& file) {
  if (!ends_with_any(file.filename().string(), {".json", ".json.gz"})) return false;
  const std::string begin = first_bytes(file);
  return begin.find("\"traceEvents\"") != std::string::npos || begin.find("\"schemaVersion\"") != std::string::npos;
}

/// Reads one file. False if it is none that a compiler wrote. `to` null: only looks what it is.
bool read_file(const fs::path& file, Compiled* to) {
  const std::string name = file.filename().string();
  std::error_code error;
  if (const fs::path entry = entry_of(file); !entry.empty()) {
    CompiledKernel kernel;
    if (!name.starts_with("__grp__") && fs::is_regular_file(entry, error) && read_cache_entry(entry, kernel)) {
      if (to != nullptr) to->kernels.push_back(std::move(kernel));
      return true;
    }
    if (!name.ends_with(".json")) return false;
  }
  if (!ends_with_any(name, {".log", ".txt", ".py", ".ndjson", ".json", ".gz"})) return false;
  const bool is_code = name.ends_with(".py");
  // Traces have such names, too, and are large.
  const std::string begin = is_code ? std::string() : first_line(file);
  if (!is_code && !is_torch_log(begin) && !is_tritonparse_log(begin)) return false;
  if (to == nullptr && !is_code) return true;
  const auto text = platform::read_compressed_file(file);
  if (!text) {
    if (to != nullptr) to->problems.push_back(text.error());
    return false;
  }
  if (!is_code && is_torch_log(begin)) return read_torch_log(text->text, name, *to), true;
  if (!is_code) return read_tritonparse_log(text->text, name, *to), true;
  if (!is_inductor_output(text->text)) return false;
  if (to == nullptr) return true;
  for (InductorKernel& one : read_inductor_output(text->text)) {
    std::vector<FxNode> fx;
    for (std::string& node : one.nodes.empty() ? one.source_nodes : one.nodes) fx.push_back({std::move(node), {}, {}});
    if (one.is_library_call) {
      to->library_calls.push_back({std::move(one.name), std::move(fx), {}});
      continue;
    }
    CompiledKernel& kernel = to->kernels.emplace_back();
    kernel.triton = one.place(file.string());
    kernel.name = std::move(one.name);
    kernel.fx = std::move(fx);
    kernel.ops = std::move(one.ops);
    kernel.source = std::move(one.source);
  }
  return true;
}

/// Whether two descriptions are of one kernel: of one name, and not of two sources, two entries of the cache or two
/// compilations.
bool is_same(const CompiledKernel& a, const CompiledKernel& b) {
  const auto folder = [](const CompiledKernel& kernel) {
    return kernel.files.empty() ? fs::path() : fs::path(kernel.files.begin()->second).parent_path().filename();
  };
  const auto file = [](const CompiledKernel& kernel) { return fs::path(kernel.triton.file).filename(); };
  if (a.name != b.name) return false;
  // Inductor's code is in its log and in its cache.
  if (!a.ops.empty() && !b.ops.empty()) return a.source == b.source && (a.compile_id.empty() || b.compile_id.empty());
  const bool two_entries = !a.files.empty() && !b.files.empty() && folder(a) != folder(b);
  const bool two_sources = a.triton.line > 0 && b.triton.line > 0 && file(a) != file(b);
  return !two_entries && !two_sources;
}

/// Adds what `other` says beyond `kernel`.
void join(CompiledKernel& kernel, CompiledKernel&& other) {
  const auto take = [](auto& to, auto& from) {
    if (to.empty()) to = std::move(from);
  };
  take(kernel.python, other.python);
  take(kernel.fx, other.fx);
  take(kernel.ops, other.ops);
  take(kernel.source, other.source);
  take(kernel.compile_id, other.compile_id);
  take(kernel.target, other.target);
  kernel.files.merge(other.files);
  if (kernel.triton.line == 0) kernel.triton = std::move(other.triton);
  if (kernel.warps == 0) {
    kernel.warps = other.warps, kernel.ctas = other.ctas, kernel.stages = other.stages;
    kernel.shared_bytes = other.shared_bytes;
  }
}

/// Joins the descriptions of each kernel: those of Inductor come first, then the entries of caches. Several entries of
/// one source, as autotuning makes them, stay apart, each with what Inductor says of the source.
void join_all(Compiled& all) {
  std::ranges::stable_partition(all.kernels, [](const CompiledKernel& one) { return !one.ops.empty(); });
  std::vector<CompiledKernel> joined;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_name;       // indices in `joined`
  std::map<std::string, std::vector<CompiledKernel>, std::less<>> described;  // by Inductor, without files
  for (CompiledKernel& one : all.kernels) {
    std::vector<std::size_t>& namesakes = by_name[one.name];
    std::vector<CompiledKernel>& sources = described[one.name];
    const auto same = std::ranges::find_if(namesakes, [&](std::size_t other) { return is_same(joined[other], one); });
    if (!one.ops.empty()) sources.emplace_back(one).files.clear();
    if (same != namesakes.end()) {
      join(joined[*same], std::move(one));
      continue;
    }
    if (one.ops.empty()) {
      const auto source =
          std::ranges::find_if(sources, [&](const CompiledKernel& other) { return is_same(other, one); });
      if (source != sources.end()) join(one, CompiledKernel(*source));
    }
    namesakes.push_back(joined.size());
    joined.push_back(std::move(one));
  }
  all.kernels = std::move(joined);
}

/// The files of a folder at any depth, at most `most`. False: it has traces, which are of ranks, or more files.
bool files_of(const fs::path& folder, std::size_t most, std::vector<fs::path>& files) {
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    if (!at->is_regular_file(error)) continue;
    if (at.depth() == 0 && is_trace(at->path())) {
      files.clear();
      return false;
    }
    if (files.size() >= most) return false;
    files.push_back(at->path());
  }
  return true;
}

}  // namespace

base::Result<std::optional<Compiled>> open_compiled(const fs::path& path, const ReadProgress& progress) {
  Compiled all;
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    if (!platform::check_regular_file(path) || !read_file(path, &all)) return std::optional<Compiled>();
    join_all(all);
    return std::optional(std::move(all));
  }
  std::vector<fs::path> files;
  if (!files_of(path, most_files, files)) {
    if (files.empty()) return std::optional<Compiled>();
    return base::Error{fmt::format("{}: has more than {} files; give one of its folders", path.string(), most_files)};
  }
  std::ranges::sort(files);
  std::set<fs::path> entries;
  bool any = false;
  std::size_t done = 0;
  for (const fs::path& file : files) {
    if (progress && !progress(done++, files.size())) return base::Error{"cancelled"};
    // Of an entry of the cache, one of its files stands for all.
    if (const fs::path entry = entry_of(file);
        !entry.empty() && !file.filename().string().starts_with("__grp__") && !entries.insert(entry).second)
      continue;
    any = read_file(file, &all) || any;
  }
  if (!any) return std::optional<Compiled>();
  join_all(all);
  return std::optional(std::move(all));
}

fs::path folder_of_walk(const fs::path& walk) {
  std::string name = walk.string();
  for (const std::string_view ending : {".gz", ".json"})
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name + ".compiled";
}

bool is_compiled_output(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return platform::check_regular_file(path) && read_file(path, nullptr);
  constexpr std::size_t most_looked_at = 5'000;
  std::vector<fs::path> files;
  if (!files_of(path, most_looked_at, files) && files.empty()) return false;
  return std::ranges::any_of(files, [](const fs::path& file) { return read_file(file, nullptr); });
}

}  // namespace warpwalk::compiled
