#include "codegen/ir/text/read_type.h"

#include <fmt/format.h>

#include "codegen/ir/text/literal.h"
#include "codegen/ir/text/spelling.h"
#include "codegen/ir/verify/type_rules.h"
#include "runtime/support/suggest.h"

namespace weft::ir {

namespace {

constexpr std::uint32_t kMaxTypeDepth = 32;

class TypeReader {
 public:
  TypeReader(Reader& in, TypeTable& types) : in_(in), types_(types) {}

  TypeId read() {
    const Token first = in_.peek();
    if (depth_ == kMaxTypeDepth) {
      in_.error(first, fmt::format("type is nested more than {} deep", kMaxTypeDepth));
      return {};
    }
    ++depth_;
    const TypeId type = read_one();
    --depth_;
    if (const auto problem = type.valid() ? type_problem(types_, type) : std::nullopt) {
      in_.error(in_.place_from(first), *problem);
      return {};
    }
    return type;
  }

 private:
  TypeId read_one() {
    const Token word = in_.peek();
    if (word.kind == TokenKind::string) {
      return read_struct_name();
    }
    if (word.kind != TokenKind::word) {
      in_.expected("a type");
      return {};
    }
    if (const TypeId scalar = scalar_type_of(word.text); scalar.valid()) {
      in_.take();
      return scalar;
    }
    if (!is_type_word(word.text) || word.text == "void") {
      return read_struct_name();
    }
    in_.take();
    return word.text == "byte_buffer" ? types_.byte_buffer() : read_composed(word);
  }

  TypeId read_struct_name() {
    const Token token = in_.peek();
    const auto name = in_.expect_name(TokenKind::word, "a type");
    if (!name) {
      return {};
    }
    const TypeId type = types_.find_structure(*name);
    if (!type.valid()) {
      in_.error(token, fmt::format("unknown type {}{}", describe(token), suggestion(*name)));
    }
    return type;
  }

  std::string suggestion(std::string_view name) {
    std::vector<std::string_view> known{"vec", "mat", "array", "buffer", "byte_buffer", "ref"};
#define WEFT_SCALAR(name, id, text, bits, category, letter) known.emplace_back(text);
#include "codegen/ir/scalars.def"
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (types_[TypeId(i)].kind == TypeKind::structure) {
        known.emplace_back(types_[TypeId(i)].name);
      }
    }
    return did_you_mean(name, known);
  }

  TypeId read_composed(const Token& word) {
    if (!in_.expect("<", fmt::format("after `{}`", word.text))) {
      return {};
    }
    const Token at_element = in_.peek();
    const TypeId element = read();
    if (!element.valid()) {
      return {};
    }
    const bool scalars_only = word.text == "vec" || word.text == "mat";
    if (scalars_only ? !is_scalar(types_[element].kind) : !is_value(element)) {
      in_.error(in_.place_from(at_element), fmt::format("{} of {}: expected {}", word.text, types_.text(element),
                                                        scalars_only ? "a scalar" : "a value type"));
      return {};
    }
    const TypeId type = read_shape(word, element);
    return type.valid() && in_.expect(">", "at the end of the type") ? type : TypeId();
  }

  bool is_value(TypeId type) { return types_[type].size_bytes > 0; }

  TypeId read_shape(const Token& word, TypeId element) {
    if (word.text == "ref") {
      return types_.reference(element);
    }
    if (word.text == "buffer") {
      const auto stride = read_stride();
      return stride ? types_.buffer(element, *stride) : TypeId();
    }
    const bool is_array = word.text == "array";
    const auto count =
        is_array ? read_count("the number of elements", 1, 0xFFFFFFFF)
                 : read_count(word.text == "vec" ? "the number of components" : "the number of columns", 2, 4);
    if (!count) {
      return {};
    }
    if (word.text == "vec") {
      return types_.vector(element, *count);
    }
    const auto rows = is_array ? std::optional(0U) : read_count("the number of rows", 2, 4);
    const auto stride = rows ? read_stride() : std::nullopt;
    if (!stride) {
      return {};
    }
    return is_array ? types_.array(element, *count, *stride)
                    : types_.matrix(element, *count, *rows, *stride, read_row_major());
  }

  std::optional<std::uint32_t> read_count(std::string_view what, std::uint32_t least, std::uint32_t most) {
    if (!in_.expect(",", fmt::format("before {}", what))) {
      return std::nullopt;
    }
    const Token token = in_.peek();
    const auto count = in_.expect_number(what, most);
    if (count && *count < least) {
      in_.error(token, fmt::format("expected {} from {} to {}, found {}", what, least, most, describe(token)));
      return std::nullopt;
    }
    return count ? std::optional(static_cast<std::uint32_t>(*count)) : std::nullopt;
  }

