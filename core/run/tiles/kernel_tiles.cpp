#include "core/run/tiles/kernel_tiles.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/compiled/layout/encoding.h"
#include "core/gpu/exec/launch_addresses.h"
#include "core/platform/read_file.h"

namespace warpwalk::run {
namespace {

using compiled::EvaluatedOp;
using compiled::MlirOp;
using compiled::TensorValue;

/// Elements that the evaluation of a block may compute: a few seconds.
constexpr std::uint64_t max_computed_elements = std::uint64_t{1} << 28;
/// Elements that are kept of a block, about 500 MB.
constexpr std::size_t max_kept_elements = std::size_t{1} << 26;

/// Global memory as one block sees it: before the launch, and what the block stored since.
class BlockMemory {
 public:
  BlockMemory(const gpu::Program& program, const gpu::Launch& launch, const WrittenElsewhere& elsewhere)
      : launch_(launch), addresses_(gpu::buffer_addresses(program, launch)), elsewhere_(elsewhere) {}

  bool read(std::uint64_t address, int bytes, std::uint64_t& value) const {
    const auto size = static_cast<std::uint64_t>(bytes);
    if (elsewhere_ && elsewhere_(address, bytes)) return false;
    for (auto at = stored_.lower_bound(address < 8 ? 0 : address - 7);
         at != stored_.end() && at->first < address + size; ++at) {
      if (at->first + at->second.bytes <= address) continue;
      if (at->first != address || at->second.bytes != size || !at->second.known) return false;
      value = at->second.bits;
      return true;
    }
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
      const gpu::Buffer& buffer = launch_.buffers[i];
      const std::uint64_t offset = address - addresses_[i];
      if (address < addresses_[i] || offset + size > buffer.bytes.size()) continue;
      if (!buffer.initialized && std::ranges::none_of(buffer.written, [&](const gpu::ByteRange& range) {
            return range.begin <= offset && offset + size <= range.end;
          }))
        return false;
      value = 0;
      std::memcpy(&value, buffer.bytes.data() + offset, static_cast<std::size_t>(bytes));
      return true;
    }
    return false;
  }

  void store(const EvaluatedOp& access) {
    const int bytes = compiled::mlir_bits(access.element) / 8;
    if (access.addresses == nullptr || bytes == 0) return;
    for (std::size_t i = 0; i < access.addresses->numbers.size(); ++i) {
      if (access.mask != nullptr && access.mask->numbers[access.mask->numbers.size() == 1 ? 0 : i] == 0) continue;
      Stored& to = stored_[static_cast<std::uint64_t>(access.addresses->numbers[i])];
      to = {static_cast<std::uint64_t>(bytes), 0, false};
      const TensorValue* const value = access.result.get();
      if (access.kind != EvaluatedOp::Kind::store || value == nullptr) continue;
      const std::size_t from = value->size() == 1 ? 0 : i;
      if (from >= value->size() || value->is_undefined(from)) continue;
      to.known = true;
      const std::uint64_t bits = value->floating ? compiled::real_bits(access.element, value->reals[from])
                                                 : static_cast<std::uint64_t>(value->numbers[from]);
      to.bits = bytes == 8 ? bits : bits & ((std::uint64_t{1} << (8 * bytes)) - 1);
    }
  }

 private:
  struct Stored {
    std::uint64_t bytes = 0, bits = 0;
    bool known = false;
  };
  const gpu::Launch& launch_;
  const std::vector<std::uint64_t> addresses_;
  const WrittenElsewhere& elsewhere_;
  std::map<std::uint64_t, Stored> stored_;
};

std::string ssa_name(const compiled::MlirValue& value) {
  std::string name(value.name);
  if (value.pack_index >= 0) name += fmt::format("#{}", value.pack_index);
  return name;
}

/// What a tensor of the TTIR and one of the TTGIR have in common.
std::string tensor_key(const compiled::MlirModule& module, std::int32_t location,
                       const std::vector<std::int64_t>& shape, std::string_view element) {
  std::string key;
  for (const compiled::MlirFrame& frame : module.frames(location))
    key += fmt::format("{}:{}:{} {};", frame.file, frame.line, frame.column, frame.name);
  for (const std::int64_t size : shape) key += fmt::format("{}x", size);
  return key.append(element);
}

std::vector<compiled::LinearLayout> layouts_of(
    const std::map<std::string, std::vector<std::string>, std::less<>>& encodings, const std::string& key,
    const std::vector<std::int64_t>& shape) {
  std::vector<compiled::LinearLayout> layouts;
  const auto at = encodings.find(key);
  if (at == encodings.end()) return layouts;
  for (const std::string& text : at->second)
    if (const auto encoding = compiled::parse_encoding(text))
      if (auto layout = compiled::layout_of(*encoding, shape)) layouts.push_back(std::move(*layout));
  return layouts;
}

}  // namespace

