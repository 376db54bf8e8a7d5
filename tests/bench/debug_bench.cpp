// The debugger (core/debug) on a launch of about ten million warp instructions: recording it, steps, and going back to
// a breakpoint of a line and to the last change of an element, each with the search for its places.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>

#include "core/debug/session.h"
#include "core/gpu/device/device_file.h"

namespace {

using namespace warpwalk;

template <class Work>
double seconds(Work work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace

int main() {
  const gpu::Device device = *gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  run::LoadOptions options;
  options.code = run::CodeChoice::sass;
  auto loaded = *run::load_launch(WARPWALK_SOURCE_DIR "/tests/validate/timed/matmul_naive_512.json", device, options);
  loaded.launch.grid[1] = 16;  // half of it
  {
    gpu::Launch launch = loaded.launch;
    std::printf("time the launch without a log %.2f s\n",
                seconds([&] { static_cast<void>(gpu::time_launch(device, *loaded.program, launch)); }));
  }
  std::unique_ptr<debug::Recording> recording;
  const double recorded =
      seconds([&] { recording = std::move(*debug::Recording::make(std::move(loaded), device, {})); });
  std::printf("record %.2f s, %llu warp instructions, log %.0f MiB\n", recorded,
              static_cast<unsigned long long>(recording->timing().warp_instructions),
              static_cast<double>(recording->log_bytes()) / (1 << 20));
  debug::Session session(std::move(recording));
  const auto look = [&] { return session.moment().registers().size(); };

  double longest = 0, sum = 0;
  constexpr int steps = 1000;
  for (const bool forward : {true, false})
    for (int i = 0; i < steps / 2; ++i) {
      const double took = seconds([&] {
        session.step(debug::StepKind::in, debug::StepUnit::instruction, forward);
        look();
      });
      longest = std::max(longest, took);
      sum += took;
    }
  std::printf("step with registers: mean %.2f ms, longest %.2f ms\n", 1e3 * sum / steps, 1e3 * longest);

  // The line of the innermost multiplication: the one whose instructions are issued most often.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> counts;
  for (std::uint16_t sm = 0; sm < session.recording().sms(); ++sm)
    for (const debug::LoggedIssue& issue : session.recording().log(sm).issues()) {
      const debug::CodeLine& line = session.code().line_of(issue.instruction);
      ++counts[{line.file, line.line}];
    }
  const auto most = std::ranges::max_element(counts, {}, [](const auto& row) { return row.second; })->first;
  session.go_to_cycle(session.recording().end());
  session.add_line(session.code().files()[most.first], most.second, "", "");
  std::printf("reverse-continue to line %u, first: %.3f s\n", most.second,
              seconds([&] { session.run(false), look(); }));
  std::printf("reverse-continue to it, again: %.4f s\n", seconds([&] { session.run(false), look(); }));
  session.remove(debug::Breakpoint::Kind::line);
  session.go_to_cycle(session.recording().end());
  session.add_line(session.code().files()[most.first], most.second, "threadIdx.x == 5 && blockIdx.x == 3", "");
  std::printf("the same with a condition on the thread: %.3f s\n", seconds([&] { session.run(false), look(); }));
  session.remove(debug::Breakpoint::Kind::line);
  session.go_to_cycle(session.recording().end());
  session.add_data("C[77777]", 0, debug::Breakpoint::Access::change, "", "");
  std::printf("reverse-continue to a change of an element: %.3f s\n", seconds([&] { session.run(false), look(); }));
  std::printf("  %s\n", session.stop().text.c_str());
  std::printf("read an element at the end: %.4f s\n", seconds([&] {
                session.go_to_cycle(session.recording().end());
                static_cast<void>(session.evaluate("C[4242]"));
              }));
}
