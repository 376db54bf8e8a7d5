#include "core/run/tiles/tile_problems.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/gpu/exec/launch_addresses.h"

namespace warpwalk::run {
namespace {

using compiled::EvaluatedOp;
using compiled::LinearLayout;

/// Bytes of an access of one lane: it may span several elements.
constexpr std::uint64_t max_access_bytes = 16;
/// Bytes before or behind a buffer that are still said in relation to it.
constexpr std::uint64_t near_bytes = std::uint64_t{1} << 30;

bool is_taken(const EvaluatedOp& access, std::size_t element) {
  if (access.mask == nullptr) return true;
  const auto& mask = access.mask->numbers;
  const std::size_t at = mask.size() == 1 ? 0 : element;
  return at < mask.size() && mask[at] != 0;
}

class Buffers {
 public:
  Buffers(const gpu::Program& program, const gpu::Launch& launch)
      : launch_(launch), addresses_(gpu::buffer_addresses(program, launch)) {}

  bool contain(std::uint64_t address, std::uint64_t bytes) const {
    for (std::size_t i = 0; i < addresses_.size(); ++i)
      if (address >= addresses_[i] && address - addresses_[i] + bytes <= launch_.buffers[i].bytes.size()) return true;
    return std::ranges::any_of(launch_.outer, [&](const gpu::OuterMemory& outer) {
      return address >= outer.address && address - outer.address + bytes <= outer.bytes;
    });
  }

  std::string text(std::uint64_t address, std::uint64_t bytes) const {
    std::string nearest = fmt::format("{:#x}, in no buffer", address);
    std::uint64_t distance = near_bytes;
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
      const std::uint64_t begin = addresses_[i], size = launch_.buffers[i].bytes.size();
      const std::string& name = launch_.buffers[i].name;
      if (address >= begin && address - begin + bytes <= size)
        return bytes == 0 ? name : fmt::format("{}[{}]", name, (address - begin) / bytes);
      if (address + bytes > begin + size && address + bytes - (begin + size) < distance) {
        distance = address + bytes - (begin + size);
        nearest = fmt::format("{} bytes past the end of {}", distance, name);
      } else if (address < begin && begin - address < distance) {
        distance = begin - address;
        nearest = fmt::format("{} bytes before {}", distance, name);
      }
    }
    return nearest;
  }

 private:
  const gpu::Launch& launch_;
  const std::vector<std::uint64_t> addresses_;
};

std::string file_and_line(const TileName& name) {
  return fmt::format("{}:{}", name.file.substr(name.file.find_last_of('/') + 1), name.line);
}

/// The place and the name of the value that an access loads or stores.
TileName accessed_tensor(const KernelTiles& kernel, const EvaluatedOp& access) {
  if (const TileName* const loaded = kernel.name_of(access.op, 0)) return *loaded;
  TileName name;
  const compiled::MlirModule& module = kernel.module();
  const compiled::MlirOp& op = module.ops[static_cast<std::size_t>(access.op)];
  const auto frames = module.frames(op.location);
  if (!frames.empty()) {
    name.file = frames.back().file;
    name.line = frames.back().line;
  }
  name.op = access.op;
  // The pointers come first; what is stored is the second operand, or the last one of a descriptor's operation.
  if (op.operands.size() > 1) name.value = op.name == "tt.descriptor_store" ? op.operands.back() : op.operands[1];
  for (const TileName& value : kernel.names())
    if (value.value == name.value) name.name = value.name;
  name.shape = access.addresses->shape;
  name.element = access.element;
  return name;
}

std::string tensor_text(const TileName& name) {
  return name.name.empty() ? name.value : fmt::format("{} ({})", name.name, name.value);
}

std::string_view verb_of(const EvaluatedOp& access) {
  return access.kind == EvaluatedOp::Kind::store    ? "writes"
         : access.kind == EvaluatedOp::Kind::atomic ? "changes"
                                                    : "reads";
}

std::string mask_text(const EvaluatedOp& access) {
  return access.mask == nullptr ? "it has no mask" : "its mask includes it";
}

}  // namespace

std::string address_text(const gpu::Program& program, const gpu::Launch& launch, std::uint64_t address, int bytes) {
  return Buffers(program, launch).text(address, static_cast<std::uint64_t>(bytes));
}

std::vector<OutsideAccess> outside_accesses(const BlockValues& block, const gpu::Program& program,
                                            const gpu::Launch& launch) {
  const Buffers buffers(program, launch);
  std::vector<OutsideAccess> all;
  for (const TileAccess& access : block.accesses) {
    const auto bytes = static_cast<std::uint64_t>(compiled::mlir_bits(access.access.element)) / 8;
    OutsideAccess outside{&access};
    const auto& addresses = access.access.addresses->numbers;
    for (std::size_t i = 0; i < addresses.size(); ++i)
      if (is_taken(access.access, i) && !buffers.contain(static_cast<std::uint64_t>(addresses[i]), bytes) &&
          outside.count++ == 0)
        outside.first = i;
    if (outside.count > 0) all.push_back(outside);
  }
  return all;
}

