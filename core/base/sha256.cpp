#include "core/base/sha256.h"

#include <array>

#include <fmt/format.h>
// The functions of SHA-256 alone: SHA256() looks the algorithm up, which reads the machine's openssl.cnf and links all
// of libcrypto (5 MB). They are deprecated since OpenSSL 3.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

namespace warpwalk::base {

std::string sha256(std::span<const std::uint8_t> bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256_CTX state;
  SHA256_Init(&state);
  SHA256_Update(&state, bytes.data(), bytes.size());
  SHA256_Final(digest.data(), &state);
  std::string text;
  for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace warpwalk::base
