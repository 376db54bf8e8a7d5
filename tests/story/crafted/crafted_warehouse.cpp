#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/story/crafted/crafted.h"
#include "tests/traces/warehouse_trace.h"

namespace warpwalk::story::testing {
namespace {

Crafted make(std::string name, const MemoryTrace& trace, Sections sections, std::string_view what = {}) {
  Crafted made{std::move(name), trace.read(), {}, {}};
  if (what.empty()) {
    made.walk = default_walk(made.trace);
  } else {
    auto walk = follow(made.trace, what);
    EXPECT_TRUE(walk) << walk.error();
    made.walk = *std::move(walk);
  }
  for (std::string& section : sections) made.sections.push_back("warehouse." + std::move(section));
  return made;
}

constexpr std::string_view large_square =
    R"("Input Dims": [[1024, 1024], [1024, 1024]], "Input type": ["float", "float"],
    "Input Strides": [[1024, 1], [1024, 1]])";

// aten::mm from 0 to 100 us, whose kernel runs from 20 to 120.
MemoryTrace matrix_product_trace(std::string_view args = large_square) {
  MemoryTrace made;
  made.small.op("aten::mm", 0, 100, args).call("cudaLaunchKernel", 40, 5, 1).kernel("gemm", 50, 70, 1);
  return made;
}

MemoryTrace one_op(std::string_view name, std::string_view args) {
  MemoryTrace made;
  made.small.op(name, 0, 100, args).call("cudaLaunchKernel", 40, 5, 1).kernel("k", 50, 70, 1);
  return made;
}

}  // namespace

