// The kernels. A block is one pack of lanes, so that its barriers cost nothing; it does one task: the fronts of a small
// subtree, or a single front. Its lanes are rows of one column.
#pragma once

#include <weft/weft.h>

#include <array>

namespace multifrontal {

struct FrontRecord {
  weft::uint size = 0, pivots = 0;
  weft::uint first_pivot = 0;
  weft::uint panel = 0;         // where its columns of L are
  weft::uint contribution = 0;  // of a task's root: where in `contributions`; else where in the task's scratch
  weft::uint map = 0;           // in `maps`: the parent's row of each row that it contributes
  weft::uint children = 0, children_end = 0;  // in `children`
};

struct TaskRecord {
  weft::uint first_front = 0, last_front = 0;
  weft::uint scratch = 0;  // where in `scratch`: the stack of contributions, then the scaled columns
  weft::uint columns = 0;
};

}  // namespace multifrontal
WEFT_STRUCT(multifrontal::FrontRecord, size, pivots, first_pivot, panel, contribution, map, children, children_end)
WEFT_STRUCT(multifrontal::TaskRecord, first_front, last_front, scratch, columns)

namespace multifrontal {

inline constexpr weft::uint kLanes = 8;
inline constexpr weft::uint kTile = 4;  // columns that are updated together

// Who adds the contributions of other tasks to a task's root.
enum class Children : weft::uint {
  pulled = 0,  // the task itself, in their order
  pushed = 1,  // it has been done
};

// Where the numbers are.
struct Tables {
  weft::BufferVar<FrontRecord> fronts;
  weft::BufferVar<weft::uint> maps, children;
};
struct Numbers {
  weft::BufferVar<double> panels, pivots;
  weft::BufferVar<weft::uint> perturbed;  // a count
  weft::Double threshold;
};

// A column-major square in a buffer.
struct Square {
  weft::BufferVar<double> buffer;
  weft::UInt offset;
};

// body(row) for rows from `first` to `end`, a lane each.
template <typename Body>
void for_rows(const weft::UInt& first, const weft::UInt& end, const Body& body) {
  $for(begin, first, end, kLanes) {
    weft::UInt row = begin + weft::thread_id().x;
    $if(row < end) { body(row); };
  };
}

inline void clear(const Square& square, const weft::UInt& count) {
  for_rows(0u, count, [&](weft::UInt i) { square.buffer.write(square.offset + i, 0.0); });
}

// The columns that a block does of those that several share.
struct Strip {
  weft::UInt first, step;
};
inline Strip all_columns() { return {0u, 1u}; }
inline Strip strip_of_block() { return {weft::block_id().y, weft::dispatch_size().y}; }

// Adds a child's contribution to its parent's pivot columns and contribution; add(buffer, index, value).
template <typename Add>
void extend_add(const Tables& tables, const weft::BufferVar<double>& panels, const weft::Var<FrontRecord>& child,
                const Square& from, const weft::Var<FrontRecord>& parent, const Square& to, const Strip& strip,
                const Add& add) {
  weft::UInt count = child.size - child.pivots;
  weft::UInt border = parent.size - parent.pivots;
  $for(column, strip.first, count, strip.step) {
    weft::UInt target = tables.maps.read(child.map + column);
    $if(target < parent.pivots) {
      weft::UInt base = parent.panel + target * parent.size;
      for_rows(column, count, [&](weft::UInt row) {
        add(panels, base + tables.maps.read(child.map + row), from.buffer.read(from.offset + column * count + row));
      });
    }
    $else {
      weft::UInt base = to.offset + (target - parent.pivots) * border - parent.pivots;
      for_rows(column, count, [&](weft::UInt row) {
        add(to.buffer, base + tables.maps.read(child.map + row), from.buffer.read(from.offset + column * count + row));
      });
    };
  };
}

inline void add_plainly(const weft::BufferVar<double>& buffer, const weft::UInt& index, const weft::Double& value) {
  buffer.write(index, buffer.read(index) + value);
}
inline void add_atomically(const weft::BufferVar<double>& buffer, const weft::UInt& index, const weft::Double& value) {
  buffer.atomic(index).fetch_add(value);
}

// sum - L[row, 0 .. count) * (L D)[column + i, 0 .. count) for each of kCount columns; both have `size` rows.
template <std::size_t kCount>
void subtract_products(std::array<weft::Double, kCount>& sums, const weft::BufferVar<double>& l, const weft::UInt& row,
                       const weft::BufferVar<double>& scaled, const weft::UInt& column, const weft::UInt& size,
                       const weft::UInt& count) {
  weft::UInt at = row;
  weft::UInt scaled_at = column;
  $for(t, count) {
    weft::Double value = l.read(at);
    for (weft::uint i = 0; i < kCount; ++i) {
      sums[i] -= value * scaled.read(scaled_at + i);
    }
    at += size;
    scaled_at += size;
  };
}

// The rows, or columns, from `first` to `end`.
struct Range {
  weft::UInt first, end;
};

// The pivot, or what replaces it where it is too small. L is divided by that, so the product of both stays what it was.
inline weft::Double settle_pivot(const Numbers& numbers, const Square& scaled, const weft::UInt& at) {
  weft::Double d = scaled.buffer.read(scaled.offset + at);
  $if(weft::abs(d) < numbers.threshold) {
    weft::Double replaced = weft::copysign(numbers.threshold, d);
    d = replaced;
    $if(weft::thread_id().x == 0u) {
      numbers.perturbed.atomic(0u).fetch_add(1u);
      scaled.buffer.write(scaled.offset + at, replaced);
    };
  };
  return d;
}

// Eliminates pivots of a front from some of its rows, left-looking: L into its panel, L D into `scaled`.
// find_pivot(pivot, its place in `scaled`) gives D.
template <typename FindPivot>
void eliminate(const Numbers& numbers, const weft::Var<FrontRecord>& front, const Square& scaled, const Range& pivots,
               const Range& rows, const FindPivot& find_pivot) {
  const weft::BufferVar<double>& panels = numbers.panels;
  $for(pivot, pivots.first, pivots.end) {
    weft::UInt column = pivot * front.size;
    weft::UInt first = weft::max(pivot, rows.first);
    for_rows(first, rows.end, [&](weft::UInt row) {
      std::array<weft::Double, 1> sum{panels.read(front.panel + column + row)};
      subtract_products(sum, panels, front.panel + row, scaled.buffer, scaled.offset + pivot, front.size, pivot);
      scaled.buffer.write(scaled.offset + column + row, sum[0]);
    });
    weft::sync_block();
    weft::Double d = find_pivot(pivot, column + pivot);
    for_rows(first, rows.end, [&](weft::UInt row) {
      panels.write(front.panel + column + row,
                   weft::select(row == pivot, 1.0, scaled.buffer.read(scaled.offset + column + row) / d));
    });
    weft::sync_block();
  };
}

// All rows from the first of the pivots on to `end`, the pivots' own among them.
inline void eliminate_pivots(const Numbers& numbers, const weft::Var<FrontRecord>& front, const Square& scaled,
                             const Range& pivots, const weft::UInt& end) {
  eliminate(numbers, front, scaled, pivots, {pivots.first, end}, [&](const weft::UInt& pivot, const weft::UInt& at) {
    weft::Double d = settle_pivot(numbers, scaled, at);
    numbers.pivots.write(front.first_pivot + pivot, d);
    return d;
  });
}

// Takes what the pivots explain from kCount columns of the contribution.
template <std::size_t kCount>
void update_columns(const Numbers& numbers, const weft::Var<FrontRecord>& front, const Square& scaled, const Square& to,
                    const weft::UInt& column) {
  weft::UInt border = front.size - front.pivots;
  for_rows(column, border, [&](weft::UInt row) {
    std::array<weft::Double, kCount> sums;
    weft::UInt at = to.offset + column * border + row;
    for (weft::uint i = 0; i < kCount; ++i) {
      sums[i] = to.buffer.read(at + border * i);
    }
    subtract_products(sums, numbers.panels, front.panel + front.pivots + row, scaled.buffer,
                      scaled.offset + front.pivots + column, front.size, front.pivots);
    for (weft::uint i = 0; i < kCount; ++i) {
      to.buffer.write(at + border * i, sums[i]);
    }
  });
}

inline void update_contribution(const Numbers& numbers, const weft::Var<FrontRecord>& front, const Square& scaled,
                                const Square& to, const Range& columns) {
  weft::UInt column = columns.first;
  $while(column + kTile <= columns.end) {
    update_columns<kTile>(numbers, front, scaled, to, column);
    column += kTile;
  };
  $while(column < columns.end) {
    update_columns<1>(numbers, front, scaled, to, column);
    column += 1u;
  };
}

}  // namespace multifrontal
