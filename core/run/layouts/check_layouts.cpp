#include "core/run/layouts/check_layouts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/compiled/evaluate/evaluate_block.h"
#include "core/gpu/exec/bank_conflicts.h"
#include "core/gpu/exec/launch_addresses.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/program.h"
#include "core/run/layouts/byte_ranges.h"
#include "core/run/layouts/observed_run.h"
#include "core/run/tiles/kernel_tiles.h"

namespace warpwalk::run {
namespace {

using compiled::EvaluatedOp;
using compiled::LayoutPlace;
using compiled::LinearLayout;
using compiled::TensorValue;
using Role = compiled::TensorLayout::Role;
using Space = gpu::LoggedAccess::Space;

constexpr std::uint64_t lanes_of_warp = 32;
/// Elements that the evaluation of all blocks may compute, a few seconds.
constexpr std::uint64_t max_evaluated_elements = std::uint64_t{1} << 28;
/// Values in registers are sums in another order than the evaluation's, and may be of rounded operands.
constexpr double value_tolerance = 2e-3;

/// The accesses of a lane at one place in the program.
struct LaneAccesses {
  ByteRanges bytes;
  /// Copies: global address, shared address, bytes.
  std::vector<std::array<std::uint64_t, 3>> pairs;
};

/// The accesses of all lanes there, by block, warp and lane.
struct PlaceAccesses {
  std::unordered_map<std::uint64_t, LaneAccesses> lanes;
  bool of_rows = false;
  std::vector<std::uint32_t> instructions;
  std::vector<std::size_t> accesses;  ///< indices into ObservedRun::accesses

  static std::uint64_t key(std::uint64_t block, std::uint64_t warp, std::uint64_t lane) {
    return (block << 16 | warp) << 8 | lane;
  }
};

enum class Direction : std::uint8_t { read, write, atomic };

using PlaceKey = std::tuple<std::string, Space, Direction>;

/// An element that a place (register, lane, warp) of a tensor accesses.
struct ExpectedElement {
  std::uint64_t lane_key = 0, address = 0;
  std::uint32_t bytes = 0;
  bool copy = false;
};

/// The executions of one operation.
struct OpExecutions {
  EvaluatedOp::Kind kind = EvaluatedOp::Kind::load;
  std::uint64_t executions = 0, unknown = 0, masked = 0;
  std::vector<ExpectedElement> global;
  /// Shared memory: the element's offset in its buffer, and its global address if it is copied from there.
  struct SharedElement {
    std::uint64_t lane_key = 0, offset = 0, global = 0;
    std::int64_t buffer = 0;
    std::int32_t allocation = -1;
  };
  std::vector<SharedElement> shared;
  struct Product {
    std::uint64_t block = 0;
    std::vector<double> values;
  };
  std::vector<Product> products;
};

class LayoutComparison {
 public:
  LayoutComparison(const compiled::MlirModule& module, std::int32_t function, const gpu::Program& program,
                   const gpu::Launch& launch, const ObservedRun& run, CheckedLayouts& to)
      : module_(module), function_(function), program_(program), launch_(launch), run_(run), to_(to) {}

  base::Result<void> compare() {
    if (auto done = evaluate(); !done) return done;
    collect();
    find_unexpected();
    for (std::size_t i = 0; i < to_.tensors.size(); ++i) check(to_.tensors[i], to_.checks[i]);
    return {};
  }

 private:
  const compiled::MlirOp& op(std::int32_t index) const { return module_.ops[static_cast<std::size_t>(index)]; }

  /// The tensor of an operation with one of these roles and a layout.
  const compiled::TensorLayout* tensor(std::int32_t of, std::initializer_list<Role> roles) const {
    for (const Role role : roles)
      for (const compiled::TensorLayout& one : to_.tensors)
        if (one.op == of && one.role == role && one.layout) return &one;
    return nullptr;
  }
  /// The layout of the registers that an operation loads into or stores from.
  const compiled::TensorLayout* register_tensor(std::int32_t of) const {
    return tensor(of, {Role::addresses, Role::result, Role::operand});
  }

