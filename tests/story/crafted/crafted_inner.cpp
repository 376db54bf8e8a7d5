// Small kernels for the scenes of the warp schedulers and the lanes, with their cycles.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

#include "core/ptx/parse/parser.h"
#include "core/records/hardware.h"
#include "core/run/launch/run_launch.h"
#include "core/run/replay/history.h"
#include "core/run/replay/time_travel.h"
#include "core/story/scenes/lanes/asked_control.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/whole_walk.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view kernel_head = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 data)
{
  .reg .b64 %rd<8>;
  .reg .b32 %r<16>;
  .reg .f32 %f<8>;
  .reg .pred %p<4>;
  .shared .align 16 .b8 tile[16384];
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mov.u32 %r9, tile;
)";

/// Every second float is loaded, stored with bank conflicts, and half of each warp does more than the other.
constexpr std::string_view bank_conflicts = R"(  mul.wide.u32 %rd2, %r1, 8;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3];
  fma.rn.f32 %f2, %f1, %f1, %f1;
  shl.b32 %r2, %r1, 7;
  and.b32 %r2, %r2, 4095;
  add.u32 %r3, %r9, %r2;
  st.shared.f32 [%r3], %f2;
  bar.sync 0;
  ld.shared.f32 %f3, [%r3];
  and.b32 %r4, %r1, 31;
  setp.lt.u32 %p1, %r4, 16;
  @%p1 bra HALF;
  fma.rn.f32 %f3, %f3, %f3, %f1;
  fma.rn.f32 %f3, %f3, %f3, %f1;
  fma.rn.f32 %f3, %f3, %f3, %f1;
  st.global.f32 [%rd3], %f3;
HALF:
  ret;
}
)";

/// Neighbouring floats, and a tile without conflicts.
constexpr std::string_view coalesced = R"(  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3];
  fma.rn.f32 %f2, %f1, %f1, %f1;
  shl.b32 %r2, %r1, 2;
  add.u32 %r3, %r9, %r2;
  st.shared.f32 [%r3], %f2;
  ld.shared.f32 %f3, [%r3];
  st.global.f32 [%rd3], %f3;
  ret;
}
)";

/// The second warp reads what the first one has read: 32 lines of 16 KB.
constexpr std::string_view read_again = R"(  and.b32 %r2, %r1, 31;
  mul.wide.u32 %rd2, %r2, 512;
  add.s64 %rd3, %rd1, %rd2;
  setp.gt.u32 %p1, %r1, 31;
  @%p1 bra SECOND;
  ld.global.f32 %f1, [%rd3];
  add.f32 %f2, %f1, %f1;
  st.shared.f32 [%r9], %f2;
  bar.sync 0;
  ret;
SECOND:
  bar.sync 0;
  ld.global.LEVEL.f32 %f3, [%rd3];
  add.f32 %f4, %f3, %f3;
  st.global.f32 [%rd3], %f4;
  ret;
}
)";

std::string read_again_from(std::string_view level) {
  std::string body(read_again);
  body.replace(body.find("LEVEL"), 5, level);
  return body;
}

/// Arithmetic alone.
constexpr std::string_view arithmetic = R"(  add.u32 %r2, %r1, 1;
  mul.lo.u32 %r3, %r2, %r2;
  ret;
}
)";

/// Shared memory alone.
constexpr std::string_view shared_memory = R"(  shl.b32 %r2, %r1, 2;
  add.u32 %r3, %r9, %r2;
  st.shared.u32 [%r3], %r1;
  ld.shared.u32 %r4, [%r3];
  add.u32 %r5, %r4, 1;
  st.shared.u32 [%r3], %r5;
  ret;
}
)";

/// Each warp goes over its memory in a loop: every fourth pass waits for another line of memory.
constexpr std::string_view memory_loop = R"(  mov.u32 %r2, 0;
  mov.f32 %f2, 0f00000000;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
LOOP:
  ld.global.f32 %f1, [%rd3];
  add.f32 %f2, %f2, %f1;
  add.s64 %rd3, %rd3, 32;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p2, %r2, 12;
  @%p2 bra LOOP;
  st.global.f32 [%rd1], %f2;
  ret;
}
)";

