/* SPDX-License-Identifier: MIT */
/* What the debugger says about where it is. */
#include <inttypes.h>
#include <string.h>

#include "cli/debug/command.h"

const char *debug_reason_name(debug_reason reason)
{
    static const char *const names[] = {
        [DEBUG_BEGINS] = "begins", [DEBUG_STEPPED] = "stepped",    [DEBUG_BREAKPOINT] = "breakpoint",
        [DEBUG_ACCESS] = "access", [DEBUG_PAUSED] = "paused",      [DEBUG_WAVE_ENDED] = "wave ended",
        [DEBUG_FAULT] = "fault",   [DEBUG_STUCK] = "cannot go on", [DEBUG_ENDED] = "ended",
    };
    return names[reason];
}

void debug_reason_text(const debugger *d, debug_text *out)
{
    const debug_stop *s = &d->stop;
    const debug_point *p = s->number ? debug_point_find(d, s->number) : NULL;
    switch (s->reason) {
    case DEBUG_BEGINS:
        debug_say(out, "%s",
                  d->position ? d->amd ? "the wave begins" : "the warp begins" : "the launch begins");
        break;
    case DEBUG_STEPPED:
        break;
    case DEBUG_BREAKPOINT:
        debug_say(out, "breakpoint %u, %s", s->number, p ? p->what : "");
        break;
    case DEBUG_ACCESS:
        debug_say(out, "watch %u, %s: %s", s->number, p ? p->what : "", s->text);
        break;
    case DEBUG_PAUSED:
        debug_say(out, "interrupted");
        break;
    case DEBUG_WAVE_ENDED:
        debug_say(out, "the %s has ended", d->amd ? "wave" : "warp");
        break;
    case DEBUG_FAULT:
    case DEBUG_STUCK:
        debug_say(out, "%s", s->text);
        break;
    case DEBUG_ENDED:
        debug_say(out, "all %s have ended", d->amd ? "waves" : "warps");
        break;
    }
}

void debug_describe(const debugger *d, const debug_id *id, debug_text *out)
{
    lw_wave_stand s;
    char line[300] = "";
    debug_say(out, "%s %u,%u,%u %s %u", d->amd ? "workgroup" : "block", id->workgroup[0], id->workgroup[1],
              id->workgroup[2], d->amd ? "wave" : "warp", id->wave);
    if (!debug_stand(d, id, &s))
        return;
    const debug_place *p = debug_code_at(&d->code, s.code_offset);
    if (p)
        debug_code_line(&d->code, p, line, sizeof(line));
    debug_say(out, ": +0x%" PRIx64 " %s", s.code_offset, p ? debug_code_text(&d->code, p) : s.instruction);
    if (line[0])
        debug_say(out, " (%s)", line);
    if (s.doing != LW_DOING_RUNS)
        debug_say(out, ", %s", s.text);
}

void debug_report(debugger *d, debug_text *out)
{
    debug_text reason = { NULL, 0, 0 };
    if (d->printed.size) {
        debug_say(out, "%s%s", d->printed.at, d->printed.at[d->printed.size - 1] == '\n' ? "" : "\n");
        debug_text_clear(&d->printed);
    }
    debug_reason_text(d, &reason);
    if (reason.size)
        debug_say(out, "%s\n", reason.at);
    debug_text_free(&reason);
    debug_say(out, "[%" PRIu64 "]", d->position);
    if (d->chosen && (!d->over || d->stop.reason != DEBUG_ENDED)) {
        debug_say(out, " ");
        debug_describe(d, &d->wave, out);
    }
    debug_say(out, "\n");
}
