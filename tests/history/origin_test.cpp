// Tests the origin of a number with kernels whose indices are known, from PTX and as machine code.
#include "core/gpu/history/origin/origin.h"

#include <bit>
#include <cstring>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/gpu/history/origin/operation_flow.h"
#include "core/platform/read_file.h"
#include "core/ptx/parse/parser.h"
#include "tests/run/recorded_cubin.h"
#include "tests/timing/timed.h"

namespace warpwalk::gpu {
namespace {

const std::filesystem::path source = WARPWALK_SOURCE_DIR;
/// Addresses of the buffers.
constexpr std::uint64_t first_buffer = 0x7f2000000000, buffer_stride = 1 << 24;

std::shared_ptr<const Program> from_ptx(const std::filesystem::path& file, const std::string& entry) {
  auto parsed = ptx::parse(platform::read_compressed_file(file)->text);
  return *prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), entry);
}

/// A kernel that warpwalk ships, from PTX or as machine code.
std::shared_ptr<const Program> shipped(const std::string& name, const std::string& entry, bool machine_code) {
  const std::filesystem::path file = source / "assets/ptx" / (name + ".ptx");
  return machine_code ? *prepare_machine_code(testing::recorded_cubin(file), entry) : from_ptx(file, entry);
}

template <class T>
void add_buffer(Launch& launch, const char* name, const std::vector<T>& values) {
  Buffer& buffer = launch.buffers.emplace_back();
  buffer.name = name;
  buffer.address = first_buffer + (launch.buffers.size() - 1) * buffer_stride;
  buffer.bytes.resize(values.size() * sizeof(T));
  std::memcpy(buffer.bytes.data(), values.data(), buffer.bytes.size());
  launch.arguments.emplace_back();
  launch.arguments.back().buffer = static_cast<std::int32_t>(launch.buffers.size() - 1);
}

template <class T>
void add_scalar(Launch& launch, T value) {
  Argument& argument = launch.arguments.emplace_back();
  argument.bytes.resize(sizeof value);
  std::memcpy(argument.bytes.data(), &value, sizeof value);
}

std::vector<float> numbers(std::size_t count, int seed) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>((i * 7 + static_cast<std::size_t>(seed) * 5) % 9) - 4;
  return values;
}

