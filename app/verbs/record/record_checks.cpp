#include "app/verbs/record/record_checks.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "core/analysis/ranks/read_ranks.h"
#include "core/platform/read_file.h"
#include "instrumentation/recording_names.h"

namespace warpwalk::verbs {
namespace {

constexpr std::array<std::string_view, 3> walk_endings = {".json.gz", ".json", ".gz"};

std::string_view environment_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The name without the ending of a walk; nullopt if it has none.
std::optional<std::filesystem::path> without_ending(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  for (const std::string_view ending : walk_endings)
    if (name.size() > ending.size() && name.ends_with(ending))
      return file.parent_path() / name.substr(0, name.size() - ending.size());
  return {};
}

bool is_there(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::exists(file, error);
}

/// The first of NAME, NAME-2, NAME-3 ... that `taken` does not reject.
template <class Taken>
std::filesystem::path free_name(const std::filesystem::path& name, Taken taken) {
  std::filesystem::path free = name;
  for (int n = 2; taken(free); ++n) free = name.parent_path() / fmt::format("{}-{}", name.filename().string(), n);
  return free;
}

bool holds_files(const std::filesystem::path& folder) {
  std::error_code error;
  return is_there(folder) && !std::filesystem::is_empty(folder, error);
}

base::Result<void> check_folder(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    return base::Error{fmt::format("{}: there is no such folder; create it, or choose another", folder.string())};
  if (access(folder.c_str(), W_OK) != 0)
    return base::Error{fmt::format("{}: this folder is not writable; choose another", folder.string())};
  return {};
}

/// Fails if another tool is injected into the program, or will be.
base::Result<void> check_other_tools(const std::vector<std::string>& command) {
  for (const char* const name : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"})
    if (const std::string_view value = environment_variable(name);
        !value.empty() && std::filesystem::path(value).filename() != "libwarpwalk_inject.so")
      return base::Error{fmt::format(
          "{}={}: another tool is already injected; unset the variable, or run without that tool", name, value)};
  struct Tool {
    const char *variable, *name;
  };
  for (const auto& [name, tool] :
       {Tool{"NSYS_PROFILING_SESSION_ID", "Nsight Systems"},
        Tool{"NV_NSIGHT_INJECTION_TRANSPORT_TYPE", "Nsight Compute"}, Tool{"NVPROF_ID", "nvprof"}})
    if (!environment_variable(name).empty())
      return base::Error{fmt::format(
          "{} is profiling this process ({} is set), and CUPTI serves one tool at a time; run warpwalk record without "
          "it",
          tool, name)};
  const std::string program = std::filesystem::path(command.front()).filename().string();
  for (const std::string_view tool : {"nsys", "ncu", "nv-nsight-cu-cli", "nvprof", "compute-sanitizer"})
    if (program == tool)
      return base::Error{fmt::format(
          "{} needs CUPTI for itself, which serves one tool at a time; record the program that it runs, without {}",
          tool, tool)};
  return {};
}

std::string_view without_comment(std::string_view line) { return line.substr(0, line.find('#')); }

}  // namespace

RecordPlace record_place(const std::filesystem::path& out) {
  RecordPlace place;
  std::error_code error;
  place.own = instrumentation::rank_from_environment();
  const std::filesystem::path named = std::filesystem::absolute(out.empty() ? "walk" : out, error).lexically_normal();
  // "runs/" names the folder "runs".
  const std::filesystem::path path = named.has_filename() ? named : named.parent_path();
  const auto stem = without_ending(path);
  if (place.own) {
    place.folder = stem.value_or(path);
    place.names_folder = true;
    const std::string ending = stem ? path.filename().string().substr(stem->filename().string().size()) : ".json.gz";
    place.output = place.folder / fmt::format("rank{}{}", place.own->rank, ending);
  } else if (out.empty()) {
    const auto taken = [](const std::filesystem::path& name) {
      const std::filesystem::path file = name.string() + ".json.gz";
      return is_there(name) || is_there(file) || is_there(instrumentation::partial_path(file));
    };
    place.folder = free_name(path, taken);
    place.output = place.folder.string() + ".json.gz";
  } else if (stem) {
    place.output = path;
    place.folder = free_name(*stem, holds_files);
  } else if (std::filesystem::is_regular_file(path, error)) {
    place.output = path;
    place.folder = free_name(path.string() + "-ranks", holds_files);
  } else {
    place.folder = path;
    place.names_folder = true;
    place.output = path / "walk.json.gz";
  }
  place.option = !out.empty() ? out : place.own ? place.folder : place.output;
  return place;
}

base::Result<void> check_recording(const RecordOptions& options, const RecordPlace& place) {
  // The folder that -o names is created in its parent, unless it is there already.
  const std::filesystem::path& created = place.names_folder ? place.folder : place.output;
  if (!place.names_folder || !is_there(place.folder))
    if (auto good = check_folder(created.parent_path()); !good) return good;
  if (auto good = check_other_tools(options.command); !good) return good;
  if (const auto left = instrumentation::find_partials(place.output); !left.empty())
    return base::Error{fmt::format(
        "{}: left over from a recording that was killed; finish it with warpwalk record -o {}, or delete it",
        left.front().file.string(), place.option.string())};
  if (!place.names_folder) return {};
  // Other ranks of this run may already be there, but not this one.
  if (place.own && is_there(place.output))
    return base::Error{fmt::format("{}: rank {} of another run is recorded here; choose another folder",
                                   place.output.string(), place.own->rank)};
  // Ranks of another run would be compared with the new ones.
  if (const auto there = analysis::rank_files(place.folder); !place.own && !there.empty())
    return base::Error{fmt::format("{}: this folder already has traces, such as {}; choose another folder",
                                   place.folder.string(), there.front().filename().string())};
  std::error_code error;
  std::filesystem::create_directory(place.folder, error);
  return check_folder(place.folder);
}

std::optional<std::string> other_profiler(const std::vector<std::string>& command) {
  constexpr std::string_view without_gpu =
      "CUPTI serves one tool at a time, so that profiler's own trace will lack GPU work, which the walk has";
  if (!environment_variable("KINETO_USE_DAEMON").empty())
    return fmt::format("KINETO_USE_DAEMON is set, so PyTorch's profiler can be started from outside; {}", without_gpu);
  const auto script = std::ranges::find_if(command, [](const std::string& word) {
    std::error_code error;
    return word.ends_with(".py") && std::filesystem::is_regular_file(word, error);
  });
  if (script == command.end()) return {};
  constexpr std::uint64_t max_bytes = std::uint64_t{4} << 20;
  const auto text = platform::read_text_file(*script, max_bytes);
  if (!text) return {};
  std::string_view rest = text->text;
  for (int number = 1; !rest.empty(); ++number) {
    const std::string_view line = without_comment(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(
        std::min(rest.size(), rest.find('\n') == std::string_view::npos ? rest.size() : rest.find('\n') + 1));
    for (const std::string_view name : {"torch.profiler", "torch.autograd.profiler.profile", "PyTorchProfiler",
                                        "jax.profiler", "tensorflow.profiler", "tf.profiler"})
      if (line.find(name) != std::string_view::npos)
        return fmt::format(
            "{}, line {}, uses {}; {}{}", *script, number, name, without_gpu,
            name.find("orch") == std::string_view::npos ? "" : ". --profile adds its Python frames to the walk");
  }
  return {};
}

}  // namespace warpwalk::verbs
