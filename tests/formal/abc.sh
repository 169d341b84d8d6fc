#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ABC of Debian for sby, which expects a newer one: an option of pdr that only changes what is printed is left out, and the
# comment that ends a trace gets a line of its own.
commands=$(printf %s "$2" | sed 's/pdr -v -l/pdr -v/')
berkeley-abc "$1" "$commands" || exit
for trace in engine_*/trace.aiw; do
  [ ! -f "$trace" ] || sed -i 's/^\([01]*\)# DONE/\1\n# DONE/' "$trace"
done