float float_of(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

template <class T>
T at(const Launch& launch, std::size_t buffer, std::size_t index) {
  T value;
  std::memcpy(&value, launch.buffers[buffer].bytes.data() + index * sizeof value, sizeof value);
  return value;
}

/// The elements of `size` bytes that the origin reads, as (buffer, index).
using Elements = std::set<std::pair<std::size_t, std::size_t>>;
Elements inputs_of(const Origin& origin, std::size_t size) {
  Elements elements;
  for (const OriginInput& input : origin.inputs)
    for (std::uint32_t i = 0; i < input.bytes; ++i) {
      const std::uint64_t address = input.address + i;
      if (address >= first_buffer)
        elements.emplace((address - first_buffer) / buffer_stride, (address - first_buffer) % buffer_stride / size);
    }
  return elements;
}

/// Finds the origin of an element of a buffer after the launch.
Origin origin_of(const Program& program, const Launch& before, std::size_t buffer, std::size_t index,
                 std::uint32_t size) {
  auto found = find_origin(timed::h200(), program, before, first_buffer + buffer * buffer_stride + index * size, size);
  EXPECT_TRUE(found) << found.error();
  return found ? std::move(*found) : Origin{};
}

/// Every step is reached from the last one, and uses only earlier ones.
void expect_connected(const Origin& origin) {
  std::vector<bool> used(origin.steps.size());
  if (!used.empty()) used.back() = true;
  for (std::size_t i = origin.steps.size(); i-- > 0;) {
    EXPECT_TRUE(used[i]) << i;
    for (const std::uint32_t from : origin.steps[i].from) {
      EXPECT_LT(from, i);
      used[from] = true;
    }
  }
}

struct MatmulCase {
  const char *name, *entry;
  std::array<std::uint32_t, 3> block;
  std::uint32_t tile;
};

TEST(Origin, OfAMatrixProductIsARowAndAColumn) {
  constexpr int m = 37, n = 45, k = 23;
  for (const MatmulCase& kernel : {MatmulCase{"matmul_naive", "matmul_naive", {16, 16, 1}, 16},
                                   {"matmul_tiled", "matmul_tiled", {16, 16, 1}, 16},
                                   {"matmul_registers", "matmul_registers", {16, 16, 1}, 64},
                                   {"mm", "mm_f32", {16, 16, 1}, 16}})
    for (const bool machine_code : {false, true}) {
      SCOPED_TRACE(std::string(kernel.entry) + (machine_code ? ", machine code" : ", PTX"));
      const auto program = shipped(kernel.name, kernel.entry, machine_code);
      Launch before;
      before.block = kernel.block;
      const auto tiles = [&](int size) { return (static_cast<std::uint32_t>(size) + kernel.tile - 1) / kernel.tile; };
      const bool flat = std::string_view(kernel.name) == "mm";
      before.grid = flat ? std::array{tiles(n) * tiles(m), 1U, 1U} : std::array{tiles(n), tiles(m), 1U};
      const std::vector<float> a = numbers(m * k, 1), b = numbers(k * n, 2);
      add_buffer(before, "a", a);
      add_buffer(before, "b", b);
      add_buffer(before, "c", std::vector<float>(m * n));
      if (flat) add_scalar(before, 1);
      for (const int size : {m, n, k}) add_scalar(before, size);
      if (flat) {
        add_scalar(before, std::array<long long, 3>{m * k, k, 1});
        add_scalar(before, std::array<long long, 3>{k * n, n, 1});
      }
      for (const auto& [row, column] : {std::pair{0, 0}, {17, 31}, {36, 44}, {5, 40}}) {
        const auto index = static_cast<std::size_t>(row * n + column);
        const Origin origin = origin_of(*program, before, 2, index, 4);
        EXPECT_EQ(origin.incomplete, "");
        ASSERT_TRUE(origin.written());
        expect_connected(origin);
        Elements expected;
        std::vector<float> partial{0};
        for (int i = 0; i < k; ++i) {
          expected.emplace(0, static_cast<std::size_t>(row * k + i));
          expected.emplace(1, static_cast<std::size_t>(i * n + column));
          partial.push_back(partial.back() +
                            a[static_cast<std::size_t>(row * k + i)] * b[static_cast<std::size_t>(i * n + column)]);
        }
        EXPECT_EQ(inputs_of(origin, 4), expected);
        const OriginStep& store = origin.steps.back();
        EXPECT_EQ(store.kind, OriginStep::Kind::store);
        EXPECT_EQ(store.space, OriginStep::Space::global);
        ASSERT_EQ(store.accesses.size(), 1U);
        EXPECT_EQ(store.accesses[0].address, first_buffer + 2 * buffer_stride + index * 4);
        EXPECT_EQ(store.accesses[0].bytes, 4U);
        EXPECT_EQ(store.value_bytes, 4U);
        EXPECT_EQ(float_of(store.value), partial.back());
        EXPECT_EQ(std::popcount(store.lanes), 1);
        const std::uint64_t block =
            flat ? static_cast<std::uint64_t>(row / 16) * tiles(n) + static_cast<std::uint64_t>(column / 16)
                 : row / kernel.tile * tiles(n) + column / kernel.tile;
        EXPECT_EQ(store.warp.block, block);
        // The sum after each product, in the register that is stored at the end.
        std::uint32_t step = store.from.empty() ? 0 : store.from.back();
        std::vector<float> chain;
        for (std::size_t guard = 0; guard < origin.steps.size(); ++guard) {
          const OriginStep& sum = origin.steps[step];
          if (sum.kind != OriginStep::Kind::compute) break;
          chain.push_back(float_of(sum.value));
          // Find the previous sum among the steps that this one uses.
          const auto before_it = std::ranges::find_if(sum.from, [&](std::uint32_t s) {
            return origin.steps[s].kind == OriginStep::Kind::compute && origin.steps[s].value_bytes == 4 &&
                   !origin.steps[s].from.empty();
          });
          if (before_it == sum.from.end()) break;
          step = *before_it;
        }
        std::ranges::reverse(chain);
        ASSERT_GE(chain.size(), static_cast<std::size_t>(k));
        const std::vector<float> last(chain.end() - k, chain.end());
        // Tiles are padded with zeros, which do not change the sum.
        EXPECT_EQ(chain.back(), partial.back());
        if (std::string_view(kernel.name) == "matmul_naive") {
          const std::vector<float> products(partial.begin() + 1, partial.end());
          EXPECT_EQ(last, products);
        }
      }
    }
}

TEST(Origin, OfATransposedElementIsOneElement) {
  constexpr int rows = 50, columns = 70;
  for (const char* const name : {"transpose_naive", "transpose_shared", "transpose_padded"})
    for (const bool machine_code : {false, true}) {
      SCOPED_TRACE(std::string(name) + (machine_code ? ", machine code" : ", PTX"));
      const auto program = shipped(name, name, machine_code);
      Launch before;
      before.block = {32, 8, 1};
      before.grid = {3, 2, 1};
      add_buffer(before, "x", numbers(rows * columns, 1));
      add_buffer(before, "y", std::vector<float>(rows * columns));
      add_scalar(before, rows);
      add_scalar(before, columns);
      for (const auto& [row, column] : {std::pair{0, 0}, {69, 49}, {33, 7}}) {
        const Origin origin = origin_of(*program, before, 1, static_cast<std::size_t>(row * rows + column), 4);
        EXPECT_EQ(origin.incomplete, "");
        EXPECT_EQ(inputs_of(origin, 4), (Elements{{0, static_cast<std::size_t>(column * columns + row)}}));
        expect_connected(origin);
        const bool shared = std::ranges::any_of(
            origin.steps, [](const OriginStep& step) { return step.space == OriginStep::Space::shared; });
        EXPECT_EQ(shared, std::string_view(name) != "transpose_naive");
      }
    }
}

TEST(Origin, OfASumIsAllThatWasAdded) {
  constexpr std::size_t count = 1000;
  for (const bool machine_code : {false, true}) {
    const auto program = shipped("reduce_shuffle", "reduce_shuffle", machine_code);
    Launch before;
    before.block = {128, 1, 1};
    before.grid = {3, 1, 1};
    add_buffer(before, "x", numbers(count, 1));
    add_buffer(before, "sums", std::vector<float>(3));
    add_scalar(before, static_cast<int>(count));
    for (std::size_t block = 0; block < 3; ++block) {
      const Origin origin = origin_of(*program, before, 1, block, 4);
      EXPECT_EQ(origin.incomplete, "");
      Elements expected;
      for (std::size_t i = 0; i < count; ++i)
        if (i / 128 % 3 == block) expected.emplace(0, i);
      EXPECT_EQ(inputs_of(origin, 4), expected);
      expect_connected(origin);
      EXPECT_TRUE(std::ranges::any_of(origin.steps,
                                      [](const OriginStep& step) { return step.kind == OriginStep::Kind::exchange; }));
    }
  }
}

TEST(Origin, OfASoftmaxIsTheWholeRow) {
  constexpr std::size_t columns = 100;
  const auto program = shipped("softmax", "softmax", true);
  Launch before;
  before.block = {64, 1, 1};
  before.grid = {4, 1, 1};
  add_buffer(before, "x", numbers(4 * columns, 1));
  add_buffer(before, "y", std::vector<float>(4 * columns));
  add_scalar(before, 4);
  add_scalar(before, static_cast<int>(columns));
  const Origin origin = origin_of(*program, before, 1, 2 * columns + 5, 4);
  EXPECT_EQ(origin.incomplete, "");
  Elements expected;
  for (std::size_t i = 0; i < columns; ++i) expected.emplace(0, 2 * columns + i);
  EXPECT_EQ(inputs_of(origin, 4), expected);
  expect_connected(origin);
}

TEST(Origin, OfAPrefixSumIsAllBefore) {
  for (const bool machine_code : {false, true}) {
    auto loaded = machine_code ? timed::load("cases/scan_block/launch.json")
                               : std::move(*run::load_launch(timed::tests() / "cases/scan_block/launch.json",
                                                             timed::h200(), {.code = run::CodeChoice::ptx}));
    for (std::size_t b = 0; b < loaded.launch.buffers.size(); ++b)
      loaded.launch.buffers[b].address = first_buffer + b * buffer_stride;
    for (const std::size_t index : {std::size_t{0}, std::size_t{100}, std::size_t{256}, std::size_t{699}}) {
      const Origin origin = origin_of(*loaded.program, loaded.launch, 1, index, 4);
      EXPECT_EQ(origin.incomplete, "");
      // Sums are over blocks of 256. A value that a lane receives but does not add does not count.
      Elements expected;
      for (std::size_t i = index / 256 * 256; i <= index; ++i) expected.emplace(0, i);
      EXPECT_EQ(inputs_of(origin, 4), expected);
    }
  }
}

TEST(Origin, PassesFromBlockToBlock) {
  auto loaded = timed::load("cases/scan_lookback/launch.json");
  for (std::size_t b = 0; b < loaded.launch.buffers.size(); ++b)
    loaded.launch.buffers[b].address = first_buffer + b * buffer_stride;
  const std::size_t index = 999;
  const Origin origin = origin_of(*loaded.program, loaded.launch, 1, index, 4);
  EXPECT_EQ(origin.incomplete, "");
  Elements expected;
  for (std::size_t i = 0; i <= index; ++i) expected.emplace(0, i);
  EXPECT_EQ(inputs_of(origin, 4), expected);
  expect_connected(origin);
}

TEST(Origin, OfACounterIsEveryAtomic) {
  for (const bool machine_code : {false, true}) {
    auto loaded = machine_code ? timed::load("cases/shipped_histogram/launch.json")
                               : std::move(*run::load_launch(timed::tests() / "cases/shipped_histogram/launch.json",
                                                             timed::h200(), {.code = run::CodeChoice::ptx}));
    for (std::size_t b = 0; b < loaded.launch.buffers.size(); ++b)
      loaded.launch.buffers[b].address = first_buffer + b * buffer_stride;
    Launch after = loaded.launch;
    ASSERT_TRUE(simulate(timed::h200(), *loaded.program, after));
    const auto total = at<std::uint32_t>(after, 1, 3);
    const Origin origin = origin_of(*loaded.program, loaded.launch, 1, 3, 4);
    EXPECT_EQ(origin.incomplete, "");
    // Each block sets its own counter to 0, adds 1 for each byte, and adds the sum to the counter of all blocks.
    std::uint32_t in_shared = 0, blocks = 0;
    for (const OriginStep& step : origin.steps) {
      if (step.kind != OriginStep::Kind::store) continue;
      if (step.space == OriginStep::Space::shared)
        in_shared += static_cast<std::uint32_t>(std::popcount(step.lanes));
      else
        ++blocks;
    }
    EXPECT_GT(total, 50U);
    EXPECT_GT(blocks, 1U);
    EXPECT_EQ(in_shared, total + blocks);
  }
}

struct Perturbed {
  const char* name;
  std::size_t buffer;    ///< the result
  std::uint32_t bytes;   ///< of an element
  std::size_t elements;  ///< number of elements to test
  double least;          ///< share of the changed inputs that must change the result, at least
};

/// Changes an element: a floating-point number keeps its order of magnitude, a 32-bit integer changes by 2^24.
void perturb(std::uint8_t* element, std::size_t bytes) { element[bytes == 8 ? 6 : bytes - 1] ^= bytes == 8 ? 5 : 1; }

// Changing all elements outside of the origin keeps the result; changing one element of the origin usually does not.
TEST(Origin, HasWhatMattersAndNothingElse) {
  // 16-bit results that share a register are followed together, so half of their inputs belong to the neighbour.
  for (const Perturbed& kernel : {Perturbed{"mma_f16", 3, 4, 12, 1},
                                  {"mma_f16", 4, 4, 12, 1},
                                  {"mma_f16", 5, 2, 6, 0.4},
                                  {"wmma", 3, 4, 12, 0.9},
                                  {"mma_bf16_ldmatrix", 2, 4, 12, 0.9},
                                  {"matrix_transport", 1, 4, 20, 0.3},
                                  {"async_pipeline", 1, 4, 8, 1},
                                  {"tensor_pipeline", 2, 4, 6, 0.8},
                                  {"cluster_tiles", 1, 4, 8, 1},
                                  {"convolution", 1, 4, 12, 1},
                                  {"attention", 3, 4, 4, 0.6},
                                  {"fourier", 1, 4, 4, 0.9},
                                  {"matrix_double", 2, 8, 6, 0.9},
                                  {"wide_tiles", 1, 4, 6, 1}}) {
    SCOPED_TRACE(kernel.name);
    auto loaded = timed::load("cases/" + std::string(kernel.name) + "/launch.json");
    Launch& before = loaded.launch;
    for (std::size_t b = 0; b < before.buffers.size(); ++b)
      before.buffers[b].address = first_buffer + b * buffer_stride;
    const auto result = [&](const Launch& changed, std::size_t index) {
      Launch launch = changed;
      EXPECT_TRUE(simulate(timed::h200(), *loaded.program, launch));
      const auto* const bytes = launch.buffers[kernel.buffer].bytes.data() + index * kernel.bytes;
      return std::vector<std::uint8_t>(bytes, bytes + kernel.bytes);
    };
    const std::size_t count = before.buffers[kernel.buffer].bytes.size() / kernel.bytes;
    std::size_t tried = 0, changed = 0;
    for (std::size_t n = 0; n < kernel.elements; ++n) {
      const std::size_t index = (n * 7919 + 3) % count;
      const Origin origin = origin_of(*loaded.program, before, kernel.buffer, index, kernel.bytes);
      EXPECT_EQ(origin.incomplete, "");
      ASSERT_TRUE(origin.written()) << index;
      expect_connected(origin);
      std::vector<std::pair<std::size_t, std::size_t>> own;
      Launch others = before;
      for (std::size_t b = 0; b < kernel.buffer; ++b) {
        const std::size_t size = ops::bytes_of(loaded.file.buffers[b].dtype);
        const Elements inputs = inputs_of(origin, size);
        for (std::size_t i = 0; i < before.buffers[b].bytes.size() / size; ++i) {
          if (inputs.contains({b, i}))
            own.emplace_back(b, i);
          else
            perturb(others.buffers[b].bytes.data() + i * size, size);
        }
      }
      const auto unchanged = result(before, index);
      EXPECT_EQ(result(others, index), unchanged) << index;
      for (std::size_t k = 0; k < std::min<std::size_t>(own.size(), 6); ++k) {
        const auto [b, i] = own[(k * 101 + n) % own.size()];
        Launch one = before;
        const std::size_t size = ops::bytes_of(loaded.file.buffers[b].dtype);
        perturb(one.buffers[b].bytes.data() + i * size, size);
        ++tried;
        if (result(one, index) != unchanged) ++changed;
      }
    }
    EXPECT_GE(tried, kernel.elements);
    EXPECT_GE(static_cast<double>(changed), kernel.least * static_cast<double>(tried)) << changed << " of " << tried;
  }
}

TEST(Origin, OfAnElementThatNobodyWrites) {
  const auto program = shipped("relu", "relu", true);
  Launch before;
  before.block = {32, 1, 1};
  add_buffer(before, "x", numbers(64, 1));
  add_buffer(before, "y", std::vector<float>(64));
  add_scalar(before, 32);
  EXPECT_TRUE(origin_of(*program, before, 1, 31, 4).written());
  const Origin none = origin_of(*program, before, 1, 32, 4);
  EXPECT_FALSE(none.written());
  EXPECT_EQ(none.incomplete, "");
}

/// One thread that runs this PTX. %y is the address of its result of four bytes, and %t a surface of the same bytes.
struct OneElement {
  std::shared_ptr<const Program> program;
  Launch before;

  explicit OneElement(const std::string& body) {
    auto parsed = ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 t, .param .u64 y)\n{\n"
        ".reg .b64 %t, %y;\n.reg .b32 %r<4>;\n.reg .b16 %h<4>;\nld.param.u64 %t, [t];\nld.param.u64 %y, [y];\n" +
        body + "ret;\n}\n");
    program = *prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), "k");
    add_buffer(before, "y", std::vector<std::uint32_t>(1));
    before.textures.push_back({"t", {}, 0, true});
    Argument surface;
    surface.texture = 0;
    before.arguments.insert(before.arguments.begin(), surface);
  }
  Origin origin(const OriginOptions& options = {}) const {
    auto found = find_origin(timed::h200(), *program, before, first_buffer, 4, options);
    EXPECT_TRUE(found) << found.error();
    return found ? std::move(*found) : Origin{};
  }
};

