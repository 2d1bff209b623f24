#!/usr/bin/env bash
# usage: run.sh BUILD_FOLDER C_COMPILER CXX_COMPILER
# Installs Weft into a temporary prefix, builds the sample backend and modules that are wrong in some way, and runs an
# application that finds them on WEFT_BACKEND_PATH and beside libweft.
set -euo pipefail
build=$1 cc=$2 cxx=$3
source=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix modules=$work/modules
mkdir "$modules"

cmake --install "$build" --prefix "$prefix" >"$work/log" || { cat "$work/log"; exit 1; }

module() {  # NAME DEFINITIONS...
  local name=$1
  shift
  "$cc" -std=c99 -Wall -Wextra -Wpedantic -Werror -shared -fPIC -fvisibility=hidden -I "$prefix/include" "$@" \
    "$source/sample.c" -o "$modules/libweft-backend-$name.so"
}
module sample
module later -DSAMPLE_VERSION=99u
module renamed
module empty -DSAMPLE_ENTRY=something_else
echo "no library" >"$modules/libweft-backend-broken.so"

export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"
read -ra flags < <(pkg-config --cflags --libs weft)
"$cxx" -std=c++20 -Wall -Wextra -Werror "$source/main.cpp" "${flags[@]}" -o "$work/application"

echo "on WEFT_BACKEND_PATH"
WEFT_BACKEND_PATH="/nonexistent:$modules" "$work/application" all
echo "beside libweft"
cp "$modules/libweft-backend-sample.so" "$prefix/lib"
"$work/application" sample
