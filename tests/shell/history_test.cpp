// The followed kernel is simulated in the background; no frame waits for it.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/document/history_worker.h"
#include "core/records/hardware.h"
#include "core/story/scenes/map/picture.h"
#include "core/story/transcript.h"
#include "core/trace/read/read_trace.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using document::Document;
using document::HistoryWorker;

/// Two matrix products as PyTorch's profiler writes them, of sizes `size` and 32; then a log_softmax.
std::string walk_of(const std::string& name, int size) {
  const auto op = [](const char* name_of_op, int at, int n, int correlation) {
    return fmt::format(
        R"({{"ph": "X", "cat": "cpu_op", "name": "{}", "pid": 1, "tid": 1, "ts": {}, "dur": 50, "args": {{"Input Dims": [[{n}, {n}], [{n}, {n}]], "Input Strides": [[{n}, 1], [{n}, 1]], "Input type": ["float", "float"], "Concrete Inputs": ["", ""]}}}},
{{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": {}, "dur": 5, "args": {{"correlation": {}}}}},
{{"ph": "X", "cat": "kernel", "name": "theirs", "pid": 0, "tid": 7, "ts": {}, "dur": 20, "args": {{"correlation": {}, "device": 0, "stream": 7}}}})",
        name_of_op, at, at + 10, correlation, at + 20, correlation, fmt::arg("n", n));
  };
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / (name + ".json");
  std::ofstream(file) << fmt::format(R"({{"schemaVersion": 1, "traceEvents": [{},{},{}]}})",
                                     op("aten::mm", 100, size, 1), op("aten::mm", 200, 32, 2),
                                     op("aten::_log_softmax", 300, 32, 3));
  return file.string();
}

/// Goes to the beat of the map that is so many before its last one.
void look_at_map(Driver& driver, int before_last) {
  while (driver.shell.opened().stage->scene != "map") driver.press(draw::Key::down);
  const int beat = driver.shell.opened().stage->beats - before_last;
  while (driver.shell.opened().stage->beat < beat) driver.press(draw::Key::right);
}

// After the simulated counters come the GPU, the number if one is followed, and the end of the walk.
constexpr int counters = 2, counters_with_number = 3;

TEST(ShellHistory, StandsOnTheStageOnceItIsThere) {
  Driver driver(1600, 900, true);
  driver.open(walk_of("history", 32), "kernel:1");
  look_at_map(driver, counters_with_number);
  driver.wait();
  EXPECT_EQ(driver.shell.opened().stage->title, "A stand-in, to look inside");
  const auto& picture = *std::get<std::shared_ptr<const story::ReceiptPicture>>(driver.shell.opened().stage->picture);
  EXPECT_THAT(picture.banner, ::testing::HasSubstr("for aten::mm, 32x32 by 32x32"));
  EXPECT_FALSE(picture.counted.empty());
  // The same from the beginning: leaving and coming back changes nothing.
  const std::string before = story::everything_on(*driver.shell.opened().stage);
  driver.press(draw::Key::left);
  driver.press(draw::Key::right);
  driver.settle();
  EXPECT_EQ(story::everything_on(*driver.shell.opened().stage), before);
}

TEST(ShellHistory, AnotherKernelHasItsOwnOrAReason) {
  Driver driver(1600, 900, true);
  driver.open(walk_of("reason", 32), "kernel:2");
  look_at_map(driver, counters);
  driver.wait();
  EXPECT_EQ(driver.shell.opened().stage->title, "Nothing to simulate");
  EXPECT_THAT(driver.shell.opened().stage->missing.back(), ::testing::HasSubstr("aten::_log_softmax"));
}

TEST(ShellHistory, NoneIsBuiltWhereNobodyAskedForAny) {
  Driver driver;
  driver.open(walk_of("unasked", 32), "kernel:1");
  look_at_map(driver, counters_with_number);
  EXPECT_FALSE(driver.shell.busy());
  EXPECT_EQ(driver.shell.opened().stage->title, "Not simulated");
}

// In the beat about the sum, the keys that go through time go from product to product.
TEST(ShellHistory, KeysMoveTheSumFromProductToProduct) {
  Driver driver(1600, 900, true);
  driver.open(WARPWALK_SOURCE_DIR "/assets/walks/h200_relu_matmul_inside.json.gz");
  const auto product = [&] {
    for (const story::Control& control : driver.shell.opened().stage->controls)
      if (control.name == "product") return control.value;
    return -1.0;
  };
  while (driver.shell.opened().stage->scene != "lanes") driver.press(draw::Key::down);
  driver.wait();
  for (int i = 0; i < 8 && product() < 0; ++i) {
    driver.press(draw::Key::right);
    driver.wait();
    driver.settle();
  }
  EXPECT_EQ(product(), 31);
  const std::string last = driver.shell.opened().stage->title;
  driver.press(U',');
  EXPECT_EQ(product(), 30);
  driver.press(U'[');
  EXPECT_EQ(product(), 29);
  for (int i = 0; i < 4; ++i) driver.press(U'.');
  EXPECT_EQ(product(), 31);
  EXPECT_EQ(driver.shell.opened().stage->title, last);
}

std::shared_ptr<Document> document_of(const std::string& file) {
  auto document = std::make_shared<Document>();
  document->file = file;
  document->read = trace::read_trace(file);
  return document;
}

run::HistoryOptions options() {
  run::HistoryOptions options;
  options.device = *hardware().find("h200");
  options.ptx_folder = WARPWALK_SOURCE_DIR "/assets/ptx";
  options.source_folder = WARPWALK_SOURCE_DIR "/kernels";
  return options;
}

TEST(HistoryWorker, AskingForAnotherCancelsTheOneUnderWay) {
  using State = story::HistoryView::State;
  const auto document = document_of(walk_of("cancel", 1024));
  HistoryWorker worker;
  EXPECT_EQ(worker.view().state, State::none);
  const auto large = document->trace().kernel_order[0], small = document->trace().kernel_order[1];
  worker.want(document, large, options());
  EXPECT_EQ(worker.view().state, State::building);
  const auto begin = std::chrono::steady_clock::now();
  worker.want(document, small, options());
  worker.want(document, small, options());  // nothing happens
  const auto asked = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(asked, std::chrono::seconds(2));  // it does not wait for the large one
  while (worker.busy()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_EQ(worker.view().state, State::ready);
  EXPECT_EQ(worker.view().history->replaced.inputs.front(), (std::vector<std::int64_t>{32, 32}));
  worker.want_none();
  EXPECT_EQ(worker.view().state, State::none);
  worker.want(document, large, options());  // and going away cancels too
}

}  // namespace
}  // namespace warpwalk::shell
