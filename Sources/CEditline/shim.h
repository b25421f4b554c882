#pragma once
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <editline/readline.h>

// Global function pointers of the library cannot be set from Swift 6, which holds every C global for unsafe.

/// Completes the word before the cursor with what `generator` returns: allocated strings until NULL.
static inline void fieldbook_set_completion(char *(*generator)(const char *text, int state)) {
    rl_completion_entry_function = generator;
}

static inline void fieldbook_set_program(const char *name) { rl_readline_name = name; }
