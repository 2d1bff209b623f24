// Regions and control flow of a function's body.
#include "codegen/ir/text/body_reader.h"

#include <fmt/format.h>

#include <utility>

#include "codegen/ir/text/literal.h"
#include "codegen/ir/text/read_type.h"
#include "runtime/support/suggest.h"

namespace weft::ir {

namespace {

std::string suggest_op(std::string_view word) {
  std::vector<std::string_view> texts;
  for (const OpInfo& op : all_ops()) {
    texts.push_back(op.text);
  }
  return did_you_mean(word, texts);
}

}  // namespace

BodyReader::BodyReader(Reader& in, Module& module, Function& function, const Symbols& symbols,
                       std::span<const Token> parameters)
    : in_(in), m_(module), f_(function), symbols_(symbols), region_(function.body()), file_(module.string(in.file())) {
  scope_.open();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    declare(parameters[i], f_.parameters[i].value);
  }
}

void BodyReader::read() { read_block(f_.body(), fmt::format("before the body of @{}", f_.name)); }

// A block in braces and its scope.
bool BodyReader::read_block(RegionId region, std::string_view where) {
  if (!in_.at("{")) {
    return in_.expect("{", where);
  }
  if (depth_ == kMaxRegionDepth) {
    in_.error(in_.peek(), fmt::format("regions are nested more than {} deep", kMaxRegionDepth));
    in_.skip_block();
    return true;
  }
  in_.take();
  scope_.open();
  read_statements(region);
  scope_.close();
  return true;
}

// To the closing brace, which is taken.
void BodyReader::read_statements(RegionId region) {
  const RegionId outer = std::exchange(region_, region);
  ++depth_;
  for (in_.skip_newlines(); !in_.at("}") && !in_.at_end(); in_.skip_newlines()) {
    read_statement();
  }
  in_.expect("}", "at the end of the block");
  --depth_;
  region_ = outer;
}

void BodyReader::read_statement() {
  Statement s{.first = in_.peek(), .first_op = f_.op_count()};
  location_ = {file_, s.first.line, s.first.column};
  if (in_.peek().kind == TokenKind::value && in_.peek(1).text == "=") {
    s.result = in_.take();
    in_.take();
  }
  s.word = in_.peek();
  const auto code = s.word.kind == TokenKind::word ? find_op(s.word.text) : std::nullopt;
  bool good = code.has_value();
  if (!good && s.word.kind != TokenKind::word) {
    in_.expected("an op");
  } else if (!good) {
    in_.error(s.word, fmt::format("unknown op {}{}", describe(s.word), suggest_op(s.word.text)));
  } else {
    in_.take();
    s.code = *code;
    good = info(*code).effect == Effect::control && !is_terminator(*code) ? read_structured(s) : read_op(s);
  }
  if (good && in_.expect_statement_end()) {
    return;
  }
  in_.skip_statement();
  if (s.result && scope_.find(s.result->text) == nullptr) {
    declare(*s.result, {});
  }
}

bool BodyReader::read_structured(Statement& s) {
  if (s.result) {
    in_.error(*s.result, fmt::format("{} gives no result", info(s.code).text));
  }
  return s.code == OpCode::if_ ? read_if(s) : s.code == OpCode::loop ? read_loop(s) : read_switch(s);
}

// The op that owns regions. Its operands had an error if it has none; the op is made so that its regions are read.
OpId BodyReader::append_structured(Statement& s) {
  std::vector<ValueId> operands;
  for (const Operand& operand : s.operands) {
    operands.push_back(operand.value);
  }
  return f_.append(region_, s.code, kVoid, operands, s.imm, s.region_count, location_);
}

bool BodyReader::read_if(Statement& s) {
  s.region_count = 2;
  if (!read_operands(s) || !read_location(s)) {
    return false;
  }
  check(s);
  const OpId op = append_structured(s);
  if (!read_block(f_.regions(f_.op(op))[0], "before what if does")) {
    return false;
  }
  if (in_.reach("else")) {
    in_.take();
    return read_block(f_.regions(f_.op(op))[1], "before what else does");
  }
  return true;
}

