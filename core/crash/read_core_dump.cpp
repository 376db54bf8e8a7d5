#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/crash/core_dump.h"
#include "core/crash/tables.h"
#include "core/sass/elf/elf.h"

namespace warpwalk::crash {
namespace {

constexpr std::uint16_t core_type = 4, gpu_machine = 190;
constexpr std::uint64_t max_lanes = 32;  // per warp

/// Where the elements of a table are in the model: indices of what it is part of, and of its first element there.
struct TablePlace {
  std::size_t device = 0, sm = 0, block = 0, warp = 0;
  std::size_t first = 0, count = 0;
};

Extent3 extent(const Entry& entry, std::uint64_t offset) {
  return {entry.number(offset), entry.number(offset + 4), entry.number(offset + 8)};
}

class CoreDumpReader {
 public:
  explicit CoreDumpReader(std::string_view bytes) : bytes_(bytes) {}

  base::Result<CoreDump> read() {
    auto parsed = sass::parse_elf(bytes_);
    if (!parsed) return base::Error{"the core dump is cut off or damaged: " + parsed.error()};
    file_ = *std::move(parsed);
    if (file_.type != core_type || file_.machine != gpu_machine)
      return base::Error{
          fmt::format("the ELF file is not a core dump of an NVIDIA GPU (type {}, machine {}; expected {}, {})",
                      file_.type, file_.machine, core_type, gpu_machine)};
    for (std::uint32_t i = 0; i < file_.sections.size(); ++i) sections_[file_.sections[i].type].push_back(i);
    if (const sass::ElfSection* texts = file_.section(".strtab")) texts_ = texts->content;
    if (of(SectionType::devices).empty())
      return base::Error{"the core dump has no table of devices; it is cut off, or written by an unknown driver"};
    read_metadata();
    for (const auto step : {&CoreDumpReader::read_devices, &CoreDumpReader::read_contexts,
                            &CoreDumpReader::read_modules, &CoreDumpReader::read_images, &CoreDumpReader::read_grids,
                            &CoreDumpReader::read_grid_parts, &CoreDumpReader::read_sms, &CoreDumpReader::read_blocks,
                            &CoreDumpReader::read_warps, &CoreDumpReader::read_lanes, &CoreDumpReader::read_contents}) {
      (this->*step)();
      if (!error_.empty()) return base::Error{error_};
    }
    read_memory();
    return std::move(dump_);
  }

 private:
  const std::vector<std::uint32_t>& of(SectionType type) const {
    static const std::vector<std::uint32_t> none;
    const auto found = sections_.find(static_cast<std::uint32_t>(type));
    return found == sections_.end() ? none : found->second;
  }

  std::string_view text(std::uint64_t index) const { return sass::Bytes(texts_).text(index); }

  void fail(std::uint32_t section, std::string_view what) {
    if (error_.empty())
      error_ = fmt::format("the core dump is damaged: section {} ({}) {}", section, file_.sections[section].name, what);
  }

  /// Calls `each` with every element of a table of at least `least` bytes per element. Elements can be longer.
  template <class Each>
  void for_entries(std::uint32_t index, std::uint64_t least, Each each) {
    const sass::ElfSection& section = file_.sections[index];
    if (section.content.empty()) return;
    // The metadata are a single element, and the driver gives them no size.
    const std::uint64_t bytes = section.entry_bytes == 0 ? section.content.size() : section.entry_bytes;
    if (bytes < least) return fail(index, fmt::format("has elements of {} B, which are at least {} B", bytes, least));
    // The tables of a file that is not made to deceive have their own bytes each.
    table_bytes_ += section.content.size();
    if (table_bytes_ > bytes_.size()) return fail(index, "overlaps other tables");
    for (std::uint64_t at = 0; at + bytes <= section.content.size(); at += bytes)
      each(Entry(section.content.substr(at, bytes)));
  }

  /// The table that a section belongs to, if it has the element that the section names; null and an error otherwise.
  const TablePlace* parent(std::uint32_t index, SectionType table) {
    const sass::ElfSection& section = file_.sections[index];
    const auto place = places_.find(section.link);
    if (place == places_.end() || section.info >= place->second.count ||
        file_.sections[section.link].type != static_cast<std::uint32_t>(table)) {
      fail(index, fmt::format("belongs to element {} of section {}, which does not exist", section.info, section.link));
      return nullptr;
    }
    return &place->second;
  }

  DumpBlock& block_at(const TablePlace& place, std::size_t block) {
    return dump_.devices[place.device].sms[place.sm].blocks[block];
  }