  // `, stride N`; 0 if it is not given.
  std::optional<std::uint64_t> read_stride() {
    if (!in_.at(",") || in_.peek(1).text != "stride") {
      return 0;
    }
    in_.take();
    in_.take();
    const Token token = in_.peek();
    const auto stride = in_.expect_number("the stride in bytes", kMaxTypeBytes);
    if (stride && *stride == 0) {
      in_.error(token, "stride is 0");
      return std::nullopt;
    }
    return stride;
  }

  bool read_row_major() {
    if (!in_.at(",") || in_.peek(1).text != "row_major") {
      return false;
    }
    in_.take();
    in_.take();
    return true;
  }

  Reader& in_;
  TypeTable& types_;
  std::uint32_t depth_ = 0;
};

class DataReader {
 public:
  DataReader(Reader& in, TypeTable& types, std::vector<std::uint64_t>& leaves)
      : in_(in), types_(types), leaves_(leaves) {}

  bool read(TypeId type) {
    if (!is_scalar(types_[type].kind)) {
      return in_.expect("[", fmt::format("before the parts of {}", types_.text(type))) && read_parts(type, "]");
    }
    const Token token = in_.take();
    const auto bits = read_literal(in_, token, types_, type);
    leaves_.push_back(bits.value_or(0));
    return bits.has_value();
  }

  bool read_parts(TypeId type, std::string_view close) {
    const Token open = in_.previous();
    const std::uint64_t count = std::max<std::uint64_t>(1, types_.part_count(type));
    std::uint64_t found = 0;
    const auto read_part = [&] {
      if (found >= count) {
        in_.error(in_.peek(), fmt::format("{} has {} parts, this is one more", types_.text(type), count));
        return false;
      }
      const TypeId part = is_scalar(types_[type].kind) ? type : types_.part(type, found);
      ++found;
      return read(part);
    };
    if (!in_.read_list(close, fmt::format("after the parts of {}", types_.text(type)), read_part)) {
      return false;
    }
    if (found < count) {
      in_.error(open, fmt::format("{} has {} parts, found {}", types_.text(type), count, found));
    }
    return found == count;
  }

 private:
  Reader& in_;
  TypeTable& types_;
  std::vector<std::uint64_t>& leaves_;
};

}  // namespace

TypeId read_type(Reader& in, TypeTable& types) { return TypeReader(in, types).read(); }

bool at_type(const Reader& in, const TypeTable& types) {
  const Token& token = in.peek();
  if (token.kind == TokenKind::string) {
    return true;
  }
  return token.kind == TokenKind::word &&
         ((is_type_word(token.text) && token.text != "void") || types.find_structure(token.text).valid());
}

bool read_data(Reader& in, TypeTable& types, TypeId type, std::vector<std::uint64_t>& leaves) {
  return DataReader(in, types, leaves).read(type);
}

bool read_data_in_parentheses(Reader& in, TypeTable& types, TypeId type, std::vector<std::uint64_t>& leaves) {
  return in.expect("(", "before the parts of a constant") && DataReader(in, types, leaves).read_parts(type, ")");
}

bool read_place(Reader& in, Module& module, Location& location) {
  if (!in.at("at")) {
    return true;
  }
  in.take();
  const auto file = in.expect_string("a file name in quotes after `at`");
  if (!file || !in.expect(":", "before the line")) {
    return false;
  }
  const auto line = in.expect_number("a line", UINT32_MAX);
  if (!line || !in.expect(":", "before the column")) {
    return false;
  }
  const auto column = in.expect_number("a column", UINT32_MAX);
  location = {module.string(*file), static_cast<std::uint32_t>(*line), static_cast<std::uint32_t>(column.value_or(0))};
  return column.has_value();
}

std::optional<std::uint64_t> read_literal(Reader& in, const Token& token, const TypeTable& types, TypeId type) {
  const Literal literal = split_literal(token.text);
  const bool is_literal =
      token.kind == TokenKind::number || (token.kind == TokenKind::word && is_literal_word(token.text));
  if (!is_literal) {
    in.error(token, fmt::format("expected a number of type {}, found {}", types.text(type), describe(token)));
  } else if (literal.bad_suffix) {
    in.error(token, fmt::format("{} ends in no scalar type; the suffixes are _f32, _u32 and so on", describe(token)));
  } else if (literal.suffix.valid() && literal.suffix != type) {
    in.error(token,
             fmt::format("{} has type {}, expected {}", describe(token), types.text(literal.suffix), types.text(type)));
  } else {
    ScalarBits scalar = read_scalar(types[type].kind, literal.digits);
    if (scalar.error.empty()) {
      return scalar.bits;
    }
    in.error(token, std::move(scalar.error));
  }
  return std::nullopt;
}

}  // namespace weft::ir
