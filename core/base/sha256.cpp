#include "core/base/sha256.h"

#include <array>

#include <fmt/format.h>
#include <openssl/sha.h>

namespace warpwalk::base {

std::string sha256(std::span<const std::uint8_t> bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256(bytes.data(), bytes.size(), digest.data());
  std::string text;
  for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace warpwalk::base
