#include "core/run/kernel_lab/draft.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/platform/output_file.h"
#include "core/platform/read_file.h"
#include "core/run/kernel_lab/launch_text.h"
#include "core/run/kernel_lab/source_file.h"
#include "core/run/launch/launch_file.h"

namespace warpwalk::run {
namespace {

/// Reads a text that is small enough for a draft.
base::Result<platform::Text> read_small(const std::filesystem::path& file) {
  auto read = platform::read_text_file(file);
  if (read && read->text.size() > max_draft_bytes)
    return base::Error{fmt::format("{}: has {}; the Kernel lab takes at most {}", file.string(),
                                   base::bytes_text(static_cast<double>(read->text.size())),
                                   base::bytes_text(static_cast<double>(max_draft_bytes)))};
  return read;
}

base::Result<std::vector<DraftExpectation>> read_expected(const LaunchFile& file, const std::filesystem::path& folder) {
  std::vector<DraftExpectation> all;
  for (const ExpectSpec& expect : file.expects) {
    const BufferSpec& buffer = file.buffers[expect.buffer];
    const auto* const named = std::get_if<std::filesystem::path>(&expect.content);
    if (named == nullptr) continue;  // generated contents are rare, and the lab has no words for them
    auto bytes = platform::read_binary_file(folder / *named, buffer.bytes());
    if (!bytes) return base::Error{bytes.error()};
    all.push_back({buffer.name, *std::move(bytes), expect.tolerance.rtol, expect.tolerance.atol});
  }
  return all;
}

// Writes the contents beside the launch; returns the member of the launch file, empty without any.
base::Result<std::string> write_expected(const KernelDraft& draft, const LaunchFile& launch,
                                         const std::filesystem::path& folder) {
  std::string members;
  for (const DraftExpectation& one : draft.expected) {
    const auto buffer = std::ranges::find(launch.buffers, one.buffer, &BufferSpec::name);
    if (buffer == launch.buffers.end() || buffer->bytes() != one.bytes.size()) continue;
    const std::string file = fmt::format("{}.{}.expect.bin", draft.name, one.buffer);
    const std::string_view bytes(reinterpret_cast<const char*>(one.bytes.data()), one.bytes.size());
    if (auto done = platform::write_regular_file(folder / file, bytes); !done) return base::Error{done.error()};
    members += fmt::format("{}\"{}\": {{\"file\": \"{}\", \"rtol\": {}, \"atol\": {}}}", members.empty() ? "" : ", ",
                           one.buffer, file, one.rtol, one.atol);
  }
  return members.empty() ? members : fmt::format(", \"expect\": {{{}}}", members);
}

/// Copies the recorded contents that the launch refers to beside it.
base::Result<void> write_recorded(const KernelDraft& draft, const LaunchText& launch, const std::string& prefix,
                                  const std::filesystem::path& folder) {
  for (const std::string& buffer : launch.recorded) {
    if (draft.recorded == nullptr || !draft.recorded->has(buffer))
      return base::Error{fmt::format("launch: {}: nothing is recorded of it", buffer)};
    const auto spec = std::ranges::find(launch.file.buffers, buffer, &BufferSpec::name);
    const auto bytes = platform::read_binary_file(draft.recorded->folder.path() / recorded_file(buffer), spec->bytes());
    if (!bytes) return base::Error{bytes.error()};
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    if (auto done = platform::write_regular_file(folder / (prefix + recorded_file(buffer)), text); !done) return done;
  }
  return {};
}

}  // namespace

std::string KernelDraft::file_name() const { return name + (language == DraftLanguage::cuda ? ".cu" : ".ptx"); }

base::Result<KernelDraft> open_draft(const std::filesystem::path& launch_file) {
  const auto json = read_small(launch_file);
  if (!json) return base::Error{json.error()};
  const auto parsed = parse_launch_file(json->text, launch_file.string());
  if (!parsed) return base::Error{parsed.error()};
  const auto& file = *parsed;
  const std::filesystem::path folder = launch_file.parent_path();
  auto text = launch_text(file, folder);
  if (const auto* const error = std::get_if<LaunchTextError>(&text))
    return base::Error{fmt::format("{}: {}", launch_file.string(), error->line)};

  KernelDraft draft;
  draft.launch = std::move(std::get<0>(text));
  auto expected = read_expected(file, folder);
  if (!expected) return base::Error{expected.error()};
  draft.expected = *std::move(expected);
  const std::filesystem::path& compiled = file.ptx.empty() ? file.cubin : file.ptx;
  std::filesystem::path source = folder / file.cuda;
  std::error_code ignored;
  if (file.cuda.empty()) {
    source = (folder / compiled).replace_extension(".cu");
    if (!std::filesystem::is_regular_file(source, ignored)) {
      if (file.ptx.empty())
        return base::Error{fmt::format(
            "{}: names machine code alone, which cannot be edited; add its CUDA C++ or its PTX", launch_file.string())};
      source = folder / file.ptx;
    }
  }
  draft.language = source.extension() == ".ptx" ? DraftLanguage::ptx : DraftLanguage::cuda;
  draft.name = source.stem().string();
  auto read = read_small(source);
  if (!read) return base::Error{read.error()};
  draft.source = std::move(read->text);
  if (file.ptx.empty() || !file.cuda.empty()) return draft;

  auto ptx = platform::read_text_file(folder / file.ptx);
  if (!ptx) return base::Error{ptx.error()};
  draft.precompiled.ptx = std::move(ptx->text);
  draft.precompiled.source = draft.source;
  if (!file.cubin.empty()) {
    auto cubin = platform::read_compressed_file(folder / file.cubin);
    if (!cubin) return base::Error{cubin.error()};
    draft.precompiled.cubin = std::move(cubin->text);
    draft.precompiled.origin = "from cubin";
  }
  return draft;
}

base::Result<void> save_draft(const KernelDraft& draft, const std::filesystem::path& folder) {
  // Compilers of kernels do not take the host code of a program, so its PTX goes beside it.
  const bool program = draft.language == DraftLanguage::cuda && has_main(draft.source);
  if (program && !draft.uses_precompiled())
    return base::Error{"run it first: a program is saved with the PTX of its kernels"};
  std::string module = program ? fmt::format("\"ptx\": \"{}.ptx\"", draft.name)
                               : fmt::format("\"{}\": \"{}\"", draft.language == DraftLanguage::cuda ? "cuda" : "ptx",
                                             draft.file_name());
  const auto valid = parse_launch_text(draft.launch);
  if (const auto* const error = std::get_if<Diagnostic>(&valid)) return base::Error{"launch: " + error->with_place()};
  const auto expected = write_expected(draft, std::get<LaunchText>(valid).file, folder);
  if (!expected) return base::Error{expected.error()};
  module += *expected;
  const std::string prefix = draft.name + ".";
  if (auto done = write_recorded(draft, std::get<LaunchText>(valid), prefix, folder); !done) return done;
  auto json = launch_json(draft.launch, module, prefix);
  if (const auto* const error = std::get_if<Diagnostic>(&json)) return base::Error{"launch: " + error->with_place()};
  if (auto done = platform::write_regular_file(folder / draft.file_name(), draft.source); !done) return done;
  if (program)
    if (auto done = platform::write_regular_file(folder / (draft.name + ".ptx"), draft.precompiled.ptx); !done)
      return done;
  return platform::write_regular_file(folder / (draft.name + ".json"), std::get<0>(json));
}

std::optional<KernelDraft> as_ptx(const KernelDraft& draft) {
  if (draft.language == DraftLanguage::ptx || !draft.uses_precompiled()) return {};
  KernelDraft ptx = draft;
  ptx.language = DraftLanguage::ptx;
  ptx.source = ptx.precompiled.source = draft.precompiled.ptx;
  return ptx;
}

}  // namespace warpwalk::run