  static int element_bytes(const compiled::TensorLayout& tensor) {
    std::string_view element = tensor.element;
    if (const auto pointee = compiled::mlir_pointee(element); tensor.role == Role::addresses && !pointee.empty())
      element = pointee;
    return std::max(1, compiled::mlir_bits(element) / 8);
  }

  base::Result<void> evaluate() {
    const auto values = launch_arguments(module_, function_, program_, launch_);
    if (!values) return base::Error{"the launch has other parameters than the TTGIR"};
    const std::vector<std::uint64_t> addresses = gpu::buffer_addresses(program_, launch_);
    compiled::EvaluatedBlock block;
    block.arguments = *values;
    block.place.programs = {launch_.grid[0], launch_.grid[1], launch_.grid[2]};
    block.read = [&](std::uint64_t address, int bytes, std::uint64_t& value) {
      for (std::size_t i = 0; i < addresses.size(); ++i) {
        const auto& data = launch_.buffers[i].bytes;
        const std::uint64_t offset = address - addresses[i];
        if (address < addresses[i] || offset + static_cast<std::uint64_t>(bytes) > data.size()) continue;
        value = 0;
        std::memcpy(&value, data.data() + offset, static_cast<std::size_t>(bytes));
        return true;
      }
      return false;
    };
    std::uint64_t work = max_evaluated_elements;
    for (std::uint32_t number = 0; number < run_.blocks; ++number) {
      block.place.program = {number % launch_.grid[0], number / launch_.grid[0] % launch_.grid[1],
                             number / launch_.grid[0] / launch_.grid[1]};
      const auto done = compiled::evaluate_block(module_, function_, block, work,
                                                 [&](const EvaluatedOp& evaluated) { note(number, evaluated); });
      if (!done) return done;
    }
    return {};
  }

  /// Notes what the layouts say of an execution.
  void note(std::uint64_t block, const EvaluatedOp& evaluated) {
    OpExecutions& executions = executions_[evaluated.op];
    executions.kind = evaluated.kind;
    ++executions.executions;
    if (evaluated.kind == EvaluatedOp::Kind::product) {
      if (evaluated.result != nullptr && evaluated.result->floating && evaluated.result->undefined.empty())
        executions.products.push_back({block, evaluated.result->reals});
      else
        ++executions.unknown;
      return;
    }
    const bool of_global =
        evaluated.kind != EvaluatedOp::Kind::local_load && evaluated.kind != EvaluatedOp::Kind::local_store;
    const bool of_shared = !of_global || evaluated.kind == EvaluatedOp::Kind::copy;
    const compiled::TensorLayout* const tensor = register_tensor(evaluated.op);
    if (tensor == nullptr || (of_global && evaluated.addresses == nullptr)) {
      ++executions.unknown;
      return;
    }
    const LinearLayout& layout = *tensor->layout;
    const auto* const memory = this->tensor(evaluated.op, {Role::memory});
    const bool knows_shared =
        of_shared && evaluated.memory != nullptr && memory != nullptr && !evaluated.memory->transposed;
    if (of_shared && !of_global && !knows_shared) {
      ++executions.unknown;
      return;
    }
    const auto bytes = static_cast<std::uint32_t>(element_bytes(*tensor));
    const std::vector<std::uint64_t>* const offsets = knows_shared ? &offsets_of(*memory->layout) : nullptr;
    const LayoutPlace copies = layout.copy_bits();
    for (std::uint64_t warp = 0; warp < layout.size(LinearLayout::warps); ++warp)
      for (std::uint64_t lane = 0; lane < layout.size(LinearLayout::lanes) && lane < lanes_of_warp; ++lane)
        for (std::uint64_t reg = 0; reg < layout.size(LinearLayout::registers); ++reg) {
          if ((reg & copies.reg) != 0) continue;  // the same register
          const std::uint64_t element = layout.element({reg, lane, warp, 0});
          const bool copy = (lane & copies.lane) != 0 || (warp & copies.warp) != 0;
          if (evaluated.mask != nullptr) {
            const auto& mask = evaluated.mask->numbers;
            const std::uint64_t at = mask.size() == 1 ? 0 : element;
            if (at >= mask.size() || mask[at] == 0) {
              ++executions.masked;
              continue;
            }
          }
          const std::uint64_t key = PlaceAccesses::key(block, warp, lane);
          std::uint64_t address = 0;
          if (of_global) {
            const auto& addresses = evaluated.addresses->numbers;
            address = static_cast<std::uint64_t>(addresses[addresses.size() == 1 ? 0 : element]);
            executions.global.push_back({key, address, bytes, copy});
          }
          if (offsets != nullptr && element < offsets->size())
            executions.shared.push_back(
                {key, (*offsets)[element] * bytes, address, evaluated.memory->buffer, evaluated.memory->allocation});
        }
  }

