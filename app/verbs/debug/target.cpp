#include "app/verbs/debug/target.h"

#include <fmt/format.h>

#include "app/verbs/common/compiled_file.h"
#include "app/verbs/common/find_device.h"
#include "core/compiled/triton_launch.h"
#include "core/debug/tiles.h"
#include "core/platform/available_memory.h"
#include "core/platform/temporary_folder.h"
#include "core/run/kernel_lab/source_file.h"
#include "core/run/replay/compiled_modules.h"
#include "core/run/replay/load_recorded.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::verbs {

base::Result<std::unique_ptr<debug::Session>> DebugLoader::load(const DebugTarget& given,
                                                                const debug::RecordOptions& options) const {
  using Made = std::unique_ptr<debug::Session>;
  DebugTarget target = given;
  std::error_code error;
  if (!std::filesystem::exists(target.file, error))
    return base::Error{fmt::format("{}: no such file", target.file.string())};
  const auto code = run::code_choice_of(target.code);
  if (!code) return base::Error{fmt::format("code {}: write auto, sass or ptx", target.code)};
  std::optional<platform::TemporaryFolder> folder;
  if (!target.launch && !run::is_launch_file(target.file) && run::is_compiled_kernel(target.file)) {
    auto file = write_compiled_launch(target.file, target.given, folder.emplace().path());
    if (!file) return base::Error{file.error()};
    target.file = std::move(*file);
  }
  const bool launch_file = run::is_launch_file(target.file);
  if (target.gpu.empty()) target.gpu = launch_file ? gpu_of_launch_file(target.file) : std::string();
  if (target.gpu.empty()) target.gpu = "h200";
  const auto device = find_device(target.gpu);
  if (!device) return base::Error{device.error()};
  if (target.file.extension() == ".cu") {
    const std::filesystem::path walk = folder.emplace().path() / "walk.json.gz";
    if (const auto done = record_program_(target.file, target.gpu, walk); !done)
      return base::Error{done.error().empty() ? "the program did not run" : done.error()};
    target.file = walk;
    target.launch = target.launch.value_or(1);
  }
  base::Result<run::LoadedLaunch> loaded = base::Error{""};
  if (launch_file && !target.launch) {
    run::LoadOptions how;
    how.host_bytes = platform::available_memory() / 3;  // before the launch, after it, and in the replay
    how.code = *code;
    loaded = run::load_launch(target.file, *device, how);
  } else {
    trace::ReadResult read = trace::read_trace(target.file);
    if (read.error) return base::Error{*read.error};
    run::add_inlined_calls(read.trace, target.file);
    auto recorded = run::load_recorded(read.trace, target.launch.value_or(1), target.file);
    if (!recorded) return base::Error{recorded.error()};
    loaded = std::move(recorded->loaded);
  }
  if (!loaded) return base::Error{loaded.error()};
  debug::RecordOptions how = options;
  how.threads = host_threads(target.threads);
  how.max_warp_instructions = target.max_instructions;
  auto recording = debug::Recording::make(std::move(*loaded), *device, how);
  if (!recording) return base::Error{recording.error()};
  auto session = std::make_unique<debug::Session>(std::move(*recording));
  if (compiled::is_triton_entry(given.file))
    if (auto tiles = run::KernelTiles::open(given.file))
      session->set_tiles(std::make_shared<debug::Tiles>(std::move(*tiles)));
  return Made(std::move(session));
}

std::filesystem::path source_path(const debug::Session& session, std::uint32_t file) {
  if (file >= session.code().files().size() || session.code().is_listing(file)) return {};
  const std::filesystem::path name = session.code().files()[file];
  const run::LoadedLaunch& loaded = session.recording().loaded();
  std::error_code error;
  for (const std::filesystem::path& candidate :
       {name, loaded.path.parent_path() / name.filename(), loaded.module_file.parent_path() / name.filename()})
    if (!candidate.empty() && std::filesystem::is_regular_file(candidate, error))
      return std::filesystem::absolute(candidate, error).lexically_normal();
  return {};
}

}  // namespace warpwalk::verbs
