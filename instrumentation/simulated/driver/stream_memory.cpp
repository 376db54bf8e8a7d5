// Values in memory that streams write and wait for.
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/simulated/driver/call.h"

namespace warpwalk::simulated {
namespace {

using Operation = StreamMemoryOperation;

/// The low bits of the flags of a wait: how the value in memory must compare.
enum class Condition : std::uint32_t { greater_or_equal = 0, equal = 1, common_bits = 2, not_all_bits = 3 };

/// The GPU does its work in the order of the calls, so a value can only come from the host, from another process, or
/// from work that was submitted before the wait.
constexpr std::chrono::seconds longest_wait{60};

bool is_wide(Operation operation) {
  return operation == Operation::wait_value_64 || operation == Operation::write_value_64;
}
bool is_wait(Operation operation) {
  return operation == Operation::wait_value_32 || operation == Operation::wait_value_64;
}
bool is_write(Operation operation) {
  return operation == Operation::write_value_32 || operation == Operation::write_value_64;
}

template <class Word>
bool holds(Word there, Word value, Condition condition) {
  switch (condition) {
    case Condition::greater_or_equal: return static_cast<std::make_signed_t<Word>>(there - value) >= 0;
    case Condition::equal: return there == value;
    case Condition::common_bits: return (there & value) != 0;
    case Condition::not_all_bits: return static_cast<Word>(~(there | value)) != 0;
  }
  return false;
}

template <class Word>
Word load(const std::uint8_t* at) {
  return __atomic_load_n(reinterpret_cast<const Word*>(at), __ATOMIC_ACQUIRE);
}

bool holds_at(const std::uint8_t* at, const StreamMemoryOperationParameters& operation) {
  const auto condition = static_cast<Condition>(operation.flags & 3);
  if (is_wide(operation.operation)) return holds(load<std::uint64_t>(at), operation.value, condition);
  return holds(load<std::uint32_t>(at), static_cast<std::uint32_t>(operation.value), condition);
}

Outcome wait_for_value(Gpu& gpu, const std::uint8_t* at, const StreamMemoryOperationParameters& operation) {
  const auto start = std::chrono::steady_clock::now();
  Outcome outcome;
  while (!holds_at(at, operation)) {
    if (std::chrono::steady_clock::now() - start > longest_wait) {
      gpu.tell(
          fmt::format("cuStreamWaitValue: no value that the stream waits for in {} s; the simulated GPU does its work "
                      "in the order of the calls, so work submitted later cannot write it",
                      longest_wait.count()));
      outcome.error = Error::launch_timeout;
      break;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  outcome.duration =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

void write_value(Allocation& place, std::uint64_t offset, const StreamMemoryOperationParameters& operation) {
  const std::size_t bytes = is_wide(operation.operation) ? 8 : 4;
  if (bytes == 8)
    __atomic_store_n(reinterpret_cast<std::uint64_t*>(place.data + offset), operation.value, __ATOMIC_RELEASE);
  else
    __atomic_store_n(reinterpret_cast<std::uint32_t*>(place.data + offset), static_cast<std::uint32_t>(operation.value),
                     __ATOMIC_RELEASE);
  if (!place.written.empty()) std::memset(place.written.data() + offset, 1, bytes);
}

Error check_operation(Gpu& gpu, const StreamMemoryOperationParameters& operation) {
  if (operation.operation == Operation::barrier || operation.operation == Operation::flush_remote_writes)
    return Error::success;
  if (!is_wait(operation.operation) && !is_write(operation.operation)) return Error::invalid_value;
  const std::size_t bytes = is_wide(operation.operation) ? 8 : 4;
  const DeviceMemory::Place place = gpu.memory.find(operation.address);
  if (place == nullptr || operation.address % bytes != 0) return Error::invalid_value;
  return place->bytes - (operation.address - place->address) < bytes ? Error::invalid_value : Error::success;
}

void submit_operation(Gpu& gpu, Stream& stream, const StreamMemoryOperationParameters& operation) {
  const DeviceMemory::Place place = gpu.memory.find(operation.address);
  if (place == nullptr) return;  // a barrier
  const WorkPtr work = gpu.work_of([] {});
  const std::uint64_t offset = operation.address - place->address;
  work->run = [&gpu, place, offset, operation] {
    if (is_wait(operation.operation)) return wait_for_value(gpu, place->data + offset, operation);
    write_value(*place, offset, operation);
    return Outcome{};
  };
  gpu.streams.submit(stream, work);
}

CUresult submit_operations(const char* name, CUstream stream,
                           const std::vector<StreamMemoryOperationParameters>& operations) {
  return call_for_work(name, stream, [&](Gpu& gpu, Stream& found) {
    if (found.capture != nullptr) return not_supported(gpu, "stream memory operations in a graph");
    for (const auto& operation : operations)
      if (const Error wrong = check_operation(gpu, operation); wrong != Error::success) return wrong;
    for (const auto& operation : operations) submit_operation(gpu, found, operation);
    return Error::success;
  });
}

CUresult submit_one(const char* name, CUstream stream, Operation operation, CUdeviceptr address, std::uint64_t value,
                    unsigned flags) {
  return submit_operations(name, stream, {{operation, address, value, flags, 0, 0}});
}

}  // namespace

extern "C" {

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, std::uint32_t value, unsigned flags) {
  return submit_one("cuStreamWaitValue32_v2", stream, Operation::wait_value_32, address, value, flags);
}
CUresult cuStreamWaitValue32_v2_ptsz(CUstream stream, CUdeviceptr address, std::uint32_t value, unsigned flags) {
  return cuStreamWaitValue32_v2(per_thread(stream), address, value, flags);
}

CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, std::uint64_t value, unsigned flags) {
  return submit_one("cuStreamWaitValue64_v2", stream, Operation::wait_value_64, address, value, flags);
}
CUresult cuStreamWaitValue64_v2_ptsz(CUstream stream, CUdeviceptr address, std::uint64_t value, unsigned flags) {
  return cuStreamWaitValue64_v2(per_thread(stream), address, value, flags);
}

CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, std::uint32_t value, unsigned flags) {
  return submit_one("cuStreamWriteValue32_v2", stream, Operation::write_value_32, address, value, flags);
}
CUresult cuStreamWriteValue32_v2_ptsz(CUstream stream, CUdeviceptr address, std::uint32_t value, unsigned flags) {
  return cuStreamWriteValue32_v2(per_thread(stream), address, value, flags);
}

CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, std::uint64_t value, unsigned flags) {
  return submit_one("cuStreamWriteValue64_v2", stream, Operation::write_value_64, address, value, flags);
}
CUresult cuStreamWriteValue64_v2_ptsz(CUstream stream, CUdeviceptr address, std::uint64_t value, unsigned flags) {
  return cuStreamWriteValue64_v2(per_thread(stream), address, value, flags);
}

CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned count, StreamMemoryOperationParameters* operations,
                               unsigned flags) {
  constexpr unsigned max_count = 256;
  if (operations == nullptr || count == 0 || count > max_count || flags != 0) return Error::invalid_value;
  return submit_operations("cuStreamBatchMemOp_v2", stream, {operations, operations + count});
}
CUresult cuStreamBatchMemOp_v2_ptsz(CUstream stream, unsigned count, StreamMemoryOperationParameters* operations,
                                    unsigned flags) {
  return cuStreamBatchMemOp_v2(per_thread(stream), count, operations, flags);
}

}  // extern "C"
}  // namespace warpwalk::simulated