  /// By element: its offset in shared memory.
  const std::vector<std::uint64_t>& offsets_of(const LinearLayout& layout) {
    const auto [at, fresh] = offsets_.try_emplace(&layout);
    if (!fresh) return at->second;
    at->second.assign(layout.elements(), 0);
    for (std::uint64_t offset = layout.size(LinearLayout::registers); offset-- > 0;)
      at->second[layout.element({offset, 0, 0, 0})] = offset;
    return at->second;
  }

  /// Sorts what the run did by place.
  void collect() {
    std::unordered_map<std::uint32_t, std::string> texts;
    for (std::size_t i = 0; i < run_.accesses.size(); ++i) {
      const ObservedAccess& one = run_.accesses[i];
      if (one.block >= run_.blocks) continue;
      const auto [text, fresh] = texts.try_emplace(one.instruction);
      if (fresh) text->second = place_of_instruction(program_, one.instruction);
      const Direction direction = one.access.atomic   ? Direction::atomic
                                  : one.access.writes ? Direction::write
                                                      : Direction::read;
      PlaceAccesses& place = places_[{text->second, one.access.space, direction}];
      place.of_rows = place.of_rows || one.of_rows;
      place.accesses.push_back(i);
      if (std::ranges::find(place.instructions, one.instruction) == place.instructions.end())
        place.instructions.push_back(one.instruction);
      const ObservedAccess* const target =
          one.copied_to >= 0 ? &run_.accesses[static_cast<std::size_t>(one.copied_to)] : nullptr;
      gpu::for_lanes(one.access.mask, [&](int lane) {
        const auto number = static_cast<std::size_t>(lane);
        LaneAccesses& of_lane = place.lanes[PlaceAccesses::key(one.block, one.warp, number)];
        of_lane.bytes.add(one.access.at[number], one.access.bytes);
        if (target != nullptr)
          of_lane.pairs.push_back({one.access.at[number], target->access.at[number], one.access.bytes});
      });
    }
  }

  static Direction direction_of(EvaluatedOp::Kind kind) {
    return kind == EvaluatedOp::Kind::store || kind == EvaluatedOp::Kind::local_store ? Direction::write
           : kind == EvaluatedOp::Kind::atomic                                        ? Direction::atomic
                                                                                      : Direction::read;
  }
  PlaceKey global_place(std::int32_t of, EvaluatedOp::Kind kind) const {
    return {place_of_location(module_, op(of).location), Space::global, direction_of(kind)};
  }

  /// Finds the places where a lane accessed bytes that none of the operations there expects.
  void find_unexpected() {
    std::map<PlaceKey, std::unordered_map<std::uint64_t, ByteRanges>> expected;
    for (const auto& [index, executions] : executions_) {
      if (executions.kind == EvaluatedOp::Kind::product || executions.kind == EvaluatedOp::Kind::local_load ||
          executions.kind == EvaluatedOp::Kind::local_store)
        continue;
      const PlaceKey key = global_place(index, executions.kind);
      if (executions.unknown > 0) unknown_places_[key] = true;
      auto& lanes = expected[key];
      for (const ExpectedElement& one : executions.global) lanes[one.lane_key].add(one.address, one.bytes);
    }
    for (const auto& [key, lanes] : expected) {
      const auto at = places_.find(key);
      if (at == places_.end() || unknown_places_.contains(key)) continue;
      for (const auto& [lane, accesses] : at->second.lanes) {
        const auto of_lane = lanes.find(lane);
        if (of_lane == lanes.end() || !accesses.bytes.within(of_lane->second)) ++unexpected_[key];
      }
    }
  }

