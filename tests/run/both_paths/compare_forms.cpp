// Runs instruction forms from PTX and as machine code, and compares the results (compare_forms.py).
//
//   compare_forms ptx FORMS PER_KERNEL    writes a kernel k0, k1 ... for every PER_KERNEL lines of FORMS
//   compare_forms run FORMS FOLDER        compares the forms that FOLDER/N.cubin has, a kernel each, from line 200 N on;
//                                         FOLDER/taken.txt has their numbers. Prints number, form and outcome
//   compare_forms code CUBIN              writes the machine code of a cubin
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/ptx/parse/parser.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/forms/decode.h"
#include "core/sass/text.h"
#include "tests/run/both_paths/form_kernel.h"

namespace warpwalk::both_paths {
namespace {

constexpr std::size_t forms_per_module = 200;

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<Form> read_forms(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<Form> forms;
  for (std::string line; std::getline(in, line);) forms.emplace_back(line);
  return forms;
}

base::Result<std::shared_ptr<const gpu::Program>> from_ptx(const Form& form) {
  auto parsed = ptx::parse(module_head("sm_90") + kernel_text({&form, 1}, "k"));
  if (const auto* const error = std::get_if<ptx::Error>(&parsed)) return base::Error{error->text()};
  return gpu::prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), "k");
}

std::string run(const gpu::Device& device, const gpu::Program& program, gpu::Launch& launch) {
  const auto done = gpu::simulate(device, program, launch);
  if (!done) return done.error();
  return done->findings.empty() ? "" : done->findings.front().message;
}

std::string compare(const gpu::Device& device, const Form& form, const std::string& cubin, const std::string& name) {
  static const gpu::Launch launch = launch_of_forms(1);
  const auto ptx = from_ptx(form);
  const auto code = gpu::prepare_machine_code(cubin, name);
  if (!ptx && !code) return "REFUSED both: " + ptx.error() + " | " + code.error();
  if (!ptx) return "REFUSED ptx: " + ptx.error();
  if (!code) return "REFUSED code: " + code.error();
  gpu::Launch one = launch, other = launch;
  if (const std::string error = run(device, **ptx, one); !error.empty()) return "FAILED ptx: " + error;
  if (const std::string error = run(device, **code, other); !error.empty()) return "FAILED code: " + error;
  const std::string found = difference({&form, 1}, one, other);
  return found.empty() ? "AGREE" : "DIFFER " + found;
}

int run_all(const std::filesystem::path& list, const std::filesystem::path& folder) {
  const std::vector<Form> forms = read_forms(list);
  const auto device = gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  if (!device) return 1;
  std::ifstream taken(folder / "taken.txt");
  std::string cubin;
  std::size_t loaded = ~std::size_t{0};
  for (std::size_t i = 0; taken >> i;) {
    if (loaded != i / forms_per_module) cubin = bytes_of(folder / fmt::format("{}.cubin", loaded = i / forms_per_module));
    fmt::print("{}\t{}\t{}\n", i, forms[i].text, compare(*device, forms[i], cubin, fmt::format("k{}", i)));
  }
  return 0;
}

int write_ptx(const std::filesystem::path& list, std::size_t per_kernel) {
  const std::vector<Form> forms = read_forms(list);
  for (std::size_t i = 0; i < forms.size(); i += per_kernel)
    fmt::print("{}", kernel_text({forms.data() + i, std::min(per_kernel, forms.size() - i)},
                                 fmt::format("k{}", i / per_kernel)));
  return 0;
}

int print_code(const std::filesystem::path& file) {
  const std::string bytes = bytes_of(file);
  const auto cubin = sass::parse_cubin(bytes);
  if (!cubin) return 1;
  for (const sass::CubinFunction& function : cubin->functions) {
    const auto program = gpu::prepare_machine_code(bytes, function.name);
    fmt::print("{}: {}\n", function.name, program ? "is executed" : program.error());
    for (const sass::Decoded& decoded : sass::decode(cubin->architecture, function.code))
      if (const auto* const unknown = std::get_if<sass::UnknownInstruction>(&decoded))
        fmt::print("  {} {:016x} {:016x}\n", unknown->what, unknown->encoding.low, unknown->encoding.high);
      else
        fmt::print("  {:04x} {}\n", std::get<sass::Instruction>(decoded).address,
                   sass::text_of(std::get<sass::Instruction>(decoded), cubin->architecture));
  }
  return 0;
}

}  // namespace
}  // namespace warpwalk::both_paths

int main(int count, char** arguments) {
  using namespace warpwalk::both_paths;
  const std::string verb = count > 1 ? arguments[1] : "";
  if (verb == "ptx" && count == 4) return write_ptx(arguments[2], std::stoul(arguments[3]));
  if (verb == "run" && count == 4) return run_all(arguments[2], arguments[3]);
  if (verb == "code" && count == 3) return print_code(arguments[2]);
  std::fputs("compare_forms ptx FORMS PER_KERNEL | run FORMS FOLDER | code CUBIN\n", stderr);
  return 2;
}
