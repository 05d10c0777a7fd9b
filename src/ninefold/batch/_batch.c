/* Many games at once: the C twin of plain.py, which asks the rules.

   A game is a Row of plain numbers in the caller's buffer; its own random stream is part of it, so
   neither the order of the games nor the number of threads changes anything. Every function works on
   the rows from `start` to `stop` with the GIL released: threads take a part of the rows each.

   For each game there is `begin`, `legal` (the one definition of what may be played), `apply` and
   `observe`, as in games/<game>/rules.py and layout.py. `count` and `nth` give the legal moves by their
   place in ascending order, for random play; nothing but speed asks for them. */

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

enum { SHADOW, BATTLE, PATTERN, CONQUEST, CROSS, KINDS };
enum { ON, WON, CUT_OFF };          /* status */
enum { NOBODY = -1, FIRST, SECOND }; /* winner, turn */
enum { MOST_MOVES = 99, WIDEST = 33, SETUP = 9, NO_ACTION = -1 };

static const int MOVES[KINDS] = {81, 9, 99, 37, 6};
static const int WIDTHS[KINDS] = {12, 20, 20, 33, 17};

typedef struct {
    uint64_t stream;
    uint16_t made;    /* moves so far */
    uint8_t status;
    int8_t winner;
    uint8_t turn;     /* the seat that has to choose; in Conquest's challenges it stays with the challenger */
    uint8_t kind;
    union {
        struct { int8_t own[2][9]; uint16_t hand[2], taken[2], empty; uint8_t target; } shadow;
        struct { uint8_t grid[9]; uint8_t sum[2]; uint16_t own[2]; } battle;
        struct { int8_t own[2][9]; uint16_t empty[2], pool; } pattern;
        struct { uint16_t own[2], board; uint8_t hand[2], bid[2], challenged, size; } conquest;
        struct { uint8_t grid[9]; uint8_t line[6]; uint8_t sum[2], own[2]; } cross;
    } of;
} Row;

/* Random numbers: SplitMix64. A stream begins where seed and number of the game say. */

