// The format: magic "\x93NUMPY", version, length of the header, then the header, a Python dictionary such as
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
// padded with blanks so that the elements begin at a multiple of 64.
#include "tools/npy.h"

#include <weft/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

namespace weft::tools {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kDataAlign = 64;

// The scalar types in the order of the table.
constexpr ir::TypeKind kScalars[] = {
#define WEFT_SCALAR(name, id, text, bits, category, letter) ir::TypeKind::name,
#include "codegen/ir/scalars.def"
};

std::size_t scalar_bytes(ir::TypeKind scalar) { return (ir::scalar_bits(scalar) + 7) / 8; }

// Part of a file in a message: what cannot be printed is a question mark.
std::string printable(std::string_view text) {
  std::string out(text.substr(0, 20));
  std::ranges::replace_if(out, [](unsigned char c) { return c < 0x20 || c >= 0x7F; }, '?');
  return out;
}

[[noreturn]] void fail(std::string_view name, std::string_view what) {
  throw FileError(fmt::format("array file '{}': {}", name, what));
}

// Reads the header's dictionary. Keys may come in any order; unknown ones are an error, as NumPy has it.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  struct Header {
    std::optional<std::string> descr;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::uint64_t>> shape;
  };

  Header read() {
    Header header;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        header.descr = descr();
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
      } else if (key == "shape") {
        header.shape = shape();
      } else {
        fail(name_, fmt::format("its header has an unknown key '{}'", printable(key)));
      }
      if (accept('}')) break;
      expect(',');
    }
    return header;
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\t')) rest_.remove_prefix(1);
  }

  bool accept(char c) {
    skip_blanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(name_, fmt::format("its header is damaged: expected '{}' before '{}'", c, printable(rest_)));
  }

  std::string quoted() {
    skip_blanks();
    const char quote = rest_.empty() ? '\0' : rest_[0];
    if (quote != '\'' && quote != '"') fail(name_, "its header is damaged: expected a string");
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) fail(name_, "its header is damaged: a string has no end");
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  std::string descr() {
    skip_blanks();
    if (rest_.starts_with('[')) fail(name_, "it holds structs; give the bytes of structs as u1, or as a .raw file");
    return quoted();
  }

  bool boolean() {
    skip_blanks();
    for (const auto& [word, value] :
         {std::pair{std::string_view("True"), true}, std::pair{std::string_view("False"), false}}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    fail(name_, "its header is damaged: expected True or False");
  }

  std::uint64_t number() {
    skip_blanks();
    std::uint64_t value = 0;
    std::size_t digits = 0;
    for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9'; ++digits) {
      if (__builtin_mul_overflow(value, 10, &value) ||
          __builtin_add_overflow(value, static_cast<unsigned>(rest_[digits] - '0'), &value)) {
        fail(name_, "its shape is too large");
      }
    }
    if (digits == 0) fail(name_, "its header is damaged: expected a number");
    rest_.remove_prefix(digits);
    return value;
  }

  std::vector<std::uint64_t> shape() {
    std::vector<std::uint64_t> extents;
    expect('(');
    while (!accept(')')) {
      extents.push_back(number());
      if (accept(')')) break;
      expect(',');
    }
    return extents;
  }

  std::string_view rest_;
  std::string_view name_;
};

std::string_view take_header(std::span<const std::byte>& rest, std::string_view name) {
  const std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
  if (!text.starts_with(kMagic)) fail(name, "it is no .npy file");
  if (text.size() < kMagic.size() + 2) fail(name, "it is truncated");
  const auto major = static_cast<unsigned char>(text[kMagic.size()]);
  if (major < 1 || major > 3) fail(name, fmt::format("it has format version {}, expected 1 to 3", major));
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t begin = kMagic.size() + 2 + length_bytes;
  if (text.size() < begin) fail(name, "it is truncated");
  std::uint32_t length = 0;
  std::memcpy(&length, text.data() + kMagic.size() + 2, length_bytes);
  if (text.size() - begin < length) fail(name, "it is truncated within its header");
  rest = rest.subspan(begin + length);
  return text.substr(begin, length);
}

ir::TypeKind scalar_of(const std::string& descr, std::string_view name) {
  for (const ir::TypeKind scalar : kScalars) {
    const std::string own = npy_type(scalar);
    // A type of one byte has no byte order, and = is the machine's.
    if (descr == own || descr.substr(1) == own.substr(1)) {
      if (descr[0] == '>' && scalar_bytes(scalar) > 1)
        fail(name, fmt::format("its type is '{}', big endian; expected '{}'", descr, own));
      return scalar;
    }
  }
  if (descr.find('O') != std::string::npos) fail(name, "it holds Python objects");
  fail(name, fmt::format("its type '{}' is not known in kernels", printable(descr)));
}

std::uint64_t size_of(ir::TypeKind scalar, const std::vector<std::uint64_t>& shape, std::string_view name) {
  std::uint64_t size = scalar_bytes(scalar);
  for (const std::uint64_t extent : shape) {
    if (__builtin_mul_overflow(size, extent, &size)) fail(name, "its shape is too large");
  }
  return size;
}

}  // namespace

std::string npy_type(ir::TypeKind scalar) {
  const std::size_t bytes = scalar_bytes(scalar);
  char letter = 'b';
  switch (ir::scalar_category(scalar)) {
    case ir::ScalarCategory::boolean: break;
    case ir::ScalarCategory::signed_integer: letter = 'i'; break;
    case ir::ScalarCategory::unsigned_integer: letter = 'u'; break;
    case ir::ScalarCategory::floating: letter = 'f'; break;
  }
  return fmt::format("{}{}{}", bytes == 1 ? '|' : '<', letter, bytes);
}

Array read_npy(std::span<const std::byte> bytes, std::string_view name) {
  std::span<const std::byte> rest = bytes;
  const HeaderReader::Header header = HeaderReader(take_header(rest, name), name).read();
  if (!header.descr || !header.fortran_order || !header.shape) {
    fail(name, "its header lacks one of 'descr', 'fortran_order' and 'shape'");
  }
  if (header.descr->size() < 2)
    fail(name, fmt::format("its type '{}' is not known in kernels", printable(*header.descr)));
  if (*header.fortran_order && header.shape->size() > 1) {
    fail(name, "its elements are in Fortran order, expected C order; numpy.ascontiguousarray() makes it so");
  }
  Array array;
  array.scalar = scalar_of(*header.descr, name);
  array.shape = *header.shape;
  const std::uint64_t size = size_of(array.scalar, array.shape, name);
  if (rest.size() < size)
    fail(name, fmt::format("it is truncated: {} bytes of elements, expected {}", rest.size(), size));
  if (rest.size() > size) fail(name, fmt::format("it has {} bytes behind its elements", rest.size() - size));
  array.bytes.assign(rest.begin(), rest.end());
  return array;
}

std::string write_npy(ir::TypeKind scalar, std::span<const std::uint64_t> shape, std::span<const std::byte> bytes) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", npy_type(scalar),
                                   fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const std::size_t before = kMagic.size() + 4;
  header.append(kDataAlign - 1 - (before + header.size()) % kDataAlign, ' ');
  header += '\n';
  std::string file(kMagic);
  file += '\x01';
  file += '\0';
  file += static_cast<char>(header.size() & 0xFF);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  file.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return file;
}

}  // namespace weft::tools
