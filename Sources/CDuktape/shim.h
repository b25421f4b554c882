#pragma once
#include <duktape.h>
#include <stddef.h>

// Duktape reports errors by longjmp, which must never cross a Swift frame, and much of its interface is macros. These
// functions are all that Swift calls; each of them is a protected call.

typedef struct fieldbook_js_text {
    // Valid until the next call.
    const char *bytes;
    size_t length;
    // 0: the value; 1: what was thrown, as a text.
    int failed;
} fieldbook_js_text;

static inline duk_context *fieldbook_js_create(void) { return duk_create_heap_default(); }

static inline void fieldbook_js_destroy(duk_context *context) { duk_destroy_heap(context); }

static inline fieldbook_js_text fieldbook_js_take(duk_context *context, duk_int_t status) {
    fieldbook_js_text text;
    duk_size_t length = 0;
    // The text stays reachable in the global stash, so that it outlives the value stack.
    text.bytes = duk_safe_to_lstring(context, -1, &length);
    text.length = length;
    text.failed = status != 0;
    duk_push_global_stash(context);
    duk_dup(context, -2);
    duk_put_prop_string(context, -2, "result");
    duk_pop_2(context);
    return text;
}

static inline fieldbook_js_text fieldbook_js_evaluate(duk_context *context, const char *source, size_t length) {
    return fieldbook_js_take(context, duk_peval_lstring(context, source, length));
}

typedef struct fieldbook_js_arguments {
    const char *function;
    int number;
    const char *text;
    size_t length;
} fieldbook_js_arguments;

static inline duk_ret_t fieldbook_js_call_unprotected(duk_context *context, void *data) {
    const fieldbook_js_arguments *arguments = (const fieldbook_js_arguments *)data;
    duk_get_global_string(context, arguments->function);
    duk_push_int(context, arguments->number);
    duk_push_lstring(context, arguments->text, arguments->length);
    duk_call(context, 2);
    return 1;
}

// Calls a global function with a number and a text.
static inline fieldbook_js_text fieldbook_js_call(
    duk_context *context, const char *function, int number, const char *text, size_t length) {
    fieldbook_js_arguments arguments = {function, number, text, length};
    return fieldbook_js_take(
        context, duk_safe_call(context, fieldbook_js_call_unprotected, &arguments, 0, 1));
}
