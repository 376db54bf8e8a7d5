// Compiles kernels with the ptxas that is installed: every instruction must be known, and, if cuobjdump is installed,
// have its text. Skipped without ptxas.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "core/base/text.h"
#include "core/platform/child_program.h"
#include "core/platform/find_program.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/forms/decode.h"
#include "core/sass/text.h"
#include "tests/sass/recorded.h"

namespace warpwalk::sass {
namespace {

constexpr std::array kernels{"softmax", "layer_norm", "matmul_registers", "histogram", "tanh", "mm"};

std::string read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The PTX of a kernel for another architecture.
std::string retargeted(const std::string& kernel, const std::string& architecture) {
  std::string ptx = read(std::string(WARPWALK_SOURCE_DIR) + "/assets/ptx/" + kernel + ".ptx");
  const std::size_t at = ptx.find("sm_90", ptx.find("\n.target"));
  if (at != std::string::npos) ptx.replace(at, 5, architecture);
  return ptx;
}

/// The texts in the output of cuobjdump -sass, in order.
std::vector<std::string> printed_texts(std::string_view printed) {
  std::vector<std::string> texts;
  for (std::string_view line : base::lines_of(printed)) {
    const std::size_t comment = line.find("*/"), end = line.find(';');
    if (comment == std::string_view::npos || end == std::string_view::npos || comment > end) continue;
    std::string_view text = line.substr(comment + 2, end - comment - 2);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.ends_with(' ')) text.remove_suffix(1);
    texts.emplace_back(text);
  }
  return texts;
}

void compare(const std::string& ptxas, const std::string& kernel, Architecture architecture) {
  const std::string name(name_of(architecture));
  const platform::TemporaryFile ptx(retargeted(kernel, name)), cubin("");
  const auto run = platform::run_child({ptxas, "-lineinfo", "-arch", name, ptx.name(), "-o", cubin.name()});
  if (!run || !run->good()) return;  // another version, or instructions that this architecture lacks
  const std::string bytes = read(cubin.name());
  const auto parsed = parse_cubin(bytes);
  ASSERT_TRUE(parsed) << parsed.error();
  EXPECT_EQ(parsed->architecture, architecture);
  for (const CubinFunction& function : parsed->functions) {
    std::vector<std::string> expected;
    if (const auto cuobjdump = platform::find_tool("cuobjdump"))
      if (const auto printed =
              platform::run_child({cuobjdump->string(), "-sass", "-fun", std::string(function.name), cubin.name()});
          printed && printed->good())
        expected = printed_texts(printed->output);
    std::size_t i = 0;
    for (const Decoded& decoded : decode(architecture, function.code)) {
      if (const auto* unknown = std::get_if<UnknownInstruction>(&decoded)) {
        ADD_FAILURE() << kernel << " " << name << ": " << unknown->what;
        return;
      }
      const std::string text = text_of(std::get<Instruction>(decoded), architecture);
      if (i < expected.size()) {
        EXPECT_EQ(text, expected[i]) << kernel << " " << name;
      }
      ++i;
    }
  }
}

TEST(Fresh, CompiledKernelsAreKnown) {
  const auto ptxas = platform::find_tool("ptxas");
  if (!ptxas) GTEST_SKIP() << "ptxas is not installed";
  for (const char* const kernel : kernels)
    for (std::size_t i = 0; i < architecture_count; ++i) compare(ptxas->string(), kernel, static_cast<Architecture>(i));
}

}  // namespace
}  // namespace warpwalk::sass
