// A small application: the library that it was linked to has the version of the headers that it was compiled with.
#include <weft/version.h>

#include <cstdio>
#include <cstring>

int main() {
  if (std::strcmp(weft::version(), WEFT_VERSION_STRING) != 0) {
    std::printf("library %s, headers %s\n", weft::version(), WEFT_VERSION_STRING);
    return 1;
  }
  std::printf("weft %s\n", weft::version());
  return 0;
}