  void check(const compiled::TensorLayout& tensor, LayoutCheck& to) {
    if (!tensor.layout) {
      to.not_checked = "its layout is not known";
      return;
    }
    const auto at = executions_.find(tensor.op);
    if (at == executions_.end()) {
      const std::string_view name = op(tensor.op).name;
      to.not_checked = name == "ttg.convert_layout"      ? "registers of a conversion are not compared"
                       : name == "ttg.local_alloc"       ? "an allocation accesses nothing itself"
                       : name.starts_with("ttng.async_") ? "the tensor memory accelerator has no lanes"
                                                         : "the operation was not reached";
      return;
    }
    const OpExecutions& executions = at->second;
    to.executions = executions.executions;
    if (executions.unknown == executions.executions)
      to.not_checked = executions.kind == EvaluatedOp::Kind::product ? "the values are not evaluated"
                                                                     : "the addresses depend on loaded values";
    else if (executions.kind == EvaluatedOp::Kind::product)
      check_product(tensor, executions, to);
    else if (tensor.role == Role::memory || executions.kind == EvaluatedOp::Kind::local_load ||
             executions.kind == EvaluatedOp::Kind::local_store)
      check_shared(tensor, executions, to);
    else
      check_global(tensor, executions, to);
    if (to.compared == 0 && to.not_checked.empty()) to.not_checked = "the run has no access at its lines";
  }

  void check_global(const compiled::TensorLayout& tensor, const OpExecutions& executions, LayoutCheck& to) {
    to.compared_what = "global addresses";
    const PlaceKey key = global_place(tensor.op, executions.kind);
    const auto place = places_.find(key);
    to.masked = executions.masked;
    if (place == places_.end()) return;
    for (const ExpectedElement& one : executions.global) {
      const auto lane = place->second.lanes.find(one.lane_key);
      const bool equal = lane != place->second.lanes.end() && lane->second.bytes.contains(one.address, one.bytes);
      if (!equal && one.copy) {
        ++to.copies;
        continue;
      }
      ++to.compared;
      to.equal += equal ? 1 : 0;
    }
    // A lane that accessed other bytes, too, contradicts the layout.
    if (const auto more = unexpected_.find(key); more != unexpected_.end()) {
      to.compared += more->second;
    }
  }

  /// The address of a buffer in shared memory, by the place of one element in the run.
  std::uint64_t& base_of(std::int32_t allocation, std::int64_t buffer, std::uint64_t otherwise) {
    return bases_.try_emplace({allocation, buffer}, otherwise).first->second;
  }

  void check_shared(const compiled::TensorLayout& tensor, const OpExecutions& executions, LayoutCheck& to) {
    to.compared_what = "shared addresses";
    if (executions.kind == EvaluatedOp::Kind::copy) {
      const auto place = places_.find(global_place(tensor.op, executions.kind));
      if (place == places_.end()) return;
      for (const auto& one : executions.shared) {
        const auto lane = place->second.lanes.find(one.lane_key);
        if (lane == place->second.lanes.end()) continue;
        bool found = false, equal = false;
        for (const auto& [global, shared, bytes] : lane->second.pairs) {
          if (one.global - global >= bytes) continue;
          found = true;
          const std::uint64_t base = shared + (one.global - global) - one.offset;
          equal = equal || base_of(one.allocation, one.buffer, base) == base;
        }
        to.compared += found ? 1 : 0;
        to.equal += equal ? 1 : 0;
      }
      count_conflicts(tensor, executions, place->second, to.conflicts);
      return;
    }
    const auto place = places_.find(
        {place_of_location(module_, op(tensor.op).location), Space::shared, direction_of(executions.kind)});
    if (place == places_.end()) return;
    if (place->second.of_rows) {
      to.not_checked = "a warp moves whole matrices (ldmatrix or stmatrix)";
      return;
    }
    // The address of a buffer that only such operations access: so that its first byte is the first that a lane
    // accesses.
    for (const auto& one : executions.shared) {
      const auto lane = place->second.lanes.find(one.lane_key);
      if (lane == place->second.lanes.end()) continue;
      if (!bases_.contains({one.allocation, one.buffer})) {
        std::uint64_t first_offset = ~std::uint64_t{0};
        for (const auto& other : executions.shared)
          if (other.lane_key == one.lane_key && other.allocation == one.allocation && other.buffer == one.buffer)
            first_offset = std::min(first_offset, other.offset);
        base_of(one.allocation, one.buffer, lane->second.bytes.first() - first_offset);
      }
      ++to.compared;
      const std::uint64_t address = base_of(one.allocation, one.buffer, 0) + one.offset;
      to.equal += lane->second.bytes.contains(address, static_cast<std::uint64_t>(element_bytes(tensor))) ? 1 : 0;
    }
    count_conflicts(tensor, executions, place->second, to.conflicts);
  }