  void read_metadata() {
    namespace field = metadata_field;
    for (const std::uint32_t index : of(SectionType::metadata)) {
      for_entries(index, field::time + 4, [&](const Entry& entry) {
        dump_.generator = text(entry.wide(field::generator));
        dump_.driver_major = entry.number(field::driver_major);
        dump_.driver_minor = entry.number(field::driver_minor);
        dump_.cuda_major = entry.number(field::cuda_major);
        dump_.cuda_minor = entry.number(field::cuda_minor);
        dump_.flags = entry.number(field::flags);
        dump_.time = entry.number(field::time);
      });
    }
  }

  void read_devices() {
    namespace field = device_field;
    for (const std::uint32_t index : of(SectionType::devices)) {
      TablePlace place{.first = dump_.devices.size()};
      for_entries(index, field::sm_minor + 4, [&](const Entry& entry) {
        DumpDevice& device = dump_.devices.emplace_back();
        device.name = text(entry.wide(field::name));
        device.type = text(entry.wide(field::type));
        device.sm_type = text(entry.wide(field::sm_type));
        device.id = entry.number(field::id);
        device.sm_count = entry.number(field::sms);
        device.warps_per_sm = entry.number(field::warps_per_sm);
        device.lanes_per_warp = entry.number(field::lanes_per_warp);
        device.sm_major = entry.number(field::sm_major);
        device.sm_minor = entry.number(field::sm_minor);
      });
      place.count = dump_.devices.size() - place.first;
      places_[index] = place;
    }
  }

  /// Reads tables whose elements belong to a device: `add` appends one element to the list that `list` returns.
  template <class List, class Add>
  void read_of_devices(SectionType type, std::uint64_t least, List list, Add add) {
    for (const std::uint32_t index : of(type)) {
      const TablePlace* const of_device = parent(index, SectionType::devices);
      if (of_device == nullptr) return;
      TablePlace place{.device = of_device->first + file_.sections[index].info};
      DumpDevice& device = dump_.devices[place.device];
      place.first = list(device).size();
      for_entries(index, least, [&](const Entry& entry) { add(device, entry); });
      place.count = list(device).size() - place.first;
      places_[index] = place;
    }
  }

  void read_contexts() {
    namespace field = context_field;
    read_of_devices(
        SectionType::contexts, field::host_thread + 4, [](DumpDevice & device) -> auto& { return device.contexts; },
        [](DumpDevice& device, const Entry& entry) {
          DumpContext& context = device.contexts.emplace_back();
          context.id = entry.wide(field::id);
          context.shared_window = entry.wide(field::shared_window);
          context.local_window = entry.wide(field::local_window);
          context.host_thread = entry.number(field::host_thread);
        });
  }

  void read_modules() {
    for (const std::uint32_t index : of(SectionType::modules)) {
      const TablePlace* const of_context = parent(index, SectionType::contexts);
      if (of_context == nullptr) return;
      TablePlace place = *of_context;
      DumpDevice& device = dump_.devices[place.device];
      const std::uint64_t context = device.contexts[place.first + file_.sections[index].info].id;
      place.first = device.modules.size();
      for_entries(index, 8, [&](const Entry& entry) {
        device.modules.push_back({.handle = entry.wide(0), .context = context, .relocated = {}, .original = {}});
      });
      place.count = device.modules.size() - place.first;
      places_[index] = place;
    }
  }

  void read_images() {
    for (const SectionType type : {SectionType::relocated_image, SectionType::module_image}) {
      for (const std::uint32_t index : of(type)) {
        const TablePlace* const place = parent(index, SectionType::modules);
        if (place == nullptr) return;
        DumpModule& module = dump_.devices[place->device].modules[place->first + file_.sections[index].info];
        (type == SectionType::relocated_image ? module.relocated : module.original) = file_.sections[index].content;
      }
    }
  }

  void read_grids() {
    namespace field = grid_field;
    read_of_devices(
        SectionType::grids, field::block + 12, [](DumpDevice & device) -> auto& { return device.grids; },
        [](DumpDevice& device, const Entry& entry) {
          DumpGrid& grid = device.grids.emplace_back();
          grid.id = entry.wide(field::id);
          grid.context = entry.wide(field::context);
          grid.module = entry.wide(field::module);
          grid.parent = entry.wide(field::parent);
          grid.entry = entry.wide(field::entry);
          grid.parameters_offset = entry.wide(field::parameters_offset);
          grid.status = entry.number(field::status);
          grid.registers = entry.number(field::registers);
          grid.grid = extent(entry, field::grid);
          grid.block = extent(entry, field::block);
          if (entry.has(field::cluster + 8)) grid.cluster = extent(entry, field::cluster);
        });
  }

