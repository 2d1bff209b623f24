// Digests and checksums.
#include "runtime/support/digest.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <vector>

namespace {

weft::Digest digest_of(const std::vector<std::string>& texts) {
  weft::Digester digester;
  for (const std::string& text : texts) digester.add(std::string_view(text));
  return digester.finish();
}

}  // namespace

TEST_CASE("digest: the same pieces have the same digest, others another") {
  const std::vector<std::vector<std::string>> lists = {
      {}, {""}, {"", ""}, {"ab", "c"}, {"a", "bc"}, {"abc"}, {std::string(5000, 'x')}, {std::string(5001, 'x')}};
  std::set<std::string> digests;
  for (const auto& list : lists) {
    CHECK(digest_of(list) == digest_of(list));
    digests.insert(digest_of(list).text());
  }
  CHECK(digests.size() == lists.size());
}

TEST_CASE("digest: every piece counts, however many there are") {
  const auto digest = [](std::uint32_t changed) {
    weft::Digester digester;
    for (std::uint32_t i = 0; i < 5000; ++i) digester.add(i == changed ? ~i : i);
    return digester.finish().text();
  };
  std::set<std::string> digests;
  for (std::uint32_t i = 0; i <= 5000; ++i) digests.insert(digest(i));
  CHECK(digests.size() == 5001);
}

TEST_CASE("digest: its text is 32 hexadecimal digits, leading zeros and all") {
  CHECK(weft::Digest{0x1, 0xab}.text() == "000000000000000100000000000000ab");
}

TEST_CASE("checksum: every byte counts") {
  std::vector<std::byte> bytes(1000);
  const std::uint64_t before = weft::checksum(bytes);
  for (std::byte& byte : bytes) {
    byte = std::byte{1};
    CHECK(weft::checksum(bytes) != before);
    byte = std::byte{0};
  }
  CHECK(weft::checksum(bytes) == before);
}
