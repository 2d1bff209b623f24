#!/usr/bin/env bash
# usage: public_headers.sh INCLUDE_FOLDER COMPILER
# Compiles every public header on its own as C++20.
set -euo pipefail
include=$1 compiler=$2

mapfile -t headers < <(cd "$include" && find weft -name '*.h' | sort)
[ ${#headers[@]} -gt 0 ] || { echo "no headers in $include"; exit 1; }
failed=0
for header in "${headers[@]}"; do
  echo "#include <$header>" |
    "$compiler" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I "$include" -x c++ - || { echo "$header fails"; failed=1; }
done
exit $failed
