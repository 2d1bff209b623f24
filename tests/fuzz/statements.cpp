#include "tests/fuzz/statements.h"

#include <algorithm>

#include "tests/fuzz/generate.h"

namespace weft::fuzz {

using ir::OpCode;
using ir::TypeId;
using ir::ValueId;

namespace {

constexpr int kMaxDepth = 4;

}  // namespace

void Statements::kernel_body() {
  x_.add(env_.n, true);
  for (std::uint64_t d = 0; d < 3; ++d) {
    x_.add(b_.emit(OpCode::block_id, {}, d), true);
    x_.add(b_.emit(OpCode::thread_id, {}, d), false);
    x_.add(b_.emit(OpCode::dispatch_id, {}, d), false);
    x_.add(b_.emit(OpCode::read, {env_.in, b_.emit(OpCode::dispatch_id, {}, d)}), false);
  }
  x_.add(env_.own, false);
  declare();
  declare();
  block({.block_uniform = true}, 6 + random_.below(10));
  write_out(true);
}

void Statements::callable_body(ir::Function& callable) {
  in_callable_ = true;
  x_.add(callable.parameters[0].value, false);
  variables_.push_back({callable.parameters[1].value, ir::kU32, 1});
  declare();
  block({.depth = 1}, 3 + random_.below(4));
  b_.emit(OpCode::return_, {x_.value(ir::kU32)});
}

std::vector<ir::FunctionId> generate_callables(ir::Module& module, Random& random) {
  std::vector<ir::FunctionId> ids;
  for (std::uint32_t i = 0; i < 1 + random.below(2); ++i) {
    ids.emplace_back(module.functions.size());
    ir::Function& f = module.add_function(ir::FunctionKind::callable, "f" + std::to_string(i));
    f.result_type = ir::kU32;
    f.add_parameter(ir::kU32, module.string("a"));
    f.add_parameter(module.types.reference(ir::kU32), module.string("r"));
    ir::Builder b(module, f);
    Statements(b, random, {}).callable_body(f);
  }
  return ids;
}

void Statements::block(Place place, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    statement(place);
  }
}

void Statements::statement(Place place) {
  if (place.in_loop && random_.once_in(8)) {
    return leave(place);
  }
  switch (random_.below(16)) {
    case 0:
    case 1: x_.compute(x_.any_type(), false); return;
    case 2: declare(); return;
    case 3:
    case 4:
    case 5: assign(); return;
    case 6: load_variable(); return;
    case 7: return in_callable_ ? load_variable() : random_.once_in(2) ? load_buffer() : load_neighbour();
    case 8: return in_callable_ ? assign() : write_out();
    case 9: return place.block_uniform ? exchange() : assign();
    case 10:
    case 11: return branch(place);
    case 12: return loop(place);
    case 13: return choose(place);
    case 14: return in_callable_ || env_.callables.empty() ? assign() : random_.once_in(2) ? call() : count();
    default: return leave(place);
  }
}

void Statements::nested(ir::RegionId region, Place place) {
  ++place.depth;
  inside(region, [&] { block(place, 2 + random_.below(4)); });
}

void Statements::declare() {
  const TypeId type = x_.any_type();
  if (random_.once_in(3)) {
    const std::uint32_t elements = 2 + random_.below(7);
    const ValueId array = b_.local(b_.module().types.array(type, elements));
    for (std::uint32_t i = 0; i < elements; ++i) {
      b_.store(b_.emit(OpCode::element, {array, b_.constant_u32(i)}), x_.value(type));
    }
    variables_.push_back({array, type, elements});
    return;
  }
  const ValueId variable = b_.local(type);
  if (!random_.once_in(4)) {
    b_.store(variable, x_.value(type, random_.once_in(2)));
  }
  variables_.push_back({variable, type, 1});
}

// An element of an array at an index that may be out of range.
ValueId Statements::place_of(const Variable& v) {
  if (v.elements == 1) {
    return v.reference;
  }
  ValueId index = x_.value(random_.once_in(2) ? ir::kU32 : ir::kI32, random_.once_in(2));
  if (!random_.once_in(4)) {
    const TypeId type = b_.function().type(index);
    index = b_.emit(OpCode::rem, {index, b_.constant(type, {v.elements})});
  }
  return b_.emit(OpCode::element, {v.reference, index});
}

