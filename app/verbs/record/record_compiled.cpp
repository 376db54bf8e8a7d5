#include "app/verbs/record/record_compiled.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "app/verbs/common/numbers.h"
#include "core/base/quantity_text.h"
#include "core/compiled/open_compiled.h"
#include "core/compiled/triton_launch.h"
#include "core/platform/read_file.h"

namespace warpwalk::verbs {
namespace {

namespace fs = std::filesystem;

constexpr const char *log_variable = "TORCH_TRACE", *log_folder = "torch", *cache_folder = "triton";
/// More files than a cache of months has.
constexpr std::size_t most_files = 200'000;

/// A variable of the environment; empty if it is not set.
std::string value_of_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// The folders in which Triton and Inductor keep kernels: their documentation, "Environment Variables". Inductor has
/// one of Triton's caches for each GPU.
std::vector<fs::path> caches() {
  std::vector<fs::path> found;
  const auto add = [&](const std::string& base, const char* below) {
    if (!base.empty()) found.push_back(fs::path(base) / below);
  };
  add(value_of_variable("TRITON_CACHE_DIR"), "");
  add(value_of_variable("TRITON_HOME"), ".triton/cache");
  add(value_of_variable("HOME"), ".triton/cache");
  add(value_of_variable("TORCHINDUCTOR_CACHE_DIR"), "triton");
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  if (const std::string user = value_of_variable("USER"); !user.empty())
    add(temporary.string(), ("torchinductor_" + user + "/triton").c_str());
  add(temporary.string(), "torchinductor_root/triton");
  return found;
}

/// The bytes of a folder's files.
std::uint64_t bytes_in(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (std::error_code ignored; at->is_regular_file(ignored)) bytes += at->file_size(ignored);
  return bytes;
}

}  // namespace

CompilerFiles::CompilerFiles(const RecordPlace& place)
    : folder_(compiled::folder_of_walk(place.names_folder ? place.folder : place.output)),
      begun_(fs::file_time_type::clock::now()),
      shared_(place.own.has_value()) {}

std::vector<std::pair<std::string, std::string>> CompilerFiles::begin() {
  // Of an earlier recording under the same name, whose walk is overwritten, too.
  std::error_code error;
  if (!shared_)
    for (const char* const part : {log_folder, cache_folder}) fs::remove_all(folder_ / part, error);
  if (!value_of_variable(log_variable).empty()) return {};
  return {{log_variable, (folder_ / log_folder).string()}};
}

void CompilerFiles::add(const trace::Trace& trace, const instrumentation::LoadedCode& code) {
  for (trace::SliceId slice = 0; slice < trace.slices.size(); ++slice)
    if (trace.slices.kind[slice] == trace::SliceKind::kernel) kernels_.emplace(trace.name(slice));
  for (const instrumentation::LaunchedFunction& function : code.launched) kernels_.emplace(trace.text(function.name));
  cubins_.insert(code.cubins.begin(), code.cubins.end());
}

/// The cubins of the entries whose machine code the program has loaded. If that was not recorded: of each kernel's
/// entries those that were written meanwhile, otherwise the newest.
std::vector<fs::path> CompilerFiles::launched_entries() const {
  std::vector<fs::path> found;
  std::set<fs::path> entries;  // a cache may be named twice
  std::map<std::string, std::vector<fs::path>> by_kernel;
  std::error_code error;
  std::size_t seen = 0;
  for (const fs::path& cache : caches())
    for (fs::recursive_directory_iterator at(cache, fs::directory_options::skip_permission_denied, error), end;
         !error && at != end && seen < most_files; at.increment(error), ++seen) {
      const fs::path& cubin = at->path();
      const std::string kernel = cubin.stem().string();
      if (cubin.extension() == ".cubin" && kernels_.contains(kernel) && compiled::is_triton_entry(cubin) &&
          entries.insert(cubin.parent_path().filename() / kernel).second)
        by_kernel[kernel].push_back(cubin);
    }
  for (auto& [kernel, cubins] : by_kernel) {
    const auto written = [&](const fs::path& cubin) { return fs::last_write_time(cubin, error); };
    std::ranges::sort(cubins, std::greater(), written);
    for (const fs::path& cubin : cubins) {
      const auto read = cubins_.empty() ? std::nullopt : std::optional(platform::read_compressed_file(cubin));
      if (read ? *read && cubins_.contains((*read)->text) : cubin == cubins.front() || written(cubin) >= begun_)
        found.push_back(cubin);
    }
  }
  return found;
}

std::string CompilerFiles::keep() {
  std::error_code error;
  const std::vector<fs::path> kept = launched_entries();
  for (const fs::path& cubin : kept) {
    const fs::path to = folder_ / cache_folder / cubin.parent_path().filename();
    fs::create_directories(to, error);
    for (fs::directory_iterator at(cubin.parent_path(), error), end; !error && at != end; at.increment(error))
      if (std::error_code ignored; at->path().stem() == cubin.stem())
        fs::copy_file(at->path(), to / at->path().filename(), fs::copy_options::skip_existing, ignored);
  }
  const bool has_log = !fs::is_empty(folder_ / log_folder, error) && !error;
  if (!has_log) fs::remove(folder_ / log_folder, error);
  if (fs::is_empty(folder_, error)) fs::remove(folder_, error);
  if (kept.empty() && !has_log) return {};
  const std::string name = folder_.filename().string();
  return fmt::format("warpwalk: {}: what the compilers wrote of {}{} ({}): warpwalk info {}", name,
                     counted(kept.size(), "Triton kernel"), has_log ? ", and the log of torch.compile" : "",
                     base::bytes_text(static_cast<double>(bytes_in(folder_))), name);
}

}  // namespace warpwalk::verbs