  /// Counts the passes over the banks of the run's accesses, and of those that the layouts give for the same widths.
  void count_conflicts(const compiled::TensorLayout& tensor, const OpExecutions& executions, const PlaceAccesses& place,
                       LayoutConflicts& to) {
    const bool copies = executions.kind == EvaluatedOp::Kind::copy;
    std::uint64_t bytes_of_access = 0;
    for (const std::size_t index : place.accesses) {
      const ObservedAccess& one = run_.accesses[index];
      if (copies && one.copied_to < 0) continue;
      const gpu::LoggedAccess& access =
          copies ? run_.accesses[static_cast<std::size_t>(one.copied_to)].access : one.access;
      const gpu::Wavefronts waves = gpu::wavefronts_of(access.at.data(), access.mask, access.bytes, access.writes);
      ++to.requests;
      to.wavefronts += static_cast<std::uint64_t>(waves.passes);
      to.conflicts += static_cast<std::uint64_t>(waves.conflicts);
      bytes_of_access = access.bytes;
    }
    const compiled::TensorLayout* const registers = register_tensor(tensor.op);
    const compiled::TensorLayout* const memory = this->tensor(tensor.op, {Role::memory});
    if (to.requests == 0 || registers == nullptr || memory == nullptr) return;
    const LinearLayout& layout = *registers->layout;
    const auto bytes = static_cast<std::uint64_t>(element_bytes(*registers));
    const std::uint64_t group = std::max<std::uint64_t>(1, bytes_of_access / bytes);
    const auto& offsets = offsets_of(*memory->layout);
    std::uint64_t passes = 0, requests = 0;
    for (std::uint64_t warp = 0; warp < layout.size(LinearLayout::warps); ++warp)
      for (std::uint64_t reg = 0; reg < layout.size(LinearLayout::registers); reg += group) {
        std::array<std::uint64_t, lanes_of_warp> at{};
        for (std::uint64_t lane = 0; lane < lanes_of_warp; ++lane)
          at[lane] = offsets[layout.element({reg, lane, warp, 0})] * bytes / bytes_of_access * bytes_of_access;
        passes +=
            static_cast<std::uint64_t>(gpu::wavefronts_of(at.data(), 0xffffffff, static_cast<int>(bytes_of_access),
                                                          executions.kind != EvaluatedOp::Kind::local_load)
                                           .passes);
        ++requests;
      }
    to.predicted_wavefronts = requests == 0 ? 0 : passes * to.requests / requests;
  }