ValueId Statements::condition(bool uniform) {
  if (random_.once_in(6)) {
    return x_.value(ir::kBool, uniform);
  }
  const std::uint32_t ways = 2 + random_.below(4);
  ValueId number = x_.value(ir::kU32, uniform);
  if (!uniform) {
    number = b_.emit(OpCode::add, {number, b_.emit(OpCode::thread_id, {}, random_.below(3))});
  }
  const ValueId way = b_.emit(OpCode::rem, {number, b_.constant_u32(ways)});
  return b_.emit(OpCode::lt, {way, b_.constant_u32(1 + random_.below(ways - 1))});
}

void Statements::assign() {
  const Variable v = random_.pick_of(variables_);
  const ValueId value = x_.value(v.type, random_.once_in(3));
  b_.store(place_of(v), value);
}

void Statements::load_variable() { x_.add(b_.load(place_of(random_.pick_of(variables_))), false); }

void Statements::load_buffer() {
  const bool uniform = random_.once_in(2);
  const ValueId index = x_.value(random_.once_in(3) ? ir::kI32 : ir::kU32, uniform);
  x_.add(b_.emit(OpCode::read, {random_.once_in(2) ? env_.in : env_.floats, index}), uniform);
}

// if (at < limit) { neighbour = in[at]; }, where `at` counts lanes from some place on, up or down: it may wrap, in
// lanes that are off and in ones that are not.
void Statements::load_neighbour() {
  const TypeId type = random_.pick_of(std::vector{ir::kU32, ir::kU32, ir::kI32, ir::kU8, ir::kI16, ir::kU64});
  const OpCode id = random_.once_in(2) ? OpCode::dispatch_id : OpCode::thread_id;
  const ValueId lane = b_.emit(OpCode::cast, {b_.emit(id, {}, random_.below(3))}, 0, type);
  const ValueId start = b_.constant(type, {random_.below(24)});
  const std::vector<ValueId> indices{b_.emit(OpCode::sub, {lane, start}), b_.emit(OpCode::sub, {start, lane}),
                                     b_.emit(OpCode::add, {lane, start}),
                                     b_.emit(OpCode::mul, {b_.emit(OpCode::sub, {lane, start}), start})};
  const ValueId at = random_.pick_of(indices);
  const ValueId neighbour = b_.local(ir::kU32);
  const ValueId near = b_.emit(OpCode::lt, {at, b_.constant(type, {1 + random_.below(100)})});
  const ir::OpId op = b_.emit_regions(OpCode::if_, {near}, 2);
  inside(b_.function().regions(b_.function().op(op))[0],
         [&] { b_.store(neighbour, b_.emit(OpCode::read, {env_.in, at})); });
  x_.add(b_.load(neighbour), false);
}

void Statements::write_out(bool all) {
  const ValueId index = b_.emit(OpCode::add, {env_.own, b_.constant_u32(random_.below(kWordsPerLane))});
  const ValueId old = b_.emit(OpCode::read, {env_.out, index});
  ValueId value = x_.digest(x_.value(x_.any_type()));
  for (const Variable& v : variables_) {
    if (all || random_.once_in(2)) {
      value = b_.emit(OpCode::xor_,
                      {b_.emit(OpCode::mul, {value, b_.constant_u32(16777619)}), x_.digest(b_.load(place_of(v)))});
    }
  }
  b_.emit(OpCode::write, {env_.out, index, b_.emit(OpCode::add, {old, value})});
}

// Through shared memory: each lane writes its own cells, all read any. Two lanes never write one cell: lane i has cell
// i.
void Statements::exchange() {
  const ValueId lane = b_.emit(
      OpCode::add, {b_.emit(OpCode::thread_id, {}, 0),
                    b_.emit(OpCode::mul, {b_.emit(OpCode::thread_id, {}, 1), b_.emit(OpCode::block_size, {}, 0)})});
  const ValueId first_layer = b_.emit(OpCode::eq, {b_.emit(OpCode::thread_id, {}, 2), b_.constant_u32(0)});
  const ValueId value = x_.digest(x_.value(x_.any_type()));
  const ir::OpId guard = b_.emit_regions(OpCode::if_, {first_layer}, 2);
  inside(b_.function().regions(b_.function().op(guard))[0],
         [&] { b_.store(b_.emit(OpCode::element, {env_.tile, lane}), value); });
  b_.emit(OpCode::barrier);
  x_.add(b_.load(b_.emit(OpCode::element, {env_.tile, x_.value(ir::kU32, random_.once_in(3))})), false);
  b_.emit(OpCode::barrier);
}

