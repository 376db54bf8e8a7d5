#include "core/run/kernel_lab/program_draft.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/platform/output_file.h"
#include "core/ptx/parse/parser.h"
#include "core/run/kernel_lab/launch_text.h"
#include "core/run/kernel_lab/recorded_arguments.h"
#include "core/run/kernel_lab/source_file.h"
#include "core/run/launch/module_names.h"
#include "core/run/replay/load_recorded.h"
#include "core/run/replay/replay_plan.h"

namespace warpwalk::run {
namespace {

using trace::MemoryRange;

constexpr std::uint64_t word_bytes = 8;

std::uint64_t word_at(const std::uint8_t* bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// Makes arguments, buffers and variables of a launch file of the memory that a program's launch was recorded with.
class ProgramArguments {
 public:
  ProgramArguments(const trace::RecordedState& state, const ptx::Module& module, const ptx::Function& entry,
                   std::vector<DeclaredParameter> declared, LaunchFile& file)
      : state_(state), module_(module), entry_(entry), declared_(std::move(declared)), file_(file) {
    declared_.resize(entry.parameters.size());
  }

  /// The names of the arguments, for launch_text().
  base::Result<std::vector<std::string>> add() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < entry_.parameters.size(); ++i) {
      names.push_back(declared_[i].name.empty() ? fmt::format("p{}", i) : declared_[i].name);
      if (entry_.parameters[i].offset + entry_.parameters[i].bytes > state_.parameters.size())
        return base::Error{"not all of its arguments are recorded"};
      add_argument(i, names.back());
    }
    for (const MemoryRange& range : state_.memory) {
      if (!buffers_.contains(range.address) || has_addresses(range.before))
        return base::Error{
            "its memory is reached through addresses in other memory, which the Kernel lab does not have"};
    }
    for (const trace::VariableContents& one : state_.variables)
      if (auto done = add_variable(one); !done) return base::Error{done.error()};
    return names;
  }

  /// The contents, by the names of the buffers and variables.
  const std::map<std::string, const std::vector<std::uint8_t>*>& contents() const { return contents_; }

 private:
  /// The allocation that an address lies in, or is the end of.
  const MemoryRange* range_of(std::uint64_t address) const {
    const MemoryRange* found = nullptr;
    for (const MemoryRange& range : state_.memory) {
      if (address < range.address || address - range.address > range.bytes) continue;
      if (address - range.address < range.bytes) return &range;
      found = &range;
    }
    return found;
  }

  bool has_addresses(const std::vector<std::uint8_t>& bytes) const {
    if (state_.memory.empty()) return false;
    const std::uint64_t first = state_.memory.front().address;
    const std::uint64_t last = state_.memory.back().address + state_.memory.back().bytes;
    for (std::size_t at = 0; at + word_bytes <= bytes.size(); at += word_bytes) {
      const std::uint64_t word = word_at(bytes.data() + at);
      if (word >= first && word < last && range_of(word) != nullptr) return true;
    }
    return false;
  }

  void add_argument(std::size_t i, const std::string& name) {
    const ptx::Parameter& parameter = entry_.parameters[i];
    const std::uint8_t* const bytes = state_.parameters.data() + parameter.offset;
    ArgumentSpec spec;
    if (const MemoryRange* const range = parameter.bytes == word_bytes ? range_of(word_at(bytes)) : nullptr) {
      spec.buffer = buffer_of(*range, name, declared_[i].dtype);
      spec.offset = word_at(bytes) - range->address;
      file_.arguments.push_back(std::move(spec));
      return;
    }
    spec.bytes.assign(bytes, bytes + parameter.bytes);
    if (parameter.bytes > word_bytes) {
      for (std::uint64_t at = 0; at + word_bytes <= parameter.bytes; at += word_bytes) {
        const MemoryRange* const range = range_of(word_at(bytes + at));
        if (range == nullptr) continue;
        AddressSpec& address = spec.addresses.emplace_back();
        address.at = at;
        address.buffer = buffer_of(*range, fmt::format("{}.{}", name, at), {});
        address.offset = word_at(bytes + at) - range->address;
        std::fill_n(spec.bytes.begin() + static_cast<std::ptrdiff_t>(at), word_bytes, std::uint8_t{0});
      }
    } else {
      spec.dtype = dtype_of_number(i);
    }
    file_.arguments.push_back(std::move(spec));
  }