std::string tile_type(std::string_view type) {
  const auto shaped = compiled::mlir_shaped(type);
  if (!shaped) return std::string(type);
  std::string text;
  for (const std::int64_t size : shaped->shape) text += fmt::format("{}{}", text.empty() ? "" : "x", size);
  return fmt::format("{} {}", text, shaped->element);
}

std::string place_of_location(const compiled::MlirModule& module, std::int32_t location) {
  std::string place;
  for (const compiled::MlirFrame& frame : module.frames(location))
    place += fmt::format("{}:{};", frame.file, frame.line);
  return place;
}

std::string place_of_instruction(const gpu::Program& program, std::uint32_t instruction) {
  const gpu::SourceInstruction& source = program.sources[instruction];
  std::string place;
  const auto& locations = source.function->locations;
  for (std::int32_t at = source.instruction->location; at >= 0;
       at = locations[static_cast<std::size_t>(at)].inlined_at) {
    const ptx::Location& location = locations[static_cast<std::size_t>(at)];
    const std::string_view file = location.file < program.module->files.size()
                                      ? std::string_view(program.module->files[location.file].name)
                                      : std::string_view();
    place += fmt::format("{}:{};", file, location.line);
    if (place.size() > 4096) break;
  }
  return place;
}

std::optional<std::vector<TensorValue>> launch_arguments(const compiled::MlirModule& module, std::int32_t function,
                                                         const gpu::Program& program, const gpu::Launch& launch) {
  const auto& blocks = module.ops[static_cast<std::size_t>(function)].blocks;
  if (blocks.empty()) return {};
  const auto& parameters = module.blocks[static_cast<std::size_t>(blocks[0])].arguments;
  if (parameters.size() > launch.arguments.size()) return {};
  const std::vector<std::uint64_t> addresses = gpu::buffer_addresses(program, launch);
  std::vector<TensorValue> all;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const gpu::Argument& argument = launch.arguments[i];
    TensorValue value;
    std::uint64_t bytes = 0;
    if (argument.buffer >= 0)
      bytes = addresses[static_cast<std::size_t>(argument.buffer)] + argument.offset;
    else
      std::memcpy(&bytes, argument.bytes.data(), std::min<std::size_t>(8, argument.bytes.size()));
    const std::string_view type = parameters[i].type;
    value.floating = compiled::mlir_is_readable_float(type);
    value.known = value.floating || compiled::mlir_bits(type) > 0;
    if (value.floating)
      value.reals = {compiled::read_real(type, bytes)};
    else
      value.numbers = {compiled::read_number(compiled::mlir_bits(type), bytes)};
    all.push_back(std::move(value));
  }
  return all;
}

base::Result<std::unique_ptr<KernelTiles>> KernelTiles::open(const std::filesystem::path& entry) {
  const auto triton = compiled::read_triton_launch(entry);
  if (!triton) return base::Error{triton.error()};
  const auto& files = triton->kernel.files;
  const auto file = files.find("ttir");
  if (file == files.end()) return base::Error{"the kernel's TTIR is not there"};
  const auto text = platform::read_text_file(file->second);
  if (!text) return base::Error{text.error()};
  auto made = std::make_unique<KernelTiles>();
  made->kernel_ = triton->kernel.name;
  made->ttir_ = compiled::parse_mlir(text->text);
  const auto function = compiled::kernel_function(made->ttir_, made->kernel_);
  if (!function) return base::Error{fmt::format("{}: it has no function {}", file->second, made->kernel_)};
  made->function_ = *function;
  if (const auto with_layouts = files.find("ttgir"); with_layouts != files.end())
    if (const auto ttgir = platform::read_text_file(with_layouts->second))
      made->ttgir_ = compiled::parse_mlir(ttgir->text);
  made->name_values();
  made->find_layouts();
  return made;
}

