/* The hot loop of the tablebases: the C twin of `fill` in plain.py.

   tablebase.py explains outlines, fillings, kinds and codes, and buffers.py the arguments. Both twins
   visit everything in the same order and number the kinds as they meet them, so their results are
   equal byte for byte. */

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TOKENS = 9,
    MOST_SLOTS = 5,    /* of one seat */
    MOST_FREE = 9,     /* slots to choose from */
    RECORD = 117,      /* int32 per record of the plan; buffers.py explains the offsets in it */
    SLOTS = 1,
    STARTS = 3,
    LINES = 5,
    MOVE_COUNT = 17,
    MOVES = 18,
    MOVE = 11,
    HAS_LINE = 0xFFFF, /* in place of the kind of a filling with a winning line */
    MOST_KINDS = 3024, /* in an outline with a free slot a seat has at most four tokens */
    LONGEST = MOST_FREE * (1 + MOST_TOKENS), /* of a description: a count and the kinds for each slot */
    BUCKETS = 8192,    /* a power of two, well above MOST_KINDS */
};

/* By the number of slots: how many fillings there are, where their tokens begin, where their index does. */
static const int32_t SIZES[] = {1, 9, 72, 504, 3024, 15120};
static const int32_t TOKENS_AT[] = {0, 0, 9, 153, 1665, 13761};
static const int32_t INDEX_AT[] = {0, 1, 10, 91, 820, 7381};
enum { ALL_TOKENS = 13761 + 15120 * 5, ALL_INDEX = 7381 + 59049 };

/* The kinds of one seat in one outline, each known by its description. */
typedef struct {
    int count;
    int16_t bucket[BUCKETS]; /* 1 + a kind, 0 where there is none */
    uint8_t length[MOST_KINDS];
    uint16_t text[MOST_KINDS][LONGEST];
} Kinds;

typedef struct {
    const int32_t *plan;
    const uint8_t *tokens;
    const uint16_t *index;
    const uint8_t *fits;
    const uint8_t *win_at;
    uint16_t *kinds;
    int32_t *counts;
    int outlines;
    uint8_t *codes;   /* grows */
    size_t used, room;
    size_t *starts;   /* where each outline's codes begin */
    Kinds *mine, *theirs;
} Job;

/* The kind with this description: a new one if there is none yet. */
static uint16_t kind_of(Kinds *all, const uint16_t *text, int length)
{
    uint32_t hash = 2166136261u;
    for (int i = 0; i < length; i++)
        hash = (hash ^ text[i]) * 16777619u;
    uint32_t at = (hash ^ hash >> 15) & (BUCKETS - 1);
    for (; all->bucket[at]; at = (at + 1) & (BUCKETS - 1)) {
        int kind = all->bucket[at] - 1;
        if (all->length[kind] == length && !memcmp(all->text[kind], text, length * sizeof *text))
            return (uint16_t)kind;
    }
    int kind = all->count++;
    all->bucket[at] = (int16_t)(kind + 1);
    all->length[kind] = (uint8_t)length;
    memcpy(all->text[kind], text, length * sizeof *text);
    return (uint16_t)kind;
}

static void mark_lines(Job *job, const int32_t *record, int seat)
{
    int k = record[SLOTS + seat];
    const int32_t *line = record + LINES + 6 * seat;
    const uint8_t *tokens = job->tokens + TOKENS_AT[k];
    uint16_t *kinds = job->kinds + record[STARTS + seat];
    for (int n = 0; n < 2 && line[3 * n] >= 0; n++) {
        int a = line[3 * n], b = line[3 * n + 1], c = line[3 * n + 2];
        for (int i = 0; i < SIZES[k]; i++) {
            const uint8_t *t = tokens + i * k;
            if (job->fits[81 * t[a] + 9 * t[b] + t[c]])
                kinds[i] = HAS_LINE;
        }
    }
}

/* The mover's kinds. A description lists, slot by slot, how many kinds the filling can become there
   and which, in order. A filling that can win at once has the empty description: nothing else matters. */
