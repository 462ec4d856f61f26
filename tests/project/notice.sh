#!/usr/bin/env bash
# NOTICE names every hardware capture in the repository and every table taken as data from elsewhere.
set -u
cd "${LW_SOURCE_DIR:?}" || exit 1
bad=0
# A published capture is marked by this line in its own file or in a README in its folder.
while IFS= read -r f; do
    grep -q -x -F "File: $f" NOTICE || { echo "$f carries foreign data, and NOTICE does not name it"; bad=1; }
done < <(grep -r -l -E 'LW-CARRIED-DATA' isa_tables emu tests examples validate 2>/dev/null | grep -v '^tests/project/' | sort)
while IFS= read -r f; do
    [ -e "$f" ] || { echo "NOTICE names $f, which does not exist"; bad=1; }
done < <(sed -n -E 's/^File: (.*)$/\1/p' NOTICE)
[ $bad = 0 ] && echo "NOTICE is complete"
exit $bad
