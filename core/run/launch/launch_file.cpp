#include "core/run/launch/launch_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/run/launch/argument_fields.h"
#include "core/run/launch/content_fields.h"
#include "core/run/launch/cycles.h"
#include "core/run/launch/json_fields.h"

namespace warpwalk::run {
namespace {

constexpr std::uint64_t max_registers = 255;  // limit of every GPU since 2012 (compute capability 3.5)

base::Result<void> read_shape(const Json& value, std::string_view path, std::array<std::uint32_t, 3>& out) {
  if (!value.IsArray() || value.Empty() || value.Size() > 3)
    return base::Error{fmt::format("{}: is {}; expected a list of 3 integers, x, y and z", path, shown(value))};
  out = {1, 1, 1};
  for (rapidjson::SizeType i = 0; i < value.Size(); ++i) {
    std::uint64_t number = 0;
    if (auto done = read_whole(value[i], fmt::format("{}[{}]", path, i), 1, 0x7fffffff, number); !done) return done;
    out[i] = static_cast<std::uint32_t>(number);
  }
  return {};
}

std::string buffer_names(const LaunchFile& launch) {
  std::string names;
  for (const BufferSpec& buffer : launch.buffers) names += (names.empty() ? "" : ", ") + buffer.name;
  return names.empty() ? "none" : names;
}

base::Result<void> read_expectation(std::string_view name, const Json& value, LaunchFile& launch) {
  const std::string path = member_path("expect", name);
  const std::optional<std::size_t> buffer = find_buffer(launch, name);
  if (!buffer)
    return base::Error{fmt::format("{}: is neither a buffer of args nor a variable of variables; known are {}", path,
                                   buffer_names(launch))};
  if (const auto* const given = std::get_if<StructSpec>(&launch.buffers[*buffer].content);
      given != nullptr && !given->addresses.empty())
    return base::Error{fmt::format("{}: contains addresses, which cannot be compared", path)};
  if (std::ranges::find(launch.expects, *buffer, &ExpectSpec::buffer) != launch.expects.end())
    return base::Error{fmt::format("{}: appears twice", path)};
  if (!value.IsObject())
    return base::Error{
        fmt::format("{}: is {}; expected {{\"file\": ..., \"rtol\": 0, \"atol\": 0}}", path, shown(value))};
  if (auto done = only_known(value, path, {"file", "fill", "rtol", "atol"}); !done) return done;
  ExpectSpec expect;
  expect.buffer = *buffer;
  if (auto done = read_content(value, path, launch.buffers[*buffer].dtype, expect.content); !done) return done;
  if (std::holds_alternative<Unwritten>(expect.content))
    return base::Error{fmt::format("{}: has neither file nor fill; one of them must give the expected content", path)};
  if (const Json* const rtol = member(value, "rtol"))
    if (auto done = read_size(*rtol, path + ".rtol", expect.tolerance.rtol); !done) return done;
  if (const Json* const atol = member(value, "atol"))
    if (auto done = read_size(*atol, path + ".atol", expect.tolerance.atol); !done) return done;
  launch.expects.push_back(std::move(expect));
  return {};
}

base::Result<void> read_module(const Json& root, LaunchFile& launch) {
  const bool ptx = member(root, "ptx") != nullptr, cuda = member(root, "cuda") != nullptr,
             cubin = member(root, "cubin") != nullptr;
  if (!ptx && !cuda && !cubin)
    return base::Error{"ptx: is missing; name a PTX file (ptx), a CUDA C++ file (cuda) or machine code (cubin)"};
  if (cuda && ptx)
    return base::Error{"ptx: is given together with cuda; name either a PTX file (ptx) or a CUDA C++ file (cuda)"};
  if (cuda && cubin)
    return base::Error{"cubin: is given together with cuda, which is compiled to machine code; leave one out"};
  for (const auto& [name, out] : {std::pair{"ptx", &launch.ptx}, {"cuda", &launch.cuda}, {"cubin", &launch.cubin}}) {
    const Json* const value = member(root, name);
    std::string file;
    if (value == nullptr) continue;
    if (auto done = read_text(*value, name, file); !done) return done;
    *out = file;
  }
  return {};
}

base::Result<void> read_numbers(const Json& root, LaunchFile& launch) {
  for (const auto& [name, out] : {std::pair{"grid", &launch.grid}, std::pair{"block", &launch.block}}) {
    const Json* const value = member(root, name);
    if (value == nullptr) return base::Error{fmt::format("{}: is missing; expected a list of 3 integers", name)};
    if (auto done = read_shape(*value, name, *out); !done) return done;
  }
  if (const Json* const cluster = member(root, "cluster"))
    if (auto done = read_shape(*cluster, "cluster", launch.cluster.emplace()); !done) return done;
  for (const auto& [name, out] :
       {std::pair{"nonportable_cluster", &launch.nonportable_cluster}, std::pair{"cooperative", &launch.cooperative}}) {
    const Json* const value = member(root, name);
    if (value == nullptr) continue;
    if (!value->IsBool()) return base::Error{fmt::format("{}: is {}; expected true or false", name, shown(*value))};
    *out = value->GetBool();
  }
  std::uint64_t number = 0;
  if (const Json* const shared = member(root, "dynamic_shared_bytes")) {
    if (auto done = read_whole(*shared, "dynamic_shared_bytes", 0, 0x7fffffff, number); !done) return done;
    launch.dynamic_shared_bytes = static_cast<std::uint32_t>(number);
  }
  if (const Json* const caches = member(root, "caches")) {
    std::string word;
    if (auto done = read_text(*caches, "caches", word); !done) return done;
    launch.caches = cache_start_of(word);
    if (!launch.caches) return base::Error{fmt::format("caches: is {}; expected \"cold\" or \"warm\"", shown(*caches))};
  }
  if (const Json* const gpu = member(root, "gpu"))
    if (auto done = read_text(*gpu, "gpu", launch.gpu); !done) return done;
  if (const Json* const registers = member(root, "registers")) {
    if (auto done = read_whole(*registers, "registers", 1, max_registers, number); !done) return done;
    launch.registers = static_cast<int>(number);
  }
  return {};
}

base::Result<void> read_launch(const Json& root, LaunchFile& launch) {
  if (!root.IsObject()) return base::Error{"is not an object with kernel, ptx, grid, block and args"};
  if (auto done = only_known(
          root, "",
          {"kernel", "ptx", "cuda", "cubin", "grid", "block", "cluster", "nonportable_cluster", "cooperative",
           "dynamic_shared_bytes", "registers", "gpu", "caches", "args", "variables", "references", "expect"});
      !done)
    return done;
  const Json* const kernel = member(root, "kernel");
  if (kernel == nullptr) return base::Error{"kernel: is missing; expected the name of a kernel in the module"};
  if (auto done = read_text(*kernel, "kernel", launch.kernel); !done) return done;
  if (auto done = read_module(root, launch); !done) return done;
  if (auto done = read_numbers(root, launch); !done) return done;
  if (const Json* const args = member(root, "args")) {
    if (!args->IsArray()) return base::Error{fmt::format("args: is {}; expected a list", shown(*args))};
    for (rapidjson::SizeType i = 0; i < args->Size(); ++i) {
      ArgumentSpec argument;
      if (auto done = read_argument((*args)[i], fmt::format("args[{}]", i), launch, argument); !done) return done;
      launch.arguments.push_back(std::move(argument));
    }
  }
  if (const Json* const variables = member(root, "variables")) {
    if (!variables->IsObject())
      return base::Error{fmt::format("variables: is {}; expected an object", shown(*variables))};
    for (const auto& entry : variables->GetObject())
      if (auto done = read_variable(view(entry.name), entry.value, launch); !done) return done;
  }
  if (const Json* const references = member(root, "references")) {
    if (!references->IsArray())
      return base::Error{fmt::format("references: is {}; expected a list", shown(*references))};
    for (rapidjson::SizeType i = 0; i < references->Size(); ++i) {
      const std::string path = fmt::format("references[{}]", i);
      const Json& value = (*references)[i];
      if (!value.IsObject())
        return base::Error{fmt::format("{}: is {}; expected {{\"texture\": name, ...}}", path, shown(value))};
      if (auto done = read_texture_object(value, path, launch); !done) return done;
      launch.references.push_back(launch.textures.size() - 1);
    }
  }
  if (const Json* const expect = member(root, "expect")) {
    if (!expect->IsObject()) return base::Error{fmt::format("expect: is {}; expected an object", shown(*expect))};
    for (const auto& entry : expect->GetObject())
      if (auto done = read_expectation(view(entry.name), entry.value, launch); !done) return done;
  }
  return {};
}

}  // namespace

std::uint64_t BufferSpec::written_count() const {
  std::uint64_t sum = written.empty() ? count : 0;
  for (const ElementRange& range : written) sum += range.count;
  return sum;
}

base::Result<LaunchFile> parse_launch_file(std::string_view text, std::string_view file_name) {
  rapidjson::Document document;
  LaunchFile launch;
  base::Result<void> done = parse_json(text, document);
  if (done) done = read_launch(document, launch);
  if (done) return launch;
  std::string line = fmt::format("{}: {}", file_name, done.error());
  // The message contains names and text from the file; a newline in one of them must not split it.
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return base::Error{std::move(line)};
}

}  // namespace warpwalk::run
