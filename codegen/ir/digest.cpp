// Every struct is taken apart by a structured binding of all its members, so that one that is added does not compile
// until it is part of the digest.
#include "codegen/ir/digest.h"

namespace weft::ir {

namespace {

class ModuleDigester {
 public:
  ModuleDigester(Digester& out, const Module& module) : out_(out), module_(module) {}

  void run() {
    out_.add(module_.types.size());
    for (std::size_t i = 0; i < module_.types.size(); ++i) {
      add(module_.types[TypeId(i)]);
    }
    add_all(module_.globals);
    add_all(module_.specs);
    out_.add(module_.functions.size());
    for (const Function& f : module_.functions) {
      add(f);
    }
  }

 private:
  template <class Tag>
  void add(Id<Tag> id) {
    out_.add(id.index);
  }
  // Strings and constants count by what they are, not by where they are kept.
  void add(StringId id) { out_.add(module_.string(id)); }
  void add(ConstantId id) {
    const auto& [type, leaves] = module_.constant(id);
    add(type);
    out_.add(leaves.size());
    for (const std::uint64_t leaf : leaves) {
      out_.add(leaf);
    }
  }
  template <class List>
  void add_all(const List& list) {
    out_.add(list.size());
    for (const auto& item : list) {
      add(item);
    }
  }

  void add(const Member& member) {
    const auto& [name, type, offset_bytes] = member;
    out_.add(name);
    add(type);
    out_.add(offset_bytes);
  }
  void add(const Type& t) {
    const auto& [kind, row_major, columns, rows, element, count, stride, size, align, leaves, name, members] = t;
    out_.add(kind);
    out_.add(row_major);
    out_.add(columns);
    out_.add(rows);
    add(element);
    out_.add(count);
    out_.add(stride);
    out_.add(size);
    out_.add(align);
    out_.add(leaves);
    out_.add(name);
    add_all(members);
  }
  void add(const Global& global) {
    const auto& [name, data] = global;
    out_.add(name);
    add(data);
  }
  void add(const SpecConstant& spec) {
    const auto& [name, id, initial] = spec;
    out_.add(name);
    out_.add(id);
    add(initial);
  }
  void add(const Location& location) {
    const auto& [file, line, column] = location;
    if (file != file_) {
      out_.add(true);
      add(file);
      file_ = file;
    } else {
      out_.add(false);
    }
    out_.add(line);
    out_.add(column);
  }
  void add(const Parameter& parameter) {
    const auto& [value, is_restrict] = parameter;
    add(value);
    out_.add(is_restrict);
  }
  void add(const KernelAttributes& attributes) {
    const auto& [block_size, dimensions, warp_size, math, unchecked] = attributes;
    for (const std::uint32_t size : block_size) {
      out_.add(size);
    }
    out_.add(dimensions);
    out_.add(warp_size);
    out_.add(math);
    out_.add(unchecked);
  }
  void add(const Value& v) {
    const auto& [kind, type, index, name] = v;
    out_.add(kind);
    add(type);
    if (kind == ValueKind::constant) {
      add(ConstantId(index));
    } else {
      out_.add(index);
    }
    if (name.valid()) {
      add(name);
    } else {
      out_.add(std::uint64_t{0});
    }
  }
  void add(const Function& f, const Op& op) {
    const auto& [code, type, result, first_operand, operand_count, first_region, region_count, imm, location] = op;
    out_.add(code);
    add(type);
    add(result);
    out_.add(operand_count);
    for (const ValueId operand : f.operands(op)) {
      add(operand);
    }
    out_.add(region_count);
    for (const RegionId region : f.regions(op)) {
      add(region);
    }
    if (info(code).immediate == Immediate::text) {
      add(StringId(imm));
    } else {
      out_.add(imm);
    }
    add(location);
  }
  void add(const Region& region) {
    const auto& [ops] = region;
    add_all(ops);
  }
  void add(const Function& f) {
    out_.add(f.name);
    out_.add(f.kind);
    add(f.result_type);
    add(f.attributes);
    add_all(f.parameters);
    add_case_lists(f);
    add(f.location);
    add(f.body());
    out_.add(f.value_count());
    for (std::size_t i = 0; i < f.value_count(); ++i) {
      add(f.value(ValueId(i)));
    }
    out_.add(f.op_count());
    for (std::size_t i = 0; i < f.op_count(); ++i) {
      add(f, f.op(OpId(i)));
    }
    out_.add(f.region_count());
    for (std::size_t i = 0; i < f.region_count(); ++i) {
      add(f.region(RegionId(i)));
    }
  }
  void add_case_lists(const Function& f) {
    out_.add(f.case_lists.size());
    for (const CaseList& cases : f.case_lists) {
      out_.add(cases.size());
      for (const auto& values : cases) {
        out_.add(values.size());
        for (const std::int64_t value : values) {
          out_.add(value);
        }
      }
    }
  }

  Digester& out_;
  const Module& module_;
  StringId file_;  // of the last location
};

}  // namespace

void add_to(Digester& digester, const Module& module) { ModuleDigester(digester, module).run(); }

}  // namespace weft::ir