std::vector<Crafted> crafted_warehouse() {
  std::vector<Crafted> all;
  all.push_back(make("memory: from the cache, and back to it",
                     matrix_product_trace()
                         .h200(80 * 1024 * mib)
                         .memory(-5, first_address + 16 * mib, 4 * mib, 24 * mib, 40 * mib)
                         .memory(10, first_address, 4 * mib, 28 * mib, 40 * mib)
                         .memory(150, first_address, -4 * mib, 24 * mib, 40 * mib),
                     {"order", "carve", "tensor", "capacity", "free"}));
  all.push_back(make("memory: freed before its kernel has finished",
                     matrix_product_trace()
                         .h200(80 * 1024 * mib)
                         .memory(10, first_address, 4 * mib, 28 * mib, 40 * mib)
                         .memory(110, first_address, -4 * mib, 24 * mib, 40 * mib),
                     {"order", "carve", "tensor", "capacity", "free"}));
  // Between the block's allocation and its free another op takes 8 MiB, or an older block of 4 MiB is freed.
  const auto between = [](double time, long address, long bytes, long allocated) {
    MemoryTrace made = matrix_product_trace();
    made.small.op("aten::relu", 125, 10);
    return made.h200(80 * 1024 * mib)
        .memory(-5, first_address + 16 * mib, 4 * mib, 24 * mib, 40 * mib)
        .memory(10, first_address, 4 * mib, 28 * mib, 40 * mib)
        .memory(time, address, bytes, allocated, 40 * mib)
        .memory(150, first_address, -4 * mib, allocated - 4 * mib, 40 * mib);
  };
  all.push_back(make("memory: another op takes a block before it is freed",
                     between(130, first_address + 24 * mib, 8 * mib, 36 * mib),
                     {"order", "carve", "tensor", "capacity", "free.taken"}, "kernel:0"));
  all.push_back(make("memory: another block is freed before it",
                     between(130, first_address + 16 * mib, -4 * mib, 24 * mib),
                     {"order", "carve", "tensor", "capacity", "free.others"}, "kernel:0"));
  all.push_back(make("memory: the driver is asked, and nothing is freed",
                     matrix_product_trace()
                         .h200(80 * 1024 * mib)
                         .memory(-5, first_address + 64 * mib, 2 * mib, 2 * mib, 20 * mib)
                         .memory(10, first_address, 4 * mib, 6 * mib, 40 * mib),
                     {"order", "carve.driver", "tensor", "capacity", "free.held"}));
  MemoryTrace called = matrix_product_trace().memory(30, first_address, 4 * mib, 4 * mib, 20 * mib);
  called.small.call("cudaMalloc", 5, 20, 9);
  all.push_back(make("memory: the first event, behind a cudaMalloc", called,
                     {"order", "carve.called", "tensor", "capacity.unbounded", "free.held"}));
  MemoryTrace quiet;
  quiet.small.op("aten::mm", 0, 100, large_square);
  quiet.memory(30, first_address, 4 * mib, 4 * mib, 20 * mib);
  all.push_back(make("memory: the first event, and no calls on record", quiet,
                     {"order", "carve.unknown", "tensor", "capacity.unbounded", "free.held"}));
  MemoryTrace host;
  host.small.op("aten::mm", 0, 100, large_square);
  all.push_back(
      make("memory: of the CPU",
           MemoryTrace(host).memory(30, 4096, 4 * mib, 4 * mib, 0, 10, 0).memory(120, 4096, -4 * mib, 0, 0, 10, 0),
           {"order.host", "carve.host", "tensor", "capacity.host", "free.host"}));
  all.push_back(make("memory: of the CPU, kept", host.memory(30, 4096, 4 * mib, 4 * mib, 0, 10, 0),
                     {"order.host", "carve.host", "tensor", "capacity.host", "free.host.held"}));
  all.push_back(
      make("memory: an op in place, of a transposed matrix",
           one_op("aten::add_", R"("Input Dims": [[8, 4]], "Input type": ["float"], "Input Strides": [[1, 8]])")
               .h200(80 * 1024 * mib)
               .memory(-5, first_address, 4 * mib, 24 * mib, 40 * mib),
           {"order.nothing", "tensor.permuted", "capacity"}));
  all.push_back(make("memory: an expanded tensor",
                     one_op("aten::sum", R"("Input Dims": [[8, 4]],
                       "Input type": ["float"], "Input Strides": [[0, 1]])")
                         .memory(-5, first_address, 512, 512, 2 * mib),
                     {"order.nothing", "tensor.repeated", "capacity.unbounded"}));
  all.push_back(make("memory: a slice",
                     one_op("aten::sum", R"("Input Dims": [[8, 4]], "Input type": ["float"],
                       "Input Strides": [[16, 2]])")
                         .memory(-5, first_address, 512, 512, 2 * mib),
                     {"order.nothing", "tensor.gaps", "capacity.unbounded"}));
  all.push_back(make("memory: a number",
                     one_op("aten::neg", R"("Input Dims": [[]], "Input type": ["float"],
                       "Input Strides": [[]])")
                         .memory(-5, first_address, 512, 512, 2 * mib),
                     {"order.nothing", "tensor.scalar", "capacity.unbounded"}));
  all.push_back(make("memory: shapes without strides",
                     matrix_product_trace(R"("Input Dims": [[4, 4], [4, 4]],
                       "Input type": ["float", "float"])")
                         .memory(-5, first_address, 512, 512, 2 * mib),
                     {"order.nothing", "tensor.unstrided", "capacity.unbounded"}));
  all.push_back(make("memory: no tensor among the arguments",
                     one_op("aten::empty", R"("Input Dims": [[], []],
                       "Input type": ["ScalarList", "Scalar"])")
                         .memory(-5, first_address, 512, 512, 2 * mib),
                     {"order.nothing", "tensor.none", "capacity.unbounded"}));
  all.push_back(make("memory: nothing recorded of the op either", one_op("aten::mm", ""),
                     {"order.blind", "tensor.unknown", "capacity.unknown"}));
  all.push_back(make("memory: not recorded, the device is", matrix_product_trace().h200(80 * 1024 * mib),
                     {"order.blind", "tensor", "capacity.blind"}));
  all.push_back(make("memory: of another GPU only",
                     matrix_product_trace().memory(-5, first_address, 512, 512, 2 * mib, 10, 1, 3),
                     {"order.blind", "tensor", "capacity.unknown"}));
  all.push_back(make("memory: refused",
                     matrix_product_trace()
                         .h200(80 * 1024 * mib)
                         .memory(-5, first_address, 4 * mib, 4 * mib, 20 * mib)
                         .refused(20, 90000 * mib),
                     {"order.refused", "tensor", "capacity.refused"}));
  all.push_back(make("memory: refused, and nothing else", matrix_product_trace().refused(20, 90000 * mib),
                     {"order.refused", "tensor", "capacity.refused"}));
  MemoryTrace orphan;
  orphan.small.bare_kernel("k", 20, 100);
  all.push_back(make("memory: of work whose op is not on record",
                     orphan.h200(80 * 1024 * mib).memory(30, first_address, 4 * mib, 24 * mib, 40 * mib),
                     {"order.orphan", "capacity"}));
  MemoryTrace program;
  program.small.call("cudaLaunchKernel", 10, 5, 1).kernel("k", 50, 70, 1);
  program.driver(-30, first_address, 4 * mib).driver(-20, first_address + 8 * mib, 2 * mib);
  all.push_back(make("memory: taken from the driver, by a program of its own",
                     MemoryTrace(program).h200(80 * 1024 * mib).driver(150, first_address, -4 * mib),
                     {"taken", "capacity.driver"}));
  all.push_back(make("memory: taken from the driver, and the device is not described", program,
                     {"taken", "capacity.driver.unbounded"}));
  Crafted pointed =
      make("memory: a piece of the driver's is pointed at", program, {"taken", "capacity.driver.unbounded"});
  pointed.controls.set("warehouse.block", static_cast<double>(first_address));
  all.push_back(std::move(pointed));
  all.push_back(make("memory: taken from the driver as segments",
                     matrix_product_trace().h200(80 * 1024 * mib).driver(-5, first_address, 20 * mib),
                     {"taken", "tensor", "capacity.driver"}));
  all.push_back(make("memory: taken from the driver only later",
                     matrix_product_trace().h200(80 * 1024 * mib).driver(130, first_address, 20 * mib),
                     {"taken.nothing", "tensor", "capacity.driver"}));
  // Pieces of live blocks and of freed memory that are too small to be drawn separately.
  MemoryTrace crumbs = matrix_product_trace().h200(80 * 1024 * mib);
  for (int i = 0; i < 12; ++i) crumbs.memory(-20 + i, first_address + 1024 * i, 512, 512 * (i + 1), 2 * mib);
  for (int i = 0; i < 3; ++i) crumbs.memory(-6 + i, first_address + 1024 * i, -512, 512 * (11 - i), 2 * mib);
  for (int i = 0; i < 3; ++i)
    crumbs.memory(-4 + 0.1 * i, first_address + (i + 1) * 64 * mib, 2 * mib, 512 * 9 + (i + 1) * 2 * mib,
                  2 * mib + (i + 1) * 20 * mib);
  all.push_back(make("memory: crumbs, and more strips than are drawn",
                     crumbs.memory(10, first_address + 640 * mib, 4 * mib, 30 * mib, 300 * mib),
                     {"order", "carve.driver", "tensor", "capacity", "free.held"}));
  all.push_back(make("memory: warpwalk's own records", recorded_walk(),
                     {"order", "carve", "tensor", "capacity.unbounded", "free.unreserved"}));
  all.push_back(make("memory: warpwalk's own records, without segments", recorded_walk(false),
                     {"order", "carve.unknown", "tensor", "capacity.unreserved", "free.unreserved"}));
  // Another allocation while the op runs and is held; then one that was there before and is freed.
  all.push_back(make("memory: warpwalk's own records, of another block too",
                     recorded_walk(true, R"(, {"name": "d", "device": 0, "address": 268468224, "bytes": 4096,
                         "rounded_bytes": 4096, "segment": 268435456, "segment_bytes": 2097152,
                         "allocated_ns": 1050000, "freed_ns": -1})"),
                     {"order", "carve", "tensor", "capacity.unbounded", "free.unreserved.taken"}));
  all.push_back(make("memory: warpwalk's own records, of another block's free",
                     recorded_walk(true, R"(, {"name": "d", "device": 0, "address": 268468224, "bytes": 4096,
                         "rounded_bytes": 4096, "segment": 268435456, "segment_bytes": 2097152,
                         "allocated_ns": -1, "freed_ns": 1100000})"),
                     {"order", "carve", "tensor", "capacity.unbounded", "free.unreserved.others"}));
  MemoryTrace nothing;
  nothing.small.frame("a.py(1): f", 0, 10);
  all.push_back(make("memory: Python frames only", nothing, {"empty"}));
  return all;
}

}  // namespace warpwalk::story::testing