  void read_grid_parts() {
    for (const std::uint32_t index : of(SectionType::parameters)) {
      const TablePlace* const place = parent(index, SectionType::grids);
      if (place == nullptr) return;
      dump_.devices[place->device].grids[place->first + file_.sections[index].info].parameters =
          file_.sections[index].content;
    }
    namespace field = constant_bank_field;
    for (const std::uint32_t index : of(SectionType::constant_banks)) {
      const TablePlace* const place = parent(index, SectionType::grids);
      if (place == nullptr) return;
      DumpGrid& grid = dump_.devices[place->device].grids[place->first + file_.sections[index].info];
      for_entries(index, field::bank + 4, [&](const Entry& entry) {
        grid.constant_banks.push_back(
            {entry.number(field::bank), entry.wide(field::address), entry.number(field::bytes)});
      });
    }
  }

  void read_sms() {
    namespace field = sm_field;
    read_of_devices(
        SectionType::sms, field::id + 4, [](DumpDevice & device) -> auto& { return device.sms; },
        [](DumpDevice& device, const Entry& entry) {
          DumpSm& sm = device.sms.emplace_back();
          sm.sm = entry.number(field::id);
          sm.exception = entry.number(field::exception);
          if (entry.number(field::error_pc_valid) != 0) sm.error_pc = entry.wide(field::error_pc);
          if (entry.number(field::target_block_valid) != 0) sm.target_block = extent(entry, field::target_block);
        });
  }

  void read_blocks() {
    namespace field = block_field;
    for (const std::uint32_t index : of(SectionType::blocks)) {
      const TablePlace* const of_sm = parent(index, SectionType::sms);
      if (of_sm == nullptr) return;
      TablePlace place{.device = of_sm->device, .sm = of_sm->first + file_.sections[index].info};
      std::vector<DumpBlock>& blocks = dump_.devices[place.device].sms[place.sm].blocks;
      place.first = blocks.size();
      for_entries(index, field::block + 12, [&](const Entry& entry) {
        DumpBlock& block = blocks.emplace_back();
        block.grid = entry.wide(field::grid);
        block.block = extent(entry, field::block);
        if (entry.has(field::cluster + 8)) block.cluster = extent(entry, field::cluster);
      });
      place.count = blocks.size() - place.first;
      places_[index] = place;
    }
  }

  void read_warps() {
    namespace field = warp_field;
    for (const std::uint32_t index : of(SectionType::warps)) {
      const TablePlace* const of_block = parent(index, SectionType::blocks);
      if (of_block == nullptr) return;
      TablePlace place = *of_block;
      place.block = of_block->first + file_.sections[index].info;
      std::vector<DumpWarp>& warps = block_at(place, place.block).warps;
      place.first = warps.size();
      for_entries(index, field::error_pc_valid + 4, [&](const Entry& entry) {
        DumpWarp& warp = warps.emplace_back();
        warp.warp = entry.number(field::warp);
        warp.valid_lanes = entry.number(field::valid_lanes);
        warp.active_lanes = entry.number(field::active_lanes);
        warp.at_breakpoint = entry.number(field::at_breakpoint) != 0;
        if (entry.number(field::error_pc_valid) != 0) warp.error_pc = entry.wide(field::error_pc);
        warp.registers = entry.number(field::registers);
        if (entry.has(field::shared_bytes)) warp.shared_bytes = entry.number(field::shared_bytes);
        if (entry.has(field::system_call_lanes)) warp.system_call_lanes = entry.number(field::system_call_lanes);
        if (entry.has(field::exited_lanes)) warp.exited_lanes = entry.number(field::exited_lanes);
      });
      place.count = warps.size() - place.first;
      places_[index] = place;
    }
  }

  void read_lanes() {
    namespace field = lane_field;
    for (const std::uint32_t index : of(SectionType::lanes)) {
      const TablePlace* const of_warp = parent(index, SectionType::warps);
      if (of_warp == nullptr) return;
      TablePlace place = *of_warp;
      place.warp = of_warp->first + file_.sections[index].info;
      std::vector<DumpLane>& lanes = block_at(place, place.block).warps[place.warp].lanes;
      place.first = lanes.size();
      for_entries(index, field::system_call_depth + 4, [&](const Entry& entry) {
        DumpLane& lane = lanes.emplace_back();
        lane.lane = entry.number(field::lane);
        lane.thread = extent(entry, field::thread);
        lane.pc = entry.wide(field::pc);
        lane.exception = entry.number(field::exception);
        lane.call_depth = entry.number(field::call_depth);
        lane.system_call_depth = entry.number(field::system_call_depth);
      });
      if (lanes.size() > max_lanes) return fail(index, "gives a warp more than 32 lanes");
      place.count = lanes.size() - place.first;
      places_[index] = place;
    }
  }

