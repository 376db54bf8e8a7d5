// The debugger on a kernel whose warps hand data over by bulk copies and mbarriers: tests/exec/kernels/asynchronous.cu.
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/verbs/debug/barriers.h"
#include "core/debug/session.h"
#include "tests/timing/timed.h"

namespace warpwalk::debug {
namespace {

/// Warp 4 copies six rounds of 2,304 bytes into two stages; warps 0 to 3 multiply them.
std::unique_ptr<Session> pipeline_session() {
  const std::filesystem::path launch = std::filesystem::path(::testing::TempDir()) / "debug_pipeline.json";
  std::ofstream(launch) << fmt::format(
      R"({{"kernel": "pipeline_none", "ptx": "{0}/exec/kernels/asynchronous.ptx.gz",
           "cubin": "{0}/exec/cubins/asynchronous.cubin.gz", "grid": [1, 1, 1], "block": [160, 1, 1],
           "args": [{{"buffer": "in", "dtype": "u8", "count": 18432, "fill": 1}},
                    {{"buffer": "out", "dtype": "f32", "count": 4096, "fill": 0}}, {{"scalar": 6, "dtype": "i32"}}]}})",
      gpu::timed::tests().generic_string());
  auto loaded = run::load_launch(launch, gpu::timed::h200());
  if (!loaded) throw std::runtime_error(loaded.error());
  auto recording = Recording::make(std::move(*loaded), gpu::timed::h200(), {});
  if (!recording) throw std::runtime_error(recording.error());
  return std::make_unique<Session>(std::move(*recording));
}

TEST(DebugAsynchronous, AWatchpointSeesABulkCopyWriteSharedMemory) {
  const auto session = pipeline_session();
  ASSERT_TRUE(session->add_data("((int*)shared)[0]", 0, Breakpoint::Access::change, "", "").verified);
  ASSERT_EQ(session->run(true).reason, StopReason::data);
  EXPECT_NE(session->stop().text.find("changes from 0 to 16843009"), std::string::npos) << session->stop().text;
  const auto next = session->next_instruction();
  ASSERT_TRUE(next);
  EXPECT_TRUE(session->code().text_of(*next).starts_with("UBLKCP")) << session->code().text_of(*next);
  EXPECT_EQ(session->focus().warp, 4u);
}

TEST(DebugAsynchronous, BarriersSayWhatAPhaseLacksAndWhoWaits) {
  const auto session = pipeline_session();
  EXPECT_EQ(verbs::barriers_text(*session), "no thread of block 0 has used an mbarrier or waits at a barrier yet\n");
  session->go_to_cycle(945);
  const std::string text = verbs::barriers_text(*session);
  EXPECT_NE(text.find("mbarrier in shared memory at byte 4608: phase 0, lacks 0 of 1 arrival and 2304 bytes; warps 0 "
                      "to 3 wait for it at asynchronous.cu:"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace warpwalk::debug