static uint64_t mixed(uint64_t z)
{
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static uint64_t stream_of(uint64_t seed, uint64_t number)
{
    return mixed(mixed(seed) + number);
}

static inline int below(uint64_t *stream, int bound)
{
    *stream += 0x9E3779B97F4A7C15u;
    return (int)((mixed(*stream) >> 32) * (uint64_t)bound >> 32);
}

/* Sets of up to 16 things as bits. */

static uint8_t SIZE[256], PLACE[256][8]; /* how many bits are set, and where the k-th is */

static void fill_tables(void)
{
    for (int bits = 0; bits < 256; bits++) {
        SIZE[bits] = 0;
        for (int place = 0; place < 8; place++)
            if (bits >> place & 1)
                PLACE[bits][SIZE[bits]++] = (uint8_t)place;
    }
}

static inline int size_of(unsigned set)
{
    return SIZE[set & 255] + SIZE[set >> 8];
}

static inline int member(unsigned set, int k)
{
    int low = SIZE[set & 255], high = -(k >= low); /* no branch: it would be guessed wrong half the time */
    return PLACE[set >> (8 & high) & 255][k - (low & high)] + (8 & high);
}

/* The lines of the 3x3 grid, which of them are full through a cell with these cells taken, and whether any is. */
static const uint8_t LINES[8][3] = {
    {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6},
};
static uint8_t FULL[9][512], ANY_FULL[512];

static void find_full_lines(void)
{
    for (int l = 0; l < 8; l++) {
        int cells = 1 << LINES[l][0] | 1 << LINES[l][1] | 1 << LINES[l][2];
        for (int taken = 0; taken < 512; taken++) {
            ANY_FULL[taken] |= (taken & cells) == cells;
            for (int cell = 0; cell < 9; cell++)
                if ((taken & cells) == cells && cells >> cell & 1)
                    FULL[cell][taken] |= (uint8_t)(1 << l);
        }
    }
}

static inline int makes_line(const int8_t *own, unsigned taken, int cell, int total)
{
    for (unsigned lines = FULL[cell][taken]; lines; lines &= lines - 1) {
        const uint8_t *c = LINES[PLACE[lines][0]];
        if (own[c[0]] + own[c[1]] + own[c[2]] == total)
            return 1;
    }
    return 0;
}

static inline void won(Row *row, int winner)
{
    row->status = WON;
    row->winner = (int8_t)winner;
}

/* k / by for k below 81 and by up to 9, without a division. */
static inline int divided(int k, int by)
{
    static const uint16_t PART[10] = {0, 4096, 2049, 1366, 1025, 820, 683, 586, 513, 456};
    return k * PART[by] >> 12;
}

static void deal(Row *row, const uint8_t *setup, uint8_t *grid)
{
    if (setup[0]) {
        memcpy(grid, setup, 9);
        return;
    }
    for (int k = 0; k < 9; k++)
        grid[k] = (uint8_t)(k + 1);
    for (int k = 8; k > 0; k--) {
        int j = below(&row->stream, k + 1);
        uint8_t kept = grid[k];
        grid[k] = grid[j];
        grid[j] = kept;
    }
}

/* Shadow Grid Duel. Move 9 * (n - 1) + c puts n on cell c. */

static inline void shadow_begin(Row *row, const uint8_t *setup)
{
    memset(&row->of.shadow, 0, sizeof row->of.shadow);
    row->of.shadow.hand[0] = row->of.shadow.hand[1] = row->of.shadow.empty = 511;
    row->of.shadow.target = setup[0] ? setup[0] : (uint8_t)(10 + below(&row->stream, 11));
}

static inline int shadow_legal(const Row *row, int move)
{
    return row->of.shadow.hand[row->turn] >> move / 9 & row->of.shadow.empty >> move % 9 & 1;
}

static inline int shadow_count(const Row *row)
{
    return (9 - row->made / 2) * (9 - row->made);
}

static inline int shadow_nth(const Row *row, int k)
{
    int cells = 9 - row->made, number = divided(k, cells);
    return 9 * member(row->of.shadow.hand[row->turn], number)
         + member(row->of.shadow.empty, k - number * cells);
}

static inline void shadow_apply(Row *row, int move)
{
    int number = move / 9, cell = move % 9, seat = row->turn;
    row->of.shadow.own[seat][cell] = (int8_t)(number + 1);
    row->of.shadow.hand[seat] &= (uint16_t)~(1 << number);
    row->of.shadow.taken[seat] |= (uint16_t)(1 << cell);
    row->of.shadow.empty &= (uint16_t)~(1 << cell);
    if (makes_line(row->of.shadow.own[seat], row->of.shadow.taken[seat], cell, row->of.shadow.target))
        won(row, seat);
    else if (!row->of.shadow.empty)
        won(row, 1 - seat);
    row->turn = (uint8_t)(1 - seat);
}

static void shadow_observe(const Row *row, int seat, int8_t *out)
{
    for (int c = 0; c < 9; c++)
        out[c] = (int8_t)(row->of.shadow.own[seat][c] - row->of.shadow.own[1 - seat][c]);
    out[9] = (int8_t)row->of.shadow.target;
}

/* Number Grid Battle. Move c takes cell c. */

static inline void battle_begin(Row *row, const uint8_t *setup)
{
    deal(row, setup, row->of.battle.grid);
    memset(row->of.battle.own, 0, sizeof row->of.battle.own);
    memset(row->of.battle.sum, 0, sizeof row->of.battle.sum);
}

static inline unsigned battle_free(const Row *row)
{
    return 511u & ~(unsigned)(row->of.battle.own[0] | row->of.battle.own[1]);
}

static inline int battle_legal(const Row *row, int move) { return battle_free(row) >> move & 1; }
static inline int battle_count(const Row *row) { return 9 - row->made; }
static inline int battle_nth(const Row *row, int k) { return member(battle_free(row), k); }

static inline void battle_apply(Row *row, int move)
{
    int seat = row->turn;
    row->of.battle.own[seat] |= (uint16_t)(1 << move);
    row->of.battle.sum[seat] += row->of.battle.grid[move];
    if (row->made == 8) /* equal sums, which cannot be, would be lost by the last to take: the first */
        won(row, row->of.battle.sum[0] > row->of.battle.sum[1] ? FIRST : SECOND);
    row->turn = (uint8_t)(1 - seat);
}

static void battle_observe(const Row *row, int seat, int8_t *out)
{
    for (int c = 0; c < 9; c++) {
        out[c] = (int8_t)row->of.battle.grid[c];
        out[9 + c] = (int8_t)((row->of.battle.own[seat] >> c & 1) - (row->of.battle.own[1 - seat] >> c & 1));
    }
}

/* Pattern Match. Move 9 * (n - 1) + c puts n on cell c, 81 + c returns, 90 + c swaps the number there.
   The moves made say what is to be done: nine times placed, once returned, then swapped. */

enum { PLACED = 9, RETURN = 81, SWAP = 90, TOTAL = 15 };

static inline void pattern_begin(Row *row, const uint8_t *setup)
{
    (void)setup;
    memset(row->of.pattern.own, 0, sizeof row->of.pattern.own);
    row->of.pattern.empty[0] = row->of.pattern.empty[1] = row->of.pattern.pool = 511;
}

static inline int pattern_legal(const Row *row, int move)
{
    unsigned empty = row->of.pattern.empty[row->turn];
    if (row->made < PLACED)
        return move < RETURN && (row->of.pattern.pool >> move / 9 & empty >> move % 9 & 1);
    int first = row->made == PLACED ? RETURN : SWAP;
    return move >= first && move < first + 9 && !(empty >> (move - first) & 1);
}

static inline int pattern_count(const Row *row)
{
    if (row->made < PLACED)
        return (9 - row->made) * (9 - row->made / 2);
    return 9 - size_of(row->of.pattern.empty[row->turn]);
}

static inline int pattern_nth(const Row *row, int k)
{
    unsigned empty = row->of.pattern.empty[row->turn];
    if (row->made < PLACED) {
        int cells = 9 - row->made / 2, number = divided(k, cells);
        return 9 * member(row->of.pattern.pool, number) + member(empty, k - number * cells);
    }
    return (row->made == PLACED ? RETURN : SWAP) + member(511 & ~empty, k);
}

/* Whether nobody can win any more: the cells in use change no more and hold no line. */
static inline int pattern_dead(const Row *row)
{
    return !ANY_FULL[511 & ~row->of.pattern.empty[0]] && !ANY_FULL[511 & ~row->of.pattern.empty[1]];
}

static inline void pattern_apply(Row *row, int move)
{
    int seat = row->turn, number, cell;
    int8_t *own = row->of.pattern.own[seat];
    if (row->made < PLACED) {
        number = move / 9, cell = move % 9;
        row->of.pattern.pool &= (uint16_t)~(1 << number);
        row->of.pattern.empty[seat] &= (uint16_t)~(1 << cell);
        own[cell] = (int8_t)(number + 1);
    } else if (row->made == PLACED) {
        cell = move - RETURN;
        row->of.pattern.pool = (uint16_t)(1 << (own[cell] - 1));
        row->of.pattern.empty[seat] |= (uint16_t)(1 << cell);
        own[cell] = 0;
    } else {
        cell = move - SWAP;
        number = member(row->of.pattern.pool, 0);
        row->of.pattern.pool = (uint16_t)(1 << (own[cell] - 1));
        own[cell] = (int8_t)(number + 1);
    }
    if (makes_line(own, 511 & ~row->of.pattern.empty[seat], cell, TOTAL))
        won(row, seat);
    else if ((row->made == PLACED - 1 || row->made == PLACED) && pattern_dead(row))
        row->status = CUT_OFF;
    row->turn = (uint8_t)(1 - seat);
}

static void pattern_observe(const Row *row, int seat, int8_t *out)
{
    memcpy(out, row->of.pattern.own[seat], 9);
    memcpy(out + 9, row->of.pattern.own[1 - seat], 9);
}

/* Grid Conquest. Move c claims cell c + 1, 16 + c challenges it, 31 + n bids n. */

enum { CHALLENGE = 16, BID = 32, NUMBERS = 31 };

static inline void conquest_begin(Row *row, const uint8_t *setup)
{
    memset(&row->of.conquest, 0, sizeof row->of.conquest);
    row->of.conquest.size = setup[0];
    row->of.conquest.board = (uint16_t)((1u << setup[0] * setup[0]) - 1);
    row->of.conquest.hand[0] = row->of.conquest.hand[1] = NUMBERS;
}

static inline unsigned conquest_claims(const Row *row)
{
    return row->of.conquest.board & ~(unsigned)(row->of.conquest.own[0] | row->of.conquest.own[1]);
}

static inline unsigned conquest_challenges(const Row *row)
{
    return row->of.conquest.hand[row->turn] ? row->of.conquest.own[1 - row->turn] : 0;
}

/* Who chooses: the challenger first, then the defender. `turn` stays with the challenger. */
static inline int conquest_mover(const Row *row)
{
    return row->of.conquest.bid[row->turn] ? 1 - row->turn : row->turn;
}

static inline int conquest_legal(const Row *row, int move)
{
    if (row->of.conquest.challenged)
        return move >= BID && (row->of.conquest.hand[conquest_mover(row)] >> (move - BID) & 1);
    if (move < CHALLENGE)
        return conquest_claims(row) >> move & 1;
    return move < BID && (conquest_challenges(row) >> (move - CHALLENGE) & 1);
}

static inline int conquest_count(const Row *row)
{
    if (row->of.conquest.challenged)
        return SIZE[row->of.conquest.hand[conquest_mover(row)]];
    return size_of(conquest_claims(row)) + size_of(conquest_challenges(row));
}

static inline int conquest_nth(const Row *row, int k)
{
    if (row->of.conquest.challenged)
        return BID + PLACE[row->of.conquest.hand[conquest_mover(row)]][k];
    unsigned claims = conquest_claims(row);
    int count = size_of(claims);
    return k < count ? member(claims, k) : CHALLENGE + member(conquest_challenges(row), k - count);
}

/* More cells, and when the last one has just been claimed the higher sum of unused numbers. A challenge
   on a full board is sudden death, where cells alone count. */
static inline void conquest_look(Row *row, int claimed)
{
    static const uint8_t SUM[32] = {0, 1, 2, 3, 3, 4, 5, 6, 4, 5, 6, 7, 7, 8, 9, 10,
                                    5, 6, 7, 8, 8, 9, 10, 11, 9, 10, 11, 12, 12, 13, 14, 15};
    if (conquest_claims(row))
        return;
    int lead = size_of(row->of.conquest.own[0]) - size_of(row->of.conquest.own[1]);
    if (!lead && claimed)
        lead = SUM[row->of.conquest.hand[0]] - SUM[row->of.conquest.hand[1]];
    if (lead || !row->of.conquest.hand[row->turn])
        won(row, lead > 0 ? FIRST : SECOND);
}

static inline void conquest_apply(Row *row, int move)
{
    int seat = row->turn;
    if (move < CHALLENGE) {
        row->of.conquest.own[seat] |= (uint16_t)(1 << move);
    } else if (move < BID) {
        row->of.conquest.challenged = (uint8_t)(move - CHALLENGE + 1);
        return;
    } else {
        uint8_t *bid = row->of.conquest.bid;
        bid[conquest_mover(row)] = (uint8_t)(move - BID + 1);
        if (!bid[0] || !bid[1])
            return;
        if (bid[seat] > bid[1 - seat]) {
            uint16_t cell = (uint16_t)(1 << (row->of.conquest.challenged - 1));
            row->of.conquest.own[seat] |= cell;
            row->of.conquest.own[1 - seat] &= (uint16_t)~cell;
        }
        for (int s = 0; s < 2; s++)
            row->of.conquest.hand[s] &= (uint8_t)~(1 << (bid[s] - 1));
        bid[0] = bid[1] = row->of.conquest.challenged = 0;
    }
    row->turn = (uint8_t)(1 - seat);
    conquest_look(row, move < CHALLENGE);
}

static void conquest_observe(const Row *row, int seat, int8_t *out)
{
    for (int c = 0; c < 16; c++)
        out[c] = (int8_t)((row->of.conquest.own[seat] >> c & 1) - (row->of.conquest.own[1 - seat] >> c & 1));
    for (int n = 0; n < 5; n++) {
        out[16 + n] = row->of.conquest.hand[seat] >> n & 1;
        out[21 + n] = row->of.conquest.hand[1 - seat] >> n & 1;
    }
    out[26] = (int8_t)row->of.conquest.challenged;
    out[27] = (int8_t)(row->of.conquest.challenged ? (row->turn == seat ? 1 : -1) : 0);
    out[28] = (int8_t)row->of.conquest.bid[seat];
    out[29] = row->of.conquest.bid[1 - seat] != 0;
    out[30] = (int8_t)row->of.conquest.size;
}

/* Number Cross. Move l claims line l: Row1, Row2, Row3, Col1, Col2, Col3. */

static inline void cross_begin(Row *row, const uint8_t *setup)
{
    uint8_t *grid = row->of.cross.grid;
    deal(row, setup, grid);
    for (int k = 0; k < 3; k++) {
        row->of.cross.line[k] = (uint8_t)(grid[3 * k] + grid[3 * k + 1] + grid[3 * k + 2]);
        row->of.cross.line[3 + k] = (uint8_t)(grid[k] + grid[k + 3] + grid[k + 6]);
    }
    memset(row->of.cross.sum, 0, sizeof row->of.cross.sum);
    memset(row->of.cross.own, 0, sizeof row->of.cross.own);
}

static inline unsigned cross_free(const Row *row)
{
    return 63u & ~(unsigned)(row->of.cross.own[0] | row->of.cross.own[1]);
}

static inline int cross_legal(const Row *row, int move) { return cross_free(row) >> move & 1; }
static inline int cross_count(const Row *row) { return 6 - row->made; }
static inline int cross_nth(const Row *row, int k) { return PLACE[cross_free(row)][k]; }

static inline void cross_apply(Row *row, int move)
{
    int seat = row->turn;
    row->of.cross.own[seat] |= (uint8_t)(1 << move);
    row->of.cross.sum[seat] += row->of.cross.line[move];
    if (row->made == 5)
        won(row, row->of.cross.sum[0] > row->of.cross.sum[1] ? FIRST : SECOND);
    row->turn = (uint8_t)(1 - seat);
}

static void cross_observe(const Row *row, int seat, int8_t *out)
{
    for (int c = 0; c < 9; c++)
        out[c] = (int8_t)row->of.cross.grid[c];
    for (int l = 0; l < 6; l++)
        out[9 + l] = (int8_t)((row->of.cross.own[seat] >> l & 1) - (row->of.cross.own[1 - seat] >> l & 1));
}

/* What the games have in common. */

#define FOR_EACH_KIND(DO) DO(SHADOW, shadow) DO(BATTLE, battle) DO(PATTERN, pattern) \
                          DO(CONQUEST, conquest) DO(CROSS, cross)

static void begin(Row *row, const uint8_t *setup)
{
    row->made = 0;
    row->status = ON;
    row->winner = NOBODY;
    row->turn = FIRST;
    switch (row->kind) {
#define CASE(KIND, game) case KIND: game##_begin(row, setup); break;
        FOR_EACH_KIND(CASE)
#undef CASE
    }
}

static int mover(const Row *row)
{
    return row->kind == CONQUEST ? conquest_mover(row) : row->turn;
}

static int legal(const Row *row, int move)
{
    if (row->status != ON || move < 0 || move >= MOVES[row->kind])
        return 0;
    switch (row->kind) {
#define CASE(KIND, game) case KIND: return game##_legal(row, move);
        FOR_EACH_KIND(CASE)
#undef CASE
    }
    return 0;
}

static int chooses(const Row *row, int seat)
{
    if (row->status == WON)
        return 0;
    if (row->kind == CONQUEST && row->of.conquest.challenged)
        return !row->of.conquest.bid[seat];
    return row->turn == seat;
}

/* One move; what is no legal move loses the game. */
static void play(Row *row, int move, int turns)
{
    if (!legal(row, move)) {
        won(row, 1 - mover(row));
        return;
    }
    switch (row->kind) {
#define CASE(KIND, game) case KIND: game##_apply(row, move); break;
        FOR_EACH_KIND(CASE)
#undef CASE
    }
    if (++row->made >= turns && row->status == ON)
        row->status = CUT_OFF;
}

static int random_move(Row *row)
{
    switch (row->kind) {
#define CASE(KIND, game) case KIND: return game##_nth(row, below(&row->stream, game##_count(row)));
        FOR_EACH_KIND(CASE)
#undef CASE
    }
    return NO_ACTION;
}

static void observe(const Row *row, int seat, int8_t *out)
{
    out[0] = (int8_t)seat;
    out[1] = (int8_t)chooses(row, seat);
    switch (row->kind) {
#define CASE(KIND, game) case KIND: game##_observe(row, seat, out + 2); break;
        FOR_EACH_KIND(CASE)
#undef CASE
    }
}

/* A random game to its end, the kind being known to the compiler; only the result is kept. */
#define PLAYOUT(name, game)                                                             \
    static void name(Row *row, int turns)                                               \
    {                                                                                   \
        while (row->status == ON) {                                                     \
            game##_apply(row, game##_nth(row, below(&row->stream, game##_count(row)))); \
            if (++row->made >= turns && row->status == ON)                              \
                row->status = CUT_OFF;                                                  \
        }                                                                               \
    }
PLAYOUT(shadow_playout, shadow)
PLAYOUT(battle_playout, battle)
PLAYOUT(conquest_playout, conquest)
PLAYOUT(cross_playout, cross)
PLAYOUT(pattern_until, pattern)

/* Pattern's swaps, most of a random game. The cells stay what they are, so a seat has its numbers in
   the order of their cells and the sums of its full lines, at most two; `in` has all bits set for a
   number on the line. */

typedef struct {
    int count, lines, number[5], in[5][2], sum[2];
} Side;

static Side side_of(const int8_t *own)
{
    Side side = {0};
    int at[9];
    for (int cell = 0; cell < 9; cell++)
        if (own[cell]) {
            at[cell] = side.count;
            side.number[side.count++] = own[cell];
        }
    for (int l = 0; l < 8; l++) {
        const uint8_t *c = LINES[l];
        if (own[c[0]] && own[c[1]] && own[c[2]]) {
            for (int k = 0; k < 3; k++)
                side.in[at[c[k]]][side.lines] = ~0;
            side.sum[side.lines++] = own[c[0]] + own[c[1]] + own[c[2]];
        }
    }
    return side;
}

/* Swap a random one of the side's numbers with the pool's; whether that makes a line. */
static inline int swapped(Side *side, int count, int *pool, uint64_t *stream)
{
    int k = below(stream, count);
    int change = *pool - side->number[k];
    side->number[k] += change;
    *pool -= change;
    side->sum[0] += change & side->in[k][0];
    side->sum[1] += change & side->in[k][1];
    return side->sum[0] == TOTAL || side->sum[1] == TOTAL;
}

static void pattern_playout(Row *row, int turns)
{
    pattern_until(row, turns < PLACED + 1 ? turns : PLACED + 1);
    if (row->status == WON || row->made >= turns || row->made < PLACED + 1 || pattern_dead(row))
        return;
    Side first = side_of(row->of.pattern.own[FIRST]), second = side_of(row->of.pattern.own[SECOND]);
    int pool = member(row->of.pattern.pool, 0) + 1, made = row->made;
    uint64_t stream = row->stream;
    while (made < turns) {
        made++;
        if (swapped(&first, 5, &pool, &stream)) {
            won(row, FIRST);
            break;
        }
        if (made == turns)
            break;
        made++;
        if (swapped(&second, 3, &pool, &stream)) {
            won(row, SECOND);
            break;
        }
    }
    row->made = (uint16_t)made;
}

static void playout(Row *row, int turns)
{
    switch (row->kind) {
#define CASE(KIND, game) case KIND: game##_playout(row, turns); break;
        FOR_EACH_KIND(CASE)
#undef CASE
    }
}

/* The functions of the module. Buffers: rows, what is written and read for each of them. */

typedef struct {
    Py_ssize_t start, stop;
    int kind, turns;
} Part;

static int sound(const Part *part, const Py_buffer *buffer, Py_ssize_t size, const char *name)
{
    if (part->kind < 0 || part->kind >= KINDS || part->start < 0 || part->start > part->stop) {
        PyErr_SetString(PyExc_ValueError, "no such game or part");
        return 0;
    }
    if (buffer->len >= part->stop * size)
        return 1;
    PyErr_Format(PyExc_ValueError, "%s has %zd bytes, not %zd", name, buffer->len, part->stop * size);
    return 0;
}

static void report(const Row *row, Py_ssize_t at, int8_t *movers, uint8_t *status, int8_t *winners)
{
    movers[at] = (int8_t)mover(row);
    status[at] = row->status;
    winners[at] = row->winner;
}

/* reset(kind, start, stop, turns, seed, setup, rows, movers, status, winners) */
static PyObject *reset(PyObject *self, PyObject *args)
{
    (void)self;
    Part part;
    unsigned long long seed;
    Py_buffer b[5];
    if (!PyArg_ParseTuple(args, "inniKy*w*w*w*w*:reset", &part.kind, &part.start, &part.stop, &part.turns,
                          &seed, b, b + 1, b + 2, b + 3, b + 4))
        return NULL;
    int good = b[0].len == SETUP && sound(&part, b + 1, sizeof(Row), "rows") && sound(&part, b + 2, 1, "movers")
            && sound(&part, b + 3, 1, "status") && sound(&part, b + 4, 1, "winners");
    if (good) {
        Row *rows = b[1].buf;
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t i = part.start; i < part.stop; i++) {
            rows[i].stream = stream_of(seed, (uint64_t)i);
            rows[i].kind = (uint8_t)part.kind;
            begin(rows + i, b[0].buf);
            report(rows + i, i, b[2].buf, b[3].buf, b[4].buf);
        }
        Py_END_ALLOW_THREADS
    }
    for (int i = 0; i < 5; i++)
        PyBuffer_Release(b + i);
    if (!good && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "the setup has the wrong size");
    return good ? Py_NewRef(Py_None) : NULL;
}

