#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Links the extension for a Spike: build.sh PREFIX LIBRARY OUTPUT. PREFIX has bin/spike and include/, LIBRARY is the static
# library of this crate. OUTPUT gets the C++ ABI of the program.
set -eu
prefix=$1 library=$2 output=$3
abi=0
# Names of functions that return std::string have a mark with the newer one.
! nm -D "$prefix/bin/spike" | grep -q 'disassembler_t11disassembleB5cxx11' || abi=1
here=$(dirname "$0")
${CXX:-c++} -std=c++20 -O2 -Wall -shared -fPIC -D_GLIBCXX_USE_CXX11_ABI=${ABI:-$abi} -isystem "$prefix/include" \
  -isystem "$prefix/include/riscv" "$here/tensorload.cc" "$library" -Wl,--exclude-libs,ALL -lpthread -ldl -o "$output"