  /// Compares the registers of matrix products with the values of the operation's result.
  void check_product(const compiled::TensorLayout& tensor, const OpExecutions& executions, LayoutCheck& to) {
    if (tensor.role != Role::result) {
      to.not_checked = tensor.role == Role::memory ? "the tensor cores read it without lanes"
                                                   : "registers of operands are not compared";
      return;
    }
    to.compared_what = "values in registers";
    const LinearLayout& layout = *tensor.layout;
    const std::string place = place_of_location(module_, op(tensor.op).location);
    // The run's products at its lines, by block and warp, in order. The assembler moves them to the line of their loop;
    // of the only product, all are taken.
    const bool only = std::ranges::count_if(executions_, [](const auto& one) {
                        return one.second.kind == EvaluatedOp::Kind::product;
                      }) == 1;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<const ObservedProduct*>> observed;
    std::unordered_map<std::uint32_t, bool> here;
    for (const ObservedProduct& one : run_.products) {
      const auto [at, fresh] = here.try_emplace(one.instruction);
      if (fresh) at->second = only || place_of_instruction(program_, one.instruction) == place;
      if (at->second) observed[{one.block, one.warp}].push_back(&one);
    }
    std::map<std::uint64_t, std::vector<const std::vector<double>*>> by_block;
    for (const auto& product : executions.products) by_block[product.block].push_back(&product.values);
    const std::uint64_t registers = layout.size(LinearLayout::registers);
    for (const auto& [block, products] : by_block)
      for (std::uint64_t warp = 0; warp < layout.size(LinearLayout::warps); ++warp) {
        const auto found = observed.find({block, warp});
        if (found == observed.end() || found->second.size() % products.size() != 0) continue;
        const std::size_t steps = found->second.size() / products.size();
        for (std::size_t i = 0; i < products.size(); ++i) {
          const std::vector<double>& values = *products[i];
          double sum = 0;
          for (const double value : values) sum += value * value;
          const double allowed = value_tolerance * std::sqrt(sum / static_cast<double>(values.size())) + 1e-30;
          // One instruction with all registers: each is compared with its own. Else a lane's value is one of those that
          // its products left.
          const ObservedProduct& last = *found->second[(i + 1) * steps - 1];
          const bool whole = last.registers.size() == registers;
          for (std::uint64_t lane = 0; lane < lanes_of_warp; ++lane)
            for (std::uint64_t reg = 0; reg < registers; ++reg) {
              const double value = values[layout.element({reg, lane, warp, 0})];
              if (whole && block == 0 && i + 1 == products.size()) to.values.push_back(last.registers[reg][lane]);
              bool equal = whole && std::abs(static_cast<double>(last.registers[reg][lane]) - value) <= allowed;
              for (std::size_t step = i * steps; !whole && !equal && step < (i + 1) * steps; ++step)
                for (const auto& d : found->second[step]->registers)
                  equal = equal || std::abs(static_cast<double>(d[lane]) - value) <= allowed;
              ++to.compared;
              to.equal += equal ? 1 : 0;
            }
        }
      }
    if (to.compared == 0) to.not_checked = "the run has no product in f32 at its lines";
  }

  const compiled::MlirModule& module_;
  const std::int32_t function_;
  const gpu::Program& program_;
  const gpu::Launch& launch_;
  const ObservedRun& run_;
  CheckedLayouts& to_;
  std::map<std::int32_t, OpExecutions> executions_;
  std::map<PlaceKey, PlaceAccesses> places_;
  std::map<PlaceKey, bool> unknown_places_;
  std::map<PlaceKey, std::uint64_t> unexpected_;
  std::map<std::pair<std::int32_t, std::int64_t>, std::uint64_t> bases_;
  std::unordered_map<const LinearLayout*, std::vector<std::uint64_t>> offsets_;
};

}  // namespace

base::Result<CheckedLayouts> check_layouts(const compiled::MlirModule& module, std::string_view kernel,
                                           const gpu::Device& device, const gpu::Program& program,
                                           const gpu::Launch& launch, std::uint32_t max_blocks) {
  const auto function = compiled::kernel_function(module, kernel);
  if (!function) return base::Error{fmt::format("the TTGIR has no function {}", kernel)};
  CheckedLayouts layouts;
  layouts.tensors = compiled::module_layouts(module, *function);
  layouts.checks.resize(layouts.tensors.size());
  for (const compiled::MlirOp& op : module.ops)
    if (const auto ctas = compiled::mlir_attribute(op, "ttg.num-ctas");
        op.name == "module" && ctas && !ctas->starts_with("1 ")) {
      for (LayoutCheck& check : layouts.checks) check.not_checked = "kernels in clusters are not compared";
      return layouts;
    }
  const auto run = observe_run(device, program, launch, max_blocks);
  if (!run) return base::Error{run.error()};
  layouts.blocks = run->blocks;
  LayoutComparison comparison(module, *function, program, launch, *run, layouts);
  if (auto done = comparison.compare(); !done) return base::Error{done.error()};
  return layouts;
}

}  // namespace warpwalk::run