/* step(kind, start, stop, turns, again, setup, rows, actions, movers, status, winners) */
static PyObject *step(PyObject *self, PyObject *args)
{
    (void)self;
    Part part;
    int again;
    Py_buffer b[6];
    if (!PyArg_ParseTuple(args, "innipy*w*y*w*w*w*:step", &part.kind, &part.start, &part.stop, &part.turns,
                          &again, b, b + 1, b + 2, b + 3, b + 4, b + 5))
        return NULL;
    int good = b[0].len == SETUP && sound(&part, b + 1, sizeof(Row), "rows")
            && sound(&part, b + 2, sizeof(int32_t), "actions") && sound(&part, b + 3, 1, "movers")
            && sound(&part, b + 4, 1, "status") && sound(&part, b + 5, 1, "winners");
    if (good) {
        Row *rows = b[1].buf;
        const int32_t *actions = b[2].buf;
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t i = part.start; i < part.stop; i++) {
            if (actions[i] == NO_ACTION)
                continue;
            if (rows[i].status == ON)
                play(rows + i, actions[i], part.turns);
            else if (again)
                begin(rows + i, b[0].buf);
            report(rows + i, i, b[3].buf, b[4].buf, b[5].buf);
        }
        Py_END_ALLOW_THREADS
    }
    for (int i = 0; i < 6; i++)
        PyBuffer_Release(b + i);
    if (!good && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "the setup has the wrong size");
    return good ? Py_NewRef(Py_None) : NULL;
}

