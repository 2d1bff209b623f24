#include "codegen/ir/text/read_struct.h"

#include <fmt/format.h>

#include "codegen/ir/text/read_type.h"
#include "codegen/ir/verify/type_rules.h"

namespace weft::ir {

namespace {

// position: vec<f32, 3> @0
bool read_member(Reader& in, TypeTable& types, std::vector<Member>& members, std::vector<SourceLocation>& places) {
  const Token token = in.peek();
  const auto name = in.expect_name(TokenKind::word, "a member's name");
  if (!name || !in.expect(":", "after the member's name")) {
    return false;
  }
  const TypeId type = read_type(in, types);
  if (!type.valid()) {
    return false;
  }
  const Token at = in.peek();
  const auto offset = in.expect_name(TokenKind::symbol, "the member's offset (as @12)");
  const bool number =
      offset && offset->size() < 10 && !offset->empty() && offset->find_first_not_of("0123456789") == std::string::npos;
  if (offset && !number) {
    in.error(at, fmt::format("expected the member's offset (as @12), found {}", describe(at)));
  }
  if (number) {
    members.push_back({*name, type, static_cast<std::uint32_t>(std::stoul(*offset))});
    places.push_back(in.place_from(token));
  }
  return number;
}

void check_struct(Reader& in, const TypeTable& types, TypeId type, const Token& name,
                  const std::vector<SourceLocation>& places) {
  std::vector<MemberProblem> problems = member_problems(types, type);
  for (MemberProblem& problem : problems) {
    in.error(places[problem.member], std::move(problem.message));
  }
  if (auto problem = problems.empty() ? type_problem(types, type) : std::nullopt) {
    in.error(name, std::move(*problem));
  }
}

}  // namespace

// struct Particle size 32 align 4 { position: vec<f32, 3> @0, mass: f32 @12 }
bool read_struct(Reader& in, TypeTable& types) {
  const Token token = in.peek();
  const auto name = in.expect_name(TokenKind::word, "the struct's name");
  if (!name || !in.expect("size", "after the struct's name")) {
    return false;
  }
  const auto size = in.expect_number("the size in bytes", kMaxTypeBytes);
  if (!size || !in.expect("align", "after the size")) {
    return false;
  }
  const auto align = in.expect_number("the alignment in bytes", 1U << 16);
  if (!align || !in.expect("{", "before the members")) {
    return false;
  }
  std::vector<Member> members;
  std::vector<SourceLocation> places;
  if (!in.read_list("}", "after the members", [&] { return read_member(in, types, members, places); })) {
    return false;
  }
  if (types.find_structure(*name).valid()) {
    in.error(token, fmt::format("struct {} is defined twice", *name));
    return true;
  }
  const TypeId type = types.structure(*name, members, *size, static_cast<std::uint32_t>(*align));
  check_struct(in, types, type, token, places);
  return true;
}

}  // namespace weft::ir