void KernelTiles::name_values() {
  const auto add = [&](std::int32_t op, std::uint32_t result, const compiled::MlirValue& value, std::int32_t location) {
    TileName name;
    name.op = op;
    name.result = result;
    name.value = ssa_name(value);
    name.type = tile_type(value.type);
    const auto shaped = compiled::mlir_shaped(value.type);
    name.element = shaped ? shaped->element : value.type;
    if (shaped) name.shape = shaped->shape;
    const auto frames = ttir_.frames(location);
    if (!frames.empty()) {
      name.file = frames.back().file;
      name.line = frames.back().line;
      if (value.pack_index < 0) name.name = frames.back().name;
    }
    name.place = place_of_location(ttir_, location);
    by_value_[{op, result}] = names_.size();
    names_.push_back(std::move(name));
  };
  const MlirOp& function = ttir_.ops[static_cast<std::size_t>(function_)];
  if (!function.blocks.empty()) {
    const auto& arguments = ttir_.blocks[static_cast<std::size_t>(function.blocks[0])].arguments;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      add(-1, static_cast<std::uint32_t>(i), arguments[i], arguments[i].location);
      names_.back().name = names_.back().value.substr(1);
      names_.back().last = true;
    }
  }
  // The last operation of a statement gives the variable its value; the others are parts of the expression.
  std::map<std::tuple<std::string, int, std::int32_t>, std::size_t> last;
  for (const std::int32_t index : compiled::ops_within(ttir_, function_)) {
    const MlirOp& op = ttir_.ops[static_cast<std::size_t>(index)];
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      add(index, static_cast<std::uint32_t>(i), op.results[i], op.location);
      const TileName& name = names_.back();
      if (!name.name.empty()) last[{name.name, name.line, op.block}] = names_.size() - 1;
    }
  }
  for (const auto& [statement, at] : last) names_[at].last = true;
}

const TileName* KernelTiles::name_of(std::int32_t op, std::uint32_t result) const {
  const auto at = by_value_.find({op, result});
  return at == by_value_.end() ? nullptr : &names_[at->second];
}

void KernelTiles::find_layouts() {
  if (!ttgir_) return;
  const auto function = compiled::kernel_function(*ttgir_, kernel_);
  if (!function) return;
  const auto add = [&](auto& to, std::int32_t location, const std::vector<std::int64_t>& shape,
                       std::string_view element, const std::string& encoding) {
    std::vector<std::string>& all = to[tensor_key(*ttgir_, location, shape, element)];
    if (std::ranges::find(all, encoding) == all.end()) all.push_back(encoding);
  };
  for (const std::int32_t index : compiled::ops_within(*ttgir_, *function)) {
    const MlirOp& op = ttgir_->ops[static_cast<std::size_t>(index)];
    for (const compiled::MlirValue& result : op.results)
      if (const auto shaped = compiled::mlir_shaped(result.type);
          shaped && !shaped->encoding.empty() && !shaped->memory)
        add(register_encodings_, op.location, shaped->shape, shaped->element, ttgir_->resolved(shaped->encoding));
  }
  using Role = compiled::TensorLayout::Role;
  for (const compiled::TensorLayout& tensor : compiled::module_layouts(*ttgir_, *function)) {
    const compiled::MlirOp& of = ttgir_->ops[static_cast<std::size_t>(tensor.op)];
    compiled::EvaluatedOp::Kind kind{};
    if (tensor.layout && tensor.role != Role::memory && compiled::is_evaluated_op(of, kind) &&
        kind != EvaluatedOp::Kind::product)
      access_layouts_[tensor_key(*ttgir_, of.location, {}, {})].push_back(*tensor.layout);
    if (tensor.role == Role::memory && tensor.shape.size() >= 2) {
      // The first dimensions number buffers; an access is to one of them.
      add(shared_encodings_, ttgir_->ops[static_cast<std::size_t>(tensor.op)].location,
          {tensor.shape.end() - 2, tensor.shape.end()}, tensor.element, tensor.encoding);
    }
  }
}

std::vector<compiled::LinearLayout> KernelTiles::access_layouts(std::int32_t op) const {
  const std::int32_t location = ttir_.ops[static_cast<std::size_t>(op)].location;
  const auto at = access_layouts_.find(tensor_key(ttir_, location, {}, {}));
  return at == access_layouts_.end() ? std::vector<compiled::LinearLayout>{} : at->second;
}