// What the condition makes is visible in body and update.
bool BodyReader::read_loop(Statement& s) {
  s.region_count = 3;
  if (!read_location(s)) {
    return false;
  }
  const OpId op = append_structured(s);
  const auto region = [&](std::size_t i) { return f_.regions(f_.op(op))[i]; };
  if (depth_ == kMaxRegionDepth || !in_.at("{")) {
    return read_block(region(0), "before the loop's condition");
  }
  in_.take();
  scope_.open();
  read_statements(region(0));
  bool good = in_.reach("body") || in_.expect("body", "after the loop's condition");
  if (good) {
    in_.take();
    good = read_block(region(1), "before the loop's body");
  }
  if (good && in_.reach("update")) {
    in_.take();
    good = read_block(region(2), "before the loop's update");
  }
  scope_.close();
  return good;
}

bool BodyReader::read_switch(Statement& s) {
  s.imm = f_.case_lists.size();
  if (!read_operands(s) || !read_location(s)) {
    return false;
  }
  const bool good = check(s);
  s.region_count = count_regions_of_switch();
  f_.case_lists.emplace_back();
  const OpId op = append_structured(s);
  if (!in_.expect("{", "before the cases")) {
    return false;
  }
  CaseList cases;
  const bool read = read_cases(op, good ? type_of(s.operands[0]) : TypeId(), cases);
  f_.case_lists[s.imm] = std::move(cases);
  return read;
}

// One for each `case` right inside the block that follows, and the default.
std::size_t BodyReader::count_regions_of_switch() const {
  std::size_t count = 1;
  std::size_t depth = 0;
  for (std::size_t ahead = 0; in_.peek(ahead).kind != TokenKind::end; ++ahead) {
    const std::string_view text = in_.peek(ahead).text;
    depth += text == "{" ? 1 : 0;
    count += depth == 1 && text == "case" ? 1 : 0;
    if (text == "}" && --depth == 0) {
      break;
    }
  }
  return count;
}

bool BodyReader::read_cases(OpId op, TypeId selector, CaseList& cases) {
  const auto region = [&](std::size_t i) { return f_.regions(f_.op(op))[i]; };
  const std::size_t default_region = f_.op(op).region_count - 1;
  for (in_.skip_newlines(); in_.accept("case"); in_.skip_newlines()) {
    const std::size_t index = std::min(cases.size(), default_region);
    if (!read_case_values(selector, cases.emplace_back()) || !read_block(region(index), "before what the case does")) {
      in_.skip_statement();
    }
  }
  if (in_.accept("default") && !read_block(region(default_region), "before what the default does")) {
    in_.skip_statement();
  }
  if (in_.reach("}")) {
    in_.take();
    return true;
  }
  in_.skip_newlines();
  in_.error(in_.peek(), fmt::format("expected `case`, `default` (which comes last) or `}}` in switch, found {}",
                                    describe(in_.peek())));
  while (!in_.at("}") && !in_.at_end()) {
    in_.skip_statement();
    in_.skip_newlines();
  }
  in_.accept("}");
  return true;
}

bool BodyReader::read_case_values(TypeId selector, std::vector<std::int64_t>& values) {
  do {
    if (in_.at_statement_end() || in_.at("{")) {
      in_.expected("a case's value");
      return false;
    }
    const Token token = in_.take();
    const auto bits = selector.valid() ? read_literal(in_, token, m_.types, selector) : std::optional<std::uint64_t>(0);
    if (!bits) {
      return false;
    }
    const TypeKind kind = selector.valid() ? m_.types[selector].kind : TypeKind::u32;
    const std::uint32_t unused = scalar_category(kind) == ScalarCategory::signed_integer ? 64 - scalar_bits(kind) : 0;
    values.push_back(static_cast<std::int64_t>(*bits << unused) >> unused);
  } while (in_.accept(","));
  return true;
}

}  // namespace weft::ir
