#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The site builds strictly, holds every page, and its pages load nothing from elsewhere. Skipped without MkDocs (scripts/site.sh
# takes it from PyPI, which a test does not). Usage: site.sh
set -u
cd "${LW_SOURCE_DIR:?}" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for mkdocs in "${MKDOCS:-}" "$(command -v mkdocs)" build/mkdocs/bin/mkdocs; do
    [ -n "$mkdocs" ] && "$mkdocs" --version >/dev/null 2>&1 && break
    mkdocs=
done
[ -n "$mkdocs" ] || { echo "skipped: MkDocs is not installed; scripts/site.sh installs it"; exit 77; }
MKDOCS=$mkdocs scripts/site.sh "$work/site" || exit 1
bad=0
for page in $(cd docs && ls ./*.md ./*/*.md); do
    [ -s "$work/site/${page%.md}.html" ] || { echo "no ${page%.md}.html"; bad=1; }
done
if grep -rnE '<(script|img|link)[^>]*(src|href)="(https?:)?//' "$work/site" --include='*.html'; then
    echo "these are loaded from elsewhere"
    bad=1
fi
# A page with a broken link must not build.
mkdir "$work/tree" && cp -r docs mkdocs.yml "$work/tree" && echo '[x](nowhere.md)' >>"$work/tree/docs/words.md"
(cd "$work/tree" && "$mkdocs" build --strict --site-dir "$work/other") >/dev/null 2>&1 && { echo "a broken link passes"; bad=1; }
exit $bad