std::string outside_text(const KernelTiles& kernel, const OutsideAccess& outside, const gpu::Program& program,
                         const gpu::Launch& launch) {
  const EvaluatedOp& access = outside.access->access;
  const TileName name = accessed_tensor(kernel, access);
  return fmt::format("{}: {} element {} of {}, {}; {}, {} of {} elements are outside", file_and_line(name),
                     verb_of(access), index_text(access.addresses->shape, outside.first), tensor_text(name),
                     address_text(program, launch, static_cast<std::uint64_t>(access.addresses->numbers[outside.first]),
                                  compiled::mlir_bits(access.element) / 8),
                     mask_text(access), outside.count, access.addresses->numbers.size());
}

std::optional<FirstNan> first_nan(const BlockValues& block) {
  for (const TileValue& value : block.values)
    if (const NanCount nans = count_nans(*value.value); nans.count > 0) return FirstNan{&value, nans};
  return {};
}

std::string first_nan_text(const KernelTiles& kernel, const BlockValues& block, const FirstNan& nan,
                           const gpu::Program& program, const gpu::Launch& launch) {
  const TileName* const name = kernel.name_of(nan.value->op, nan.value->result);
  if (name == nullptr) return {};
  std::string from = nan.value->op < 0 ? "it is an argument" : "its operands have none";
  for (const TileAccess& access : block.accesses)
    if (access.access.op == nan.value->op && access.execution == nan.value->execution &&
        nan.nans.first < access.access.addresses->numbers.size())
      from = fmt::format(
          "it was read from {}",
          address_text(program, launch, static_cast<std::uint64_t>(access.access.addresses->numbers[nan.nans.first]),
                       compiled::mlir_bits(access.access.element) / 8));
  const std::string_view op =
      nan.value->op < 0 ? std::string_view() : kernel.module().ops[static_cast<std::size_t>(nan.value->op)].name;
  return fmt::format("{}: element {} of {} is the first NaN, of {} there{}{}; {}", file_and_line(*name),
                     index_text(name->shape, nan.nans.first), tensor_text(*name), nan.nans.count,
                     op.empty() ? "" : ", by ", op, from);
}

std::string tile_of_finding(KernelTiles& kernel, const gpu::Finding& finding, const gpu::Program& program,
                            const gpu::Launch& before) {
  if (!finding.address) return {};
  const std::uint64_t number =
      finding.block[0] +
      std::uint64_t{before.grid[0]} * (finding.block[1] + std::uint64_t{before.grid[1]} * finding.block[2]);
  const auto block = kernel.block(program, before, number, {});
  if (!block) return {};
  const std::uint64_t thread =
      finding.thread[0] +
      std::uint64_t{before.block[0]} * (finding.thread[1] + std::uint64_t{before.block[1]} * finding.thread[2]);
  const Buffers buffers(program, before);
  const bool outside = finding.kind == gpu::FindingKind::out_of_bounds;
  struct Match {
    const TileAccess* access = nullptr;
    std::size_t element = 0;
    std::string place;  ///< of the element by the layout
    int rank = 0;
  } best;
  for (const TileAccess& access : (*block)->accesses) {
    const TileName name = accessed_tensor(kernel, access.access);
    const auto bytes = static_cast<std::uint64_t>(compiled::mlir_bits(access.access.element)) / 8;
    const bool at_line = static_cast<std::uint32_t>(name.line) == finding.source_line &&
                         name.file.ends_with(finding.source_file.substr(finding.source_file.find_last_of('/') + 1));
    std::vector<LinearLayout> layouts = kernel.access_layouts(access.access.op);
    const auto& addresses = access.access.addresses->numbers;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      const auto address = static_cast<std::uint64_t>(addresses[i]);
      // The lane's access begins at the finding's address, which may be that of elements before the one outside.
      if (address + bytes <= *finding.address || address >= *finding.address + max_access_bytes) continue;
      if (!is_taken(access.access, i) || (outside && buffers.contain(address, bytes))) continue;
      Match match{&access, i, {}, at_line ? 2 : 0};
      for (const LinearLayout& layout : layouts)
        for (const compiled::LayoutPlace& place : layout.places_of(i))
          if (place.warp * 32 + place.lane == thread && match.place.empty()) {
            match.place =
                fmt::format(", in register {} of lane {} of warp {} by the layout", place.reg, place.lane, place.warp);
            ++match.rank;
          }
      if (best.access == nullptr || match.rank > best.rank) best = match;
      break;
    }
  }
  if (best.access == nullptr) return {};
  const EvaluatedOp& access = best.access->access;
  const TileName name = accessed_tensor(kernel, access);
  return fmt::format("{}: {} element {} of {}{}; {}", file_and_line(name), verb_of(access),
                     index_text(access.addresses->shape, best.element), tensor_text(name), best.place,
                     mask_text(access));
}

}  // namespace warpwalk::run
