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

/// A program is not run further than this on its own, since its launches are kept with their memory.
constexpr std::uint64_t most_kept_launches = 64;
constexpr std::uint64_t most_named_launches = 4096;

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
  return open_prepared(std::move(loader), *prepared, std::move(options));
}

base::Result<std::unique_ptr<DebugRun>> DebugRun::open_prepared(DebugLoader loader, const DebugTarget& prepared,
                                                                debug::RecordOptions options) {
  std::unique_ptr<DebugRun> made(new DebugRun(std::move(loader), prepared, std::move(options)));
  auto session = made->loader_.load(made->target_, made->options_);
  if (!session) return base::Error{session.error()};
  made->session_ = std::move(*session);
  return made;
}

void DebugRun::set_control(const std::atomic<bool>* cancel,
                           std::function<void(std::uint64_t done, std::uint64_t all)> progress) {
  options_.cancel = cancel;
  options_.progress = progress;
  session_->recording().set_control(cancel, std::move(progress));
}

base::Result<debug::Value> DebugRun::set(std::string_view expression, std::string_view value, const debug::Focus& focus,
                                         std::size_t frame) {
  auto made = session_->set(expression, value, focus, frame);
  if (made) loader_.open_tiles(target_, *session_);
  return made;
}

base::Result<void> DebugRun::set_bytes(std::uint64_t address, std::span<const std::uint8_t> bytes,
                                       std::string_view name) {
  const auto done = session_->set_bytes(address, bytes, name);
  if (done) loader_.open_tiles(target_, *session_);
  return done;
}

base::Result<void> DebugRun::go_to_launch(std::uint64_t number) {
  if (!target_.launch) return base::Error{"there is one launch"};
  DebugTarget other = target_;
  other.launch = number;
  auto session = loader_.load(other, options_);
  if (!session && !other.program.empty() && !loader_.ran_to(number)) {
    if (const auto done = loader_.run_on_to(other, number); !done) return base::Error{done.error()};
    session = loader_.load(other, options_);
  }
  if (!session) return base::Error{session.error()};
  (*session)->copy_breakpoints(*session_);
  session_ = std::move(*session);
  target_ = std::move(other);
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
    target.program = target.file;
    if (const auto done = run_on_to(target, target.launch.value_or(1)); !done) return base::Error{done.error()};
  }
  if (!launch_file || target.launch) target.launch = target.launch.value_or(1);
  return target;
}

base::Result<void> DebugLoader::run_on_to(DebugTarget& prepared, std::uint64_t launch) {
  if (launch > most_named_launches)
    return base::Error{fmt::format("the first {} launches of a program can be debugged", most_named_launches)};
  // Each run begins anew, so that it goes further than it is asked to.
  DebugTarget run = prepared;
  run.file = prepared.program;
  run.kept_launches = std::max<std::uint64_t>(launch, 4 * ran_to_);
  if (run.kept_launches > most_kept_launches && launch <= most_kept_launches) run.kept_launches = most_kept_launches;
  if (run.kept_launches <= ran_to_) return base::Error{"the program has no such launch"};
  const std::filesystem::path walk = folder_->path() / fmt::format("walk-{}.json.gz", run.kept_launches);
  if (const auto done = record_program_(run, walk); !done)
    return base::Error{done.error().empty() ? "the program has left no launch to debug"
                                            : fmt::format("there is no launch to debug: {}", done.error())};
  ran_to_ = run.kept_launches;
  std::error_code error;
  if (prepared.file != prepared.program) std::filesystem::remove(prepared.file, error);
  prepared.file = walk;
  return {};
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
    if (const std::size_t launches = run::recorded_launches(read.trace).size();
        !target.program.empty() && launches < target.launch.value_or(1))
      return base::Error{launches == 0 ? fmt::format("{} has launched no kernel{}", target.program.string(),
                                                     target.given.kernel.empty()
                                                         ? std::string()
                                                         : fmt::format(" with {} in its name", target.given.kernel))
                                       : fmt::format("launch {}: {} has {} launch{}", *target.launch,
                                                     target.program.string(), launches, launches == 1 ? "" : "es")};
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
  open_tiles(target, *session);
  return Made(std::move(session));
}

void DebugLoader::open_tiles(const DebugTarget& target, debug::Session& session) const {
  if (!compiled::is_triton_entry(target.compiled)) return;
  if (auto tiles = run::KernelTiles::open(target.compiled))
    session.set_tiles(std::make_shared<debug::Tiles>(std::move(*tiles)));
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