  std::optional<ops::DType> dtype_of_number(std::size_t i) const {
    const std::size_t bytes = entry_.parameters[i].bytes;
    if (const auto dtype = declared_[i].dtype; dtype && !declared_[i].pointer && bytes_of(*dtype) == bytes)
      return dtype;
    if (entry_.parameters[i].type == ptx::Type::f32) return ops::DType::f32;
    if (entry_.parameters[i].type == ptx::Type::f64) return ops::DType::f64;
    switch (bytes) {
      case 1: return ops::DType::u8;
      case 2: return ops::DType::u16;
      case 4: return ops::DType::i32;
      case 8: return declared_[i].pointer ? ops::DType::u64 : ops::DType::i64;
      default: return {};
    }
  }

  static ops::DType element_type(const std::vector<std::uint8_t>& bytes, std::uint64_t size,
                                 std::optional<ops::DType> declared) {
    if (declared && size % bytes_of(*declared) == 0) return *declared;
    if (size % 4 != 0) return ops::DType::u8;
    return bytes.empty() || look_like_floats(bytes) ? ops::DType::f32 : ops::DType::i32;
  }

  std::size_t buffer_of(const MemoryRange& range, const std::string& name, std::optional<ops::DType> declared) {
    if (const auto known = buffers_.find(range.address); known != buffers_.end()) return known->second;
    const std::size_t number = file_.buffers.size();
    BufferSpec& buffer = file_.buffers.emplace_back();
    buffer.name = name;
    buffer.dtype = element_type(range.before, range.bytes, declared);
    buffer.count = range.bytes / bytes_of(buffer.dtype);
    if (range.content == MemoryRange::Content::bytes) {
      buffer.content = std::filesystem::path(recorded_file(name));
      contents_.emplace(name, &range.before);
    }
    buffers_.emplace(range.address, number);
    return number;
  }

  /// A variable that the program has set.
  base::Result<void> add_variable(const trace::VariableContents& recorded) {
    const auto variable = std::ranges::find(module_.variables, recorded.name, &ptx::Variable::name);
    if (variable == module_.variables.end()) return {};
    std::vector<std::uint8_t> initial = variable->initial;
    initial.resize(recorded.bytes.size());
    if (variable->relocations.empty() && initial == recorded.bytes) return {};
    if (!variable->relocations.empty() || has_addresses(recorded.bytes))
      return base::Error{
          fmt::format("its variable {} holds addresses, which the Kernel lab does not have", recorded.name)};
    BufferSpec& buffer = file_.buffers.emplace_back();
    buffer.name = buffer.variable = recorded.name;
    const auto declared = variable->type == ptx::Type::f32   ? std::optional(ops::DType::f32)
                          : variable->type == ptx::Type::f64 ? std::optional(ops::DType::f64)
                                                             : std::nullopt;
    buffer.dtype = element_type(recorded.bytes, recorded.bytes.size(), declared);
    buffer.count = recorded.bytes.size() / bytes_of(buffer.dtype);
    buffer.content = std::filesystem::path(recorded_file(buffer.name));
    contents_.emplace(buffer.name, &recorded.bytes);
    return {};
  }

  const trace::RecordedState& state_;
  const ptx::Module& module_;
  const ptx::Function& entry_;
  std::vector<DeclaredParameter> declared_;  // one for each parameter; without a name: not known
  LaunchFile& file_;
  std::map<std::uint64_t, std::size_t> buffers_;  // the row in LaunchFile::buffers of each allocation
  std::map<std::string, const std::vector<std::uint8_t>*> contents_;
};

/// The name of the kernel in the source, if it means no other one.
std::string kernel_name(const ptx::Module& module, const std::string& source, const std::string& entry) {
  std::vector<std::string_view> entries;
  for (const ptx::Function& function : module.functions)
    if (function.is_entry) entries.push_back(function.name);
  std::string plain = declared_name(source, entry);
  return meant_by(plain, entries).size() == 1 ? plain : entry;
}

base::Result<std::shared_ptr<const RecordedContents>> write_contents(
    const std::map<std::string, const std::vector<std::uint8_t>*>& contents) {
  auto recorded = std::make_shared<RecordedContents>();
  if (recorded->folder.path().empty()) return base::Error{"no temporary folder can be made"};
  for (const auto& [name, bytes] : contents) {
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    if (auto done = platform::write_regular_file(recorded->folder.path() / recorded_file(name), text); !done)
      return base::Error{done.error()};
    recorded->buffers.push_back(name);
  }
  return std::shared_ptr<const RecordedContents>(std::move(recorded));
}

}  // namespace

