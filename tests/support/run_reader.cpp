#include "tests/support/run_reader.h"

#include <fmt/format.h>

#include <cctype>

#include "codegen/ir/builder.h"
#include "codegen/ir/text/literal.h"
#include "tests/support/scalar_image.h"

namespace weft::test {

using namespace ir;

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }
bool is_literal(char c) { return is_word(c) || c == '-' || c == '+'; }

// The kind of the i-th scalar of the elements of a buffer, or of a value.
std::vector<TypeKind> scalar_kinds(const TypeTable& types, TypeId type) {
  std::vector<TypeKind> kinds;
  for (const ImageScalar& place : image_scalars(types, type, 1)) {
    kinds.push_back(place.kind);
  }
  return kinds;
}

}  // namespace

ParsedRun RunReader::read() {
  skip_spaces();
  if (accept("@")) {
    parsed_.run.kernel = read_word();
  }
  kernel_ = module_.find_kernel(parsed_.run.kernel);
  if (kernel_ == nullptr) {
    fail("there is no such kernel");
    return std::move(parsed_);
  }
  given_.resize(kernel_->parameters.size());
  for (const Parameter& parameter : kernel_->parameters) {
    const Value& value = kernel_->value(parameter.value);
    parsed_.run.arguments.push_back({std::string(module_.string(value.name)), value.type, 0, {}});
  }
  read_left();
  check_arguments();
  if (!failed()) {
    read_right();
  }
  return std::move(parsed_);
}

void RunReader::read_left() {
  while (!failed() && !accept("->")) {
    if (rest_.empty()) {
      fail("expected `->`");
    } else if (accept("dispatch(")) {
      read_dispatch();
    } else {
      read_assignment();
    }
  }
}

void RunReader::read_dispatch() {
  std::size_t d = 0;
  do {
    parsed_.run.dispatch[d++] = read_number();
  } while (d < 3 && accept(","));
  expect(")");
}

void RunReader::read_assignment() {
  const std::string name = read_word();
  expect("=");
  if (name.starts_with("spec.")) {
    read_spec(static_cast<std::uint32_t>(std::stoul(name.substr(5))));
    return;
  }
  const std::size_t index = find_argument(name);
  if (failed()) {
    return;
  }
  RunArgument& argument = parsed_.run.arguments[index];
  const auto scalars = read_scalars(argument.type);
  const std::size_t each = scalar_kinds(module_.types, argument.type).size();
  if (scalars.size() % each != 0) {
    fail(fmt::format("{} takes {} scalars for each element, found {}", name, each, scalars.size()));
    return;
  }
  argument.count = scalars.size() / each;
  argument.bytes.resize(image_bytes(module_.types, argument.type, argument.count));
  const std::vector<ImageScalar> places = image_scalars(module_.types, argument.type, argument.count);
  for (std::size_t i = 0; i < places.size(); ++i) {
    write_image(argument.bytes, places[i], scalars[i].value_or(0));
  }
  given_[index] = true;
}

void RunReader::read_spec(std::uint32_t id) {
  for (const SpecConstant& spec : module_.specs) {
    if (spec.id == id) {
      const TypeId type = module_.constant(spec.initial).type;
      parsed_.run.spec_values[id] = {type, {read_scalar(module_.types[type].kind).value_or(0)}};
      return;
    }
  }
  fail(fmt::format("no specialisation constant has the id {}", id));
}

void RunReader::check_arguments() {
  for (std::size_t i = 0; i < given_.size(); ++i) {
    if (!given_[i]) {
      fail(fmt::format("argument {} is not given", parsed_.run.arguments[i].name));
    }
  }
}

