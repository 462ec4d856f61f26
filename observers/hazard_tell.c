/* SPDX-License-Identifier: MIT */
/* The words of findings about wait states. */
#include <stdio.h>

#include "observers/findings.h"
#include "observers/hazards.h"

void lw_hazard_write_cure(char *cure, unsigned missing, uint64_t before)
{
    if (missing > 16)
        snprintf(cure, LW_FINDING_CURE, "insert s_nop 15 and s_nop %u before +0x%llx", missing - 17,
                 (unsigned long long)before);
    else
        snprintf(cure, LW_FINDING_CURE, "insert s_nop %u before +0x%llx", missing - 1,
                 (unsigned long long)before);
}

void lw_hazard_write_what(char *what, const lw_event *event, const lw_hazard_need *need, unsigned states)
{
    char name[16] = "it";
    lw_reg_file file;
    unsigned number;
    lw_hazard_register(need->reg, &file, &number);
    if (need->reg != UINT16_MAX)
        lw_event_register_name(event, file, number, name, sizeof(name));
    if (need->reg == UINT16_MAX)
        snprintf(what, LW_FINDING_WHAT, "it follows after %u wait state%s; it needs %u", states,
                 states == 1 ? "" : "s", need->states);
    else
        snprintf(what, LW_FINDING_WHAT,
                 "%s is %s %u wait state%s after the instruction that %s it; it needs %u", name,
                 need->written ? "written" : "needed", states, states == 1 ? "" : "s",
                 need->written ? "uses" : "writes", need->states);
}

void lw_hazard_write_vectors(char *what, const lw_event *event, const lw_hazard_lack *lack, unsigned vectors)
{
    char name[16] = "it", needs[24] = "";
    lw_reg_file file;
    unsigned number;
    lw_hazard_register(lack->reg, &file, &number);
    if (lack->reg != UINT16_MAX)
        lw_event_register_name(event, file, number, name, sizeof(name));
    if (lack->vectors)
        snprintf(needs, sizeof(needs), "; it needs %u", lack->vectors);
    snprintf(what, LW_FINDING_WHAT, "%s %s with %u vector instruction%s between%s", name,
             lack->reg == UINT16_MAX ? "follows"
             : lack->written         ? "is written after it was used,"
                                     : "is read after it was written,",
             vectors, vectors == 1 ? "" : "s", needs);
}

void lw_hazard_write_nops(char *cure, const lw_hazard_lack *lack, unsigned vectors, uint64_t before)
{
    if (lack->vectors)
        snprintf(cure, LW_FINDING_CURE, "insert %u v_nop before +0x%llx", lack->vectors - vectors,
                 (unsigned long long)before);
    else
        snprintf(cure, LW_FINDING_CURE, "%s +0x%llx", lack->cure, (unsigned long long)before);
}
