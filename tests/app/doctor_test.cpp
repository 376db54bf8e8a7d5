// `doctor` of the real program, on machines with and without each of the things it checks.
#include <map>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

const std::vector<std::string> check_names = {"display", "fonts",    "assets",   "settings", "driver",
                                              "kernels", "CUPTI",    "recorder", "NVML",     "NVRTC",
                                              "ptxas",   "nvdisasm", "ncu",      "ffmpeg",   "CPU"};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0, end; (end = text.find('\n', from)) != std::string::npos; from = end + 1)
    lines.push_back(text.substr(from, end - from));
  return lines;
}

// Runs doctor with these environment variables and returns the line of one check.
std::string line_of(const std::string& name, const std::vector<std::string>& environment) {
  const Outcome outcome = run({"doctor"}, environment);
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  const auto lines = lines_of(outcome.out);
  EXPECT_EQ(lines.size(), check_names.size()) << outcome.out;
  for (const std::string& line : lines)
    if (line.starts_with(name + " ")) return line;
  ADD_FAILURE() << "no line for " << name << " in\n" << outcome.out;
  return "";
}

TEST(Doctor, SaysALineForEachThingAlignedInAnyEnvironment) {
  const Folder home;
  for (const std::vector<std::string>& environment :
       {std::vector<std::string>{},
        {"DISPLAY=", "WAYLAND_DISPLAY=", "PATH="},
        {"DISPLAY=:4242", "WAYLAND_DISPLAY=", "HOME=" + home.path().string(), "CUDA_HOME=/nowhere"}}) {
    const Outcome outcome = run({"doctor"}, environment);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.error, "");
    const auto lines = lines_of(outcome.out);
    ASSERT_EQ(lines.size(), check_names.size()) << outcome.out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      EXPECT_TRUE(lines[i].starts_with(check_names[i])) << lines[i];
      const std::string state = lines[i].substr(9, 9);
      EXPECT_TRUE(state == "ok       " || state == "missing  ") << lines[i];
      if (state == "missing  ") {
        EXPECT_THAT(lines[i], ::testing::HasSubstr(": "));
      }
      EXPECT_NE(lines[i][18], ' ') << lines[i];
    }
  }
}

TEST(Doctor, NoDisplayAndNoPath) {
  const std::string display = line_of("display", {"DISPLAY=", "WAYLAND_DISPLAY="});
  EXPECT_THAT(display, ::testing::HasSubstr("missing"));
  EXPECT_THAT(display, ::testing::HasSubstr("DISPLAY is not set"));
  EXPECT_THAT(display, ::testing::HasSubstr("warpwalk render"));
  EXPECT_THAT(line_of("display", {"DISPLAY=:4242", "WAYLAND_DISPLAY="}), ::testing::HasSubstr(":4242"));
  EXPECT_THAT(line_of("ffmpeg", {"PATH="}), ::testing::HasSubstr("missing  not in PATH: no films"));
}

TEST(Doctor, Ffmpeg) {
  const Folder folder;
  std::filesystem::permissions(folder.file("ffmpeg", "#!/bin/sh\n"), std::filesystem::perms::owner_all);
  EXPECT_EQ(line_of("ffmpeg", {"PATH=/nowhere::" + folder.path().string()}),
            "ffmpeg   ok       " + folder.at("ffmpeg"));
}

TEST(Doctor, ToolsOfCudaAreLookedForInPathAndToolkit) {
  const Folder folder, toolkit;
  std::filesystem::create_directories(toolkit.path() / "bin");
  for (const std::string& name : {folder.file("nvdisasm", "#!/bin/sh\n"), folder.file("ncu", "#!/bin/sh\n"),
                                  toolkit.file("bin/ptxas", "#!/bin/sh\n")})
    std::filesystem::permissions(name, std::filesystem::perms::owner_all);
  const std::vector<std::string> environment = {"PATH=" + folder.path().string(),
                                                "CUDA_HOME=" + toolkit.path().string()};
  EXPECT_EQ(line_of("nvdisasm", environment), "nvdisasm ok       " + folder.at("nvdisasm"));
  EXPECT_EQ(line_of("ptxas", environment), "ptxas    ok       " + toolkit.at("bin/ptxas"));
  EXPECT_THAT(line_of("ncu", environment), ::testing::HasSubstr(folder.at("ncu")));
  const std::string missing = line_of("nvdisasm", {"PATH=", "CUDA_HOME=", "CUDA_PATH="});
  if (missing.find("ok ") != std::string::npos) GTEST_SKIP() << "a CUDA toolkit is installed here";
  EXPECT_THAT(missing, ::testing::HasSubstr("missing  neither in PATH nor in a CUDA toolkit: no SASS"));
}

TEST(Doctor, WhatWarpwalkBringsAlong) {
  const std::filesystem::path folder = std::filesystem::path(WARPWALK_PROGRAM).parent_path();
  EXPECT_EQ(line_of("recorder", {}), "recorder ok       " + (folder / "libwarpwalk_inject.so").string());
  const std::string kernels = line_of("kernels", {});
  if (std::filesystem::exists(folder / "libwarpwalk_cuda.so")) {
    EXPECT_TRUE(kernels.starts_with("kernels  ok       " + (folder / "libwarpwalk_cuda.so").string())) << kernels;
    EXPECT_THAT(kernels, ::testing::HasSubstr(" kernels, CUDA 1"));
  } else {
    EXPECT_THAT(kernels,
                ::testing::HasSubstr(
                    "missing  libwarpwalk_cuda.so is not beside the program: warpwalk run --on cuda does not work"));
  }
}

