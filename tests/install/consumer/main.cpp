// A small application: sums blocks of numbers on the device, and checks that the library that it was linked to has the
// version of the headers that it was compiled with.
#include <weft/weft.h>

#include <cstdio>
#include <cstring>
#include <vector>

using namespace weft;

int main() {
  if (std::strcmp(version(), WEFT_VERSION_STRING) != 0) {
    std::printf("library %s, headers %s\n", version(), WEFT_VERSION_STRING);
    return 1;
  }
  constexpr std::size_t n = 1000;
  const std::vector<float> host(n, 0.5f);
  std::vector<float> out((n + 255) / 256);

  Device device{"cpu"};
  Stream stream = device.create_stream();
  auto values = device.create_buffer<float>(n);
  auto sums = device.create_buffer<float>(out.size());

  Shader block_sum =
      device.compile(Kernel1D{"block_sum", block_size(256), [](BufferVar<float> values, BufferVar<float> sums) {
                                Shared<float, 256> tile;
                                UInt lane = thread_id().x;
                                tile[lane] = 0.f;
                                $if(dispatch_id().x < values.size()) { tile[lane] = values.read(dispatch_id().x); };
                                sync_block();
                                UInt d = 128u;
                                $while(d > 0u) {
                                  $if(lane < d) { tile[lane] += tile[lane + d]; };
                                  sync_block();
                                  d >>= 1u;
                                };
                                $if(lane == 0u) { sums.write(block_id().x, tile[0]); };
                              }});

  stream << values.upload(host) << block_sum(values, sums).dispatch_blocks(out.size()) << sums.download(out)
         << synchronize();
  std::printf("weft %s: %g %g %g %g\n", version(), out[0], out[1], out[2], out[3]);
  return out == std::vector<float>{128, 128, 128, 116} ? 0 : 1;
}
