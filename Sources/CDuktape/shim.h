#pragma once
#include <duktape.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Duktape reports errors by longjmp, which must never cross a Swift frame, and much of its interface is macros, which
 * Swift does not see. So whatever can fail happens in this file, inside `duk_safe_call`.
 */

/* A piece of text; `bytes` is NULL for JavaScript's null. */
typedef struct {
    const char *bytes;
    size_t length;
} fieldbook_js_text;

typedef struct {
    const char *method;
    const fieldbook_js_text *arguments;
    int count;
} fieldbook_js_call_request;

/* An error outside of every protected call, which only a lack of memory brings about: the process cannot go on. */
static void fieldbook_js_fatal(void *context, const char *message) {
    (void)context;
    (void)message;
    _exit(70);
}

/* Whether the user holds a role (0) or a channel (1), written as the engine keeps text. It must return. */
typedef int (*fieldbook_js_holds)(void *owner, int kind, const char *bytes, size_t length);

/* What belongs to an engine beside its heap. */
typedef struct {
    /* Whether it asked for memory in vain: what its errors say of that, a script can say as well. */
    int was_refused;
    fieldbook_js_holds holds;
    void *owner;
} fieldbook_js_memory;

static void *fieldbook_js_allocate(void *memory, duk_size_t size) {
    void *block = malloc(size);
    if (!block && size > 0) ((fieldbook_js_memory *)memory)->was_refused = 1;
    return block;
}

static void *fieldbook_js_reallocate(void *memory, void *block, duk_size_t size) {
    void *moved = realloc(block, size);
    if (!moved && size > 0) ((fieldbook_js_memory *)memory)->was_refused = 1;
    return moved;
}

static void fieldbook_js_free(void *memory, void *block) {
    (void)memory;
    free(block);
}

static inline fieldbook_js_memory *fieldbook_js_memory_of(duk_context *context) {
    duk_memory_functions functions;
    duk_get_memory_functions(context, &functions);
    return (fieldbook_js_memory *)functions.udata;
}

/* NULL where there is no memory for it. */
static inline duk_context *fieldbook_js_create(void) {
    fieldbook_js_memory *memory = (fieldbook_js_memory *)calloc(1, sizeof(fieldbook_js_memory));
    if (!memory) return NULL;
    duk_context *context = duk_create_heap(
        fieldbook_js_allocate, fieldbook_js_reallocate, fieldbook_js_free, memory, fieldbook_js_fatal);
    if (!context) free(memory);
    return context;
}

static inline void fieldbook_js_destroy(duk_context *context) {
    fieldbook_js_memory *memory = fieldbook_js_memory_of(context);
    duk_destroy_heap(context);
    free(memory);
}

static inline int fieldbook_js_was_refused_memory(duk_context *context) {
    return fieldbook_js_memory_of(context)->was_refused;
}

static inline void fieldbook_js_forget_refusals(duk_context *context) {
    fieldbook_js_memory_of(context)->was_refused = 0;
}

/* `holds(kind, name)` of the prelude. */
static duk_ret_t fieldbook_js_answer_holds(duk_context *context) {
    int kind = duk_require_int(context, 0);
    size_t length = 0;
    const char *bytes = duk_require_lstring(context, 1, &length);
    const fieldbook_js_memory *memory = fieldbook_js_memory_of(context);
    duk_push_boolean(context, memory->holds(memory->owner, kind, bytes, length));
    return 1;
}

/* The position of the first half of a surrogate pair without the other one, in text as the engine keeps it; `length` where
   there is none. The byte 0xED only begins a character. */
static size_t fieldbook_js_first_half(const unsigned char *bytes, size_t length) {
    const unsigned char *end = bytes + length;
    const unsigned char *next = bytes;
    while ((next = (const unsigned char *)memchr(next, 0xED, (size_t)(end - next)))) {
        if (end - next < 3 || next[1] < 0xA0) {
            next++;
        } else if (next[1] < 0xB0 && end - next >= 6 && next[3] == 0xED && next[4] >= 0xB0) {
            next += 6;
        } else {
            return (size_t)(next - bytes);
        }
    }
    return length;
}

/* `isWhole(text)` of the prelude. */
static duk_ret_t fieldbook_js_answer_is_whole(duk_context *context) {
    size_t length = 0;
    const char *bytes = duk_require_lstring(context, 0, &length);
    duk_push_boolean(context, fieldbook_js_first_half((const unsigned char *)bytes, length) == length);
    return 1;
}

static duk_ret_t fieldbook_js_install_protected(duk_context *context, void *data) {
    const fieldbook_js_text *source = (const fieldbook_js_text *)data;
    duk_push_global_stash(context);
    duk_eval_lstring(context, source->bytes, source->length);
    duk_push_global_object(context);
    duk_push_c_function(context, fieldbook_js_answer_holds, 2);
    duk_push_c_function(context, fieldbook_js_answer_is_whole, 1);
    duk_call(context, 3);
    duk_put_prop_string(context, -2, "prelude");
    duk_push_undefined(context);
    return 1;
}

/* Evaluates `source`, a function of the global object, of `holds` and of `isWhole`, and keeps what it returns, an object with
   methods, where scripts cannot reach it. */
static inline int fieldbook_js_install(
    duk_context *context, fieldbook_js_text source, fieldbook_js_holds holds, void *owner) {
    fieldbook_js_memory *memory = fieldbook_js_memory_of(context);
    memory->holds = holds;
    memory->owner = owner;
    int status = duk_safe_call(context, fieldbook_js_install_protected, &source, 0, 1);
    if (status == DUK_EXEC_SUCCESS) duk_pop(context);
    return status;
}

static duk_ret_t fieldbook_js_call_protected(duk_context *context, void *data) {
    const fieldbook_js_call_request *request = (const fieldbook_js_call_request *)data;
    duk_push_global_stash(context);
    duk_get_prop_string(context, -1, "prelude");
    duk_push_string(context, request->method);
    for (int index = 0; index < request->count; index++) {
        const fieldbook_js_text *argument = &request->arguments[index];
        if (argument->bytes) {
            duk_push_lstring(context, argument->bytes, argument->length);
        } else {
            duk_push_null(context);
        }
    }
    duk_call_prop(context, 1, request->count);
    return 1;
}

/* Calls a method of the installed object; its result, or the error, is left on the stack. Returns 0 for success. */
static inline int fieldbook_js_call(
    duk_context *context, const char *method, const fieldbook_js_text *arguments, int count) {
    fieldbook_js_call_request request = {method, arguments, count};
    return duk_safe_call(context, fieldbook_js_call_protected, &request, 0, 1);
}

static duk_ret_t fieldbook_js_text_protected(duk_context *context, void *data) {
    (void)data;
    duk_to_string(context, -1);
    return 1;
}

/* The text of what lies on the stack, valid until it is popped; `bytes` is NULL where it has none. */
static inline fieldbook_js_text fieldbook_js_top(duk_context *context) {
    fieldbook_js_text text = {NULL, 0};
    if (!duk_is_string(context, -1) &&
        duk_safe_call(context, fieldbook_js_text_protected, NULL, 1, 1) != DUK_EXEC_SUCCESS) {
        return text;
    }
    text.bytes = duk_get_lstring(context, -1, &text.length);
    return text;
}

static inline void fieldbook_js_pop(duk_context *context) { duk_pop(context); }
