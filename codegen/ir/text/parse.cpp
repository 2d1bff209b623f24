#include "codegen/ir/text/parse.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/ir/text/body_reader.h"
#include "codegen/ir/text/read_signature.h"
#include "codegen/ir/text/read_struct.h"
#include "codegen/ir/text/read_type.h"
#include "codegen/ir/typing.h"
#include "runtime/support/stage_times.h"
#include "runtime/support/suggest.h"

namespace weft::ir {

namespace {

constexpr std::array<std::string_view, 5> kItems{"struct", "const", "spec", "kernel", "callable"};

class ModuleReader {
 public:
  ModuleReader(std::string_view source, std::string file) : in_(source, std::move(file)) {}

  Result<std::unique_ptr<Module>> run() {
    if (read_version()) {
      read_items();
      read_bodies();
    }
    if (in_.has_errors()) {
      return in_.take_diagnostics();
    }
    return std::move(module_);
  }

 private:
  // A function whose body is read when all items are known.
  struct Pending {
    FunctionId function;
    std::size_t body;  // position of the opening brace
    std::vector<Token> parameters;
  };

  bool read_version() {
    in_.skip_newlines();
    if (!in_.at("weft")) {
      in_.error(in_.peek(),
                fmt::format("expected `weft {}` as the first line, found {}", kTextVersion, describe(in_.peek())));
      return false;
    }
    in_.take();
    const Token token = in_.peek();
    const auto version = in_.expect_number("the version of the text form", UINT32_MAX);
    if (version && *version != kTextVersion) {
      in_.error(token, fmt::format("text form has version {}, expected {}", *version, kTextVersion));
    }
    return version == kTextVersion && in_.expect_statement_end();
  }

  void read_items() {
    for (in_.skip_newlines(); !in_.at_end(); in_.skip_newlines()) {
      const Token word = in_.peek();
      if (std::find(kItems.begin(), kItems.end(), word.text) == kItems.end()) {
        in_.error(word, fmt::format("expected struct, const, spec, kernel or callable, found {}{}", describe(word),
                                    did_you_mean(word.text, kItems)));
        in_.take();
        in_.skip_statement();
        in_.accept("}");
        continue;
      }
      if (!read_item() || !in_.expect_statement_end()) {
        in_.skip_statement();
        in_.accept("}");
      }
    }
  }

  bool read_item() {
    const Token word = in_.take();
    if (word.text == "struct") {
      return read_struct(in_, module_->types);
    }
    if (word.text == "const") {
      return read_global();
    }
    return word.text == "spec" ? read_spec() : read_function(word);
  }

  // The name and type that const and spec begin with.
  bool read_declaration(std::string_view what, std::string& name, TypeId& type) {
    const Token token = in_.peek();
    auto symbol = in_.expect_name(TokenKind::symbol, fmt::format("the name of the {} (as @name)", what));
    if (!symbol || !in_.expect(":", "after the name")) {
      return false;
    }
    name = std::move(*symbol);
    declare(token, name);
    const Token at = in_.peek();
    type = read_type(in_, module_->types);
    const bool scalar_only = what == "spec";
    if (type.valid() && !(scalar_only ? is_scalar(module_->types[type].kind) : is_value_type(module_->types, type))) {
      in_.error(in_.place_from(at), fmt::format("{} has type {}, expected a {}", what, module_->types.text(type),
                                                scalar_only ? "scalar" : "value type"));
      return false;
    }
    return type.valid();
  }

  // const @table: array<f32, 4> = [0.0, 1.0, 2.0, 3.0]
  bool read_global() {
    std::string name;
    TypeId type;
    std::vector<std::uint64_t> leaves;
    if (!read_declaration("const", name, type) || !in_.expect("=", "after the type") ||
        !read_data(in_, module_->types, type, leaves)) {
      return false;
    }
    module_->globals.push_back({std::move(name), module_->constant({type, std::move(leaves)})});
    return true;
  }

  // spec @samples: u32 = 16 id(3)
  bool read_spec() {
    std::string name;
    TypeId type;
    std::vector<std::uint64_t> leaves;
    if (!read_declaration("spec", name, type) || !in_.expect("=", "after the type") ||
        !read_data(in_, module_->types, type, leaves) || !in_.expect("id", "after the default") ||
        !in_.expect("(", "after id")) {
      return false;
    }
    const Token at_id = in_.peek();
    const auto id = in_.expect_number("the id", UINT32_MAX);
    if (!id || !in_.expect(")", "after the id")) {
      return false;
    }
    const auto [first, inserted] = spec_ids_.try_emplace(*id, at_id);
    if (!inserted) {
      in_.error(at_id, fmt::format("id {} is that of another spec", *id))
          .note(in_.place(first->second), "it is given here first");
    }
    const ConstantId initial = module_->constant({type, std::move(leaves)});
    module_->specs.push_back({std::move(name), static_cast<std::uint32_t>(*id), initial});
    return true;
  }

  bool read_function(const Token& word) {
    const Token token = in_.peek();
    auto name = in_.expect_name(TokenKind::symbol, "the function's name (as @name)");
    if (!name || !in_.expect("(", "before the parameters")) {
      return false;
    }
    declare(token, *name);
    const FunctionKind kind = word.text == "kernel" ? FunctionKind::kernel : FunctionKind::callable;
    Function& f = module_->add_function(kind, std::move(*name));
    f.location = {module_->string(in_.file()), word.line, word.column};
    Pending pending{FunctionId(module_->functions.size() - 1), 0, {}};
    if (!read_signature(in_, *module_, f, token, pending.parameters)) {
      f.result_type = TypeId();  // so that calls know that there is nothing to check them against
      return false;
    }
    pending.body = in_.position();
    if (!in_.at("{")) {
      return in_.expect("{", "before the body");
    }
    in_.skip_block();
    bodies_.push_back(std::move(pending));
    return true;
  }

  // One name for each const, spec and function.
  void declare(const Token& token, const std::string& name) {
    const auto [first, inserted] = names_.try_emplace(name, token);
    if (!inserted) {
      in_.error(token, fmt::format("{} is defined twice", token.text))
          .note(in_.place(first->second), "it is defined here first");
    }
  }

  void read_bodies() {
    const Symbols symbols(*module_);
    for (Pending& body : bodies_) {
      in_.seek(body.body);
      BodyReader(in_, *module_, module_->function(body.function), symbols, body.parameters).read();
    }
  }

  Reader in_;
  std::unique_ptr<Module> module_ = std::make_unique<Module>();
  std::vector<Pending> bodies_;
  std::unordered_map<std::string, Token> names_;
  std::unordered_map<std::uint64_t, Token> spec_ids_;
};

}  // namespace

Result<std::unique_ptr<Module>> parse(std::string_view source, std::string file_name) {
  const StageScope scope(Stage::parse);
  return ModuleReader(source, std::move(file_name)).run();
}

}  // namespace weft::ir