/// The first warp is late at a barrier.
constexpr std::string_view barrier = R"(  mov.u32 %r2, 0;
  setp.gt.u32 %p1, %r1, 31;
  @%p1 bra MEET;
LOOP:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p2, %r2, 60;
  @%p2 bra LOOP;
MEET:
  bar.sync 0;
  ret;
}
)";

/// 16 bytes per thread are copied past the registers, and 8 of them read: half a warp at a time.
constexpr std::string_view wide_and_copied = R"(  mul.wide.u32 %rd2, %r1, 16;
  add.s64 %rd3, %rd1, %rd2;
  shl.b32 %r2, %r1, 4;
  add.u32 %r3, %r9, %r2;
  cp.async.ca.shared.global [%r3], [%rd3], 16;
  cp.async.commit_group;
  cp.async.wait_group 0;
  bar.sync 0;
  shl.b32 %r4, %r1, 3;
  add.u32 %r5, %r9, %r4;
  ld.shared.v2.f32 {%f1, %f2}, [%r5];
  fma.rn.f32 %f3, %f1, %f1, %f2;
  st.global.f32 [%rd3], %f3;
  ret;
}
)";

/// A value is asked for long before it is needed; the first addition is predicated off in all lanes.
constexpr std::string_view asked_early = R"(  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3];
  setp.gt.u32 %p1, %r1, 4096;
  mov.f32 %f2, 0f3F800000;
  @%p1 add.f32 %f2, %f2, %f2;
  fma.rn.f32 %f2, %f2, %f2, %f2;
  fma.rn.f32 %f2, %f2, %f2, %f2;
  fma.rn.f32 %f2, %f2, %f2, %f2;
  fma.rn.f32 %f2, %f2, %f2, %f2;
  fma.rn.f32 %f2, %f2, %f2, %f2;
  fma.rn.f32 %f2, %f2, %f2, %f2;
  fma.rn.f32 %f2, %f2, %f2, %f2;
  fma.rn.f32 %f2, %f2, %f2, %f2;
  fma.rn.f32 %f2, %f2, %f2, %f2;
  fma.rn.f32 %f2, %f2, %f2, %f2;
  add.f32 %f2, %f2, %f1;
  st.global.f32 [%rd3], %f2;
  ret;
}
)";

/// Each block takes longer than the one before it.
constexpr std::string_view unlike_blocks = R"(  mov.u32 %r2, %ctaid.x;
  mul.lo.u32 %r2, %r2, 300;
  mov.u32 %r3, 0;
LOOP:
  add.u32 %r3, %r3, 1;
  setp.le.u32 %p1, %r3, %r2;
  @%p1 bra LOOP;
  ret;
}
)";

trace::Trace one_relu() {
  return SmallTrace().h200().op("aten::relu", 0, 50).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, 100, 1).read();
}

std::shared_ptr<run::History> history_of(std::string_view body, std::uint32_t threads, std::uint32_t blocks) {
  auto history = std::make_shared<run::History>();
  history->stand_in = true;
  history->replaced = {"aten::relu", {{1024}}};
  history->entry = "k";
  history->ptx = std::string(kernel_head) + std::string(body);
  history->device = *hardware().find("h200");
  auto parsed = ptx::parse(history->ptx);
  if (const auto* const error = std::get_if<ptx::Error>(&parsed)) throw std::runtime_error(error->text());
  auto prepared = gpu::prepare(std::make_shared<const ptx::Module>(std::move(std::get<ptx::Module>(parsed))), "k");
  if (!prepared) throw std::runtime_error(prepared.error());
  history->program = *prepared;
  history->before.grid[0] = blocks;
  history->before.block[0] = threads;
  gpu::Buffer data;
  data.name = "data";
  data.bytes.resize(std::size_t{16} * 1024);
  history->before.buffers.push_back(std::move(data));
  gpu::Argument argument;
  argument.buffer = 0;
  history->before.arguments.push_back(argument);
  return history;
}

