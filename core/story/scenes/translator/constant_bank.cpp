// Constant bank 0 of a launch: the driver writes the shape of the launch and the parameters into it.
#include <algorithm>
#include <cstring>
#include <set>
#include <span>
#include <variant>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/sass/analysis/register_use.h"
#include "core/story/elements/figure.h"
#include "core/story/scenes/translator/translator.h"

namespace warpwalk::story {
namespace {

// A constant that an instruction reads.
struct Reading {
  std::uint32_t bank = 0, offset = 0, bytes = 4;
};

// The constants at fixed places. The place of one that a register indexes is not known.
std::vector<Reading> readings(const sass::Decoded& decoded) {
  std::vector<Reading> found;
  const auto* const instruction = std::get_if<sass::Instruction>(&decoded);
  if (instruction == nullptr) return found;
  for (std::size_t o = 0; o < instruction->operands.size(); ++o) {
    const sass::Operand& operand = instruction->operands[o];
    if (operand.kind != sass::OperandKind::constant || operand.bindless) continue;
    if (operand.uniform != sass::zero_uniform_register) continue;
    if (operand.indexed && operand.reg != sass::zero_register) continue;
    found.push_back(
        {operand.bank, static_cast<std::uint32_t>(operand.value), 4 * sass::register_count(*instruction, o)});
  }
  return found;
}

// The driver writes these before the parameters (launch_banks.h in core/gpu/exec/memory).
struct Entry {
  std::uint32_t offset, bytes;
  std::string_view name;
};
constexpr Entry before_sm_90[] = {{0x0, 12, "block"},           {0xc, 12, "grid"},       {0x18, 8, "shared_window"},
                                  {0x20, 8, "local_window"},    {0x28, 4, "stack"},      {0x2c, 4, "dynamic_shared"},
                                  {0x50, 8, "constant_memory"}, {0x118, 8, "descriptor"}};
constexpr Entry since_sm_90[] = {{0x0, 12, "block"},           {0xc, 12, "grid"},       {0x18, 8, "shared_window"},
                                 {0x20, 8, "local_window"},    {0x28, 4, "stack"},      {0x2c, 4, "dynamic_shared"},
                                 {0xd0, 8, "constant_memory"}, {0x208, 8, "descriptor"}};
constexpr Entry since_sm_100[] = {{0x360, 12, "block"}, {0x370, 12, "grid"},           {0x2f8, 8, "local_window"},
                                  {0x37c, 4, "stack"},  {0x120, 8, "constant_memory"}, {0x358, 8, "descriptor"}};

std::span<const Entry> entries_of(std::uint32_t parameter_base) {
  if (parameter_base >= 0x380) return since_sm_100;
  return parameter_base >= 0x210 ? std::span<const Entry>(since_sm_90) : std::span<const Entry>(before_sm_90);
}

class BankTable {
 public:
  BankTable(const SceneInput& input, const DecodedKernel& kernel, std::size_t selected)
      : input_(input), kernel_(kernel), record_(kernel_record(input.trace, input.walk)) {
    for (std::size_t i = 0; i < kernel.code.size(); ++i)
      for (const Reading& reading : readings(kernel.code[i])) {
        if (reading.bank == 0) read_.push_back(reading);
        if (i == selected) selected_.push_back(reading);
      }
  }

  static constexpr std::size_t max_rows = 200;  // a kernel can have thousands of parameters

  std::vector<InstructionPane::Constant> rows() {
    std::set<std::uint32_t> named;
    for (const Entry& entry : entries_of(kernel_.function->parameter_base)) {
      const bool is_shape = entry.name == "block" || entry.name == "grid";
      if (!is_shape && !is_read(entry.offset, entry.bytes)) continue;
      add(0, entry.offset, entry.bytes, word(entry.name), value_of(entry.name));
    }
    for (const sass::CubinParameter& parameter : kernel_.function->parameters) add_parameter(parameter);
    // Places that the code reads and that have no name here.
    for (const Reading& reading : read_)
      if (!is_covered(reading.offset) && named.insert(reading.offset).second)
        add(0, reading.offset, reading.bytes, word("unnamed"), {});
    std::ranges::stable_sort(rows_, {}, &InstructionPane::Constant::place);
    if (rows_.size() > max_rows) rows_.resize(max_rows);
    for (const Reading& reading : selected_)
      if (reading.bank != 0) add_other_bank(reading);
    return std::move(rows_);
  }

