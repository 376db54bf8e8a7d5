#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/verbs/doctor.h"
#include "app/verbs/files.h"
#include "app/verbs/info.h"
#include "app/verbs/open.h"
#include "app/verbs/record.h"
#include "app/verbs/render.h"
#include "app/verbs/run.h"
#include "app/verbs/simulate.h"

namespace {

using warpwalk::verbs::refuse;

int run(int argc, char** argv) {
  CLI::App app("warpwalk walks a tensor operation from the line of Python to the warps that run it, and back.",
               "warpwalk");
  app.require_subcommand(0, 1);
  warpwalk::verbs::OpenOptions open;
  app.add_option("FILE", open.file, "a trace or a lesson to open in the window; without one, the default walk");
  app.add_option("--scene", open.scene, "the scene to begin with (see render --list)");
  app.add_option("--at", open.at, "b3 (beat) or 12.5us (time since the trace's start)");
  app.add_option("--follow", open.follow, "op:N, kernel:N or launch:N; without it the op with the most GPU time");
  app.add_option("--theme", open.theme, "dark, light or high-contrast");
  app.add_option("--names", open.names, "hardware, company or both");
  app.add_option("--set", open.set, "SCENE.CONTROL=NUMBER: what the person set in a scene (sm.registers=64)")
      ->allow_extra_args(false);
  app.add_option("--scale", open.scale, "pixels a unit (by the screen)");
  app.add_flag("--reset-settings", open.reset_settings, "forget what was kept from the last start");
  app.set_version_flag("--version", "warpwalk 0.1.0");

  warpwalk::verbs::InfoOptions info;
  CLI::App* const info_verb = app.add_subcommand("info", "what is in a trace, how it links, what was wrong with it");
  double cap_gb = 0;
  info_verb->add_option("FILE", info.file, "a torch.profiler or warpwalk trace, plain or gzip")->required();
  info_verb->add_option("--json", info.json, "write the figures as JSON to this file (- for stdout)");
  info_verb->add_option("--memory-cap", cap_gb, "stop reading at this many GB of memory (8)")
      ->check(CLI::PositiveNumber);

  warpwalk::verbs::RenderOptions render;
  CLI::App* const render_verb =
      app.add_subcommand("render", "pictures of one moment, or of every beat into a folder; films");
  render_verb->add_option("FILE", render.file, "a torch.profiler or warpwalk trace, plain or gzip");
  render_verb->add_option(
      "-o,--output", render.out,
      "out.png or out.svg for one moment; a folder for every beat; out.mp4, .webm or .gif for a film");
  render_verb->add_option("--format", render.format, "of a folder's pictures: png or svg (png)");
  render_verb->add_option("--fps", render.fps, "frames a second of a film (30)");
  render_verb->add_flag("--frames", render.frames, "a film as numbered pictures in a folder, without ffmpeg");
  render_verb->add_flag("--progress", render.progress, "a film's progress on stderr, a line each frame");
  render_verb->add_option("--scene", render.scene, "the scene's name (see --list)");
  render_verb->add_option("--at", render.at,
                          "b3 (beat), 12.5us (time since the trace's start) or c1500 (kernel cycle)");
  render_verb->add_option("--follow", render.follow,
                          "op:N, kernel:N or launch:N, N from 0; default: the op with the most GPU time");
  render_verb->add_option("--size", render.size, "WIDTHxHEIGHT in pixels (1920x1080)");
  render_verb->add_option("--theme", render.theme, "dark, light or high-contrast");
  render_verb->add_option("--names", render.names, "hardware, company or both");
  render_verb->add_option("--set", render.set, "SCENE.CONTROL=NUMBER: what the person set in a scene (sm.registers=64)")
      ->allow_extra_args(false);
  render_verb->add_option("--scale", render.scale, "pixels a unit (by the size)");
  render_verb->add_flag("--text", render.text, "the sentences and facts instead of pictures");
  render_verb->add_flag("--list", render.list, "the names of all scenes, one a line");

  warpwalk::verbs::RunOptions run;
  CLI::App* const run_verb = app.add_subcommand("run", "an expression, dispatched, launched, checked and recorded");
  run_verb
      ->add_option("EXPRESSION", run.expression,
                   "as \"relu(a @ b)\": names, numbers, + - * / @, relu, exp, sqrt, sum, .T, slices")
      ->required();
  run_verb->add_option("--shape", run.shapes, "NAME=SIZExSIZE, once for each name (a=256x128; scalar for none)")
      ->allow_extra_args(false);
  run_verb->add_option("--dtype", run.dtypes, "f16, bf16, f32, f64, i32 or i64, for all or as a=f16 for one (f32)")
      ->allow_extra_args(false);
  run_verb->add_option("--seed", run.seed, "of the first name's random elements; the next has one more (1)");
  run_verb->add_option("--on", run.on, "sim: the simulated GPU; cpu; cuda: a real GPU (sim)");
  run_verb->add_option("--gpu", run.gpu, "the GPU to simulate, of assets/devices, or a description's file (h200)");
  run_verb->add_option("--threads", run.threads, "threads of this machine; the results are the same for any (all)")
      ->check(CLI::Range(1, 4096));
  run_verb->add_flag("--gradients", run.gradients, "go back from the sum of the result to every floating-point name");
  run_verb->add_flag("--placement", run.placement,
                     "cuda: where and when each block runs, by a probe in the kernels, in a run of its own");
  run_verb->add_flag("--counters", run.counters,
                     "cuda: the hardware's counters, by Nsight Compute, in a run of its own");
  run_verb->add_flag("--progress", run.progress, "what is being done, as lines on stderr");
  run_verb->add_option("--autocast", run.autocast, "f16 or bf16: what matrix products get is cast to it");
  run_verb->add_option("--json", run.json, "write the report as JSON to this file (- for stdout)");
  run_verb->add_option("-o,--output", run.trace, "write the walk as a trace (walk.json.gz)");

  warpwalk::verbs::SimulateOptions simulate;
  CLI::App* const simulate_verb = app.add_subcommand("simulate", "a launch file's kernel on the simulated GPU");
  simulate_verb->add_option("FILE", simulate.file, "a launch file (JSON): kernel, PTX, grid, block, arguments")
      ->required();
  simulate_verb->add_option("--gpu", simulate.gpu, "a GPU of assets/devices, or a description's file (h200)");
  simulate_verb
      ->add_option("--threads", simulate.threads, "threads of this machine; the results are the same for any (all)")
      ->check(CLI::Range(1, 4096));
  simulate_verb->add_flag("--sanitize", simulate.sanitize,
                          "look for uninitialised reads, races and misused barriers too");
  simulate_verb->add_flag("--ptxas", simulate.ptxas,
                          "ask ptxas for the registers that the launch file does not give, instead of estimating them");
  simulate_verb->add_option("--json", simulate.json, "write the report as JSON to this file (- for stdout)");
  simulate_verb->add_option("-o,--output", simulate.trace, "write the launch as a trace (walk.json.gz)");

  warpwalk::verbs::RecordOptions record;
  CLI::App* const record_verb =
      app.add_subcommand("record", "any CUDA program, unmodified: -o walk.json.gz -- PROGRAM");
  record_verb->add_option("-o,--output", record.out, "the trace to write (walk.json.gz)")->required();
  record_verb->add_flag(
      "!--no-sass", record.sass,
      "without the machine code of the kernels, which is taken apart where nvdisasm is on this machine");
  record_verb
      ->add_option("--timed-kernels", record.timed_kernels,
                   "room on the GPU for the times of so many kernels, for programs that launch more of them and CUDA "
                   "graphs (16666666; 48 bytes a kernel)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{10'000'000'000}));
  record_verb->add_option("PROGRAM", record.command, "after --: the program and its arguments");

  warpwalk::verbs::DoctorOptions doctor;
  CLI::App* const doctor_verb =
      app.add_subcommand("doctor", "what this machine has, and what each missing thing costs");
  doctor_verb->add_option("--json", doctor.json, "write it as JSON to this file (- for stdout)");

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return app.exit(CLI::CallForHelp());
  } catch (const CLI::CallForAllHelp&) {
    return app.exit(CLI::CallForAllHelp());
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    const bool expression = run_verb->parsed() && run.expression.empty();  // taken for an option, where it begins so
    return refuse(fmt::format("{}; {}see warpwalk --help", error.what(),
                              expression ? "one that begins with - goes in brackets, \"(-a)\"; " : ""));
  }
  info.memory_cap_bytes = static_cast<std::uint64_t>(cap_gb * 1e9);
  if (info_verb->parsed()) return warpwalk::verbs::info(info);
  if (render_verb->parsed()) return warpwalk::verbs::render(render);
  if (run_verb->parsed()) return warpwalk::verbs::run(run);
  if (simulate_verb->parsed()) return warpwalk::verbs::simulate(simulate);
  if (record_verb->parsed()) return warpwalk::verbs::record(record);
  if (doctor_verb->parsed()) return warpwalk::verbs::doctor(doctor);
  return warpwalk::verbs::open(open);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = run(argc, argv);
    // A full disk or a closed pipe shows only when what is buffered goes out.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      return refuse(fmt::format("the output cannot be written: {}", std::strerror(errno)));
    return status;
  } catch (const std::bad_alloc&) {
    return refuse("out of memory; close other programs, or give a smaller trace");
  } catch (const std::exception& error) {
    return refuse(fmt::format("unexpected: {}", error.what()));
  }
}
