// Measures `warpwalk render` for one 1920x1080 picture as a whole process: start, reading, fonts, drawing, PNG.
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// Runs the program; returns false if it fails.
bool run(const std::string& scene, const std::string& out) {
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(1);
    execl(WARPWALK_PROGRAM, "warpwalk", "render", WARPWALK_SAMPLE, "--scene", scene.c_str(), "--size", "1920x1080",
          "-o", out.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

void render(benchmark::State& state, const std::string& scene) {
  const std::string out = (std::filesystem::temp_directory_path() / ("warpwalk_bench_" + scene + ".png")).string();
  for (auto _ : state)
    if (!run(scene, out)) state.SkipWithError("warpwalk render failed");
  std::filesystem::remove(out);
}

BENCHMARK_CAPTURE(render, boardroom, std::string("boardroom"))->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(render, map, std::string("map"))->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
