#include "codegen/jit/object_key.h"

#include <weft/version.h>

#include <llvm/Config/llvm-config.h>

#include <elf.h>
#include <link.h>

#include "codegen/ir/digest.h"

namespace weft::jit {

namespace {

template <typename T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
void add(Digester& out, T value) {
  out.add(value);
}

void add(Digester& out, const std::string& text) { out.add(std::string_view(text)); }

template <typename T>
void add(Digester& out, const std::optional<T>& value) {
  out.add(value.has_value());
  if (value) {
    add(out, *value);
  }
}

void add(Digester& out, const SpecBits& specs) {
  out.add(specs.size());
  for (const auto& [id, bits] : specs) {
    out.add(id);
    out.add(bits);
  }
}

void add(Digester& out, const CompileOptions& options) {
#define WEFT_COMPILE_OPTION(type, name, initial, meaning) add(out, options.name);
#include "codegen/jit/options.def"
#undef WEFT_COMPILE_OPTION
}

void add(Digester& out, const Target& target) {
  const auto& [cpu, features, vector_bits] = target;
  add(out, cpu);
  add(out, features);
  out.add(vector_bits);
}

// The note of kind NT_GNU_BUILD_ID among those of one segment.
std::string_view find_build_id(const char* notes, std::size_t size) {
  const auto padded = [](std::size_t length) { return (length + 3) & ~std::size_t{3}; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes, sizeof header);
    const std::string_view name(notes + sizeof header, header.n_namesz);
    const char* content = notes + sizeof header + padded(header.n_namesz);
    if (header.n_type == NT_GNU_BUILD_ID && name == std::string_view("GNU\0", 4)) {
      return {content, header.n_descsz};
    }
    const std::size_t whole = sizeof header + padded(header.n_namesz) + padded(header.n_descsz);
    notes += whole;
    size -= std::min(size, whole);
  }
  return {};
}

// Looks at one library of the process: is this code part of it?
int visit_library(dl_phdr_info* library, std::size_t /*size*/, void* result) {
  const auto own = reinterpret_cast<std::uintptr_t>(&visit_library);
  bool is_own = false;
  std::string_view id;
  for (const ElfW(Phdr) & segment : std::span(library->dlpi_phdr, library->dlpi_phnum)) {
    const std::uintptr_t begin = library->dlpi_addr + segment.p_vaddr;
    is_own |= segment.p_type == PT_LOAD && own >= begin && own < begin + segment.p_memsz;
    if (segment.p_type == PT_NOTE && id.empty()) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the dynamic linker tells addresses as numbers
      id = find_build_id(reinterpret_cast<const char*>(begin), segment.p_memsz);
    }
  }
  if (is_own) {
    *static_cast<std::string_view*>(result) = id;
  }
  return is_own ? 1 : 0;  // 1 ends the search
}

}  // namespace

std::string_view build_id() {
  static const std::string_view id = [] {
    std::string_view found;
    dl_iterate_phdr(visit_library, &found);
    return found;
  }();
  return id;
}

void add_to(Digester& digester, const CompileOptions& options, const Target& target) {
  digester.add(std::string_view(WEFT_VERSION_STRING));
  digester.add(std::string_view(LLVM_VERSION_STRING));
  digester.add(build_id());
  digester.add(abi::kAbiVersion);
  add(digester, target);
  add(digester, options);
}

Digest object_key(const ir::Module& module, const CompileOptions& options, const Target& target) {
  Digester digester;
  ir::add_to(digester, module);
  add_to(digester, options, target);
  return digester.finish();
}

}  // namespace weft::jit
