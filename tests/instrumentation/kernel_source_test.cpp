// Finds the sources of kernels by the line tables of two.cubin (/src/two.cu, 457 bytes when it was compiled) and of
// inlined.cubin (/src/inlined.cu, whose size was not recorded).
#include "instrumentation/kernel_source.h"

#include <fstream>
#include <iterator>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/app/program.h"

namespace warpwalk::instrumentation {
namespace {

using warpwalk::testing::Folder;

constexpr std::string_view scaled = "_Z5scalePffi";
constexpr std::size_t compiled_bytes = 457;

std::string bytes_of_source_test(const std::string& name) {
  std::ifstream file(WARPWALK_SOURCE_DIR "/tests/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string source_of_size(std::size_t bytes) {
  std::string text = "__global__ void scale();\n";
  text.resize(bytes, '\n');
  return text;
}

/// The source found for the kernel scale of two.cubin if two.cu has this text.
KernelSource found_with(const Folder& folder, const std::string& text) {
  SourceOptions options;
  options.files = {folder.file("two.cu", text)};
  return KernelSources(options).find(bytes_of_source_test("instrumentation/data/two.cubin"), scaled);
}

TEST(KernelSource, IsTheFileThatTheLineTableNames) {
  const Folder folder;
  const std::string text = source_of_size(compiled_bytes);
  const KernelSource source = found_with(folder, text);
  EXPECT_EQ(source.path, "/src/two.cu");
  EXPECT_EQ(source.text, text);
  EXPECT_EQ(source.missing, "");
  // For inlined code, it is the file that contains the kernel. The line table has no size for it, so any size is
  // accepted.
  SourceOptions options;
  options.files = {WARPWALK_SOURCE_DIR "/tests/run/data/steps.cuh", WARPWALK_SOURCE_DIR "/tests/run/data/inlined.cu"};
  const KernelSource outer =
      KernelSources(options).find(bytes_of_source_test("instrumentation/data/inlined.cubin"), "inlined");
  EXPECT_EQ(outer.path, "/src/inlined.cu");
  EXPECT_EQ(outer.text, bytes_of_source_test("run/data/inlined.cu"));
}

TEST(KernelSource, SaysWhyItIsMissing) {
  const Folder folder;
  const std::string two = bytes_of_source_test("instrumentation/data/two.cubin");
  EXPECT_EQ(KernelSources({}).find(two, scaled).missing, "/src/two.cu is not there; give it with --source FILE");
  const std::string changed = found_with(folder, source_of_size(400)).missing;
  EXPECT_EQ(changed, folder.at("two.cu") + " was changed after it was compiled: 400 bytes instead of 457");
  std::string binary = source_of_size(compiled_bytes);
  binary[100] = '\0';
  EXPECT_EQ(found_with(folder, binary).missing, folder.at("two.cu") + " is not a text file");
  EXPECT_EQ(found_with(folder, binary).text, "");
  SourceOptions options;
  options.files = {folder.file("two.cu", source_of_size(compiled_bytes))};
  options.max_file_bytes = 100;
  EXPECT_THAT(KernelSources(options).find(two, scaled).missing, ::testing::HasSubstr("is larger than"));
  // A folder is not read, and a pipe or device would block or never end.
  options.files = {folder.at("two.cu")};
  std::filesystem::remove(folder.at("two.cu"));
  std::filesystem::create_directory(folder.at("two.cu"));
  EXPECT_THAT(KernelSources(options).find(two, scaled).missing, ::testing::HasSubstr("is not a regular file"));
}

TEST(KernelSource, AFileIsReadKeptAndCountedOnce) {
  const Folder folder;
  const std::string two = bytes_of_source_test("instrumentation/data/two.cubin"),
                    inlined = bytes_of_source_test("instrumentation/data/inlined.cubin"),
                    text = source_of_size(compiled_bytes);
  SourceOptions options;
  options.files = {folder.file("two.cu", text), folder.file("inlined.cu", source_of_size(100))};
  options.max_walk_bytes = compiled_bytes + 99;
  KernelSources sources(options);
  const KernelSource first = sources.find(two, scaled);
  EXPECT_EQ(first.text, text);
  std::filesystem::remove(folder.at("two.cu"));
  const KernelSource second = sources.find(two, "_Z5shiftIiEvPT_S0_i");
  EXPECT_EQ(second.missing, "");
  EXPECT_EQ(second.text.view().data(), first.text.view().data());
  const KernelSource other = sources.find(inlined, "inlined");
  EXPECT_EQ(other.path, "/src/inlined.cu");
  EXPECT_EQ(other.text, "");
  EXPECT_EQ(other.missing, folder.at("inlined.cu") + ": the walk already holds 457 B of sources");
  options.max_walk_bytes = compiled_bytes + 100;
  options.files[0] = folder.file("two.cu", text);
  KernelSources enough(options);
  EXPECT_EQ(enough.find(two, scaled).missing, "");
  EXPECT_EQ(enough.find(inlined, "inlined").text.size(), 100u);
}

TEST(KernelSource, AFileThatIsRefusedTakesNoRoom) {
  const Folder folder;
  const std::string two = bytes_of_source_test("instrumentation/data/two.cubin"),
                    inlined = bytes_of_source_test("instrumentation/data/inlined.cubin");
  SourceOptions options;
  options.files = {folder.file("two.cu", source_of_size(500)), folder.file("inlined.cu", source_of_size(500))};
  options.max_walk_bytes = 500;
  KernelSources sources(options);
  EXPECT_THAT(sources.find(two, scaled).missing, ::testing::HasSubstr("was changed after it was compiled"));
  EXPECT_EQ(sources.find(inlined, "inlined").text.size(), 500u);
}

TEST(KernelSource, AKernelWithoutALineTableHasNone) {
  const std::string two = bytes_of_source_test("instrumentation/data/two.cubin");
  for (const auto& [cubin, entry] : {std::pair<std::string, std::string>{two, "unknown"},
                                     {"no cubin", std::string(scaled)},
                                     {two.substr(0, two.size() / 2), std::string(scaled)},
                                     {"", ""}}) {
    const KernelSource source = KernelSources({}).find(cubin, entry);
    EXPECT_EQ(source.text, "");
    EXPECT_EQ(source.missing, "");
  }
}

}  // namespace
}  // namespace warpwalk::instrumentation
