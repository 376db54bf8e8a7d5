// What sha256.c needs of the rest of OpenSSL.
#include <stddef.h>

void OPENSSL_cleanse(void* bytes, size_t count) {
  for (volatile unsigned char* at = bytes; count != 0; --count) *at++ = 0;
}
