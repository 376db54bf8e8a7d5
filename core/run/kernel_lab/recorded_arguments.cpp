#include "core/run/kernel_lab/recorded_arguments.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "core/sass/elf/cubin.h"

namespace warpwalk::run {
namespace {

using trace::MemoryRange;

std::uint64_t whole_number(const std::uint8_t* bytes, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, std::min<std::size_t>(size, sizeof value));
  return value;
}

const MemoryRange* range_at(const trace::RecordedState& state, std::uint64_t address) {
  const auto found = std::ranges::find_if(state.memory, [&](const MemoryRange& range) {
    return address >= range.address && address - range.address < range.bytes;
  });
  return found == state.memory.end() ? nullptr : &*found;
}

/// Whether a variable has other contents than the code gives it.
bool is_changed(const trace::VariableContents& recorded, const sass::Cubin& cubin) {
  const auto variable = std::ranges::find(cubin.variables, recorded.name, &sass::CubinVariable::name);
  if (variable == cubin.variables.end()) return true;
  if (variable->initial.empty())
    return std::ranges::any_of(recorded.bytes, [](std::uint8_t byte) { return byte != 0; });
  return recorded.bytes.size() != variable->initial.size() ||
         std::memcmp(recorded.bytes.data(), variable->initial.data(), recorded.bytes.size()) != 0;
}

class Recorded {
 public:
  Recorded(const trace::RecordedState& state, const sass::CubinFunction& function,
           const std::vector<DeclaredParameter>& declared, LaunchFile& file)
      : state_(state), function_(function), file_(file) {
    if (declared.size() == function.parameters.size()) declared_ = &declared;
  }

  base::Result<std::vector<std::string>> add() {
    for (std::size_t i = 0; i < function_.parameters.size(); ++i)
      if (const auto address = pointer(i)) starts_.emplace(*address, no_buffer);
    for (const MemoryRange& range : state_.memory)
      if (std::ranges::none_of(starts_, [&](const auto& start) { return range_at(state_, start.first) == &range; }))
        return base::Error{
            "its memory is reached through addresses in structs or in other memory, which the Kernel "
            "lab does not have"};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
      const sass::CubinParameter& parameter = function_.parameters[i];
      names.push_back(declared_ != nullptr ? (*declared_)[i].name : std::string());
      ArgumentSpec& spec = file_.arguments.emplace_back();
      if (const auto address = pointer(i)) {
        spec.buffer = buffer_from(*address, i);
        continue;
      }
      const std::uint8_t* const bytes = state_.parameters.data() + parameter.offset;
      spec.bytes.assign(bytes, bytes + parameter.bytes);
      spec.dtype = dtype_of_number(i);
    }
    return names;
  }

 private:
  static constexpr std::size_t no_buffer = ~std::size_t{0};

  std::optional<ops::DType> declared_dtype(std::size_t i) const {
    return declared_ == nullptr ? std::nullopt : (*declared_)[i].dtype;
  }

  /// The address in a parameter, if it points into the recorded memory.
  std::optional<std::uint64_t> pointer(std::size_t i) const {
    const sass::CubinParameter& parameter = function_.parameters[i];
    if (parameter.bytes != 8) return {};
    const std::uint64_t value = whole_number(state_.parameters.data() + parameter.offset, 8);
    return range_at(state_, value) != nullptr ? std::optional(value) : std::nullopt;
  }

  std::optional<ops::DType> dtype_of_number(std::size_t i) const {
    const std::size_t bytes = function_.parameters[i].bytes;
    if (const auto dtype = declared_dtype(i); dtype && bytes_of(*dtype) == bytes) return dtype;
    if (bytes == 4) return ops::DType::i32;
    return bytes == 8 ? std::optional(ops::DType::i64) : std::nullopt;
  }

