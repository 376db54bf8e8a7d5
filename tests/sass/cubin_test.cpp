// Cubins compiled by ptxas 13.0 from this repository's kernels (record.py).
#include "core/sass/elf/cubin.h"

#include <algorithm>
#include <charconv>
#include <map>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/base/text.h"
#include "core/sass/forms/decode.h"
#include "tests/sass/recorded.h"

namespace warpwalk::sass {
namespace {

constexpr std::array architecture_names{"sm_75", "sm_80", "sm_86", "sm_89", "sm_90"};

/// A cubin with the bytes that its views point into.
struct Loaded {
  std::string bytes;
  Cubin cubin;
};

Loaded load_cubin(const std::string& name) {
  Loaded loaded{read_data("cubins/" + name + ".gz"), {}};
  auto parsed = parse_cubin(loaded.bytes);
  if (!parsed)
    ADD_FAILURE() << name << ": " << parsed.error();
  else
    loaded.cubin = *std::move(parsed);
  return loaded;
}

const CubinVariable* variable(const Cubin& cubin, std::string_view name) {
  const auto found = std::ranges::find(cubin.variables, name, &CubinVariable::name);
  return found == cubin.variables.end() ? nullptr : &*found;
}

TEST(Cubin, ArchitectureAndLaunchProperties) {
  for (std::size_t i = 0; i < architecture_names.size(); ++i) {
    const Loaded loaded = load_cubin(std::string("softmax.") + architecture_names[i]);
    EXPECT_EQ(loaded.cubin.architecture, static_cast<Architecture>(i));
    ASSERT_EQ(loaded.cubin.functions.size(), 1u);
    const CubinFunction& softmax = loaded.cubin.functions.front();
    EXPECT_EQ(softmax.name, "softmax");
    EXPECT_TRUE(softmax.is_entry);
    EXPECT_EQ(softmax.code.size() % instruction_bytes, 0u);
    EXPECT_GT(softmax.registers, 16u);
    EXPECT_LT(softmax.registers, 40u);
    EXPECT_EQ(softmax.barriers, 1u);
    const bool hopper = loaded.cubin.architecture == Architecture::sm_90;
    EXPECT_EQ(softmax.shared_bytes, hopper ? 128u + 1024u : 128u) << "sm_90 reserves 1 KB";
    EXPECT_EQ(softmax.parameter_base, hopper ? 0x210u : 0x160u);
    EXPECT_EQ(softmax.parameter_bytes, 24u);
    ASSERT_EQ(softmax.parameters.size(), 4u);
    EXPECT_EQ(softmax.parameters[3].ordinal, 3u);
    EXPECT_EQ(softmax.parameters[3].offset, 20u);
    EXPECT_EQ(softmax.parameters[3].bytes, 4u);
    ASSERT_FALSE(softmax.constants.empty());
    EXPECT_EQ(softmax.constants.front().number, 0u);
    EXPECT_EQ(softmax.constants.front().bytes.size(), softmax.parameter_base + softmax.parameter_bytes);
  }
}

TEST(Cubin, DeviceFunctionsAndStack) {
  for (const char* const architecture : {"sm_75", "sm_90"}) {
    const Loaded loaded = load_cubin(std::string("calls.") + architecture);
    ASSERT_EQ(loaded.cubin.functions.size(), 1u);
    const CubinFunction& calls = loaded.cubin.functions.front();
    EXPECT_EQ(calls.frame_bytes, 32u);
    EXPECT_EQ(calls.min_stack_bytes, 32u);
    ASSERT_EQ(calls.callees.size(), 4u);
    for (const CubinCallee& callee : calls.callees) {
      EXPECT_GT(callee.offset, 0u);
      EXPECT_LE(callee.offset + callee.bytes, calls.code.size());
      EXPECT_TRUE(callee.name.starts_with("$calls$")) << callee.name;
    }
  }
}

TEST(Cubin, VariablesConstantsAndRelocations) {
  const Loaded globals = load_cubin("module_variables.sm_90");
  const CubinVariable* const text = variable(globals.cubin, "text");
  ASSERT_NE(text, nullptr);
  EXPECT_EQ(text->space, CubinSpace::global);
  EXPECT_EQ(text->bytes, 9u);
  EXPECT_EQ(text->initial.size(), 9u);
  const CubinVariable* const arrivals = variable(globals.cubin, "arrivals");
  ASSERT_NE(arrivals, nullptr);
  EXPECT_EQ(arrivals->bytes, 4u);
  EXPECT_TRUE(arrivals->initial.empty()) << "zero";
  const auto in_bank = std::ranges::count(globals.cubin.relocations, ".nv.constant4", &CubinRelocation::section);
  EXPECT_EQ(in_bank, 7) << "the addresses of the module's variables";
  const auto place = std::ranges::find_if(globals.cubin.relocations, [](const CubinRelocation& relocation) {
    return relocation.section == ".nv.global.init" && relocation.symbol == "primes" && relocation.addend != 0;
  });
  EXPECT_NE(place, globals.cubin.relocations.end()) << "a pointer into another variable";

  const Loaded constants = load_cubin("constant_memory.sm_86");
  const CubinVariable* const taps = variable(constants.cubin, "taps");
  ASSERT_NE(taps, nullptr);
  EXPECT_EQ(taps->space, CubinSpace::constant);
  EXPECT_EQ(taps->initial.size(), 72u);
  ASSERT_FALSE(constants.cubin.constants.empty());
  EXPECT_EQ(constants.cubin.constants.front().number, 3u);
}

TEST(Cubin, NamedBarriers) {
  for (const char* const architecture : architecture_names)
    EXPECT_EQ(load_cubin(std::string("named_barriers.") + architecture).cubin.functions.front().barriers, 16u);
}

TEST(Cubin, EveryInstructionIsKnown) {
  for (const char* const name : {"softmax", "matmul_tiled", "relu", "calls", "constant_memory", "module_variables"})
    for (const char* const architecture : architecture_names) {
      const Loaded loaded = load_cubin(std::string(name) + "." + architecture);
      for (const CubinFunction& function : loaded.cubin.functions)
        for (const Decoded& decoded : decode(loaded.cubin.architecture, function.code))
          if (const auto* unknown = std::get_if<UnknownInstruction>(&decoded)) ADD_FAILURE() << unknown->what;
    }
}

/// "softmax.cu:20" for each position.
std::vector<std::string> texts(const std::vector<SourcePosition>& positions) {
  std::vector<std::string> out;
  for (const SourcePosition& position : positions)
    out.push_back(std::string(position.file) + ":" + std::to_string(position.line));
  return out;
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

// nvdisasm prints a position only where the innermost line changes; those places are compared in full.
TEST(Cubin, LineTablesAgreeWithNvdisasm) {
  const std::string contents = read_data("lines.gz");
  const auto lines = base::lines_of(contents);
  ASSERT_GT(lines.size(), 10000u);
  std::map<std::string, Loaded> loaded;
  std::size_t inlined = 0;
  for (const std::string_view line : lines) {
    const auto words = words_of(line);
    ASSERT_GE(words.size(), 5u) << line;
    if (!loaded.contains(words[0])) {
      // The views of a cubin point into its bytes, which may move with a short string, but these are long.
      loaded.emplace(words[0], load_cubin(words[0]));
    }
    const Cubin& cubin = loaded.at(words[0]).cubin;
    const auto function = std::ranges::find(cubin.functions, std::string_view(words[1]), &CubinFunction::name);
    ASSERT_NE(function, cubin.functions.end()) << words[1];
    std::uint64_t address = 0;
    std::from_chars(words[2].data(), words[2].data() + words[2].size(), address, 16);
    if (words[3] == "gp") {
      EXPECT_EQ(".nv_debug_ptx_txt:" + std::to_string(ptx_line(*function, address)), words[4]) << line;
      continue;
    }
    const std::vector<std::string> expected(words.begin() + 4, words.end());
    EXPECT_EQ(texts(source_positions(cubin, *function, address)), expected) << line;
    if (expected.size() > 1) ++inlined;
  }
  EXPECT_GT(inlined, 1000u);
}

TEST(Cubin, PositionsOutsideAFunctionAreUnknown) {
  const Loaded loaded = load_cubin("relu.sm_90");
  const CubinFunction& relu = loaded.cubin.functions.front();
  EXPECT_TRUE(source_positions(loaded.cubin, relu, relu.code.size() + 0x10000).empty());
  EXPECT_EQ(ptx_line(relu, relu.code.size() + 0x10000), 0u);
  EXPECT_THAT(loaded.cubin.ptx, ::testing::HasSubstr(".visible .entry relu("));
}

std::string error_of(std::string_view bytes) {
  const auto parsed = parse_cubin(bytes);
  return parsed ? "" : parsed.error();
}

TEST(Cubin, ErrorsNameTheProblem) {
  EXPECT_EQ(error_of(""), "cubin: not a 64-bit little-endian ELF file");
  EXPECT_EQ(error_of("\177ELF\2\1 and so on"), "cubin: the ELF header is cut off after 16 bytes");
  std::string bytes = read_data("cubins/relu.sm_75.gz");
  ASSERT_GT(bytes.size(), 64u);
  std::string other = bytes;
  other[18] = 62;
  other[19] = 0;
  EXPECT_EQ(error_of(other), "cubin: the ELF file is for machine 62, not for NVIDIA GPUs (190)");
  std::string unknown = bytes;
  unknown[49] = 103;
  EXPECT_TRUE(error_of(unknown).starts_with("cubin: sm_103 is not supported")) << error_of(unknown);
  const std::string half = bytes.substr(0, bytes.size() / 2);
  EXPECT_THAT(error_of(half), ::testing::HasSubstr("not inside the file"));
}

// Cubins before CUDA 13 have ABI version 7 and the capability in the lowest byte of the flags.
TEST(Cubin, OlderFlags) {
  std::string bytes = read_data("cubins/relu.sm_86.gz");
  ASSERT_GT(bytes.size(), 64u);
  bytes[8] = 7;
  bytes[48] = 86;
  bytes[49] = 5;
  const auto parsed = parse_cubin(bytes);
  ASSERT_TRUE(parsed) << parsed.error();
  EXPECT_EQ(parsed->architecture, Architecture::sm_86);
}

}  // namespace
}  // namespace warpwalk::sass
