#include <cstddef>
#include <string_view>
#include <unordered_map>

#include "core/trace/chrome/inside_json.h"
#include "core/trace/chrome/record_output.h"
#include "core/trace/chrome/records_json.h"
#include "core/trace/chrome/records_names.h"

namespace warpwalk::trace {
namespace {

void write(RecordOutput& out, const Source& source) {
  out.object([&] {
    out.text("what", source.what);
    out.text("by", source.by);
    out.text("origin", name_of(source.origin));
  });
}

/// `source_of`: the row of an earlier module with the same source, which is then not written again; else no_record.
void write(RecordOutput& out, const Module& module, std::size_t source_of) {
  out.object([&] {
    out.text("name", module.name);
    out.text("source_file", module.source_file);
    if (source_of == no_record) out.text("source", module.source);
    out.row("source_of", source_of);
    out.text("ptx", module.ptx);
    out.text("sass", module.sass);
    out.bytes("cubin", module.cubin);
    out.array("line_map", module.line_map, [&](const LineMapRow& row) {
      out.list(std::array{row.sass_offset, row.ptx_line, row.source_line}, [&](std::uint32_t n) { out.integer(n); });
    });
  });
}

void write(RecordOutput& out, const std::vector<Module>& modules) {
  std::unordered_map<std::string_view, std::size_t> rows;  // by source: the first module that has it
  std::size_t row = 0;
  out.array("modules", modules, [&](const Module& module) {
    std::size_t source_of = no_record;
    if (!module.source.empty())
      if (const auto [first, fresh] = rows.try_emplace(module.source, row); !fresh) source_of = first->second;
    write(out, module, source_of);
    ++row;
  });
}

void write(RecordOutput& out, const Allocation& allocation) {
  out.object([&] {
    out.text("name", allocation.name);
    out.integer("device", allocation.device, 0);
    out.unsigned_whole("address", allocation.address);
    out.unsigned_whole("bytes", allocation.bytes);
    out.unsigned_whole("rounded_bytes", allocation.rounded_bytes);
    out.unsigned_whole("segment", allocation.segment);
    out.unsigned_whole("segment_bytes", allocation.segment_bytes);
    out.integer("allocated_ns", allocation.allocated_ns, -1);
    out.integer("freed_ns", allocation.freed_ns, -1);
    out.text("variable", allocation.variable);
  });
}

void write(RecordOutput& out, const DispatchRecord& dispatch) {
  out.object([&] {
    out.text("op", dispatch.op);
    out.text("origin", name_of(dispatch.origin));
    out.array("steps", dispatch.steps, [&](const DispatchStep& step) {
      out.object([&] {
        out.text("key", step.key);
        out.text("function", step.function);
        out.text("effect", step.effect);
        out.array("key_set", step.key_set, [&](const std::string& key) { out.text(key); });
      });
    });
  });
}

void write_addresses(RecordOutput& out, const std::vector<AddressField>& addresses) {
  out.array("addresses", addresses, [&](const AddressField& field) {
    out.object([&] {
      out.unsigned_whole("at", field.at);
      out.row("allocation", field.allocation);
      out.text("variable", field.variable);
      out.text("function", field.function);
      out.unsigned_whole("offset", field.offset);
    });
  });
}

void write(RecordOutput& out, const KernelArgument& argument) {
  out.object([&] {
    out.text("kind", name_of(argument.kind));
    out.text("dtype", argument.dtype);
    out.bytes("bytes", argument.bytes);
    out.row("allocation", argument.allocation);
    out.unsigned_whole("offset", argument.offset);
    write_addresses(out, argument.addresses);
  });
}

void write(RecordOutput& out, const InitialBuffer& buffer) {
  out.object([&] {
    out.row("allocation", buffer.allocation);
    out.text("dtype", buffer.dtype);
    out.unsigned_whole("count", buffer.count);
    out.text("kind", name_of(buffer.kind));
    if (buffer.value != 0) out.real("value", buffer.value);
    out.unsigned_whole("seed", buffer.seed);
    out.bytes("bytes", buffer.bytes);
    out.text("sha256", buffer.sha256);
    out.array("written", buffer.written, [&](const std::array<std::uint64_t, 2>& range) {
      out.object([&] {
        out.unsigned_whole("first", range[0]);
        out.unsigned_whole("count", range[1]);
      });
    });
    write_addresses(out, buffer.addresses);
  });
}

void write(RecordOutput& out, const KernelRecord& kernel) {
  out.object([&] {
    out.row("module", kernel.module);
    out.text("entry", kernel.entry);
    out.triple("grid", kernel.grid);
    out.triple("block", kernel.block);
    out.unsigned_whole("dynamic_shared_bytes", kernel.dynamic_shared_bytes);
    out.unsigned_whole("registers", kernel.registers);
    out.text("registers_origin", kernel.registers_origin);
    out.text("code", kernel.code);
    out.array("arguments", kernel.arguments, [&](const KernelArgument& argument) { write(out, argument); });
    out.array("buffers", kernel.buffers, [&](const InitialBuffer& buffer) { write(out, buffer); });
    out.array("digests", kernel.digests, [&](const BufferDigest& digest) {
      out.object([&] {
        out.row("allocation", digest.allocation);
        out.text("sha256", digest.sha256);
      });
    });
    if (kernel.state) {
      out.key("inside");
      write_inside(out, *kernel.state);
    }
    out.array("placement", kernel.placement, [&](const BlockPlacement& block) {
      out.list(std::array<std::int64_t, 3>{block.sm, block.start, block.end}, [&](std::int64_t n) { out.integer(n); });
    });
    out.text("placement_origin", name_of(kernel.placement_origin));
    out.array("counters", kernel.counters, [&](const NamedCounter& counter) {
      out.object([&] {
        out.text("name", counter.name);
        out.real("value", counter.value);
        out.text("origin", name_of(counter.origin));
      });
    });
    out.integer("cycles", kernel.cycles, -1);
    out.text("cycles_origin", name_of(kernel.cycles_origin));
    if (kernel.caches_carried) out.text("caches", "carried");
    out.text("device_hash", kernel.device_hash);
    out.text("simulator_version", kernel.simulator_version);
    out.text("measured_by", kernel.measured_by);
  });
}

}  // namespace

std::string records_json(const Records& records) {
  rapidjson::StringBuffer buffer;
  RecordOutput out(buffer);
  out.object([&] {
    out.integer("format", records_format, 0);
    out.text("expression", records.expression);
    out.array("sources", records.sources, [&](const Source& row) { write(out, row); });
    write(out, records.modules);
    out.array("allocations", records.allocations, [&](const Allocation& row) { write(out, row); });
    out.array("dispatches", records.dispatches, [&](const DispatchRecord& row) { write(out, row); });
    out.array("kernels", records.kernels, [&](const KernelRecord& row) { write(out, row); });
  });
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace warpwalk::trace
