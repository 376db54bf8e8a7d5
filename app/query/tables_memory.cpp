#include "app/query/slice_cells.h"

namespace warpwalk::query {
namespace {

using trace::DriverMemory;
using trace::MemoryEvent;

const MemoryEvent& event_at(Source& source, std::size_t row) { return source.trace().memory[row]; }
template <std::int64_t MemoryEvent::*Member>
Cell event_number(Source& source, std::size_t row) {
  return recorded(event_at(source, row).*Member);
}

Cell device_type(Source& source, std::size_t row) {
  switch (event_at(source, row).device_type) {
    case trace::absent: return {};
    case 0: return std::string_view("CPU");
    case 1: return std::string_view("CUDA");
    default: return std::to_string(event_at(source, row).device_type);
  }
}

constexpr Column memory_columns[] = {
    {"time_ns", ColumnType::integer, "ns since the trace's start",
     [](Source& s, std::size_t row) { return time_cell(s.trace(), event_at(s, row).time); }},
    {"bytes", ColumnType::integer, "allocated; negative: freed", event_number<&MemoryEvent::bytes>},
    {"address", ColumnType::integer, "of the block", event_number<&MemoryEvent::address>},
    {"allocated_bytes", ColumnType::integer, "in use after it", event_number<&MemoryEvent::allocated>},
    {"reserved_bytes", ColumnType::integer, "held by the allocator after it", event_number<&MemoryEvent::reserved>},
    {"device_type", ColumnType::text, "CPU or CUDA", device_type},
    {"device", ColumnType::integer, "its number", event_number<&MemoryEvent::device>},
    {"thread", ColumnType::integer, "the thread's number",
     [](Source& s, std::size_t row) { return thread_cell(s.trace(), event_at(s, row).track); }},
    {"out_of_memory", ColumnType::integer, "1 if it failed",
     [](Source& s, std::size_t row) { return count(event_at(s, row).out_of_memory ? 1 : 0); }},
};

const DriverMemory& driver_event_at(Source& source, std::size_t row) { return source.trace().driver_memory[row]; }

constexpr Column driver_memory_columns[] = {
    {"time_ns", ColumnType::integer, "ns since the trace's start",
     [](Source& s, std::size_t row) { return time_cell(s.trace(), driver_event_at(s, row).time); }},
    {"bytes", ColumnType::integer, "taken; negative: given back",
     [](Source& s, std::size_t row) { return Cell(driver_event_at(s, row).bytes); }},
    {"address", ColumnType::integer, "of the memory",
     [](Source& s, std::size_t row) { return Cell(static_cast<std::int64_t>(driver_event_at(s, row).address)); }},
    {"device", ColumnType::integer, "the GPU's number",
     [](Source& s, std::size_t row) { return Cell(driver_event_at(s, row).device); }},
};

constexpr Table all_memory_tables[] = {
    {"memory", "allocations and frees by PyTorch's allocator, by time", memory_columns, Table::Id::none,
     [](Source& s) { return s.trace().memory.size(); }},
    {"driver_memory", "GPU memory taken from and given back to the driver, by time", driver_memory_columns,
     Table::Id::none, [](Source& s) { return s.trace().driver_memory.size(); }},
};

}  // namespace

std::span<const Table> memory_tables() { return all_memory_tables; }

}  // namespace warpwalk::query
