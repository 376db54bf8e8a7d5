// Measures frames of the window with a million events open: zooming the time strip, stepping, searching; and those of
// the tour's steps in motion. A frame includes everything up to ImGui's draw data, without the GPU's part.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <thread>

#include <benchmark/benchmark.h>
#include <imgui.h>

#include "app/draw/fonts.h"
#include "app/draw/imgui_compat.h"
#include "app/shell/shell.h"
#include "core/records/hardware.h"
#include "core/story/scene_list.h"
#include "tests/bench/make_trace.h"

namespace {

using namespace std::chrono_literals;
using warpwalk::draw::Key;

// A shell with a trace open, drawn into an ImGui context without a backend; on its tour, as a newcomer sees it, or with
// all panels.
class Open {
 public:
  explicit Open(const std::filesystem::path& file, bool tour = false)
      : shell_(narration(), hardware(), warpwalk::shell::Host{.assets = WARPWALK_ASSETS}) {
    context_ = ImGui::CreateContext();
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1600, 900};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    warpwalk::draw::FontOptions options;
    options.directories = warpwalk::draw::default_font_directories();
    if (const auto done = warpwalk::draw::load_fonts(*io.Fonts, options, fonts_); !done)
      throw std::runtime_error(done.error());
    warpwalk::shell::View view;
    view.file = file;
    view.first_route = tour;
    shell_.settings().panels = !tour;
    shell_.open(view, {.place = tour, .names = true});
    while (shell_.busy()) {
      frame();
      std::this_thread::sleep_for(5ms);
    }
    if (shell_.opened().document == nullptr) throw std::runtime_error(shell_.note().text);
  }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  ~Open() { ImGui::DestroyContext(context_); }

  void press(Key key, char32_t character = 0) { input_.keys.push_back({key, character, false, false}); }
  void press_control(char32_t character) { input_.keys.push_back({Key::character, character, true, false}); }
  // Over the strip's lanes, or over those of the timeline.
  void zoom(float notches, float y = 860) {
    input_.mouse = {900, y};
    input_.wheel = notches;
  }
  void frame() {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    ImGui::NewFrame();
    warpwalk::draw::Canvas canvas(*ImGui::GetBackgroundDrawList(), fonts_, shell_.theme(), 1600, 900);
    input_.seconds = 1.0 / 60;
    shell_.frame(canvas, input_);
    ImGui::Render();
    input_.keys.clear();
    input_.wheel = 0;
  }

  // Goes to the first beat of a scene and waits until nothing moves.
  void go_to(std::size_t scene) {
    press(Key::home);
    for (std::size_t i = 0; i < scene; ++i) press(Key::down);
    frame();
    while (shell_.moving()) frame();
  }
  bool moving() const { return shell_.moving(); }
  const warpwalk::story::Stage& stage() const { return *shell_.opened().stage; }
  std::string_view sheet() const { return shell_.sheet(); }

 private:
  static warpwalk::records::Hardware hardware() {
    auto [read, error] = warpwalk::records::load_hardware(WARPWALK_ASSETS "/devices");
    if (error) throw std::runtime_error(*error);
    return read;
  }
  static warpwalk::story::Narration narration() {
    auto read = warpwalk::story::Narration::load(WARPWALK_ASSETS "/narration/en");
    if (!read) throw std::runtime_error(read.error());
    return *std::move(read);
  }

  warpwalk::shell::Shell shell_;
  ImGuiContext* context_ = nullptr;
  warpwalk::draw::FontSet fonts_;
  warpwalk::draw::Input input_;
};

std::unique_ptr<Open> open;  // opened once: reading is measured by reader_bench

void zoom_the_strip(benchmark::State& state) {
  const auto scene = static_cast<std::size_t>(state.range(0));
  open->go_to(scene);
  state.SetLabel(std::string(warpwalk::story::scenes()[scene].name));
  int i = 0;
  for (auto _ : state) {
    open->zoom(i++ / 20 % 2 == 0 ? 1.0f : -1.0f);  // twenty notches in, then twenty out
    open->frame();
  }
}
BENCHMARK(zoom_the_strip)->DenseRange(0, 5)->Unit(benchmark::kMillisecond);

// The page with a row per level of nesting of each thread and stream, after some notches of the wheel.
void show_the_timeline(benchmark::State& state) {
  open->go_to(0);
  open->press_control(U't');
  open->frame();
  open->press(Key::character, U'f');
  open->frame();
  if (open->sheet() != "timeline") {
    state.SkipWithError("the timeline is not open");
    return;
  }
  for (int i = 0; i < state.range(0); ++i) {
    open->zoom(1, 300);
    open->frame();
  }
  for (auto _ : state) open->frame();
  state.counters["vertices"] = ImGui::GetDrawData()->TotalVtxCount;
  open->press(Key::escape);
  open->frame();
}
BENCHMARK(show_the_timeline)->Arg(0)->Arg(10)->Arg(20)->Arg(30)->Arg(40)->Unit(benchmark::kMillisecond);

// A frame of a beat's animation, which rebuilds the stage.
void motion(benchmark::State& state) {
  const auto scene = static_cast<std::size_t>(state.range(0));
  open->go_to(scene);
  state.SetLabel(std::string(warpwalk::story::scenes()[scene].name));
  for (auto _ : state) {
    if (!open->moving()) {
      state.PauseTiming();
      open->go_to(scene);
      open->press(Key::right);
      state.ResumeTiming();
    }
    open->frame();
  }
}
BENCHMARK(motion)->DenseRange(0, 5)->Unit(benchmark::kMillisecond);

// A frame of the motion to a step of the tour; the longest of them in ms.
void tour_motion(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  static Open tour(WARPWALK_ASSETS "/walks/h200_relu_matmul_inside.json.gz", true);
  double longest = 0;
  const auto arrive = [&] {  // at the step before, at rest
    tour.press(Key::home);
    tour.frame();
    for (std::int64_t i = 2; i < state.range(0); ++i) {
      tour.press(Key::right);
      tour.frame();
    }
    while (tour.moving()) tour.frame();
    tour.press(Key::right);
    tour.frame();
  };
  arrive();
  state.SetLabel(tour.stage().key);
  for (auto _ : state) {
    if (!tour.moving()) {
      state.PauseTiming();
      arrive();
      state.ResumeTiming();
    }
    const auto begin = Clock::now();
    tour.frame();
    longest = std::max(longest, std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  }
  state.counters["longest_ms"] = longest;
}
BENCHMARK(tour_motion)->DenseRange(2, 24)->Unit(benchmark::kMillisecond);

void step(benchmark::State& state) {
  int i = 0;
  for (auto _ : state) {
    open->press(i++ / 10 % 2 == 0 ? Key::right : Key::left);
    open->frame();
  }
}
BENCHMARK(step)->Unit(benchmark::kMillisecond);

// From the last letter typed to the frame that shows the remaining rows.
void search(benchmark::State& state) {
  open->press(Key::character, U'/');
  open->frame();
  int i = 0;
  for (auto _ : state) {
    if (i++ % 2 == 0)
      open->press(Key::character, U'm');
    else
      open->press(Key::backspace);
    open->frame();
  }
  open->press(Key::escape);
  open->frame();
}
BENCHMARK(search)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  try {
    const std::filesystem::path file = std::filesystem::path(WARPWALK_BENCH_FOLDER) / "million_events.json";
    if (!std::filesystem::exists(file)) warpwalk::bench::make_trace(warpwalk::bench::real_sample(), 1000000, file);
    open = std::make_unique<Open>(file);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "shell_bench: %s\n", e.what());
    return 2;
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  open.reset();
}