/* look(kind, start, stop, rows, seats, observations, masks) */
static PyObject *look(PyObject *self, PyObject *args)
{
    (void)self;
    Part part;
    Py_buffer b[4];
    if (!PyArg_ParseTuple(args, "inny*y*w*w*:look", &part.kind, &part.start, &part.stop, b, b + 1, b + 2, b + 3))
        return NULL;
    int good = sound(&part, b, sizeof(Row), "rows") && sound(&part, b + 1, 1, "seats")
            && sound(&part, b + 2, WIDTHS[part.kind], "observations")
            && sound(&part, b + 3, MOVES[part.kind], "masks");
    if (good) {
        const Row *rows = b[0].buf;
        const int8_t *seats = b[1].buf;
        int width = WIDTHS[part.kind], moves = MOVES[part.kind];
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t i = part.start; i < part.stop; i++) {
            uint8_t *mask = (uint8_t *)b[3].buf + i * moves;
            observe(rows + i, seats[i] & 1, (int8_t *)b[2].buf + i * width);
            if (mover(rows + i) == (seats[i] & 1))
                for (int move = 0; move < moves; move++)
                    mask[move] = (uint8_t)legal(rows + i, move);
            else
                memset(mask, 0, (size_t)moves);
        }
        Py_END_ALLOW_THREADS
    }
    for (int i = 0; i < 4; i++)
        PyBuffer_Release(b + i);
    return good ? Py_NewRef(Py_None) : NULL;
}