  /// Registers and memory of what the tables list.
  void read_contents() {
    for (const std::uint32_t index : of(SectionType::shared_memory)) {
      const TablePlace* const place = parent(index, SectionType::blocks);
      if (place == nullptr) return;
      block_at(*place, place->first + file_.sections[index].info).shared_memory = file_.sections[index].content;
    }
    for_warps(SectionType::uniform_registers, &DumpWarp::uniform_registers);
    for_warps(SectionType::uniform_predicates, &DumpWarp::uniform_predicates);
    for_warps(SectionType::convergence_barriers, &DumpWarp::convergence_barriers);
    for_lanes(SectionType::registers,
              [](DumpLane& lane, const sass::ElfSection& section) { lane.registers = Words(section.content); });
    for_lanes(SectionType::predicates,
              [](DumpLane& lane, const sass::ElfSection& section) { lane.predicates = Words(section.content); });
    for_lanes(SectionType::local_memory, [](DumpLane& lane, const sass::ElfSection& section) {
      lane.local_address = section.address;
      lane.local_memory = section.content;
    });
    for (const std::uint32_t index : of(SectionType::frames)) {
      const TablePlace* const place = parent(index, SectionType::lanes);
      if (place == nullptr) return;
      DumpLane& lane =
          block_at(*place, place->block).warps[place->warp].lanes[place->first + file_.sections[index].info];
      for_entries(index, frame_field::level + 4, [&](const Entry& entry) {
        lane.frames.push_back({entry.number(frame_field::level), entry.wide(frame_field::return_address)});
      });
      std::ranges::stable_sort(lane.frames, {}, &DumpFrame::level);
    }
  }

  void for_warps(SectionType type, Words DumpWarp::*member) {
    for (const std::uint32_t index : of(type)) {
      const TablePlace* const place = parent(index, SectionType::warps);
      if (place == nullptr) return;
      block_at(*place, place->block).warps[place->first + file_.sections[index].info].*member =
          Words(file_.sections[index].content);
    }
  }

  template <class Set>
  void for_lanes(SectionType type, Set set) {
    for (const std::uint32_t index : of(type)) {
      const TablePlace* const place = parent(index, SectionType::lanes);
      if (place == nullptr) return;
      set(block_at(*place, place->block).warps[place->warp].lanes[place->first + file_.sections[index].info],
          file_.sections[index]);
    }
  }

  void read_memory() {
    for (const SectionType type : {SectionType::global_memory, SectionType::managed_memory})
      for (const std::uint32_t index : of(type)) {
        const sass::ElfSection& section = file_.sections[index];
        if (section.content.empty() || section.address + section.content.size() < section.address) continue;
        dump_.memory.push_back({section.address, section.content, type == SectionType::managed_memory});
      }
    std::ranges::stable_sort(dump_.memory, {}, &DumpMemory::address);
    std::uint64_t end = 0;
    std::erase_if(dump_.memory, [&](const DumpMemory& memory) {
      if (memory.address < end) return true;
      end = memory.end();
      return false;
    });
  }

  std::string_view bytes_;
  sass::ElfFile file_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> sections_;  ///< by type
  std::unordered_map<std::uint32_t, TablePlace> places_;                    ///< of tables, by section
  std::string_view texts_;
  std::uint64_t table_bytes_ = 0;
  std::string error_;
  CoreDump dump_;
};

}  // namespace

std::optional<std::uint32_t> Words::at(std::size_t index) const {
  const auto value = sass::Bytes(bytes_).number(index * 4, 4);
  if (!value) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::string_view CoreDump::memory_at(std::uint64_t address, std::uint64_t bytes) const {
  const auto after = std::ranges::upper_bound(memory, address, {}, &DumpMemory::address);
  if (after == memory.begin()) return {};
  const DumpMemory& segment = *std::prev(after);
  return sass::Bytes(segment.bytes).part(address - segment.address, bytes).value_or(std::string_view{});
}

bool is_core_dump(std::string_view begin) {
  const sass::Bytes bytes(begin);
  return begin.starts_with("\177ELF") && bytes.number(16, 2) == core_type && bytes.number(18, 2) == gpu_machine;
}

base::Result<CoreDump> read_core_dump(std::string_view bytes) { return CoreDumpReader(bytes).read(); }

}  // namespace warpwalk::crash
