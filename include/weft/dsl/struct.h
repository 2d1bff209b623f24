// WEFT_STRUCT(Type, members...): makes a struct of the host usable in kernels, at global scope and once:
//
//   struct Particle { float3 position; float mass; };
//   WEFT_STRUCT(Particle, position, mass)
//
// Name, offsets, size and alignment are those of the host's type; members may be structs declared before, and arrays. A
// member that is left out is not seen in kernels, and kernels never write it. Var<Particle> then has the members as
// variables in place, Expr<Particle> as values.
#pragma once

#include <weft/dsl/parts.h>

// WEFT_FOR_EACH(macro, a, b, c): macro(a) macro(b) macro(c), for up to 64 arguments.
#define WEFT_EXPAND(...) WEFT_EXPAND2(WEFT_EXPAND2(WEFT_EXPAND2(WEFT_EXPAND2(__VA_ARGS__))))
#define WEFT_EXPAND2(...) WEFT_EXPAND1(WEFT_EXPAND1(WEFT_EXPAND1(WEFT_EXPAND1(__VA_ARGS__))))
#define WEFT_EXPAND1(...) WEFT_EXPAND0(WEFT_EXPAND0(WEFT_EXPAND0(WEFT_EXPAND0(__VA_ARGS__))))
#define WEFT_EXPAND0(...) __VA_ARGS__
#define WEFT_PARENTHESES ()
#define WEFT_FOR_EACH(macro, ...) __VA_OPT__(WEFT_EXPAND(WEFT_FOR_EACH_STEP(macro, __VA_ARGS__)))
#define WEFT_FOR_EACH_STEP(macro, first, ...) \
  macro(first) __VA_OPT__(WEFT_FOR_EACH_AGAIN WEFT_PARENTHESES(macro, __VA_ARGS__))
#define WEFT_FOR_EACH_AGAIN() WEFT_FOR_EACH_STEP

#define WEFT_STRUCT_INFO(member) {#member, &kTypeInfo<stored_t<decltype(Self::member)>>, offsetof(Self, member)},
#define WEFT_STRUCT_INDEX(member) member,
#define WEFT_STRUCT_FIELD(member) Field<stored_t<decltype(Self::member)>> member;
#define WEFT_STRUCT_BIND(member) , member(At{n.part(static_cast<std::uint32_t>(Order::member))})

#define WEFT_STRUCT(Type, ...)                                                                         \
  template <>                                                                                          \
  struct weft::dsl::TypeInfoOf<Type> {                                                                 \
    using Self = Type;                                                                                 \
    static_assert(std::is_standard_layout_v<Self> && std::is_trivially_copyable_v<Self>,               \
                  #Type " must be a plain struct to be seen by kernels");                              \
    static constexpr MemberInfo members[] = {WEFT_FOR_EACH(WEFT_STRUCT_INFO, __VA_ARGS__)};            \
    static constexpr TypeInfo value{.kind = TypeClass::structure,                                      \
                                    .name = #Type,                                                     \
                                    .count = sizeof(members) / sizeof(MemberInfo),                     \
                                    .size_bytes = sizeof(Self),                                        \
                                    .align_bytes = alignof(Self),                                      \
                                    .members = members,                                                \
                                    .depth = depth_of(members, sizeof(members) / sizeof(MemberInfo))}; \
    static_assert(value.depth <= kMaxDepth, #Type " nests structs too deeply");                        \
  };                                                                                                   \
  template <template <class> class Field>                                                              \
  struct weft::dsl::Parts<Type, Field> : weft::dsl::Handle {                                           \
    using Self = Type;                                                                                 \
    WEFT_FOR_EACH(WEFT_STRUCT_FIELD, __VA_ARGS__)                                                      \
                                                                                                       \
   protected:                                                                                          \
    explicit Parts(const Node& n) : Handle(n) WEFT_FOR_EACH(WEFT_STRUCT_BIND, __VA_ARGS__) {}          \
                                                                                                       \
   private:                                                                                            \
    enum class Order : std::uint32_t { WEFT_FOR_EACH(WEFT_STRUCT_INDEX, __VA_ARGS__) };                \
  };
