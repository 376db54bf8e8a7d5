#include "tests/history/wrong_output.h"

#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "core/gpu/exec/launch_addresses.h"
#include "core/gpu/exec/program.h"
#include "tests/timing/timed.h"

namespace warpwalk::gpu::testing {

namespace {

run::LoadedLaunch load(const std::string& name, bool machine_code) {
  const std::string file = "history/wrong_output/" + name + "/launch.json";
  if (machine_code) return timed::load(file);
  auto loaded = run::load_launch(timed::tests() / file, timed::h200(), {.code = run::CodeChoice::ptx});
  if (!loaded) throw std::runtime_error(loaded.error());
  return std::move(*loaded);
}

}  // namespace

WrongOutput::WrongOutput(const std::string& name, bool machine_code)
    : loaded_(load(name, machine_code)), after_(loaded_.launch) {
  addresses_ = buffer_addresses(program(), before());
  auto simulated = simulate(timed::h200(), program(), after_);
  if (!simulated) throw std::runtime_error(simulated.error());
  writers_ = std::make_unique<LaunchWriters>(timed::h200(), program(), before());
  std::ifstream source(timed::tests() / "history/wrong_output" / name / "kernel.cu");
  std::string line;
  for (std::uint32_t number = 1; std::getline(source, line); ++number)
    if (line.find("BUG:") != std::string::npos) bug_line_ = number;
  EXPECT_NE(bug_line_, 0U);
}

WriterQuestion WrongOutput::about(std::size_t buffer, std::size_t index, std::uint32_t bytes) const {
  WriterQuestion question;
  question.place.address = addresses_[buffer] + index * bytes;
  question.place.bytes = bytes;
  return question;
}

Writer WrongOutput::ask(const WriterQuestion& question) {
  auto answer = writers_->ask(question);
  EXPECT_TRUE(answer) << answer.error();
  if (!answer) return {};
  EXPECT_EQ(answer->incomplete, "");
  return std::move(*answer);
}

std::uint32_t WrongOutput::line_of(const WriterStep& step) const {
  Finding place;
  locate_finding(program(), step.step.instruction, place);
  return place.source_line;
}

std::pair<std::size_t, std::uint64_t> WrongOutput::place_of(std::uint64_t address) const {
  for (std::size_t i = 0; i < addresses_.size(); ++i)
    if (address >= addresses_[i] && address - addresses_[i] < before().buffers[i].bytes.size())
      return {i, address - addresses_[i]};
  return {addresses_.size(), address};
}

}  // namespace warpwalk::gpu::testing
