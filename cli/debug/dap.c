#include "cli/debug/terminal.h"
int debug_serve(debugger *d)
{
    (void)d;
    return 2;
}