TEST(Doctor, NvmlByItsDriver) {
  EXPECT_EQ(line_of("NVML", {"LD_LIBRARY_PATH=" WARPWALK_FAKE_NVML}),
            "NVML     ok       " WARPWALK_FAKE_NVML "/libnvidia-ml.so.1, driver 999.1");
  EXPECT_THAT(line_of("NVML", {"LD_LIBRARY_PATH=" WARPWALK_FAKE_NVML, "WARPWALK_FAKE_NVML_ERROR=9"}),
              ::testing::HasSubstr("missing  " WARPWALK_FAKE_NVML
                                   "/libnvidia-ml.so.1: no reason (error 9): no live GPU readings"));
}

TEST(Doctor, SettingsAreReadWhereTheyAre) {
  const Folder config;
  const std::vector<std::string> environment = {"XDG_CONFIG_HOME=" + config.path().string()};
  EXPECT_EQ(line_of("settings", environment),
            "settings ok       " + config.at("warpwalk/settings.json") + ", does not exist yet");
  std::filesystem::create_directories(config.path() / "warpwalk");
  config.file("warpwalk/settings.json", R"({"theme": "light"})");
  EXPECT_EQ(line_of("settings", environment), "settings ok       " + config.at("warpwalk/settings.json"));
  config.file("warpwalk/settings.json", "{\"theme\": ");
  EXPECT_THAT(line_of("settings", environment), ::testing::HasSubstr("is not a JSON object: "));
  EXPECT_THAT(line_of("settings", {"XDG_CONFIG_HOME=", "HOME=/home/someone"}),
              ::testing::HasSubstr("/home/someone/.config/warpwalk/settings.json"));
}

// A GPU server often has no display libraries, but programs are recorded there.
TEST(Doctor, NoLibrariesOfADisplayAreNeededToStart) {
  const Outcome needed = run({"--version"}, {"LD_TRACE_LOADED_OBJECTS=1"});  // as ldd does it
  EXPECT_THAT(needed.out, ::testing::HasSubstr("libc.so"));
  for (const char* const library : {"libglfw", "libGL", "libX11", "libwayland"})
    EXPECT_THAT(needed.out, ::testing::Not(::testing::HasSubstr(library)));
  const Folder broken;
  const std::string file = broken.file("libglfw.so.3", "");
  const std::vector<std::string> environment = {"LD_LIBRARY_PATH=" + broken.path().string()};
  EXPECT_THAT(line_of("display", environment), ::testing::HasSubstr("missing  " + file));
  const Outcome window = run({walk("relu_matmul")}, environment);
  EXPECT_EQ(window.status, 2);
  EXPECT_THAT(window.error, ::testing::StartsWith("warpwalk: no window: " + file));
  EXPECT_EQ(window.error_lines(), 1u);
}

TEST(Doctor, AssetsThatAreNotThere) {
  const std::string line = line_of("assets", {"WARPWALK_ASSETS=/nowhere"});
  EXPECT_TRUE(line.starts_with("assets   missing  ")) << line;
  EXPECT_THAT(line, ::testing::HasSubstr("WARPWALK_ASSETS"));
  std::size_t walks = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(walk("relu_matmul")).parent_path()))
    walks += entry.path().extension() == ".gz" || entry.is_directory();
  EXPECT_GE(walks, 3u);
  EXPECT_TRUE(line_of("assets", {}).ends_with("assets, " + std::to_string(walks) + " recorded walks"));
}

TEST(Doctor, NamesTheGpusAndSurvivesDrivers) {
  const auto with = [](const std::string& what) {
    return line_of("driver", {"LD_LIBRARY_PATH=" WARPWALK_FAKE_DRIVER, "WARPWALK_FAKE_CUDA=" + what});
  };
  const std::string good = "driver   ok       for CUDA 12.8, 2 GPUs: Test GPU 0, Test GPU 1";
  EXPECT_EQ(with(""), good);
  EXPECT_EQ(with("chat"), good);
  EXPECT_THAT(with("no device"), ::testing::HasSubstr("no CUDA-capable device is detected (error 100): no NVIDIA GPU"));
  EXPECT_THAT(with("crash"), ::testing::HasSubstr("missing  it crashed (signal 6): "));
  EXPECT_THAT(with("exit"), ::testing::HasSubstr("missing  it ended the process that checked for it: "));
}

TEST(Doctor, JsonHoldsTheSame) {
  const Folder folder;
  const std::vector<std::string> environment = {"DISPLAY=", "WAYLAND_DISPLAY=", "PATH="};
  const Outcome lines = run({"doctor", "--json", folder.at("doctor.json")}, environment);
  EXPECT_EQ(lines.status, 0);
  const Outcome json = run({"doctor", "--json", "-"}, environment);
  EXPECT_EQ(json.out, text_of(folder.at("doctor.json")));
  rapidjson::Document document;
  ASSERT_FALSE(document.Parse(json.out.c_str()).HasParseError());
  const auto& checks = document["checks"];
  ASSERT_EQ(checks.Size(), check_names.size());
  const auto text = lines_of(lines.out);
  for (rapidjson::SizeType i = 0; i < checks.Size(); ++i) {
    EXPECT_EQ(checks[i]["name"].GetString(), check_names[i]);
    EXPECT_THAT(text[i], ::testing::HasSubstr(checks[i]["found"].GetString()));
    EXPECT_EQ(checks[i]["ok"].GetBool(), text[i].substr(9, 2) == "ok");
    EXPECT_EQ(checks[i]["ok"].GetBool(), *checks[i]["costs"].GetString() == '\0');
  }
  const Outcome bad = run({"doctor", "--json", "/nowhere/deep.json"});
  EXPECT_EQ(bad.status, 2);
  EXPECT_EQ(bad.error_lines(), 1u) << bad.error;
}

}  // namespace
}  // namespace warpwalk::testing
