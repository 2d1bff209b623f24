#include "codegen/ir/text/read_signature.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/ir/text/read_type.h"

namespace weft::ir {

namespace {

// %out: restrict buffer<f32>
bool read_parameter(Reader& in, Module& m, Function& f, std::vector<Token>& names) {
  if (in.peek().kind != TokenKind::value) {
    in.expected("a parameter's name (as %a)");
    return false;
  }
  names.push_back(in.take());
  if (!in.expect(":", "after the parameter's name")) {
    return false;
  }
  const bool is_restrict = in.at("restrict") && in.accept("restrict");
  const TypeId type = read_type(in, m.types);
  if (type.valid()) {
    f.add_parameter(type, {}, is_restrict);
  }
  return type.valid();
}

bool read_result(Reader& in, Module& m, Function& f) {
  if (in.accept("->")) {
    f.result_type = read_type(in, m.types);
  }
  return f.result_type.valid();
}

bool read_block_dimension(Reader& in, KernelAttributes& attributes) {
  if (attributes.dimensions == attributes.block_size.size()) {
    in.error(in.peek(), "block has at most 3 dimensions");
    return false;
  }
  const auto size = in.expect_number("lanes of a block", UINT32_MAX);
  attributes.block_size[attributes.dimensions++] = static_cast<std::uint32_t>(size.value_or(0));
  return size.has_value();
}

bool read_attribute(Reader& in, KernelAttributes& attributes, std::string_view word) {
  if (word == "block") {
    attributes.dimensions = 0;
    return in.read_list(")", "after the block size", [&] { return read_block_dimension(in, attributes); });
  }
  if (word == "warp") {
    const auto size = in.expect_number("the warp size", UINT32_MAX);
    attributes.warp_size = static_cast<std::uint32_t>(size.value_or(0));
    return size && in.expect(")", "after the warp size");
  }
  const auto mode = std::find(kMathModeTexts.begin(), kMathModeTexts.end(), in.peek().text);
  if (mode == kMathModeTexts.end()) {
    in.expected("strict, precise or fast");
    return false;
  }
  in.take();
  attributes.math = static_cast<MathMode>(mode - kMathModeTexts.begin());
  return in.expect(")", "after the kind of math");
}

bool read_attributes(Reader& in, Function& f, const Token& name) {
  bool block = false;
  std::vector<Token> given;
  while (in.peek().kind == TokenKind::word && !in.at("at")) {
    const Token word = in.take();
    const auto first = std::find_if(given.begin(), given.end(), [&](const Token& t) { return t.text == word.text; });
    if (first != given.end()) {
      in.error(word, fmt::format("attribute {} is given twice", describe(word)))
          .note(in.place(*first), "it is given here first");
    }
    given.push_back(word);
    if (word.text == "unchecked") {
      f.attributes.unchecked = true;
    } else if (word.text == "block" || word.text == "warp" || word.text == "math") {
      block |= word.text == "block";
      if (!in.expect("(", fmt::format("after {}", word.text)) || !read_attribute(in, f.attributes, word.text)) {
        return false;
      }
    } else {
      in.error(word, fmt::format("unknown attribute {}; there are block, warp, math and unchecked", describe(word)));
      return false;
    }
  }
  if (!block) {
    in.error(name, fmt::format("kernel {} has no block size, such as block(256)", name.text));
  }
  return true;
}

}  // namespace

bool read_signature(Reader& in, Module& m, Function& f, const Token& name, std::vector<Token>& parameters) {
  if (!in.read_list(")", "after the parameters", [&] { return read_parameter(in, m, f, parameters); })) {
    return false;
  }
  const bool good = f.kind == FunctionKind::kernel ? read_attributes(in, f, name) : read_result(in, m, f);
  return good && read_place(in, m, f.location);
}

}  // namespace weft::ir
