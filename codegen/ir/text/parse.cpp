#include "codegen/ir/text/parse.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/ir/text/body_reader.h"
#include "codegen/ir/text/read_type.h"
#include "codegen/ir/typing.h"
#include "codegen/ir/verify/type_rules.h"
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
    if (in_.has_errors()) { return in_.take_diagnostics(); }
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
    if (word.text == "struct") { return read_struct(); }
    if (word.text == "const") { return read_global(); }
    return word.text == "spec" ? read_spec() : read_function(word);
  }

  // struct Particle size 32 align 4 { position: vec<f32, 3> @0, mass: f32 @12 }
  bool read_struct() {
    const Token token = in_.peek();
    const auto name = in_.expect_name(TokenKind::word, "the struct's name");
    if (!name || !in_.expect("size", "after the struct's name")) { return false; }
    const auto size = in_.expect_number("the size in bytes", kMaxTypeBytes);
    if (!size || !in_.expect("align", "after the size")) { return false; }
    const auto align = in_.expect_number("the alignment in bytes", 1U << 16);
    if (!align || !in_.expect("{", "before the members")) { return false; }
    std::vector<Member> members;
    std::vector<SourceLocation> places;
    if (!in_.read_list("}", "after the members", [&] { return read_member(members, places); })) { return false; }
    if (module_->types.find_structure(*name).valid()) {
      in_.error(token, fmt::format("struct {} is defined twice", *name));
      return true;
    }
    const TypeId type = module_->types.structure(*name, std::move(members), *size, static_cast<std::uint32_t>(*align));
    check_struct(type, token, places);
    return true;
  }

  bool read_member(std::vector<Member>& members, std::vector<SourceLocation>& places) {
    const Token token = in_.peek();
    const auto name = in_.expect_name(TokenKind::word, "a member's name");
    if (!name || !in_.expect(":", "after the member's name")) { return false; }
    const TypeId type = read_type(in_, module_->types);
    if (!type.valid()) { return false; }
    const Token at = in_.peek();
    const auto offset = in_.expect_name(TokenKind::symbol, "the member's offset, such as @12,");
    const bool number = offset && offset->size() < 10 && !offset->empty() &&
                        offset->find_first_not_of("0123456789") == std::string::npos;
    if (offset && !number) {
      in_.error(at, fmt::format("expected the member's offset, such as @12, found {}", describe(at)));
    }
    if (number) {
      members.push_back({*name, type, static_cast<std::uint32_t>(std::stoul(*offset))});
      places.push_back(in_.place_from(token));
    }
    return number;
  }

  void check_struct(TypeId type, const Token& name, const std::vector<SourceLocation>& places) {
    bool good = true;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (auto problem = member_problem(module_->types, type, i)) {
        in_.error(places[i], std::move(*problem));
        good = false;
      }
    }
    if (auto problem = good ? type_problem(module_->types, type) : std::nullopt) {
      in_.error(name, std::move(*problem));
    }
  }

  // The name and type that const and spec begin with.
  bool read_declaration(std::string_view what, std::string& name, TypeId& type) {
    const Token token = in_.peek();
    auto symbol = in_.expect_name(TokenKind::symbol, fmt::format("the name of the {}, such as @name,", what));
    if (!symbol || !in_.expect(":", "after the name")) { return false; }
    name = std::move(*symbol);
    declare(token, name);
    const Token at = in_.peek();
    type = read_type(in_, module_->types);
    if (type.valid() && !is_value_type(module_->types, type)) {
      in_.error(in_.place_from(at),
                fmt::format("{} has type {}, expected a value type", what, module_->types.text(type)));
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
    const auto id = in_.expect_number("the id", UINT32_MAX);
    if (!id || !in_.expect(")", "after the id")) { return false; }
    const ConstantId initial = module_->constant({type, std::move(leaves)});
    module_->specs.push_back({std::move(name), static_cast<std::uint32_t>(*id), initial});
    return true;
  }

  bool read_function(const Token& word) {
    const Token token = in_.peek();
    auto name = in_.expect_name(TokenKind::symbol, "the function's name, such as @name,");
    if (!name || !in_.expect("(", "before the parameters")) { return false; }
    declare(token, *name);
    const FunctionKind kind = word.text == "kernel" ? FunctionKind::kernel : FunctionKind::callable;
    Function& f = module_->add_function(kind, std::move(*name));
    f.location = {module_->string(in_.file()), word.line, word.column};
    Pending pending{FunctionId(module_->functions.size() - 1), 0, {}};
    if (!in_.read_list(")", "after the parameters", [&] { return read_parameter(f, pending.parameters); })) {
      return false;
    }
    if (!(kind == FunctionKind::kernel ? read_attributes(f, token) : read_result(f)) ||
        !read_place(in_, *module_, f.location)) {
      return false;
    }
    pending.body = in_.position();
    if (!in_.at("{")) { return in_.expect("{", "before the body"); }
    in_.skip_block();
    bodies_.push_back(std::move(pending));
    return true;
  }

  // %out: restrict buffer<f32>
  bool read_parameter(Function& f, std::vector<Token>& names) {
    if (in_.peek().kind != TokenKind::value) {
      in_.expected("a parameter's name, such as %a,");
      return false;
    }
    names.push_back(in_.take());
    if (!in_.expect(":", "after the parameter's name")) { return false; }
    const bool is_restrict = in_.at("restrict") && in_.accept("restrict");
    const TypeId type = read_type(in_, module_->types);
    if (type.valid()) { f.add_parameter(type, {}, is_restrict); }
    return type.valid();
  }

  bool read_result(Function& f) {
    if (in_.accept("->")) { f.result_type = read_type(in_, module_->types); }
    return f.result_type.valid();
  }

  bool read_attributes(Function& f, const Token& name) {
    bool block = false;
    while (in_.peek().kind == TokenKind::word && !in_.at("at")) {
      const Token word = in_.take();
      if (word.text == "unchecked") {
        f.attributes.unchecked = true;
      } else if (word.text == "block" || word.text == "warp" || word.text == "math") {
        block |= word.text == "block";
        if (!in_.expect("(", fmt::format("after {}", word.text)) || !read_attribute(f.attributes, word.text)) {
          return false;
        }
      } else {
        in_.error(word, fmt::format("unknown attribute {}; there are block, warp, math and unchecked", describe(word)));
        return false;
      }
    }
    if (!block) { in_.error(name, fmt::format("kernel {} has no block size, such as block(256)", name.text)); }
    return true;
  }

  bool read_attribute(KernelAttributes& attributes, std::string_view word) {
    if (word == "block") {
      attributes.dimensions = 0;
      return in_.read_list(")", "after the block size", [&] { return read_block_dimension(attributes); });
    }
    if (word == "warp") {
      const auto size = in_.expect_number("the warp size", UINT32_MAX);
      attributes.warp_size = static_cast<std::uint32_t>(size.value_or(0));
      return size && in_.expect(")", "after the warp size");
    }
    const auto mode = std::find(kMathModeTexts.begin(), kMathModeTexts.end(), in_.peek().text);
    if (mode == kMathModeTexts.end()) {
      in_.expected("strict, precise or fast");
      return false;
    }
    in_.take();
    attributes.math = static_cast<MathMode>(mode - kMathModeTexts.begin());
    return in_.expect(")", "after the kind of math");
  }

  bool read_block_dimension(KernelAttributes& attributes) {
    if (attributes.dimensions == attributes.block_size.size()) {
      in_.error(in_.peek(), "block has at most 3 dimensions");
      return false;
    }
    const auto size = in_.expect_number("lanes of a block", UINT32_MAX);
    attributes.block_size[attributes.dimensions++] = static_cast<std::uint32_t>(size.value_or(0));
    return size.has_value();
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
    for (Pending& body : bodies_) {
      in_.seek(body.body);
      BodyReader(in_, *module_, module_->function(body.function), body.parameters).read();
    }
  }

  Reader in_;
  std::unique_ptr<Module> module_ = std::make_unique<Module>();
  std::vector<Pending> bodies_;
  std::unordered_map<std::string, Token> names_;
};

}  // namespace

Result<std::unique_ptr<Module>> parse(std::string_view source, std::string file_name) {
  return ModuleReader(source, std::move(file_name)).run();
}

}  // namespace weft::ir
