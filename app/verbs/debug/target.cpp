#include "app/verbs/debug/target.h"

#include <array>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "app/verbs/common/compiled_file.h"
#include "app/verbs/common/find_device.h"
#include "core/compiled/triton_launch.h"
#include "core/debug/tiles.h"
#include "core/platform/available_memory.h"
#include "core/platform/find_program.h"
#include "core/platform/read_file.h"
#include "core/platform/temporary_folder.h"
#include "core/platform/toolchain/compile_cuda.h"
#include "core/run/kernel_lab/source_file.h"
#include "core/run/replay/compiled_modules.h"
#include "core/run/replay/load_recorded.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::verbs {
namespace {

/// Like run::load_launch(), with what a debugger needs of CUDA C++.
base::Result<run::LoadedLaunch> load_launch_file(const DebugTarget& target, const gpu::Device& device,
                                                 const run::LoadOptions& how) {
  const auto text = platform::read_text_file(target.file);
  auto parsed = text ? run::parse_launch_file(text->text, target.file.string()) : base::Error{text.error()};
  if (!parsed || parsed->cuda.empty()) return run::load_launch(target.file, device, how);
  run::LoadedLaunch loaded;
  loaded.path = target.file;
  loaded.file = std::move(*parsed);
  loaded.module_file = target.file.parent_path() / loaded.file.cuda;
  const auto kept = target.device_debug ? platform::KeptSource::unoptimized : platform::KeptSource::variables;
  auto compiled = platform::compile_cuda(loaded.module_file, *device.compute_capability.value, kept);
  if (auto* const failure = std::get_if<platform::CudaFailure>(&compiled)) return base::Error{std::move(failure->line)};
  auto& done = std::get<platform::CompiledCuda>(compiled);
  loaded.ptx = std::move(done.ptx);
  loaded.source = std::move(done.source);
  if (!done.note.empty()) loaded.notes.push_back(done.note);
  run::CubinSource machine{std::move(done.cubin), loaded.module_file.string(), "by " + done.compiler};
  return run::load_launch(std::move(loaded), std::move(machine), device, how);
}

/// Whether the system can run a file: a program of this machine, or a script that names its interpreter.
bool is_program(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::array<char, 20> head{};
  in.read(head.data(), head.size());
  const std::string_view begin(head.data(), static_cast<std::size_t>(in.gcount()));
  if (begin.starts_with("#!")) return true;
  constexpr std::size_t type_at = 16, machine_at = 18;
  constexpr char executable = 2, shared = 3, gpu_machine = static_cast<char>(190);
  return begin.size() == head.size() && begin.starts_with("\177ELF") &&
         (begin[type_at] == executable || begin[type_at] == shared) && begin[machine_at] != gpu_machine;
}

}  // namespace

base::Result<std::unique_ptr<DebugRun>> DebugRun::open(DebugLoader loader, const DebugTarget& target,
                                                       debug::RecordOptions options) {
  auto prepared = loader.prepare(target);
  if (!prepared) return base::Error{prepared.error()};
  std::unique_ptr<DebugRun> made(new DebugRun(std::move(loader), std::move(*prepared), std::move(options)));
  auto session = made->loader_.load(made->target_, made->options_);
  if (!session) return base::Error{session.error()};
  made->session_ = std::move(*session);
  // The caller's flag and callback may not outlive this call.
  made->options_.cancel = nullptr;
  made->options_.progress = {};
  return made;
}

base::Result<void> DebugRun::go_to_launch(std::uint64_t number) {
  if (!target_.launch) return base::Error{"there is one launch"};
  DebugTarget other = target_;
  other.launch = number;
  auto session = loader_.load(other, options_);
  if (!session) return base::Error{session.error()};
  (*session)->copy_breakpoints(*session_);
  session_ = std::move(*session);
  target_.launch = number;
  return {};
}

void DebugRun::run_on() {
  while (session_->run(true).reason == debug::StopReason::end && target_.launch && go_to_launch(*target_.launch + 1)) {
  }
}

base::Result<DebugTarget> DebugLoader::prepare(const DebugTarget& given) {
  DebugTarget target = given;
  std::error_code error;
  if (!std::filesystem::exists(target.file, error)) {
    const auto program = target.arguments.empty() ? std::nullopt : platform::find_program(target.file.string());
    if (!program) return base::Error{fmt::format("{}: no such file", target.file.string())};
    target.file = *program;
  }
  folder_ = std::make_shared<platform::TemporaryFolder>();
  if (folder_->path().empty()) return base::Error{"no temporary folder can be made"};
  const bool runs = is_program(target.file) || target.file.extension() == ".cu";
  if (!target.arguments.empty() && !runs)
    return base::Error{fmt::format("{}: is no program, so it takes no arguments", target.file.string())};
  if (!runs && !target.launch && !run::is_launch_file(target.file) && run::is_compiled_kernel(target.file)) {
    auto file = write_compiled_launch(target.file, target.given, folder_->path());
    if (!file) return base::Error{file.error()};
    target.compiled = std::exchange(target.file, std::move(*file));
  }
  const bool launch_file = !runs && run::is_launch_file(target.file);
  if (target.gpu.empty()) target.gpu = launch_file ? gpu_of_launch_file(target.file) : std::string();
  if (target.gpu.empty()) target.gpu = "h200";
  if (runs) {
    const std::filesystem::path walk = folder_->path() / "walk.json.gz";
    if (const auto done = record_program_(target, walk); !done)
      return base::Error{done.error().empty() ? "the program has left no launch to debug" : done.error()};
    target.file = walk;
    target.arguments.clear();
  }
  if (!launch_file || target.launch) target.launch = target.launch.value_or(1);
  return target;
}

base::Result<std::unique_ptr<debug::Session>> DebugLoader::load(const DebugTarget& target,
                                                                const debug::RecordOptions& options) const {
  using Made = std::unique_ptr<debug::Session>;
  const auto code = run::code_choice_of(target.code);
  if (!code) return base::Error{fmt::format("code {}: write auto, sass or ptx", target.code)};
  const auto device = find_device(target.gpu);
  if (!device) return base::Error{device.error()};
  base::Result<run::LoadedLaunch> loaded = base::Error{""};
  if (!target.launch) {
    run::LoadOptions how;
    how.host_bytes = platform::available_memory() / 3;  // before the launch, after it, and in the replay
    how.code = *code;
    loaded = load_launch_file(target, *device, how);
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
  if (compiled::is_triton_entry(target.compiled))
    if (auto tiles = run::KernelTiles::open(target.compiled))
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
