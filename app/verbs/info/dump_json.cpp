#include <algorithm>
#include <bit>
#include <functional>
#include <span>

#include "app/verbs/info/core_dump.h"
#include "app/verbs/info/json_writer.h"
#include "core/words/crash/armed_text.h"
#include "core/words/crash/crash_names.h"
#include "core/words/crash/crash_sentence.h"

namespace warpwalk::verbs {
namespace {

using crash::DumpBlock;
using crash::DumpDevice;
using crash::DumpFrame;
using crash::DumpGrid;
using crash::DumpLane;
using crash::DumpSm;
using crash::DumpWarp;
using words::crash_sentence;
using words::doubt_text;
using words::DumpReport;
using words::kernel_words;
using words::KernelWords;
using words::shown_position;
using words::wait_sentence;

constexpr std::size_t max_lanes_with_registers = 4096;  // a GPU full of threads has a hundred times as many

void write_extent(JsonWriter& json, const char* key, const crash::Extent3& extent) {
  json.integers(key, extent, [](std::uint32_t n) { return static_cast<std::int64_t>(n); });
}

void write_number_or_null(JsonWriter& json, const char* key, const std::optional<std::uint64_t>& value) {
  if (value)
    json.number(key, *value);
  else
    json.null(key);
}

void write_place(JsonWriter& json, const std::optional<crash::CodePlace>& place) {
  const sass::SourcePosition position = place ? shown_position(place->sources()) : sass::SourcePosition{};
  json.text_or_null("file", position.file);
  if (position.line != 0)
    json.number("line", position.line);
  else
    json.null("line");
  json.text_or_null("instruction", place ? place->text() : std::string());
  json.text_or_null("function", place ? place->function_name() : std::string_view{});
  if (place)
    json.number("offset", place->index * sass::instruction_bytes);
  else
    json.null("offset");
}

/// The line of Python that launched the kernel, or from which it was compiled, as one of Triton.
void write_python(JsonWriter& json, const DumpReport& report, const std::optional<crash::CodePlace>& place) {
  if (report.calls && report.launch.call != nullptr)
    if (const std::string python = words::call_place(*report.calls, *report.launch.call).python; !python.empty())
      return json.text("python", python);
  const sass::SourcePosition position = place ? shown_position(place->sources()) : sass::SourcePosition{};
  if (position.file.ends_with(".py"))
    json.text("python", std::string(position.file) + ":" + std::to_string(position.line));
  else
    json.null("python");
}

void write_near(JsonWriter& json, const std::optional<crash::Near>& near, const KernelWords& words,
                const DumpReport& report) {
  if (!near) return json.null("near");
  json.object("near", [&] {
    if (near->argument)
      json.text_or_null("name", words.argument_name(near->argument->ordinal));
    else
      json.text_or_null("name", near->variable);
    if (near->argument)
      json.number("argument", near->argument->ordinal);
    else
      json.null("argument");
    json.integer("offset", near->offset);
    write_number_or_null(json, "size", near->size);
    json.number("base", near->base_address);
    json.flag("is_null", near->base == crash::Near::Base::null);
    json.flag_or_null("mapped", near->mapped);
    json.flag_or_null("base_mapped", near->base_mapped);
    const words::AllocatorBlock* const block = words::block_at(report.memory, near->base_address);
    if (block == nullptr) return json.null("block");
    json.object("block", [&] {
      json.number("address", block->address);
      json.number("bytes", block->bytes);
      json.number("wanted", block->wanted);
      json.text("state", block->state);
    });
  });
}

void write_crash(JsonWriter& json, DumpReport& report) {
  if (!report.crash || report.crash->thread.grid == nullptr) return json.null("crash");
  const crash::Crash& crash = *report.crash;
  const KernelWords words = kernel_words(*crash.thread.grid, report.code_of(*crash.thread.device), report.sources);
  json.object("crash", [&] {
    json.text("kind", crash.is_trap           ? "trap"
                      : crash.overflows_stack ? crash::name_of(crash::ExceptionKind::stack_overflow)
                                              : crash::name_of(crash.exception.kind));
    json.number("exception", crash.exception.code);
    json.text_or_null("exception_name", crash.exception.name);
    json.text("text", crash_sentence(crash, words));
    json.text_or_null("doubt", doubt_text(crash));
    json.text("kernel", words.name);
    write_extent(json, "block", crash.thread.block->block);
    if (crash.lanes.size() == 1)
      write_extent(json, "thread", crash.lanes.front().lane->thread);
    else
      json.null("thread");
    json.array("threads", crash.lanes, [&](const crash::LaneAccess& access) {
      json.object([&] {
        write_extent(json, "thread", access.lane->thread);
        write_number_or_null(json, "address", access.address);
      });
    });
    json.number("sm", crash.sm);
    json.number("warp", crash.thread.warp->warp);
    json.number("pc", crash.pc);
    json.flag("pc_is_exact", crash.pc_is_exact);
    std::optional<std::uint64_t> address;
    for (const crash::LaneAccess& access : crash.lanes)
      if (!address) address = access.address;
    write_number_or_null(json, "address", address);
    if (crash.access) {
      constexpr std::string_view spaces[] = {"global", "shared", "local"};
      json.text("space", spaces[static_cast<std::size_t>(crash.access->space)]);
      json.number("bytes", crash.access->bytes);
    }
    write_near(json, crash.near, words, report);
    write_place(json, crash.place);
    write_python(json, report, crash.place);
    if (crash.assertion) {
      json.object("assert", [&] {
        json.text("text", crash.assertion->text);
        json.text("file", crash.assertion->file);
        json.number("line", crash.assertion->line);
        json.text("function", crash.assertion->function);
      });
    }
    json.number("failed_warps", crash.failed_warps);
  });
}

void write_waits(JsonWriter& json, DumpReport& report) {
  json.array("waits", report.waits, [&](const crash::Wait& wait) {
    const KernelWords words = kernel_words(*wait.thread.grid, report.code_of(*wait.thread.device), report.sources);
    json.object([&] {
      const auto number = [](std::uint32_t n) { return static_cast<std::int64_t>(n); };
      json.text("kind", crash::name_of(wait.kind));
      json.text("text", wait_sentence(wait, words));
      json.text("kernel", words.name);
      write_extent(json, "block", wait.thread.block->block);
      write_extent(json, "thread", wait.thread.lane->thread);
      json.number("blocks", wait.blocks);
      json.number("threads", wait.threads);
      json.integers("warps", wait.warps, number);
      json.integers("missing_warps", wait.missing_warps, number);
      json.number("lanes", wait.lanes);
      json.number("missing_lanes", wait.missing_lanes);
      write_number_or_null(json, "barrier", wait.barrier);
      write_number_or_null(json, "expected_threads", wait.expected_threads);
      write_number_or_null(json, "address", wait.address);
      write_number_or_null(json, "value", wait.value);
      if (wait.mbarrier)
        json.object("mbarrier", [&] {
          json.number("phase", wait.mbarrier->phase);
          json.number("expected", wait.mbarrier->expected);
          json.number("pending", wait.mbarrier->pending);
          json.integer("pending_bytes", wait.mbarrier->pending_bytes);
        });
      else
        json.null("mbarrier");
      write_near(json, wait.near, words, report);
      write_place(json, wait.place);
      write_python(json, report, wait.place);
    });
  });
}

/// A call of an armed program.
void write_call(JsonWriter& json, const crash::CallRing& calls, const crash::RingEntry& call) {
  const words::CallPlace place = words::call_place(calls, call);
  json.number("number", call.number);
  json.number("time_ns", call.time);
  json.number("thread", call.thread);
  json.text("name", calls.text(call.name));
  json.text_or_null("kernel", calls.text(call.kernel));
  const bool captured = call.kind == static_cast<std::uint32_t>(crash::RingCall::captured);
  if (captured || call.kind == static_cast<std::uint32_t>(crash::RingCall::launch)) {
    json.flag("captured", captured);
    write_extent(json, "grid", call.grid);
    write_extent(json, "block", call.block);
    json.number("shared_bytes", call.shared_bytes);
    json.number("ordinal", call.ordinal);
    json.text_or_null("op", calls.text(call.op));
  }
  json.number("stream", call.stream);
  json.number("address", call.address);
  json.number("bytes", call.bytes);
  if (call.result == crash::ring_unfinished)
    json.null("result");
  else
    json.integer("result", call.result);
  json.text_or_null("python", place.python);
  json.text_or_null("modules", place.modules);
  json.flag("other_thread", call.other_thread != 0);
}

/// The last calls of the program, the last one at the end.
void write_last_calls(JsonWriter& json, const crash::CallRing& calls) {
  constexpr std::size_t most = 1000;
  const std::size_t first = calls.calls().size() - std::min(calls.calls().size(), most);
  json.array("calls", std::span(calls.calls()).subspan(first),
             [&](const crash::RingEntry& call) { json.object([&] { write_call(json, calls, call); }); });
}

/// The launch of what failed, and the last calls of the program.
void write_calls(JsonWriter& json, DumpReport& report) {
  json.text_or_null("replay", report.replay);
  if (!report.calls) return json.null("launch");
  const crash::CallRing& calls = *report.calls;
  if (report.launch.call == nullptr)
    json.null("launch");
  else
    json.object("launch", [&] {
      write_call(json, calls, *report.launch.call);
      json.array("stack", words::call_place(calls, *report.launch.call).stack,
                 [&](std::string_view frame) { json.text(frame); });
      json.array("tensors", words::argument_tensors(report), [&](const words::ArgumentTensor& one) {
        json.object([&] {
          json.number("argument", one.argument.ordinal);
          json.number("offset", one.argument.offset);
          json.number("address", one.argument.address);
          json.text_or_null("name", one.tensor->name);
          json.text("dtype", one.tensor->dtype);
          json.integers("shape", one.tensor->shape, std::identity());
          json.integers("strides", one.tensor->strides, std::identity());
        });
      });
      json.number("alike", report.launch.alike);
      json.flag("of_graph", report.launch.of_graph);
      const crash::RingEntry* const noticed = words::noticed_at(calls, *report.launch.call);
      write_number_or_null(json, "noticed_at", noticed == nullptr ? std::nullopt : std::optional(noticed->number));
    });
  write_last_calls(json, calls);
}

void write_lane(JsonWriter& json, const DumpLane& lane, bool with_registers) {
  json.object([&] {
    json.number("lane", lane.lane);
    write_extent(json, "thread", lane.thread);
    json.number("pc", lane.pc);
    json.number("exception", lane.exception);
    json.array("call_stack", lane.frames,
               [&](const DumpFrame& frame) { json.object([&] { json.number("return", frame.return_address); }); });
    if (!with_registers) return;
    std::vector<std::uint32_t> registers, predicates;
    for (std::size_t i = 0; i < lane.registers.size(); ++i) registers.push_back(*lane.registers.at(i));
    for (std::size_t i = 0; i < lane.predicates.size(); ++i) predicates.push_back(*lane.predicates.at(i));
    const auto number = [](std::uint32_t n) { return static_cast<std::int64_t>(n); };
    json.integers("registers", registers, number);
    json.integers("predicates", predicates, number);
  });
}

void write_block(JsonWriter& json, const DumpReport& report, const DumpSm& sm, const DumpBlock& block,
                 bool with_registers) {
  json.object([&] {
    json.number("sm", sm.sm);
    json.number("grid", block.grid);
    write_extent(json, "block", block.block);
    json.number("shared_memory_bytes", block.shared_memory.size());
    json.array("warps", block.warps, [&](const DumpWarp& warp) {
      const bool failed = report.crash && report.crash->thread.warp == &warp;
      json.object([&] {
        json.number("warp", warp.warp);
        json.number("valid_lanes", warp.valid_lanes);
        json.number("active_lanes", warp.active_lanes);
        write_number_or_null(json, "error_pc", warp.error_pc);
        json.array("lanes", warp.lanes,
                   [&](const DumpLane& lane) { write_lane(json, lane, with_registers || failed); });
      });
    });
  });
}

void write_device(JsonWriter& json, DumpReport& report, const DumpDevice& device) {
  json.object([&] {
    json.number("id", device.id);
    json.text("name", device.name);
    json.text("sm", device.sm_type);
    json.number("sms", device.sm_count);
    json.array("grids", device.grids, [&](const DumpGrid& grid) {
      json.object([&] {
        json.number("id", grid.id);
        json.text("kernel", kernel_words(grid, report.code_of(device), report.sources).name);
        write_extent(json, "grid", grid.grid);
        write_extent(json, "block", grid.block);
        json.number("registers", grid.registers);
      });
    });
    std::size_t lanes = 0;
    struct Resident {
      const DumpSm* sm;
      const DumpBlock* block;
    };
    std::vector<Resident> blocks;
    for (const DumpSm& sm : device.sms)
      for (const DumpBlock& block : sm.blocks) {
        blocks.push_back({&sm, &block});
        for (const DumpWarp& warp : block.warps) lanes += warp.lanes.size();
      }
    const bool with_registers = lanes <= max_lanes_with_registers;
    json.array("blocks", blocks, [&](const Resident& resident) {
      write_block(json, report, *resident.sm, *resident.block, with_registers);
    });
  });
}

}  // namespace

std::string calls_json(const crash::CallRing& calls) {
  JsonWriter json;
  json.object([&] {
    json.text("format", "armed_calls");
    json.number("process", calls.header().process);
    json.number("began_ns", calls.header().began);
    json.number("made", calls.header().calls);
    json.number("lost", calls.header().lost);
    json.flag("python_stacks", calls.header().python != 0);
    write_last_calls(json, calls);
  });
  json.finish();
  return json.document();
}

std::string dump_json(words::DumpReport& report) {
  JsonWriter json;
  const crash::CoreDump& dump = report.dump;
  json.object([&] {
    json.text("format", "gpu_core_dump");
    json.text_or_null("time", words::dump_time_text(dump.time));
    json.text_or_null("driver", dump.driver_major == 0
                                    ? std::string()
                                    : std::to_string(dump.driver_major) + "." + std::to_string(dump.driver_minor));
    json.text_or_null("left_out", words::left_out_text(dump));
    write_crash(json, report);
    write_waits(json, report);
    write_calls(json, report);
    json.array("devices", dump.devices, [&](const DumpDevice& device) { write_device(json, report, device); });
    json.array("memory", dump.memory, [&](const crash::DumpMemory& memory) {
      json.object([&] {
        json.number("address", memory.address);
        json.number("bytes", memory.bytes.size());
        json.flag("managed", memory.managed);
      });
    });
  });
  json.finish();
  return json.document();
}

}  // namespace warpwalk::verbs
