#include "tests/exec/hopper_launch.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <utility>
#include <variant>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/platform/read_file.h"
#include "core/ptx/parse/parser.h"

namespace warpwalk::testing {

std::string bytes_of_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/exec" / path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::uint8_t> Reader::take(std::size_t count) {
  const std::string_view taken = bytes_.substr(0, count);
  bytes_.remove_prefix(taken.size());
  return {taken.begin(), taken.end()};
}

std::uint32_t Reader::word() {
  std::uint32_t value = 0;
  std::memcpy(&value, take(4).data(), 4);
  return value;
}

gpu::Argument buffer_argument(std::int32_t index) {
  gpu::Argument argument;
  argument.buffer = index;
  return argument;
}

gpu::Argument number_argument(std::uint32_t value) {
  gpu::Argument argument;
  for (int i = 0; i < 4; ++i) argument.bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
  return argument;
}

gpu::Argument map_argument(std::uint64_t address, std::array<std::uint32_t, 2> sizes, std::uint32_t stride,
                           std::array<std::uint32_t, 2> box, unsigned swizzle) {
  constexpr std::uint64_t two_dimensions = 1 << 4, bf16 = 10 << 7;
  std::array<std::uint64_t, 16> words{};
  words[0] = address;
  words[1] = two_dimensions | bf16 | std::uint64_t{swizzle} << 13 | std::uint64_t{stride / 16} << 32;
  words[4] = (sizes[0] - 1) | std::uint64_t{sizes[1] - 1} << 32;
  words[6] = std::uint64_t{box[0] - 1} << 56;
  words[7] = box[1] - 1;
  gpu::Argument argument;
  argument.bytes.resize(sizeof words);
  std::memcpy(argument.bytes.data(), words.data(), sizeof words);
  return argument;
}

base::Result<std::shared_ptr<const gpu::Program>> program_of(Code code, const std::string& file,
                                                             const std::string& kernel) {
  if (code == Code::machine_code) return gpu::prepare_machine_code(bytes_of_file("cubins/" + file + ".cubin"), kernel);
  const auto kernels = std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/exec/kernels";
  const auto text = platform::read_compressed_file(kernels / (file + ".ptx.gz"));
  if (!text) return base::Error{text.error()};
  auto parsed = ptx::parse(text->text);
  if (const auto* const error = std::get_if<ptx::Error>(&parsed)) return base::Error{error->text()};
  return gpu::prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), kernel);
}

std::vector<std::string> run_code(Code code, const std::string& file, const std::string& kernel, gpu::Launch& launch) {
  const auto prepared = program_of(code, file, kernel);
  if (!prepared) return {prepared.error()};
  const gpu::Device device =
      *gpu::load_device(std::filesystem::path(WARPWALK_SOURCE_DIR) / "assets/devices/h200.json");
  gpu::SimulateOptions options;
  options.sanitize = true;
  options.operation_limit = std::uint64_t{1} << 28;
  const auto result = gpu::simulate(device, **prepared, launch, options);
  if (!result) return {result.error()};
  std::vector<std::string> findings;
  for (const gpu::Finding& finding : result->findings)
    findings.push_back(std::string(gpu::name_of(finding.kind)) + ": " + finding.message);
  return findings;
}

}  // namespace warpwalk::testing