std::vector<ProgramLaunch> program_launches(const trace::Trace& trace) {
  std::vector<trace::SliceId> kernels(trace.kernel_order.begin(), trace.kernel_order.end());
  const auto detail = [&](trace::SliceId kernel) -> const trace::KernelDetail& {
    return trace.kernels[trace.slices.detail[kernel]];
  };
  // Streams may run kernels in another order than that of their launches.
  std::ranges::stable_sort(kernels, {}, [&](trace::SliceId kernel) {
    return std::tuple(detail(kernel).correlation, trace.slices.start[kernel]);
  });
  std::vector<ProgramLaunch> launches;
  for (const trace::SliceId kernel : kernels)
    launches.push_back({std::string(trace.name(kernel)), detail(kernel).grid, detail(kernel).block,
                        std::max<std::int64_t>(detail(kernel).shared_bytes, 0)});
  return launches;
}

base::Result<KernelDraft> draft_of_launch(const trace::Trace& trace, const std::string& name, const std::string& source,
                                          std::size_t number) {
  const std::vector<trace::SliceId> kernels = recorded_launches(trace);
  if (kernels.empty()) return base::Error{"its memory could not be recorded"};
  const trace::KernelRecord& record = *record_of(trace, kernels.front());
  if (record.code != "ptx" || record.module >= trace.records.modules.size())
    return base::Error{"its PTX is not recorded"};
  const std::string& ptx = trace.records.modules[record.module].ptx;
  const auto parsed = ptx::parse(ptx);
  const auto* const module = std::get_if<ptx::Module>(&parsed);
  const ptx::Function* const entry = module == nullptr ? nullptr : module->entry(record.entry);
  if (entry == nullptr) return base::Error{"its PTX is not recorded"};

  LaunchFile file;
  file.kernel = kernel_name(*module, source, record.entry);
  file.grid = record.grid;
  file.block = record.block;
  file.dynamic_shared_bytes = static_cast<std::uint32_t>(record.dynamic_shared_bytes);
  const trace::RecordedState& state = *record.state;
  constexpr std::uint32_t largest_portable = 8;  // blocks of a cluster
  if (state.cluster[0] * state.cluster[1] * state.cluster[2] > 1) file.cluster = state.cluster;
  file.nonportable_cluster = state.cluster[0] * state.cluster[1] * state.cluster[2] > largest_portable;
  file.cooperative = state.cooperative;
  file.caches = gpu::CacheStart::warm;  // earlier work of the program left them so

  auto declared = declared_parameters(source, DraftLanguage::cuda, record.entry);
  if (declared.size() != entry->parameters.size()) declared.clear();
  ProgramArguments arguments(state, *module, *entry, std::move(declared), file);
  const auto names = arguments.add();
  if (!names) return base::Error{names.error()};
  auto text = launch_text(file, "", *names);
  if (auto* const error = std::get_if<LaunchTextError>(&text)) return base::Error{std::move(error->line)};
  auto contents = write_contents(arguments.contents());
  if (!contents) return base::Error{contents.error()};

  KernelDraft draft;
  draft.name = name;
  draft.source = source;
  draft.launch = fmt::format("# Launch {} of {}, with the arguments and the memory that the program gave it.\n", number,
                             draft.file_name());
  for (const std::string& line : state.missing) draft.launch += fmt::format("# Not recorded: {}\n", line);
  draft.launch += std::get<0>(text);
  draft.precompiled = {source, ptx, "", ""};
  draft.recorded = std::move(*contents);
  return draft;
}

}  // namespace warpwalk::run
