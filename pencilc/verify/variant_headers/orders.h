/* Reductions of the sequential program in another order: `gcc -include orders.h`, before pencil.h.
 *
 * A variable holds the combination of all that it has got so far at any time, as in the sequential program, but
 * combined in another way: with PENCILC_LANES n in n partial results that take turns, combined backwards; with
 * PENCILC_COMMUTED in the same order, but with the new value in front; without, by halves, so that each value passes
 * through as many operations as the number of values has binary digits.
 *
 * What is known of a variable is found by its address.  Where somebody else has written to it since the last update,
 * as an init does, what it holds now is the first value of a new reduction.
 */
#ifndef PENCILC_ORDERS_H
#define PENCILC_ORDERS_H
#include <stdlib.h>
#include <string.h>

typedef struct {
    void *variable;
    unsigned long long count; /* values so far */
    size_t room;              /* partial results that `parts` can hold, behind the first value and the last result */
    char *parts;
} pencilc_reduction;

static pencilc_reduction *pencilc_reductions;
static size_t pencilc_reductions_used, pencilc_reductions_size;

static size_t pencilc_place(const pencilc_reduction *table, size_t size, const void *variable)
{
    size_t at = (size_t)variable / 2 * 0x9e3779b97f4a7c15u >> 20 & (size - 1);
    while (table[at].variable && table[at].variable != variable)
        at = (at + 1) & (size - 1);
    return at;
}

static pencilc_reduction *pencilc_find(void *variable)
{
    pencilc_reduction *found;
    if (2 * pencilc_reductions_used >= pencilc_reductions_size) {
        const size_t size = pencilc_reductions_size ? 2 * pencilc_reductions_size : 1024;
        pencilc_reduction *const table = calloc(size, sizeof(pencilc_reduction));
        if (!table)
            abort();
        for (size_t k = 0; k < pencilc_reductions_size; k++)
            if (pencilc_reductions[k].variable)
                table[pencilc_place(table, size, pencilc_reductions[k].variable)] = pencilc_reductions[k];
        free(pencilc_reductions);
        pencilc_reductions = table;
        pencilc_reductions_size = size;
    }
    found = &pencilc_reductions[pencilc_place(pencilc_reductions, pencilc_reductions_size, variable)];
    if (!found->variable) {
        found->variable = variable;
        pencilc_reductions_used++;
    }
    return found;
}

/* The reduction of a variable of `size` bytes, with room for one more partial result; `part` of it. */
static pencilc_reduction *pencilc_begin(void *variable, size_t size)
{
    pencilc_reduction *const found = pencilc_find(variable);
    if (!found->parts || memcmp(found->parts + size, variable, size) != 0)
        found->count = 0;
    if (!found->parts) {
        found->room = 2;
        found->parts = malloc((2 + found->room) * size);
    }
    if (!found->parts)
        abort();
    if (found->count == 0)
        memcpy(found->parts, variable, size);
    return found;
}

static void *pencilc_part(pencilc_reduction *reduction, size_t number, size_t size)
{
    if (number >= reduction->room) {
        reduction->room = 2 * number;
        reduction->parts = realloc(reduction->parts, (2 + reduction->room) * size);
        if (!reduction->parts)
            abort();
    }
    return reduction->parts + (2 + number) * size;
}

#define PENCILC_PART(number) (*(pencilc_type *)pencilc_part(pencilc_state, number, sizeof(pencilc_type)))
#ifdef PENCILC_LANES
#define PENCILC_ADD(op)                                                                                           \
    const size_t pencilc_lane = pencilc_state->count % PENCILC_LANES;                                             \
    PENCILC_PART(pencilc_lane) = pencilc_state->count < PENCILC_LANES                                             \
                                     ? pencilc_element : op(PENCILC_PART(pencilc_lane), pencilc_element);         \
    pencilc_state->count++;                                                                                       \
    size_t pencilc_left = pencilc_state->count < PENCILC_LANES ? pencilc_state->count : PENCILC_LANES;            \
    while (pencilc_left-- > 0)                                                                                    \
        pencilc_total = op(pencilc_total, PENCILC_PART(pencilc_left));
#elif defined PENCILC_COMMUTED
#define PENCILC_ADD(op)                                                                                           \
    pencilc_state->count++;                                                                                       \
    pencilc_total = op(pencilc_element, *pencilc_variable);
#else
#define PENCILC_ADD(op)                                                                                           \
    size_t pencilc_level = 0;                                                                                     \
    for (; pencilc_state->count >> pencilc_level & 1; pencilc_level++)                                            \
        pencilc_element = op(PENCILC_PART(pencilc_level), pencilc_element);                                       \
    PENCILC_PART(pencilc_level) = pencilc_element;                                                                \
    pencilc_state->count++;                                                                                       \
    for (size_t pencilc_left = 64; pencilc_left-- > 0;)                                                           \
        if (pencilc_state->count >> pencilc_left & 1)                                                             \
            pencilc_total = op(pencilc_total, PENCILC_PART(pencilc_left));
#endif

#define PENCILC_COMBINE(place, value, op)                                                                         \
    ((void)__extension__({                                                                                        \
        typedef __typeof__(*(place)) pencilc_type;                                                                \
        pencilc_type *const pencilc_variable = (place);                                                           \
        pencilc_type pencilc_element = (value);                                                                   \
        pencilc_reduction *const pencilc_state = pencilc_begin(pencilc_variable, sizeof(pencilc_type));           \
        pencilc_type pencilc_total = *(pencilc_type *)pencilc_state->parts;                                       \
        PENCILC_ADD(op)                                                                                           \
        *pencilc_variable = pencilc_total;                                                                        \
        memcpy(pencilc_state->parts + sizeof(pencilc_type), pencilc_variable, sizeof(pencilc_type));              \
    }))
#define PENCILC_OPERATOR(op, ...) op
#define __pencil_reduction(variable, element, ...) \
    PENCILC_COMBINE(variable, element, PENCILC_OPERATOR(__VA_ARGS__, 0))
#define pencilc_sum(a, b) ((a) + (b))
#define pencilc_product(a, b) ((a) * (b))
#endif
