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

/// Has every character of a line read by `reader`: a wide character, or -1 where the line ends without being entered.
static inline void fieldbook_set_reader(int (*reader)(FILE *stream)) { rl_getc_function = reader; }

/// Leaves all signals to the program. The library's own handlers work on its state in whichever thread a signal arrives.
static inline void fieldbook_leave_signals(void) { rl_catch_signals = 0; }

/// What is put behind a completed word: a space, or nothing behind a folder.
static inline void fieldbook_set_completion_end(int character) { rl_completion_append_character = character; }

/// The same as the library does by itself, which would put a backslash before each space of a match.
static inline char **fieldbook_whole_matches(const char *text, int start, int end) {
    (void)start;
    (void)end;
    rl_attempted_completion_over = 1;
    return rl_completion_matches(text, rl_completion_entry_function);
}

/// Whether what is completed is the whole line, which is an answer and no command, or the word before the cursor.
static inline void fieldbook_complete_lines(int whole) {
    static const char *words = NULL;
    if (words == NULL) words = rl_basic_word_break_characters;
    rl_basic_word_break_characters = whole ? "\n" : words;
    rl_attempted_completion_function = whole ? fieldbook_whole_matches : NULL;
}

/// The line as it stands, and where the word begins that is to be completed.
static inline const char *fieldbook_line(void) { return rl_line_buffer; }
static inline int fieldbook_cursor(void) { return rl_point; }

/// How many rows the library takes the screen to have; it keeps to the number of columns.
static inline void fieldbook_set_rows(int rows) {
    int present = 0, columns = 0;
    rl_get_screen_size(&present, &columns);
    if (present != rows) rl_set_screen_size(rows, columns);
}
