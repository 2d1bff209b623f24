// The device: makes buffers, streams, graphs and shaders.
#pragma once

#include <weft/buffer.h>
#include <weft/compilation.h>
#include <weft/event.h>
#include <weft/export.h>
#include <weft/graph.h>
#include <weft/kernel.h>
#include <weft/log.h>
#include <weft/shader.h>
#include <weft/stream.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

namespace detail {
struct DeviceState;
}  // namespace detail

enum class Cache { automatic, off, on };  // whether compiled kernels are kept on disk

// What is left to its default is taken from the environment (WEFT_THREADS, WEFT_WIDTH, WEFT_CPU, WEFT_OPT, WEFT_FORM,
// WEFT_CACHE, ...) or chosen.
struct DeviceOptions {
  std::uint32_t threads = 0;  // that run one dispatch, the caller's among them; 0: as many as the machine allows
  std::uint32_t width = 0;    // pack width 1, 4, 8, 16 or 32 of shaders that ask for none; 0: chosen for each
  std::string cpu{};          // native, x86-64-v3 or x86-64-v4; empty: native
  Effort effort = Effort::automatic;  // of compiling
  Form form = Form::automatic;        // of kernels with barriers
  Cache cache = Cache::automatic;
  std::string cache_folder{};           // of compiled kernels; empty: the user's own
  std::uint64_t cache_limit_bytes = 0;  // kernels beyond, not used for longest, are removed; 0: the environment's
  LogSink log{};                        // gets what this device logs, in place of the process's sink
};

// Buffers, streams and shaders keep their device alive. All functions may be called from any thread.
class WEFT_API Device {
 public:
  // A name of a backend: `cpu`, `interp`, or one that a module provides. Without a name WEFT_DEVICE decides, else it is
  // cpu. Throws DeviceError, for an unknown name with the names that there are.
  explicit Device(std::string_view name = {}, const DeviceOptions& options = {});

  // The backends that there are.
  static std::vector<std::string> available();

  const std::string& name() const;

  // Throws OutOfMemoryError.
  template <typename T>
  Buffer<T> create_buffer(std::uint64_t count) const {
    return Buffer<T>(make_buffer(count, detail::element_type<T>()));
  }
  ByteBuffer create_byte_buffer(std::uint64_t size_bytes) const { return create_buffer<std::byte>(size_bytes); }

  Stream create_stream() const;
  Event create_event() const;

  // Starts recording a graph.
  GraphBuilder create_graph(GraphOrder order = GraphOrder::inferred) const;

  // Compiles a kernel of the DSL. Throws CompileError.
  template <typename... Parameters>
  Shader<host_argument_t<Parameters>...> compile(const Kernel<Parameters...>& kernel,
                                                 const ShaderOptions& options = {}) const {
    return Shader<host_argument_t<Parameters>...>(compile_module(kernel.module(), options));
  }

  // Compiles a kernel of text form: the only one, or the one of that name. Throws CompileError with all diagnostics;
  // `file` is what they call the text.
  DynamicShader compile_text(std::string_view text, const ShaderOptions& options = {}, std::string_view kernel = {},
                             std::string_view file = "kernel.weft") const;

  // The same on the device's workers, several at once; mistakes are thrown by Compilation::get().
  template <typename... Parameters>
  Compilation<Shader<host_argument_t<Parameters>...>> compile_async(const Kernel<Parameters...>& kernel,
                                                                    const ShaderOptions& options = {}) const {
    return Compilation<Shader<host_argument_t<Parameters>...>>(start_compilation(kernel.module(), options));
  }
  Compilation<DynamicShader> compile_text_async(std::string text, const ShaderOptions& options = {},
                                                std::string kernel = {}, std::string file = "kernel.weft") const;

  // A shader file that weftc compiled, or a kernel in text form (.weft), to which the options apply.
  DynamicShader load_shader(const std::filesystem::path& file, const ShaderOptions& options = {}) const;

  // Gives back memory that nothing needs, such as frames of kernels that have run.
  void trim() const;

 private:
  const std::shared_ptr<detail::DeviceState>& state() const;  // throws UsageError if it was moved from
  detail::BufferRange make_buffer(std::uint64_t count, const detail::ElementType& type) const;
  std::shared_ptr<detail::ShaderState> compile_module(const std::shared_ptr<const ir::Module>& module,
                                                      const ShaderOptions& options) const;
  std::shared_ptr<detail::CompilationState> start_compilation(std::shared_ptr<const ir::Module> module,
                                                              const ShaderOptions& options) const;

  std::shared_ptr<detail::DeviceState> state_;
};

}  // namespace weft
