// A verified module on its way to a backend: WeftModule of the C interface. Backends that are built in look inside;
// others ask WeftHost for the text.
#pragma once

#include "backend/kernel_info.h"
#include "codegen/ir/module.h"
#include "runtime/support/digest.h"

#include <weft/backend.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

// Used by one thread at a time.
struct WeftModule {
  // `module` must outlive this and have passed the verifier; `kernel` is one of its kernels.
  WeftModule(const weft::ir::Module& module, const weft::ir::Function& kernel);
  // A text, with what diagnostics call it and the kernel's name, empty for the only one. It is parsed when the module
  // is first asked for: a kernel that a cache finds by its text need not be. The text must outlive this.
  WeftModule(std::string_view text, std::string_view file, std::string_view kernel);
  WeftModule(const WeftModule&) = delete;
  WeftModule& operator=(const WeftModule&) = delete;

  // All of these throw CompileError if the text is wrong.
  const weft::ir::Module& module() const;
  const weft::ir::Function& kernel() const;
  const std::shared_ptr<weft::backend::KernelDescription>& description() const;
  const std::string& text() const;
  // Null unless description() was called.
  const std::shared_ptr<weft::backend::KernelDescription>& description_if_made() const { return description_; }

  // As the kernel was asked for.
  std::string_view kernel_name() const { return kernel_name_; }
  // Adds what the module is, by its tables or by the text that it comes from.
  void add_to(weft::Digester& digester) const;

 private:
  void parse() const;

  const std::string_view source_;
  const std::string_view file_;
  const std::string_view kernel_name_;
  mutable std::unique_ptr<weft::ir::Module> parsed_;
  mutable const weft::ir::Module* module_ = nullptr;
  mutable const weft::ir::Function* kernel_ = nullptr;
  mutable std::shared_ptr<weft::backend::KernelDescription> description_;
  mutable std::optional<std::string> text_;
};