TEST(Origin, SaysIfOnlyAPartIsWritten) {
  const Origin origin = OneElement("mov.u16 %h0, 7;\nst.global.u16 [%y + 2], %h0;\n").origin();
  EXPECT_EQ(origin.incomplete, "The launch writes only 2 of the 4 bytes.");
  ASSERT_TRUE(origin.written());
  EXPECT_EQ(origin.steps.back().value, 7u);
  expect_connected(origin);
}

constexpr const char* not_followed =
    "Some bytes were written by an instruction that is not followed, such as a store to a surface.";

TEST(Origin, SaysIfAWriterIsNotFollowed) {
  const Origin origin =
      OneElement("mov.u32 %r0, 0;\nmov.u32 %r1, 7;\nsust.b.1d.b32.trap [%t, {%r0}], {%r1};\n").origin();
  EXPECT_EQ(origin.incomplete, not_followed);
  EXPECT_FALSE(origin.written());
}

// The lower half is a part of the result, and the upper half is computed from it.
TEST(Origin, SaysIfOneOfTwoWritersIsNotFollowed) {
  const Origin origin = OneElement(
                            "mov.u32 %r0, 0;\nmov.u16 %h1, 7;\nsust.b.1d.b16.trap [%t, {%r0}], {%h1};\n"
                            "ld.global.u16 %h2, [%y];\nst.global.u16 [%y + 2], %h2;\n")
                            .origin();
  EXPECT_EQ(origin.incomplete, not_followed);
  ASSERT_TRUE(origin.written());
  EXPECT_EQ(origin.steps.back().kind, OriginStep::Kind::store);
  EXPECT_EQ(origin.steps.back().value, 7u);
  EXPECT_EQ(inputs_of(origin, 4), Elements{});
  expect_connected(origin);
}

