#!/usr/bin/env bash
# usage: exported_symbols.sh LIBWEFT
# libweft exports names of Weft and gdb's two, nothing of LLVM, and loads no LLVM from elsewhere.
set -euo pipefail
library=$1

names=$(nm -D --defined-only --format=posix "$library" | cut -d ' ' -f 1 | sed 's/@.*//')
foreign=$(grep -vE '^(weft_|_ZN[KO]?4weft|_ZT[IVS]N4weft|__jit_debug_(register_code|descriptor)$)' <<<"$names" || true)
[ -z "$foreign" ] || { printf 'exported, but not of Weft:\n%s\n' "$foreign"; exit 1; }
of_llvm=$(grep llvm <<<"$names" || true)
[ -z "$of_llvm" ] || { printf 'exported, with types of LLVM:\n%s\n' "$of_llvm"; exit 1; }

for name in __jit_debug_register_code __jit_debug_descriptor _ZN4weft7versionEv _ZNO4weft10Invocation8dispatchEmmm; do
  grep -qx "$name" <<<"$names" || { echo "not exported: $name"; exit 1; }
done
if readelf -d "$library" | grep NEEDED | grep -i llvm; then
  echo "libweft loads LLVM from a shared library"
  exit 1
fi