std::vector<compiled::LinearLayout> KernelTiles::register_layouts(const TileName& name) const {
  if (name.op < 0) return {};
  const std::int32_t location = ttir_.ops[static_cast<std::size_t>(name.op)].location;
  return layouts_of(register_encodings_, tensor_key(ttir_, location, name.shape, name.element), name.shape);
}

std::vector<compiled::LinearLayout> KernelTiles::shared_layouts(const TileName& name) const {
  if (name.op < 0) return {};
  const std::int32_t location = ttir_.ops[static_cast<std::size_t>(name.op)].location;
  return layouts_of(shared_encodings_, tensor_key(ttir_, location, name.shape, name.element), name.shape);
}

base::Result<const BlockValues*> KernelTiles::block(const gpu::Program& program, const gpu::Launch& before,
                                                    std::uint64_t number, const WrittenElsewhere& elsewhere) {
  if (number_ == number) return &block_;
  number_.reset();
  block_ = {};
  block_.executions.assign(ttir_.ops.size(), 0);
  auto arguments = launch_arguments(ttir_, function_, program, before);
  if (!arguments) return base::Error{"the launch has other parameters than the TTIR"};
  BlockMemory memory(program, before, elsewhere);
  compiled::EvaluatedBlock given;
  given.arguments = std::move(*arguments);
  const auto& grid = before.grid;
  given.place.programs = {grid[0], grid[1], grid[2]};
  given.place.program = {static_cast<std::int64_t>(number % grid[0]),
                         static_cast<std::int64_t>(number / grid[0] % grid[1]),
                         static_cast<std::int64_t>(number / grid[0] / grid[1])};
  given.read = [&](std::uint64_t address, int bytes, std::uint64_t& value) {
    return memory.read(address, bytes, value);
  };
  std::size_t kept = 0;
  given.value = [&](std::int32_t op, std::size_t result, const compiled::SharedValue& value) {
    std::uint32_t execution = 0;
    if (op >= 0) {
      std::uint32_t& executions = block_.executions[static_cast<std::size_t>(op)];
      if (result == 0) ++executions;
      execution = executions - 1;
    }
    kept += value->size();
    if (kept > max_kept_elements) {
      block_.incomplete = "the block computes more values than are kept; later ones are not shown";
      return;
    }
    block_.values.push_back({op, static_cast<std::uint32_t>(result), execution, value});
  };
  std::vector<std::uint32_t> accesses(ttir_.ops.size(), 0);
  std::uint64_t work = max_computed_elements;
  const auto done = compiled::evaluate_block(ttir_, function_, given, work, [&](const EvaluatedOp& access) {
    const std::uint32_t execution = accesses[static_cast<std::size_t>(access.op)]++;
    if (access.kind == EvaluatedOp::Kind::store || access.kind == EvaluatedOp::Kind::atomic) memory.store(access);
    if (access.addresses == nullptr) return;
    kept += access.addresses->size();
    if (kept <= max_kept_elements) block_.accesses.push_back({access, execution});
  });
  if (!done) block_.incomplete = done.error();
  number_ = number;
  return &block_;
}

std::string element_text(const TileName& name, const TensorValue& value, std::size_t element) {
  if (!value.known || element >= value.size()) return "not known";
  if (value.is_undefined(element)) return "undefined";
  if (value.floating) {
    const double real = value.reals[element];
    if (std::isnan(real)) return "NaN";
    return name.element == "f64" ? fmt::format("{}", real) : fmt::format("{:.6g}", real);
  }
  const std::int64_t number = value.numbers[element];
  if (name.element.starts_with("!tt.ptr")) return fmt::format("{:#x}", static_cast<std::uint64_t>(number));
  if (name.element == "i1") return number != 0 ? "true" : "false";
  return fmt::format("{}", number);
}

std::string index_text(const std::vector<std::int64_t>& shape, std::size_t element) {
  std::string text;
  for (std::size_t dim = shape.size(); dim-- > 0;) {
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(1, shape[dim]));
    text = fmt::format("{}{}{}", element % size, text.empty() ? "" : ", ", text);
    element /= size;
  }
  return fmt::format("[{}]", text);
}

NanCount count_nans(const TensorValue& value) {
  NanCount nans;
  for (std::size_t i = 0; i < value.reals.size(); ++i) {
    if (!std::isnan(value.reals[i]) || value.is_undefined(i)) continue;
    if (nans.count++ == 0) nans.first = i;
  }
  return nans;
}

}  // namespace warpwalk::run
