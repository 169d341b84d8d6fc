#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# archive.sh NAME: target/dist/NAME as target/dist/NAME.tar.gz, with checksums inside and beside it. The same files give
# the same bytes.
set -eu
cd "$(dirname "$0")/../target/dist/$1"
find . -type f ! -name SHA256SUMS | LC_ALL=C sort | xargs sha256sum >SHA256SUMS
cd ..
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -cf - "$1" | gzip -9n >"$1.tar.gz"
sha256sum "$1.tar.gz" | tee "$1.tar.gz.sha256"