static void find_mover_kinds(Job *job, const int32_t *record, int mover)
{
    int k = record[SLOTS + mover];
    const uint8_t *tokens = job->tokens + TOKENS_AT[k];
    uint16_t *kinds = job->kinds + record[STARTS + mover];
    const uint16_t *index = job->index + INDEX_AT[k + 1];
    for (int i = 0; i < SIZES[k]; i++, tokens += k) {
        if (kinds[i] == HAS_LINE)
            continue;
        int used = 0;
        for (int j = 0; j < k; j++)
            used |= 1 << tokens[j];
        uint16_t text[LONGEST];
        int length = 0;
        for (int m = 0; m < record[MOVE_COUNT] && length >= 0; m++) {
            const int32_t *move = record + MOVES + MOVE * m;
            const int32_t *weights = move + 1 + MOST_SLOTS * mover;
            const uint16_t *after = job->kinds + job->plan[move[0] * RECORD + STARTS + mover];
            int number = 0;
            for (int j = 0; j < k; j++)
                number += tokens[j] * weights[j];
            uint16_t *set = text + length + 1;
            int size = 0;
            for (int t = 0; t < MOST_TOKENS; t++) {
                if (used >> t & 1)
                    continue;
                uint16_t kind = after[index[number + t * weights[k]]];
                if (kind == HAS_LINE) {
                    length = -1;
                    break;
                }
                int place = size;
                while (place > 0 && set[place - 1] > kind)
                    place--;
                if (place > 0 && set[place - 1] == kind)
                    continue;
                memmove(set + place + 1, set + place, (size - place) * sizeof *set);
                set[place] = kind;
                size++;
            }
            if (length >= 0) {
                text[length] = (uint16_t)size;
                length += 1 + size;
            }
        }
        kinds[i] = kind_of(job->mine, text, length < 0 ? 0 : length);
    }
}

/* The other seat's kinds. A description lists, slot by slot, the kind the filling becomes if the mover
   takes that slot. */
static void find_other_kinds(Job *job, const int32_t *record, int other)
{
    int k = record[SLOTS + other];
    const uint8_t *tokens = job->tokens + TOKENS_AT[k];
    uint16_t *kinds = job->kinds + record[STARTS + other];
    const uint16_t *index = job->index + INDEX_AT[k];
    for (int i = 0; i < SIZES[k]; i++, tokens += k) {
        if (kinds[i] == HAS_LINE)
            continue;
        uint16_t text[MOST_FREE];
        for (int m = 0; m < record[MOVE_COUNT]; m++) {
            const int32_t *move = record + MOVES + MOVE * m;
            const int32_t *weights = move + 1 + MOST_SLOTS * other;
            int number = 0;
            for (int j = 0; j < k; j++)
                number += tokens[j] * weights[j];
            text[m] = job->kinds[job->plan[move[0] * RECORD + STARTS + other] + index[number]];
        }
        kinds[i] = kind_of(job->theirs, text, record[MOVE_COUNT]);
    }
}

/* The code of each pair of kinds: the best for the mover among those that can follow. */
static void fill_codes(Job *job, const int32_t *record, int mover, uint8_t *codes)
{
    const Kinds *mine = job->mine, *theirs = job->theirs;
    int mine_step = mover ? 1 : theirs->count; /* the second player's kinds vary faster */
    int theirs_step = mover ? mine->count : 1;
    for (int a = 0; a < mine->count; a++) {
        for (int b = 0; b < theirs->count; b++) {
            uint8_t *code = codes + a * mine_step + b * theirs_step;
            if (mine->length[a] == 0) {
                *code = job->win_at[record[0]];
                continue;
            }
            const uint16_t *text = mine->text[a];
            int best = mover ? 255 : 0;
            for (int m = 0; m < record[MOVE_COUNT]; m++) {
                int o = record[MOVES + MOVE * m];
                const uint8_t *after = job->codes + job->starts[o];
                int width = job->counts[2 * o + 1], their_kind = theirs->text[b][m];
                for (int left = *text++; left > 0; left--, text++) {
                    int found = mover ? after[their_kind * width + *text] : after[*text * width + their_kind];
                    if (mover ? found < best : found > best)
                        best = found;
                }
            }
            *code = (uint8_t)best;
        }
    }
}

static int make_room(Job *job, size_t more)
{
    if (job->used + more <= job->room)
        return 1;
    size_t room = 2 * (job->used + more);
    uint8_t *codes = realloc(job->codes, room);
    if (codes == NULL)
        return 0;
    job->codes = codes;
    job->room = room;
    return 1;
}

