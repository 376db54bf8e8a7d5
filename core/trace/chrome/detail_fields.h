#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/trace/chrome/event.h"
#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Maps an event's arg to a member of its row. Shared by the reader and the writer.
template <class Row>
struct Field {
  enum class Type : std::uint8_t { none, integer, address, real, json, text, shape };

  ArgKey key = ArgKey::other;
  Type type = Type::none;
  std::int64_t Row::*whole = nullptr;  ///< for whole and address (written as unsigned)
  double Row::*real = nullptr;
  StringId Row::*string = nullptr;  ///< for json (JSON text) and text
  std::array<std::int32_t, 3> Row::*shape = nullptr;

  constexpr Field() = default;
  constexpr Field(ArgKey k, std::int64_t Row::*member, Type t = Type::integer) : key(k), type(t), whole(member) {}
  constexpr Field(ArgKey k, double Row::*member) : key(k), type(Type::real), real(member) {}
  constexpr Field(ArgKey k, StringId Row::*member, Type t = Type::json) : key(k), type(t), string(member) {}
  constexpr Field(ArgKey k, std::array<std::int32_t, 3> Row::*member) : key(k), type(Type::shape), shape(member) {}
};

/// The fields of a row in write order.
template <class Row>
inline constexpr std::array<Field<Row>, 0> fields_of{};

template <>
inline constexpr std::array fields_of<OpDetail> = {
    Field<OpDetail>{ArgKey::external_id, &OpDetail::external_id},
    Field<OpDetail>{ArgKey::record_function, &OpDetail::record_function},
    Field<OpDetail>{ArgKey::sequence, &OpDetail::sequence},
    Field<OpDetail>{ArgKey::forward_thread, &OpDetail::forward_thread},
    Field<OpDetail>{ArgKey::concrete_inputs, &OpDetail::concrete_inputs},
    Field<OpDetail>{ArgKey::input_types, &OpDetail::input_types},
    Field<OpDetail>{ArgKey::input_strides, &OpDetail::input_strides},
    Field<OpDetail>{ArgKey::input_dims, &OpDetail::input_dims},
    Field<OpDetail>{ArgKey::call_stack, &OpDetail::call_stack},
    Field<OpDetail>{ArgKey::module_hierarchy, &OpDetail::module_hierarchy},
    Field<OpDetail>{ArgKey::event_index, &OpDetail::event_index},
    Field<OpDetail>{ArgKey::dispatch, &OpDetail::dispatch},
};

template <>
inline constexpr std::array fields_of<PythonDetail> = {
    Field<PythonDetail>{ArgKey::python_parent, &PythonDetail::parent_id},
    Field<PythonDetail>{ArgKey::python_id, &PythonDetail::id},
    Field<PythonDetail>{ArgKey::python_module, &PythonDetail::module_id},
    Field<PythonDetail>{ArgKey::python_thread, &PythonDetail::thread},
    Field<PythonDetail>{ArgKey::event_index, &PythonDetail::event_index},
};

template <>
inline constexpr std::array fields_of<CallDetail> = {
    Field<CallDetail>{ArgKey::external_id, &CallDetail::external_id},
    Field<CallDetail>{ArgKey::cbid, &CallDetail::cbid},
    Field<CallDetail>{ArgKey::correlation, &CallDetail::correlation},
};

template <>
inline constexpr std::array fields_of<KernelDetail> = {
    Field<KernelDetail>{ArgKey::external_id, &KernelDetail::external_id},
    Field<KernelDetail>{ArgKey::queued, &KernelDetail::queued},
    Field<KernelDetail>{ArgKey::submitted, &KernelDetail::submitted},
    Field<KernelDetail>{ArgKey::device, &KernelDetail::device},
    Field<KernelDetail>{ArgKey::context, &KernelDetail::context},
    Field<KernelDetail>{ArgKey::stream, &KernelDetail::stream},
    Field<KernelDetail>{ArgKey::priority, &KernelDetail::priority},
    Field<KernelDetail>{ArgKey::correlation, &KernelDetail::correlation},
    Field<KernelDetail>{ArgKey::graph_id, &KernelDetail::graph_id},
    Field<KernelDetail>{ArgKey::graph_node, &KernelDetail::graph_node},
    Field<KernelDetail>{ArgKey::registers, &KernelDetail::registers},
    Field<KernelDetail>{ArgKey::shared_bytes, &KernelDetail::shared_bytes},
    Field<KernelDetail>{ArgKey::blocks_per_sm, &KernelDetail::blocks_per_sm},
    Field<KernelDetail>{ArgKey::warps_per_sm, &KernelDetail::warps_per_sm},
    Field<KernelDetail>{ArgKey::grid, &KernelDetail::grid},
    Field<KernelDetail>{ArgKey::block, &KernelDetail::block},
    Field<KernelDetail>{ArgKey::occupancy, &KernelDetail::occupancy_pct},
    Field<KernelDetail>{ArgKey::record, &KernelDetail::record},
};

template <>
inline constexpr std::array fields_of<TransferDetail> = {
    Field<TransferDetail>{ArgKey::external_id, &TransferDetail::external_id},
    Field<TransferDetail>{ArgKey::device, &TransferDetail::device},
    Field<TransferDetail>{ArgKey::context, &TransferDetail::context},
    Field<TransferDetail>{ArgKey::stream, &TransferDetail::stream},
    Field<TransferDetail>{ArgKey::correlation, &TransferDetail::correlation},
    Field<TransferDetail>{ArgKey::bytes, &TransferDetail::bytes},
    Field<TransferDetail>{ArgKey::bandwidth, &TransferDetail::bandwidth_gb_s},
};

template <>
inline constexpr std::array fields_of<SyncDetail> = {
    Field<SyncDetail>{ArgKey::external_id, &SyncDetail::external_id},
    Field<SyncDetail>{ArgKey::sync_kind, &SyncDetail::kind, Field<SyncDetail>::Type::text},
    Field<SyncDetail>{ArgKey::stream, &SyncDetail::stream},
    Field<SyncDetail>{ArgKey::correlation, &SyncDetail::correlation},
    Field<SyncDetail>{ArgKey::device, &SyncDetail::device},
    Field<SyncDetail>{ArgKey::context, &SyncDetail::context},
    Field<SyncDetail>{ArgKey::wait_on_stream, &SyncDetail::wait_on_stream},
    Field<SyncDetail>{ArgKey::wait_on_record, &SyncDetail::wait_on_record},
};

template <>
inline constexpr std::array fields_of<MemoryEvent> = {
    Field<MemoryEvent>{ArgKey::total_reserved, &MemoryEvent::reserved},
    Field<MemoryEvent>{ArgKey::total_allocated, &MemoryEvent::allocated},
    Field<MemoryEvent>{ArgKey::memory_bytes, &MemoryEvent::bytes},
    Field<MemoryEvent>{ArgKey::device_id, &MemoryEvent::device},
    Field<MemoryEvent>{ArgKey::device_type, &MemoryEvent::device_type},
    Field<MemoryEvent>{ArgKey::address, &MemoryEvent::address, Field<MemoryEvent>::Type::address},
    Field<MemoryEvent>{ArgKey::event_index, &MemoryEvent::event_index},
};

/// The same fields indexed by key, for the reader. Type::none if the row has no such field.
template <class Row>
inline constexpr auto field_by_key = [] {
  std::array<Field<Row>, arg_keys> table{};
  for (const Field<Row>& field : fields_of<Row>) table[static_cast<std::size_t>(field.key)] = field;
  return table;
}();

}  // namespace warpwalk::trace