void RunReader::read_right() {
  do {
    const std::string name = read_word();
    if (name == "fault") {
      parsed_.run.fault = read_string();
    } else if (name == "prints") {
      parsed_.run.prints.emplace();
      while (!failed() && rest_.starts_with('"')) {
        parsed_.run.prints->push_back(read_string());
      }
    } else if (const std::size_t argument = find_argument(name); !failed()) {
      expect("==");
      parsed_.run.expectations.push_back({argument, read_scalars(parsed_.run.arguments[argument].type)});
    }
  } while (!failed() && accept(","));
  if (!rest_.empty()) {
    fail("expected `,` or the end");
  }
}

std::vector<std::optional<std::uint64_t>> RunReader::read_scalars(TypeId type) {
  const std::vector<TypeKind> kinds = scalar_kinds(module_.types, type);
  const bool zeros = accept("zeros(");
  if (!zeros && !accept("iota(")) {
    return read_list(type);
  }
  const std::size_t count = std::size_t{read_number()} * kinds.size();
  expect(")");
  std::vector<std::optional<std::uint64_t>> scalars;
  for (std::size_t i = 0; i < count; ++i) {
    scalars.emplace_back(zeros ? 0 : scalar_bits_of(kinds[i % kinds.size()], static_cast<double>(i)));
  }
  return scalars;
}

std::vector<std::optional<std::uint64_t>> RunReader::read_list(TypeId type) {
  const std::vector<TypeKind> kinds = scalar_kinds(module_.types, type);
  std::vector<std::optional<std::uint64_t>> scalars;
  if (!accept("[")) {
    scalars.push_back(read_scalar(kinds[0]));
    return scalars;
  }
  while (!failed() && !accept("]")) {
    if (!scalars.empty()) {
      expect(",");
    }
    scalars.push_back(read_scalar(kinds[scalars.size() % kinds.size()]));
  }
  return scalars;
}

std::optional<std::uint64_t> RunReader::read_scalar(TypeKind kind) {
  std::size_t length = 0;
  while (length < rest_.size() && is_literal(rest_[length])) {
    ++length;
  }
  const std::string_view digits = rest_.substr(0, length);
  rest_.remove_prefix(length);
  skip_spaces();
  if (digits == "_") {
    return std::nullopt;
  }
  const ScalarBits scalar = ir::read_scalar(kind, digits);
  if (digits.empty() || !scalar.error.empty()) {
    fail(fmt::format("`{}` is no {}: {}", digits, ir::scalar_text(kind), scalar.error));
  }
  return scalar.bits;
}

std::uint32_t RunReader::read_number() { return static_cast<std::uint32_t>(read_scalar(TypeKind::u32).value_or(0)); }

std::string RunReader::read_string() {
  expect("\"");
  const std::string_view text = rest_.substr(0, rest_.find('"'));
  rest_.remove_prefix(text.size());
  expect("\"");
  return std::string(text);
}

std::string RunReader::read_word() {
  std::size_t length = 0;
  while (length < rest_.size() && is_word(rest_[length])) {
    ++length;
  }
  std::string word(rest_.substr(0, length));
  rest_.remove_prefix(length);
  skip_spaces();
  if (word.empty()) {
    fail("expected a name");
  }
  return word;
}

std::size_t RunReader::find_argument(const std::string& name) {
  for (std::size_t i = 0; i < parsed_.run.arguments.size(); ++i) {
    if (parsed_.run.arguments[i].name == name) {
      return i;
    }
  }
  fail(fmt::format("the kernel has no parameter {}", name));
  return 0;
}

void RunReader::skip_spaces() {
  while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_[0])) != 0) {
    rest_.remove_prefix(1);
  }
}

bool RunReader::accept(std::string_view text) {
  if (!rest_.starts_with(text)) {
    return false;
  }
  rest_.remove_prefix(text.size());
  skip_spaces();
  return true;
}

void RunReader::expect(std::string_view text) {
  if (!accept(text)) {
    fail(fmt::format("expected `{}`", text));
  }
}

void RunReader::fail(std::string message) {
  if (parsed_.error.empty()) {
    parsed_.error = rest_.empty() ? std::move(message) : fmt::format("{} at `{}`", message, rest_);
  }
}

}  // namespace weft::test