// Wherever the log ends, the first store is not taken for the last one.
TEST(Origin, SaysIfTheLogEndsBeforeTheStore) {
  const OneElement twice("mov.u32 %r0, 1;\nst.global.u32 [%y], %r0;\nmov.u32 %r1, 2;\nst.global.u32 [%y], %r1;\n");
  std::size_t found = 0, cut = 0;
  for (std::size_t bytes = 0; bytes < 2000; bytes += 50) {
    const Origin origin = twice.origin({.log_bytes = bytes});
    if (origin.written()) {
      ++found;
      EXPECT_EQ(origin.steps.back().value, 2u) << bytes;
    } else {
      ++cut;
      EXPECT_EQ(origin.incomplete, "A block did more than the log of its operations holds.") << bytes;
    }
  }
  EXPECT_GT(found, 0u);
  EXPECT_GT(cut, 0u);
}

TEST(Origin, SaysIfABoundIsReached) {
  auto loaded = timed::load("cases/scan_lookback/launch.json");
  for (std::size_t b = 0; b < loaded.launch.buffers.size(); ++b)
    loaded.launch.buffers[b].address = first_buffer + b * buffer_stride;
  const auto reason = [&](const OriginOptions& options) {
    const auto origin = find_origin(timed::h200(), *loaded.program, loaded.launch,
                                    first_buffer + buffer_stride + 999 * sizeof(float), 4, options);
    EXPECT_TRUE(origin && origin->written());
    return origin ? origin->incomplete : origin.error();
  };
  EXPECT_EQ(reason({.max_steps = 5}), "More operations count than are followed.");
  EXPECT_EQ(reason({.max_groups = 1}), "It also depends on one more block or cluster, which was not looked at.");
}

TEST(Origin, KnowsTheFlowOfEveryHandler) {
  std::size_t looked_at[2] = {};  // from PTX, and as machine code
  for (const std::string& name : timed::case_names()) {
    SCOPED_TRACE(name);
    for (const bool machine_code : {false, true}) {
      std::shared_ptr<const Program> program;
      try {
        if (machine_code) {
          program = timed::load("cases/" + name + "/launch.json").program;
        } else if (auto loaded = run::load_launch(timed::tests() / "cases" / name / "launch.json", timed::h200(),
                                                  {.code = run::CodeChoice::ptx})) {
          program = loaded->program;
        }
      } catch (const std::exception&) {
        continue;  // without recorded machine code
      }
      if (program == nullptr) continue;
      ++looked_at[machine_code ? 1 : 0];
      for (const Op& op : program->ops) EXPECT_TRUE(is_flow_known(op)) << op.instruction;
    }
  }
  // Some cases have no PTX, and some no recorded machine code.
  EXPECT_GT(looked_at[0], timed::case_names().size() / 2);
  EXPECT_GT(looked_at[1], timed::case_names().size() / 2);
}

}  // namespace
}  // namespace warpwalk::gpu
