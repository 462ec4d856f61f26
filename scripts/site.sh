#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the pages of docs/ as a static site with MkDocs, strictly: scripts/site.sh [FOLDER] (build/site). MkDocs is $MKDOCS, or
# the installed one, or comes from PyPI into build/mkdocs. Exit status 77 where that is impossible.
set -eu
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-build/site}")
mkdocs=${MKDOCS:-$(command -v mkdocs || true)}
if [ -z "$mkdocs" ]; then
    mkdocs=build/mkdocs/bin/mkdocs
    if ! "$mkdocs" --version >/dev/null 2>&1; then
        python3 -m venv build/mkdocs && build/mkdocs/bin/pip install -q --disable-pip-version-check mkdocs==1.6.1 ||
            { echo "skipped: MkDocs is not installed, and there is no python3 -m venv or no way to PyPI"; exit 77; }
    fi
fi
mkdir -p build
# Not -q: MkDocs would not count the warnings on which --strict fails.
NO_MKDOCS_2_WARNING=1 "$mkdocs" build --strict --clean --site-dir "$folder" 2>build/site.log || { cat build/site.log; exit 1; }
echo "$(find "$folder" -name '*.html' | wc -l) pages in $folder"
