#include "app/verbs/doctor.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include "app/draw/fonts.h"
#include "app/verbs/common/assets.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/language.h"
#include "app/verbs/common/probes.h"
#include "app/verbs/common/terminal.h"
#include "app/window/window.h"
#include "core/platform/find_program.h"
#include "core/platform/read_file.h"
#include "core/story/elements/narration.h"

namespace warpwalk::verbs {
namespace {

platform::ProbeResult look_at_fonts() {
  std::string text;
  for (const std::filesystem::path& file : draw::font_files(draw::default_font_directories()))
    text.append(text.empty() ? "" : ", ").append(file.filename().string());
  if (text.empty()) return {false, "none found"};
  const bool own = text.find("Inter") != std::string::npos && text.find("JetBrains") != std::string::npos;
  return {own, own ? text : "Inter or JetBrains Mono is missing; using instead: " + text};
}

platform::ProbeResult look_at_assets() {
  const auto folder = find_assets();
  if (!folder) return {false, "not found beside the program"};
  if (const auto words = load_words(*folder, std::string(default_language)); !words) return {false, words.error()};
  std::size_t walks = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(*folder / "walks", error))
    walks += entry.path().extension() == ".gz" || entry.is_directory(error);
  return {true, fmt::format("{}, {} recorded walks", folder->string(), walks)};
}

platform::ProbeResult look_at_settings() {
  const char* const config = std::getenv("XDG_CONFIG_HOME");
  const char* const home = std::getenv("HOME");
  std::filesystem::path folder;
  if (config != nullptr && *config == '/')
    folder = config;
  else if (home != nullptr && *home != '\0')
    folder = std::filesystem::path(home) / ".config";
  else
    return {false, "neither XDG_CONFIG_HOME nor HOME is set"};
  const std::filesystem::path file = folder / "warpwalk" / "settings.json";
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return {true, fmt::format("{}, does not exist yet", file.string())};
  const auto read = platform::read_text_file(file);
  if (!read) return {false, read.error()};
  rapidjson::Document document;
  if (document.Parse(read->text.c_str()).HasParseError() || !document.IsObject())
    return {false, fmt::format("{} is not a JSON object", file.string())};
  return {true, file.string()};
}

platform::ProbeResult look_at_ffmpeg() {
  const auto program = platform::find_program("ffmpeg");
  return program ? platform::ProbeResult{true, program->string()} : platform::ProbeResult{false, "not in PATH"};
}

platform::ProbeResult look_at_tool(const char* name) {
  const auto program = platform::find_tool(name);
  return program ? platform::ProbeResult{true, program->string()}
                 : platform::ProbeResult{false, "neither in PATH nor in a CUDA toolkit"};
}
platform::ProbeResult look_at_ptxas() { return look_at_tool("ptxas"); }
platform::ProbeResult look_at_nvdisasm() { return look_at_tool("nvdisasm"); }
platform::ProbeResult look_at_counters() { return look_at_ncu(); }

platform::ProbeResult look_at_cpu() {
  return {true, fmt::format("{} cores", std::max(1u, std::thread::hardware_concurrency()))};
}

struct Check {
  const char* name;
  platform::ProbeResult (*look)();
  bool apart;         // runs in a child process, because it calls other people's code
  const char* costs;  // what does not work without it, and what to do
};

constexpr Check checks[] = {
    {"display", window::probe_display, true,
     "no window; warpwalk render still writes pictures, films and texts; install libglfw3, and libgl1-mesa-dri for "
     "Mesa's OpenGL"},
    {"fonts", look_at_fonts, false,
     "the default fonts are used; install fonts-inter fonts-jetbrains-mono fonts-dejavu-core"},
    {"assets", look_at_assets, false,
     "no window and no pictures; set WARPWALK_ASSETS to the folder that contains the narration"},
    {"settings", look_at_settings, false, "settings are not saved; set HOME, or repair or delete the file"},
    {"driver", look_at_driver, true,
     "no NVIDIA GPU to run on; recorded walks and traces from other machines can still be opened"},
    {"kernels", look_at_kernels, true,
     "warpwalk run --on cuda does not work; --on sim runs the same kernels; install the CUDA toolkit and build again"},
    {"CUPTI", look_at_cupti, true,
     "warpwalk record and run --on cuda do not work; it comes with the CUDA toolkit; opening traces does not need it"},
    {"recorder", look_at_recorder, false,
     "warpwalk record and run --on cuda do not work; build or install all of warpwalk"},
    {"NVML", look_at_nvml, true, "no live GPU readings (key U in the window); it comes with NVIDIA's driver"},
    {"NVRTC", look_at_nvrtc, true,
     "CUDA source is compiled with nvcc or clang instead, if one of them is installed (apt install clang); PTX needs "
     "none"},
    {"ptxas", look_at_ptxas, false,
     "simulate --ptxas does not work, and walks of a real GPU have no SASS; it comes with the CUDA toolkit"},
    {"nvdisasm", look_at_nvdisasm, false,
     "no SASS beside source and PTX; it comes with the CUDA toolkit (cuda-nvdisasm)"},
    {"ncu", look_at_counters, false,
     "no measured counters beside simulated ones (run --counters); it comes with the CUDA toolkit (Nsight Compute)"},
    {"ffmpeg", look_at_ffmpeg, false, "no films; install ffmpeg, or write their frames (warpwalk render --frames)"},
    {"CPU", look_at_cpu, false, ""},
};

std::string json_of(const std::vector<Checked>& all) {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  const auto text = [&](const char* key, const std::string& value) {
    writer.Key(key);
    writer.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  };
  writer.StartObject();
  writer.Key("checks");
  writer.StartArray();
  for (const Checked& one : all) {
    writer.StartObject();
    text("name", one.name);
    writer.Key("ok");
    writer.Bool(one.ok);
    text("found", one.found);
    text("costs", one.costs);
    writer.EndObject();
  }
  writer.EndArray();
  writer.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace

std::vector<Checked> check_all() {
  constexpr auto longest = std::chrono::seconds(10);  // a driver with many GPUs needs seconds to start
  const auto deadline = std::chrono::steady_clock::now() + longest;
  std::vector<std::unique_ptr<platform::Probe>> probes;  // they run at the same time
  for (const Check& check : checks)
    probes.push_back(check.apart ? std::make_unique<platform::Probe>(check.look) : nullptr);
  std::vector<Checked> all;
  for (std::size_t i = 0; i < std::size(checks); ++i) {
    const platform::ProbeResult found = probes[i] ? probes[i]->wait(deadline) : checks[i].look();
    all.push_back({checks[i].name, found.ok, found.text, found.ok ? "" : checks[i].costs});
  }
  return all;
}

int doctor(const DoctorOptions& options) {
  const std::vector<Checked> all = check_all();
  if (options.json != "-")
    for (const Checked& one : all)
      print_report(fmt::format("{:<9}{:<9}{}{}{}\n", one.name, one.ok ? "ok" : "missing", one.found,
                               one.costs.empty() ? "" : ": ", one.costs));
  if (!options.json.empty())
    if (const auto done = write_file(options.json, json_of(all)); !done) return refuse(done.error());
  return 0;
}

Verb add_doctor(CLI::App& app) {
  const auto options = std::make_shared<DoctorOptions>();
  CLI::App* const verb =
      app.add_subcommand("doctor", "Check what this machine has, and what does not work without each missing part");
  verb->add_option("--json", options->json, "write the checks as JSON to this file (- for stdout)");
  return {verb, [options] { return doctor(*options); }};
}

}  // namespace warpwalk::verbs