  /// The number of the buffer that begins at an address. Its name and type are those of the parameter that is first.
  std::size_t buffer_from(std::uint64_t address, std::size_t parameter) {
    std::size_t& number = starts_.at(address);
    if (number != no_buffer) return number;
    const MemoryRange& range = *range_at(state_, address);
    const auto next = std::next(starts_.find(address));
    std::uint64_t end = range.address + range.bytes;
    if (next != starts_.end()) end = std::min(end, next->first);
    BufferSpec buffer;
    const bool named = declared_ != nullptr && !(*declared_)[parameter].name.empty();
    buffer.name = named ? (*declared_)[parameter].name : fmt::format("p{}", parameter);
    const std::uint64_t bytes = end - address;
    const auto dtype = declared_dtype(parameter);
    const bool floats = range.content == MemoryRange::Content::unwritten || look_like_floats(range.before);
    buffer.dtype = dtype                                         ? *dtype
                   : range.content == MemoryRange::Content::seed ? ops::dtype_of(range.dtype).value_or(ops::DType::u8)
                   : floats                                      ? ops::DType::f32
                   : bytes % 4 == 0                              ? ops::DType::i32
                                                                 : ops::DType::u8;
    if (bytes % bytes_of(buffer.dtype) != 0) buffer.dtype = ops::DType::u8;
    buffer.count = bytes / bytes_of(buffer.dtype);
    if (range.content != MemoryRange::Content::unwritten) {
      if (is_float(buffer.dtype))
        buffer.content = Fill{FillRandom{file_.buffers.size() + 1}};
      else
        buffer.content = Fill{FillValue{0}};
    }
    number = file_.buffers.size();
    file_.buffers.push_back(std::move(buffer));
    return number;
  }

  const trace::RecordedState& state_;
  const sass::CubinFunction& function_;
  const std::vector<DeclaredParameter>* declared_ = nullptr;  // null: they do not agree with the machine code
  LaunchFile& file_;
  std::map<std::uint64_t, std::size_t> starts_;  // the buffer that begins at each address
};

}  // namespace

bool look_like_floats(const std::vector<std::uint8_t>& bytes) {
  constexpr std::size_t looked_at = 4096;
  bool large = false;
  for (std::size_t i = 0; i + 4 <= std::min(bytes.size(), looked_at); i += 4) {
    float value = 0;
    std::memcpy(&value, bytes.data() + i, 4);
    if (value == 0) continue;
    if (!(std::abs(value) > 1e-9f && std::abs(value) < 1e9f)) return false;
    large = true;
  }
  return large;
}

base::Result<std::vector<std::string>> add_recorded_arguments(const trace::KernelRecord& record, std::string_view cubin,
                                                              const std::vector<DeclaredParameter>& declared,
                                                              LaunchFile& file) {
  const trace::RecordedState& state = *record.state;
  const auto parsed = sass::parse_cubin(cubin);
  if (!parsed) return base::Error{"its machine code, which says where its arguments are, is not recorded"};
  const auto function = std::ranges::find(parsed->functions, record.entry, &sass::CubinFunction::name);
  if (function == parsed->functions.end()) return base::Error{"its recorded machine code does not contain it"};
  for (const sass::CubinParameter& parameter : function->parameters)
    if (std::uint64_t{parameter.offset} + parameter.bytes > state.parameters.size())
      return base::Error{"not all of its arguments are recorded"};
  if (std::ranges::any_of(state.variables, [&](const auto& one) { return is_changed(one, *parsed); }))
    return base::Error{"it reads variables that the program has set, which the Kernel lab does not have"};
  constexpr std::uint32_t largest_portable = 8;  // blocks of a cluster
  if (state.cluster[0] != 0) file.cluster = state.cluster;
  file.nonportable_cluster = state.cluster[0] * state.cluster[1] * state.cluster[2] > largest_portable;
  file.cooperative = state.cooperative;
  return Recorded(state, *function, declared, file).add();
}

}  // namespace warpwalk::run
