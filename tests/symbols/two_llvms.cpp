// Two LLVMs in one process, each compiling and running code in turn: libweft's own, and LLVM 14 as a driver would bring
// it. Run it with LLVM 14 preloaded too: then its symbols come first for every library in the process.
#include <weft/device.h>

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <span>
#include <vector>

namespace {

// The functions of LLVM's C interface that the test calls, found in the other LLVM.
class OtherLlvm {
 public:
  explicit OtherLlvm(void* library) : library_(library) {}

  template <typename Function>
  Function find(const char* name) const {
    void* symbol = dlsym(library_, name);
    if (symbol == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      std::exit(1);
    }
    return reinterpret_cast<Function>(symbol);
  }

  void initialise() const {
    for (const char* name : {"LLVMInitializeX86TargetInfo", "LLVMInitializeX86Target", "LLVMInitializeX86TargetMC",
                             "LLVMInitializeX86AsmPrinter", "LLVMLinkInMCJIT"}) {
      find<void (*)()>(name)();
    }
  }

  // Compiles and runs a function that returns `value`.
  int return_value(int value) const;

 private:
  void* library_;
};

int OtherLlvm::return_value(int value) const {
  char text[128];
  std::snprintf(text, sizeof text, "define i32 @answer() {\n  ret i32 %d\n}\n", value);
  void* context = find<void* (*)()>("LLVMContextCreate")();
  void* buffer = find<void* (*)(const char*, std::size_t, const char*)>("LLVMCreateMemoryBufferWithMemoryRangeCopy")(
      text, std::strlen(text), "answer.ll");
  void* module = nullptr;
  void* engine = nullptr;
  char* message = nullptr;
  if (find<int (*)(void*, void*, void**, char**)>("LLVMParseIRInContext")(context, buffer, &module, &message) != 0 ||
      find<int (*)(void**, void*, unsigned, char**)>("LLVMCreateJITCompilerForModule")(&engine, module, 2, &message) !=
          0) {
    std::fprintf(stderr, "LLVM 14: %s\n", message);
    std::exit(1);
  }
  const auto address = find<std::uint64_t (*)(void*, const char*)>("LLVMGetFunctionAddress")(engine, "answer");
  const int result = reinterpret_cast<int (*)()>(address)();
  find<void (*)(void*)>("LLVMDisposeExecutionEngine")(engine);
  find<void (*)(void*)>("LLVMContextDispose")(context);
  return result;
}

// Compiles and runs a kernel that writes `value`.
int return_value_by_weft(int value) {
  constexpr const char* kText =
      "weft 1\n"
      "kernel @answer(%out: buffer<i32>, %value: i32) block(32) {\n"
      "  write %out[dispatch_id.x], %value\n"
      "}\n";
  weft::Device device("cpu");
  weft::Stream stream = device.create_stream();
  const auto out = device.create_buffer<std::int32_t>(1);
  const weft::DynamicShader answer = device.compile_text(kText);
  std::vector<std::int32_t> result(1);
  stream << answer(out, value).dispatch(1) << out.download(std::span(result)) << weft::synchronize();
  return result[0];
}

}  // namespace

int main() {
  void* library = dlopen("libLLVM-14.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  const OtherLlvm other(library);
  bool right = return_value_by_weft(1) == 1;
  other.initialise();
  for (int value = 2; value < 5; ++value) {
    right = right && other.return_value(value) == value;
    right = right && return_value_by_weft(10 * value) == 10 * value;
  }
  std::puts(right ? "both compile" : "a wrong value was returned");
  return right ? 0 : 1;
}