std::vector<std::string> inner(const std::vector<const char*>& schedulers, const std::vector<const char*>& lanes) {
  std::vector<std::string> sections;
  for (const char* const key : schedulers) sections.push_back(std::string("schedulers.") + key);
  for (const char* const key : lanes) sections.push_back(std::string("lanes.") + key);
  return sections;
}

Crafted with_time_travel(std::string name, std::string_view body, std::uint32_t threads,
                         std::vector<std::string> sections, std::uint64_t first = 1'000'000, std::uint32_t blocks = 1) {
  Crafted made{std::move(name), one_relu(), {}, std::move(sections)};
  made.walk = default_walk(made.trace);
  made.history = HistoryView::State::ready;
  made.simulated = history_of(body, threads, blocks);
  run::HistoryOptions options;
  options.device = made.simulated->device;
  options.first_timed_warp_instructions = first;
  auto travel = run::TimeTravel::make(made.trace, made.walk.kernel, made.simulated, options);
  if (!travel) throw std::runtime_error(travel.error());
  made.travel = std::move(*travel);
  return made;
}

/// Adds the same launch with schedulers that stay with one warp.
void add_change(Crafted& made) {
  run::HistoryOptions options;
  options.device = made.simulated->device;
  options.first_timed_warp_instructions = 1'000'000;
  made.what_if.policy = gpu::IssuePolicy::one_at_a_time;
  auto changed = run::TimeTravel::make(made.trace, made.walk.kernel, made.simulated, options, made.what_if);
  if (!changed) throw std::runtime_error(changed.error());
  made.changed = std::move(*changed);
}

/// A kernel of a shipped walk, as machine code.
Crafted recorded_relu() {
  Crafted made = open_recorded("inner: machine code", "h200_relu.json.gz");
  made.sections = inner(
      {"rule", "pick", "wait", "return", "hide", "loop.none", "alone", "gpu", "any"},
      {"lanes.explained", "fold", "trip", "banks.none", "sum.building", "diverge.none", "error.none", "any.explained"});
  return made;
}

/// A kernel with an error at the first line of its PTX that has these words, as the sanitizer reports it.
Crafted with_error(const std::string& name, std::string_view body, gpu::FindingKind kind, std::string_view at,
                   std::vector<std::string> sections) {
  Crafted made = with_time_travel(name, body, 32, std::move(sections));
  auto history = std::make_shared<run::History>(*made.simulated);
  gpu::Finding finding;
  finding.kind = kind;
  finding.message = "what the sanitizer says";
  finding.thread = {5, 0, 0};
  if (kind == gpu::FindingKind::misaligned) finding.address = 3;  // of another pass: none of these accesses
  const auto from = history->ptx.begin();
  finding.ptx_line =
      1 + static_cast<std::uint32_t>(std::count(from, from + static_cast<std::ptrdiff_t>(history->ptx.find(at)), '\n'));
  history->simulation.findings.push_back(finding);
  made.simulated = history;
  return made;
}

/// The product of two matrices on tensor cores, as machine code.
Crafted tensor_cores() {
  const Hardware& known = hardware();
  auto loaded = run::load_launch(WARPWALK_SOURCE_DIR "/tests/validate/timed/mma_f16_4096.json", *known.find("h200"));
  if (!loaded) throw std::runtime_error(loaded.error());
  auto& launch = *loaded;
  auto history = std::make_shared<run::History>();
  history->stand_in = true;
  history->replaced = {"aten::mm", {{16, 16}}};
  history->entry = launch.file.kernel;
  history->ptx = launch.ptx;
  history->cubin = launch.cubin;
  history->program = launch.program;
  history->before = std::move(launch.launch);
  history->device = *known.find("h200");
  Crafted made{"inner: tensor cores", one_relu(), {}, {}};
  made.walk = default_walk(made.trace);
  made.history = HistoryView::State::ready;
  made.simulated = history;
  run::HistoryOptions options;
  options.device = history->device;
  options.first_timed_warp_instructions = 1'000'000;
  auto travel = run::TimeTravel::make(made.trace, made.walk.kernel, made.simulated, options);
  if (!travel) throw std::runtime_error(travel.error());
  made.travel = std::move(*travel);
  made.sections = inner(
      {}, {"lanes.tensor", "fold.waste", "trip", "banks.none", "diverge.none", "error.unchecked", "any.explained"});
  return made;
}