/* All outlines, full ones first. Returns 0 where memory runs out. */
static int run(Job *job, const uint8_t *given)
{
    for (int o = 0; o < job->outlines; o++) {
        const int32_t *record = job->plan + o * RECORD;
        int mover = record[0] % 2;
        mark_lines(job, record, 0);
        mark_lines(job, record, 1);
        if (record[MOVE_COUNT] > 0) {
            job->mine->count = job->theirs->count = 0;
            memset(job->mine->bucket, 0, sizeof job->mine->bucket);
            memset(job->theirs->bucket, 0, sizeof job->theirs->bucket);
            find_mover_kinds(job, record, mover);
            find_other_kinds(job, record, 1 - mover);
            job->counts[2 * o + mover] = job->mine->count;
            job->counts[2 * o + 1 - mover] = job->theirs->count;
        }
        size_t size = (size_t)job->counts[2 * o] * (size_t)job->counts[2 * o + 1];
        if (!make_room(job, size))
            return 0;
        job->starts[o] = job->used;
        if (record[MOVE_COUNT] > 0)
            fill_codes(job, record, mover, job->codes + job->used);
        else
            memcpy(job->codes + job->used, given + job->used, size);
        job->used += size;
    }
    return 1;
}

static int has_length(const Py_buffer *buffer, Py_ssize_t length, const char *name)
{
    if (buffer->len == length)
        return 1;
    PyErr_Format(PyExc_ValueError, "%s has %zd bytes, not %zd", name, buffer->len, length);
    return 0;
}

/* Whether the sizes of the arguments match; the contents of the plan are trusted. */
static int buffers_match(const Py_buffer *b)
{
    if (b[0].len == 0 || b[0].len % (RECORD * 4) != 0) {
        PyErr_SetString(PyExc_ValueError, "the plan does not consist of whole records");
        return 0;
    }
    Py_ssize_t outlines = b[0].len / (RECORD * 4);
    const int32_t *plan = b[0].buf, *last = plan + (outlines - 1) * RECORD;
    if (!has_length(b + 1, ALL_TOKENS, "tokens") || !has_length(b + 2, ALL_INDEX * 2, "index")
        || !has_length(b + 3, 729, "fits") || !has_length(b + 4, 9, "win_at")
        || !has_length(b + 5, (last[STARTS + 1] + SIZES[last[SLOTS + 1]]) * 2, "kinds")
        || !has_length(b + 6, outlines * 8, "counts"))
        return 0;
    const int32_t *counts = b[6].buf;
    Py_ssize_t given = 0;
    for (Py_ssize_t o = 0; o < outlines && plan[o * RECORD + MOVE_COUNT] == 0; o++)
        given += (Py_ssize_t)counts[2 * o] * counts[2 * o + 1];
    return has_length(b + 7, given, "codes");
}

static PyObject *fill(PyObject *self, PyObject *args)
{
    (void)self;
    Py_buffer b[8];
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*w*w*y*:fill", b, b + 1, b + 2, b + 3, b + 4, b + 5, b + 6, b + 7))
        return NULL;
    PyObject *result = NULL;
    if (buffers_match(b)) {
        Job job = {
            .plan = b[0].buf, .tokens = b[1].buf, .index = b[2].buf, .fits = b[3].buf,
            .win_at = b[4].buf, .kinds = b[5].buf, .counts = b[6].buf,
            .outlines = (int)(b[0].len / (RECORD * 4)),
        };
        int done = 0;
        Py_BEGIN_ALLOW_THREADS
        job.starts = calloc((size_t)job.outlines, sizeof *job.starts);
        job.mine = malloc(sizeof *job.mine);
        job.theirs = malloc(sizeof *job.theirs);
        if (job.starts && job.mine && job.theirs)
            done = run(&job, b[7].buf);
        Py_END_ALLOW_THREADS
        result = done ? PyBytes_FromStringAndSize((const char *)job.codes, (Py_ssize_t)job.used)
                      : PyErr_NoMemory();
        free(job.starts);
        free(job.mine);
        free(job.theirs);
        free(job.codes);
    }
    for (int i = 0; i < 8; i++)
        PyBuffer_Release(b + i);
    return result;
}

static PyMethodDef methods[] = {
    {"fill", fill, METH_VARARGS, "See ninefold.analysis.placing.plain.fill."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_kernel", "The hot loop of the tablebases.", 0, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernel(void)
{
    return PyModuleDef_Init(&module);
}