/* sample(kind, start, stop, rows, actions) */
static PyObject *sample(PyObject *self, PyObject *args)
{
    (void)self;
    Part part;
    Py_buffer b[2];
    if (!PyArg_ParseTuple(args, "innw*w*:sample", &part.kind, &part.start, &part.stop, b, b + 1))
        return NULL;
    int good = sound(&part, b, sizeof(Row), "rows") && sound(&part, b + 1, sizeof(int32_t), "actions");
    if (good) {
        Row *rows = b[0].buf;
        int32_t *actions = b[1].buf;
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t i = part.start; i < part.stop; i++)
            actions[i] = rows[i].status == ON ? random_move(rows + i) : 0;
        Py_END_ALLOW_THREADS
    }
    for (int i = 0; i < 2; i++)
        PyBuffer_Release(b + i);
    return good ? Py_NewRef(Py_None) : NULL;
}

/* playouts(kind, start, stop, turns, seed, setup, winners, lengths) */
static PyObject *playouts(PyObject *self, PyObject *args)
{
    (void)self;
    Part part;
    unsigned long long seed;
    Py_buffer b[3];
    if (!PyArg_ParseTuple(args, "inniKy*w*w*:playouts", &part.kind, &part.start, &part.stop, &part.turns,
                          &seed, b, b + 1, b + 2))
        return NULL;
    int good = b[0].len == SETUP && sound(&part, b + 1, 1, "winners")
            && sound(&part, b + 2, sizeof(uint16_t), "lengths");
    if (good) {
        int8_t *winners = b[1].buf;
        uint16_t *lengths = b[2].buf;
        Py_BEGIN_ALLOW_THREADS
        Row row = {.kind = (uint8_t)part.kind};
        for (Py_ssize_t i = part.start; i < part.stop; i++) {
            row.stream = stream_of(seed, (uint64_t)i);
            begin(&row, b[0].buf);
            playout(&row, part.turns);
            winners[i] = row.winner;
            lengths[i] = row.made;
        }
        Py_END_ALLOW_THREADS
    }
    for (int i = 0; i < 3; i++)
        PyBuffer_Release(b + i);
    if (!good && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "the setup has the wrong size");
    return good ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef methods[] = {
    {"reset", reset, METH_VARARGS, "Begin the games of a part."},
    {"step", step, METH_VARARGS, "Make a move in each game of a part."},
    {"look", look, METH_VARARGS, "Write what the given seats see and may do."},
    {"sample", sample, METH_VARARGS, "Draw a legal move for each game of a part."},
    {"playouts", playouts, METH_VARARGS, "Play random games to their end."},
    {NULL, NULL, 0, NULL},
};

static int set_up(PyObject *module)
{
    fill_tables();
    find_full_lines();
    return PyModule_AddIntConstant(module, "ROW", sizeof(Row));
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)set_up},
    {0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_batch", "Many games at once.", 0, methods, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__batch(void)
{
    return PyModuleDef_Init(&module);
}
