// The function of OpenSSL that this program calls; OpenSSL's own needs all of its digests.
#include <openssl/sha.h>

unsigned char* SHA256(const unsigned char* bytes, size_t count, unsigned char* digest) {
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, bytes, count);
  SHA256_Final(digest, &context);
  return digest;
}

void OPENSSL_cleanse(void* bytes, size_t count) {
  for (volatile unsigned char* at = bytes; count != 0; --count) *at++ = 0;
}