 private:
  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return translator_word(input_, "constant", key, values);
  }
  static bool overlaps(const Reading& reading, std::uint32_t offset, std::uint32_t bytes) {
    return reading.offset < std::uint64_t{offset} + bytes && offset < std::uint64_t{reading.offset} + reading.bytes;
  }
  bool is_read(std::uint32_t offset, std::uint32_t bytes) const {
    return std::ranges::any_of(read_, [&](const Reading& r) { return overlaps(r, offset, bytes); });
  }
  bool is_covered(std::uint32_t offset) const {
    return std::ranges::any_of(covered_, [&](const auto& place) {
      return offset >= place.first && offset < std::uint64_t{place.first} + place.second;
    });
  }

  // The recorded value at a place that the driver fills; empty if there is none.
  std::string value_of(std::string_view name) const {
    const trace::KernelDetail* const detail = kernel_detail(input_.trace, input_.walk);
    if (name == "block" && detail != nullptr && detail->block[0] > 0) return analysis::shape_text(detail->block);
    if (name == "grid" && detail != nullptr && detail->grid[0] > 0) return analysis::shape_text(detail->grid);
    if (name == "dynamic_shared" && record_ != nullptr) return shared_bytes_text(record_->dynamic_shared_bytes);
    return {};
  }

  void add_parameter(const sass::CubinParameter& parameter) {
    std::string name = word("parameter", {{"number", fmt::to_string(parameter.ordinal + 1)}});
    std::string value;
    if (record_ != nullptr && parameter.ordinal < record_->arguments.size()) {
      const trace::KernelArgument& argument = record_->arguments[parameter.ordinal];
      const bool pointer = argument.kind == trace::KernelArgument::Kind::pointer;
      if (!argument.dtype.empty()) name += fmt::format(", {}{}", argument.dtype, pointer ? "*" : "");
      value = argument_text_with_address(input_.trace, argument);
    }
    add(0, kernel_.function->parameter_base + parameter.offset, parameter.bytes, std::move(name), std::move(value),
        true);
  }

  // A constant that the compiler placed; banks 3 and 4 are filled when the module is loaded.
  void add_other_bank(const Reading& reading) {
    std::string value;
    for (const sass::CubinConstants& bank : kernel_.function->constants) {
      if (bank.number != reading.bank || reading.bytes > 8 ||
          reading.offset + std::size_t{reading.bytes} > bank.bytes.size())
        continue;
      std::uint64_t bits = 0;
      std::memcpy(&bits, bank.bytes.data() + reading.offset, reading.bytes);
      value = fmt::format("0x{:x}", bits);
    }
    const std::string_view name = reading.bank == 3 ? "module_constants" : reading.bank == 4 ? "addresses" : "compiler";
    add(reading.bank, reading.offset, reading.bytes, word(name), std::move(value));
  }

  void add(std::uint32_t bank, std::uint32_t offset, std::uint32_t bytes, std::string name, std::string value,
           bool is_parameter = false) {
    InstructionPane::Constant row;
    row.place = bank == 0 ? fmt::format("0x{:03x}", offset) : fmt::format("c[{:#x}] 0x{:03x}", bank, offset);
    row.name = std::move(name);
    row.value = std::move(value);
    row.missing = word(is_parameter ? "missing" : "driver");
    row.origin = input_.trace.records.time_origin();
    row.read =
        std::ranges::any_of(selected_, [&](const Reading& r) { return r.bank == bank && overlaps(r, offset, bytes); });
    rows_.push_back(std::move(row));
    if (bank == 0) covered_.emplace_back(offset, bytes);
  }

  const SceneInput& input_;
  const DecodedKernel& kernel_;
  const trace::KernelRecord* record_;
  std::vector<Reading> read_, selected_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> covered_;
  std::vector<InstructionPane::Constant> rows_;
};

}  // namespace

std::vector<InstructionPane::Constant> constant_bank(const SceneInput& input, const DecodedKernel& kernel,
                                                     std::size_t selected) {
  return BankTable(input, kernel, selected).rows();
}

}  // namespace warpwalk::story