/// A kernel of which a person asks who wrote a byte of its buffer.
Crafted asked(std::string name, std::string_view body, double byte, std::vector<std::string> sections) {
  Crafted made = with_time_travel(std::move(name), body, 64, std::move(sections));
  made.controls.set("lanes.asked", AskedAbout::buffer);
  made.controls.set("lanes.asked_buffer", 0.0);
  made.controls.set("lanes.asked_byte", byte);
  made.asks = false;
  return made;
}

std::vector<Crafted> make_crafted_inner() {
  std::vector<Crafted> all;
  all.push_back(
      with_time_travel("inner: conflicts and divergence", bank_conflicts, 512,
                       inner({"rule", "pick", "wait", "return", "hide", "loop.none", "alone.timing", "gpu", "any"},
                             {"lanes", "fold.waste", "trip", "banks.conflict", "diverge", "error.unchecked", "any"})));
  all.push_back(
      with_time_travel("inner: coalesced", coalesced, 512,
                       inner({"rule", "pick", "wait", "return", "hide", "loop.none", "alone.timing", "gpu", "any"},
                             {"lanes", "fold", "trip", "banks", "diverge.none", "error.unchecked", "any"}),
                       150));
  all.push_back(with_time_travel(
      "inner: arithmetic", arithmetic, 32,
      inner({"rule", "pick.none", "wait.none", "return.none", "hide.none", "loop.none", "alone.timing", "gpu", "any"},
            {"lanes", "fold.none", "trip.none", "banks.none", "diverge.none", "error.unchecked", "any"})));
  all.push_back(with_time_travel(
      "inner: shared memory", shared_memory, 512,
      inner({"rule", "pick", "wait.short", "return.short", "hide.short", "loop.none", "alone.timing", "gpu", "any"},
            {"lanes", "fold.none", "trip.none", "banks", "diverge.none", "error.unchecked", "any"})));
  all.push_back(with_time_travel(
      "inner: a barrier", barrier, 160,
      inner({"rule", "pick", "wait.barrier", "return.barrier", "hide.short", "loop", "alone.timing", "gpu", "any"},
            {"lanes", "fold.none", "trip.none", "banks.none", "diverge.none", "error.unchecked", "any"})));
  all.push_back(
      with_time_travel("inner: a loop", memory_loop, 512,
                       inner({"rule", "pick", "wait", "return", "hide", "loop", "alone.timing", "gpu", "any"},
                             {"lanes", "fold", "trip", "banks.none", "diverge.none", "error.unchecked", "any"})));
  all.push_back(with_time_travel(
      "inner: a free slot", arithmetic, 32,
      inner({"rule", "pick.none", "wait.none", "return.none", "hide.none", "loop.free", "alone.timing", "gpu",
             "any.free"},
            {"lanes.none", "fold.none", "trip.none", "banks.none", "diverge.none", "error.unchecked", "any.none"})));
  all.back().controls.set("schedulers.warp", 63);
  all.back().controls.set("lanes.warp", 63);
  for (const char* const level : {"cg", "ca"}) {
    all.push_back(
        with_time_travel(std::string("inner: read again, ") + level, read_again_from(level), 64,
                         inner({}, {"lanes", "fold.waste", level == std::string_view("cg") ? "trip" : "trip.l1",
                                    "banks", "diverge.none", "error.unchecked", "any"})));
    all.back().controls.set("schedulers.warp", 1);
  }
  all.back().what_if.memory_latency = 2;
  const auto in_load = [](const char* section) {
    return inner({}, {"lanes", "fold", "trip", "banks", "diverge.none", section, "any"});
  };
  const auto in_shared = [](const char* banks, const char* section) {
    return inner({}, {"lanes", "fold.none", "trip.none", banks, "diverge.none", section, "any"});
  };
  using Kind = gpu::FindingKind;
  all.push_back(
      with_error("inner: an error", coalesced, Kind::out_of_bounds, "ld.global", in_load("error.out_of_bounds")));
  all.push_back(with_error("inner: misaligned", coalesced, Kind::misaligned, "ld.global", in_load("error.misaligned")));
  all.push_back(
      with_error("inner: a race", shared_memory, Kind::shared_race, "st.shared", in_shared("banks", "error.race")));
  all.push_back(with_error("inner: never written", shared_memory, Kind::uninitialized, "ld.shared",
                           in_shared("banks", "error.uninitialized")));
  all.push_back(with_error("inner: a wrong barrier", barrier, Kind::barrier, "bar.sync",
                           in_shared("banks.none", "error.barrier")));
  all.push_back(with_error("inner: a lane that takes no part", barrier, Kind::inactive_lane, "bar.sync",
                           in_shared("banks.none", "error.inactive_lane")));
  struct Ended {
    const char* name;
    Kind kind;
    const char* section;
  };
  for (const auto& [name, kind, section] : {Ended{"inner: an endless loop", Kind::runaway, "error.endless"},
                                            Ended{"inner: a full stack", Kind::stack_overflow, "error.invalid"},
                                            Ended{"inner: a failed assertion", Kind::failed_assert, "error.stopped"},
                                            Ended{"inner: not simulated", Kind::unsupported, "error.unsupported"}}) {
    all.push_back(with_error(name, barrier, kind, "bar.sync", in_shared("banks.none", section)));
    all.back().asks = false;
  }
  all.push_back(with_error("inner: an error elsewhere", shared_memory, Kind::shared_race, ".version",
                           in_shared("banks", "error.elsewhere")));
  all.push_back(tensor_cores());
  const auto of_loop = [](const char* section) {
    return inner({}, {"lanes", "fold", "trip", "banks.none", "diverge.none", "error.unchecked", section});
  };
  all.push_back(asked("inner: who wrote it", coalesced, 128,
                      inner({}, {"lanes", "fold", "trip", "banks", "diverge.none", "error.unchecked", "asked"})));
  all.push_back(asked("inner: nothing wrote it", memory_loop, 128, of_loop("asked.input")));
  all.push_back(asked("inner: nothing ever wrote it", memory_loop, 128, of_loop("asked.unwritten")));
  std::const_pointer_cast<run::History>(all.back().simulated)->before.buffers[0].initialized = false;
  all.push_back(asked("inner: too long to ask", memory_loop, 128, of_loop("asked.impossible")));
  std::const_pointer_cast<run::History>(all.back().simulated)->simulation.counters.warp_instructions = 1'000'000'000;
  // Two blocks fit on an SM, 264 on the GPU.
  all.push_back(with_time_travel("inner: more blocks than fit", arithmetic, 1024, {}, 1'000'000, 400));
  all.push_back(with_time_travel("inner: the beginning of many blocks", arithmetic, 1024, {}, 100'000, 4000));
  all.push_back(with_time_travel(
      "inner: wide and copied", wide_and_copied, 64,
      inner({}, {"lanes", "fold", "trip.copy", "banks.wide", "diverge.none", "error.unchecked", "any"})));
  all.push_back(with_time_travel(
      "inner: asked early", asked_early, 32,
      inner({"rule", "pick.none", "wait.asked", "return", "hide.single", "loop.none", "alone.same", "gpu", "any"},
            {})));
  add_change(all.back());
  all.push_back(with_time_travel("inner: blocks of unlike length", unlike_blocks, 32, {}, 1'000'000, 4));
  all.back().controls.set("schedulers.sm", all.back().travel->busy_sms().back());
  all.push_back(recorded_relu());
  return all;
}

}  // namespace

const std::vector<Crafted>& crafted_inner() {
  static const std::vector<Crafted> all = make_crafted_inner();
  return all;
}

const Crafted& crafted_inner_named(std::string_view name) {
  for (const Crafted& one : crafted_inner())
    if (one.name == name) return one;
  ADD_FAILURE() << "no crafted trace is named " << name;
  return crafted_inner().front();
}

}  // namespace warpwalk::story::testing