void Statements::branch(Place place) {
  if (place.depth >= kMaxDepth) {
    return assign();
  }
  const bool uniform = random_.once_in(3);
  const ir::OpId op = b_.emit_regions(OpCode::if_, {condition(uniform)}, 2);
  place.block_uniform &= uniform;
  const ir::RegionId then = b_.function().regions(b_.function().op(op))[0];
  const ir::RegionId otherwise = b_.function().regions(b_.function().op(op))[1];
  nested(then, place);
  if (random_.once_in(2)) {
    nested(otherwise, place);
  }
}

// for (i = 0; i < trips && condition; ++i), of at most 6 trips.
void Statements::loop(Place place) {
  if (place.depth >= kMaxDepth - 1) {
    return assign();
  }
  const bool uniform = random_.once_in(2);
  ValueId number = x_.value(ir::kU32, uniform);
  if (!uniform) {
    number = b_.emit(OpCode::add, {number, b_.emit(OpCode::thread_id, {}, 0)});
  }
  const ValueId trips = b_.emit(OpCode::add, {b_.emit(OpCode::rem, {number, b_.constant_u32(6)}), b_.constant_u32(1)});
  const ValueId i = b_.local(ir::kU32);
  const ir::OpId op = b_.emit_regions(OpCode::loop, {}, 3);
  const auto regions = b_.function().regions(b_.function().op(op));
  const ir::RegionId parts[] = {regions[0], regions[1], regions[2]};
  inside(parts[0], [&] { b_.emit(OpCode::yield, {b_.emit(OpCode::lt, {b_.load(i), trips})}); });
  inside(parts[2], [&] { b_.store(i, b_.emit(OpCode::add, {b_.load(i), b_.constant_u32(1)})); });
  place.in_loop = true;
  place.divergent_exits = random_.once_in(2);
  place.block_uniform &= uniform && !place.divergent_exits;
  ++place.depth;
  inside(parts[1], [&] {
    x_.add(b_.load(i), place.block_uniform);
    block(place, 3 + random_.below(4));
  });
}

void Statements::choose(Place place) {
  if (place.depth >= kMaxDepth) {
    return assign();
  }
  const bool uniform = random_.once_in(3);
  ir::Function& f = b_.function();
  const ValueId selector = b_.emit(OpCode::rem, {x_.value(ir::kI32, uniform), b_.constant(ir::kI32, {5})});
  f.case_lists.push_back({{0, 2}, {-1}, {3}});
  const ir::OpId op = b_.emit_regions(OpCode::switch_, {selector}, 4, f.case_lists.size() - 1);
  place.block_uniform &= uniform;
  for (std::size_t i = 0; i < 4; ++i) {
    nested(f.regions(f.op(op))[i], place);
  }
}

// if (condition) { break / continue / return }. What ends a region comes alone in it.
void Statements::leave(Place place) {
  const bool returns = !place.in_loop || random_.once_in(4);
  if (returns && in_callable_ && place.depth < 2) {
    return assign();
  }
  const bool uniform = random_.once_in(3) || (!returns && !place.divergent_exits);
  if (!returns && !place.divergent_exits && !place.block_uniform) {
    return assign();
  }
  const ir::OpId op = b_.emit_regions(OpCode::if_, {condition(uniform)}, 2);
  inside(b_.function().regions(b_.function().op(op))[0], [&] {
    if (random_.once_in(2)) {
      assign();
    }
    if (!returns) {
      b_.emit(random_.once_in(2) ? OpCode::break_ : OpCode::continue_);
    } else if (in_callable_) {
      b_.emit(OpCode::return_, {x_.value(ir::kU32)});
    } else if (random_.once_in(3)) {
      b_.emit(OpCode::return_);
    }
  });
}

void Statements::call() {
  const ValueId argument = x_.value(ir::kU32, random_.once_in(3));
  const ValueId variable = b_.local(ir::kU32);
  b_.store(variable, x_.value(ir::kU32));
  x_.add(b_.emit(OpCode::call, {argument, variable}, random_.pick_of(env_.callables).index), false);
  variables_.push_back({variable, ir::kU32, 1});
}

void Statements::count() {
  const ValueId index = b_.emit(OpCode::rem, {x_.value(ir::kU32, random_.once_in(2)), b_.constant_u32(kCounts)});
  b_.emit(OpCode::atomic_add, {b_.emit(OpCode::buffer_element, {env_.counts, index}), x_.value(ir::kU32)});
}

}  // namespace weft::fuzz
