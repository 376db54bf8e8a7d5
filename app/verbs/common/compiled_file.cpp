#include "app/verbs/common/compiled_file.h"

#include <optional>
#include <utility>
#include <variant>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/verbs/common/files.h"
#include "core/compiled/lines/inlined_calls.h"
#include "core/platform/read_file.h"
#include "core/ptx/module.h"
#include "core/ptx/parse/parser.h"
#include "core/run/kernel_lab/launch_text.h"
#include "core/run/kernel_lab/source_file.h"
#include "core/run/launch/launch_file.h"

namespace warpwalk::verbs {

base::Result<std::filesystem::path> write_compiled_launch(const std::filesystem::path& kernel,
                                                          const run::GivenLaunch& given,
                                                          const std::filesystem::path& folder) {
  if (folder.empty()) return base::Error{"no temporary folder can be made"};
  const auto launch = run::launch_of_compiled(kernel, given);
  if (!launch) return base::Error{launch.error()};
  if (!launch->missing.empty())
    return base::Error{
        fmt::format("{}: the file does not say it all; add {}", kernel.string(), fmt::join(launch->missing, " "))};
  const auto read = run::parse_launch_text(launch->text);
  if (const auto* const error = std::get_if<run::Diagnostic>(&read))
    return base::Error{fmt::format("{}: {}", kernel.string(), error->message)};
  std::string modules;
  // PTX with an instruction that is not known yet would be refused; the machine code runs without it.
  const auto text = launch->ptx.empty() ? std::nullopt : std::optional(platform::read_text_file(launch->ptx));
  const bool has_ptx = text && *text && std::holds_alternative<ptx::Module>(ptx::parse((*text)->text));
  const auto cubin = platform::read_compressed_file(launch->cubin);
  if (!cubin) return base::Error{cubin.error()};
  for (const auto& [kind, contents] : {std::pair("cubin", compiled::with_inlined_calls(cubin->text, launch->cubin)),
                                       std::pair("ptx", has_ptx ? std::move((*text)->text) : std::string())}) {
    if (contents.empty()) continue;
    const std::string name = fmt::format("kernel.{}", kind);
    if (auto done = write_file(folder / name, contents); !done) return base::Error{done.error()};
    modules += fmt::format("{}\"{}\": \"{}\"", modules.empty() ? "" : ", ", kind, name);
  }
  const auto json = run::launch_json(launch->text, modules, "");
  std::filesystem::path file = folder / "launch.json";
  if (auto done = write_file(file, std::get<std::string>(json)); !done) return base::Error{done.error()};
  return file;
}

std::string gpu_of_launch_file(const std::filesystem::path& file) {
  if (!run::is_launch_file(file)) return {};
  const auto text = platform::read_text_file(file);
  if (!text) return {};
  const auto launch = run::parse_launch_file(text->text, file.string());
  return launch ? launch->gpu : std::string();
}

void add_given_launch(CLI::App& verb, run::GivenLaunch& given) {
  verb.add_option("--grid", given.grid, "of a compiled kernel: its blocks, as 4 or 4x2");
  verb.add_option("--block", given.block, "likewise: its threads, if the kernel does not require a number");
  verb.add_option_function<std::vector<std::string>>(
          "--arg",
          [&given](const std::vector<std::string>& all) {
            for (const std::string& one : all) {
              const std::size_t equals = one.find('=');
              if (equals == 0 || equals == std::string::npos || equals + 1 == one.size())
                throw CLI::ValidationError("--arg", one + ": write NAME=VALUE");
              given.arguments[one.substr(0, equals)] = one.substr(equals + 1);
            }
          },
          "likewise, NAME=VALUE: a number; of a pointer the number of elements, and perhaps what they hold: 1000, "
          "\"1000 iota\", \"1000 random 7\", \"1000 0\", \"1000 file x.bin\"; or the words of a launch text: "
          "\"f32[1000] iota\", \"i32 5\", \"bytes 00ff\"")
      ->expected(1)
      ->allow_extra_args(false)  // else it takes a -- for itself
      ->take_all();
  verb.add_option("--kernel", given.kernel, "which kernel of a cubin with several");
}

}  // namespace warpwalk::verbs
