// What a kernel tells the outside: assert, unreachable, print; and the clock.
#pragma once

#include "codegen/lower/emitter.h"

namespace weft::lower {

// The number of an op among the kernel's sites (abi::KernelInfo::sites), with the op's text.
std::uint32_t site(Emitter& e, ir::OpId id, abi::SiteKind kind, std::string value_types = {});

void lower_assert(Emitter& e, ir::OpId op);
void lower_unreachable(Emitter& e, ir::OpId op);
void lower_print(Emitter& e, ir::OpId op);
void lower_clock(Emitter& e, const ir::Op& op);

}  // namespace weft::lower
