/* Many games at once: the C twin of plain.py, which plays by the rules.

   A game is a Row of plain numbers in the caller's buffer; its own random stream is part of it, so
   neither the order of the games nor the number of threads changes anything. Every function works on
   the rows from `start` to `stop` with the GIL released: threads take a part of the rows each.

   For each game there is `begin`, `legal` (the one definition of what may be played), `apply` and
   `observe`, as in games/<game>/rules.py and encoding.py. `count` and `nth` give the legal moves by their
   place in ascending order, for random play, and `mask` gives all of them at once; these are only there
   for speed. `value` writes what each legal move of a seat is worth to it; tables.py makes its tables. */

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
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
        struct { uint16_t own[2], board; uint8_t hand[2], bid[2], challenged, size, cells_alone; } conquest;
        struct { uint8_t grid[9]; uint8_t line[6]; uint8_t sum[2], own[2], order[6]; } cross;
    } of;
} Row; /* rows.py has the same structure */

/* Random numbers: SplitMix64. A stream starts from the seed and the number of the game. */

static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static uint64_t stream_of(uint64_t seed, uint64_t number)
{
    return mix(mix(seed) + number);
}

static inline int below(uint64_t *stream, int bound)
{
    *stream += 0x9E3779B97F4A7C15u;
    return (int)((mix(*stream) >> 32) * (uint64_t)bound >> 32);
}

/* Sets of up to 16 things as bits. */

static uint8_t SIZE[256], PLACE[256][8]; /* how many bits are set, and where the k-th is */
static uint8_t FLAGS[512][16];           /* a byte for each of nine bits, and some to spare */

static void fill_tables(void)
{
    for (int bits = 0; bits < 512; bits++)
        for (int place = 0; place < 9; place++)
            FLAGS[bits][place] = bits >> place & 1;
    for (int bits = 0; bits < 256; bits++) {
        SIZE[bits] = 0;
        for (int place = 0; place < 8; place++)
            if (bits >> place & 1)
                PLACE[bits][SIZE[bits]++] = (uint8_t)place;
    }
}

/* Eight things: 1 for those in one set, -1 for those in the other. No byte overflows into the next. */
static inline void write_owners(unsigned own, unsigned other, int8_t *out)
{
    uint64_t ours, theirs;
    memcpy(&ours, FLAGS[own & 255], 8);
    memcpy(&theirs, FLAGS[other & 255], 8);
    ours |= theirs * 255;
    memcpy(out, &ours, 8);
}

/* Nine numbers on nine cells: the flags of these cells for each of these numbers. */
static inline void write_placings(unsigned numbers, unsigned cells, uint8_t *mask)
{
    for (int n = 0; n < 9; n++)
        memcpy(mask + 9 * n, FLAGS[cells & -(numbers >> n & 1)], 9);
}

static inline int size_of(unsigned set)
{
    return SIZE[set & 255] + SIZE[set >> 8];
}

static inline int member(unsigned set, int k)
{
    int low = SIZE[set & 255], high = -(k >= low); /* no branch: it would be mispredicted half the time */
    return PLACE[set >> (8 & high) & 255][k - (low & high)] + (8 & high);
}

/* The lines of the 3x3 grid. FULL has those through a cell that are full when these cells are taken, as bits;
   ANY_FULL says whether any line is. */
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

static inline void set_winner(Row *row, int winner)
{
    row->status = WON;
    row->winner = (int8_t)winner;
}

/* k / by for k below 81 and by up to 9, without a division. */
static inline int divide(int k, int by)
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
    int cells = 9 - row->made, number = divide(k, cells);
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
        set_winner(row, seat);
    else if (!row->of.shadow.empty)
        set_winner(row, 1 - seat);
    row->turn = (uint8_t)(1 - seat);
}

static inline void shadow_mask(const Row *row, uint8_t *mask)
{
    write_placings(row->of.shadow.hand[row->turn], row->of.shadow.empty, mask);
}

static inline void shadow_observe(const Row *row, int seat, int8_t *out)
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
    if (row->made == 8) /* sums cannot be equal; if they were, the last to take, the first player, would lose */
        set_winner(row, row->of.battle.sum[0] > row->of.battle.sum[1] ? FIRST : SECOND);
    row->turn = (uint8_t)(1 - seat);
}

static inline void battle_mask(const Row *row, uint8_t *mask) { memcpy(mask, FLAGS[battle_free(row)], 9); }

static inline void battle_observe(const Row *row, int seat, int8_t *out)
{
    unsigned own = row->of.battle.own[seat], other = row->of.battle.own[1 - seat];
    memcpy(out, row->of.battle.grid, 9);
    write_owners(own, other, out + 9);
    out[17] = (int8_t)((int)(own >> 8) - (int)(other >> 8));
}

/* Pattern Match. Move 9 * (n - 1) + c puts n on cell c, 81 + c returns, 90 + c swaps the number there.
   The number of moves made says what comes next: nine placings, one return, then swaps. */

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
        int cells = 9 - row->made / 2, number = divide(k, cells);
        return 9 * member(row->of.pattern.pool, number) + member(empty, k - number * cells);
    }
    return (row->made == PLACED ? RETURN : SWAP) + member(511 & ~empty, k);
}

/* Whether nobody can win any more: the cells in use no longer change and hold no line. */
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
        set_winner(row, seat);
    else if ((row->made == PLACED - 1 || row->made == PLACED) && pattern_dead(row))
        row->status = CUT_OFF;
    row->turn = (uint8_t)(1 - seat);
}

static inline void pattern_mask(const Row *row, uint8_t *mask)
{
    unsigned empty = row->of.pattern.empty[row->turn];
    int placing = row->made < PLACED, returning = row->made == PLACED;
    write_placings(placing ? row->of.pattern.pool : 0, empty, mask);
    memcpy(mask + RETURN, FLAGS[returning ? 511 & ~empty : 0], 9);
    memcpy(mask + SWAP, FLAGS[placing || returning ? 0 : 511 & ~empty], 9);
}

static inline void pattern_observe(const Row *row, int seat, int8_t *out)
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

/* End the game on a full board: more cells win. If the last cell has just been claimed, the higher sum of
   unused numbers breaks a tie. A challenge on a full board is sudden death, where cells alone count. */
static inline void conquest_decide(Row *row, int claimed)
{
    static const uint8_t SUM[32] = {0, 1, 2, 3, 3, 4, 5, 6, 4, 5, 6, 7, 7, 8, 9, 10,
                                    5, 6, 7, 8, 8, 9, 10, 11, 9, 10, 11, 12, 12, 13, 14, 15};
    if (conquest_claims(row))
        return;
    int lead = size_of(row->of.conquest.own[0]) - size_of(row->of.conquest.own[1]);
    if (!lead && claimed)
        lead = SUM[row->of.conquest.hand[0]] - SUM[row->of.conquest.hand[1]];
    if (lead || !row->of.conquest.hand[row->turn])
        set_winner(row, lead > 0 ? FIRST : SECOND);
}

static inline void conquest_apply(Row *row, int move)
{
    int seat = row->turn;
    if (move < CHALLENGE) {
        row->of.conquest.own[seat] |= (uint16_t)(1 << move);
    } else if (move < BID) {
        row->of.conquest.challenged = (uint8_t)(move - CHALLENGE + 1);
        row->of.conquest.cells_alone = 0;
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
        row->of.conquest.cells_alone = !conquest_claims(row);
    }
    row->turn = (uint8_t)(1 - seat);
    conquest_decide(row, move < CHALLENGE);
}

static inline void conquest_mask(const Row *row, uint8_t *mask)
{
    unsigned bidding = row->of.conquest.challenged != 0;
    unsigned claims = bidding ? 0 : conquest_claims(row), challenges = bidding ? 0 : conquest_challenges(row);
    memcpy(mask, FLAGS[claims & 255], 8);
    memcpy(mask + 8, FLAGS[claims >> 8], 8);
    memcpy(mask + CHALLENGE, FLAGS[challenges & 255], 8);
    memcpy(mask + CHALLENGE + 8, FLAGS[challenges >> 8], 8);
    memcpy(mask + BID, FLAGS[bidding ? row->of.conquest.hand[conquest_mover(row)] : 0], 5);
}

static inline void conquest_observe(const Row *row, int seat, int8_t *out)
{
    unsigned own = row->of.conquest.own[seat], other = row->of.conquest.own[1 - seat];
    write_owners(own, other, out);
    write_owners(own >> 8, other >> 8, out + 8);
    memcpy(out + 16, FLAGS[row->of.conquest.hand[seat]], 5);
    memcpy(out + 21, FLAGS[row->of.conquest.hand[1 - seat]], 5);
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
    memset(row->of.cross.order, 0, sizeof row->of.cross.order);
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
    row->of.cross.order[row->made] = (uint8_t)move;
    if (row->made == 5)
        set_winner(row, row->of.cross.sum[0] > row->of.cross.sum[1] ? FIRST : SECOND);
    row->turn = (uint8_t)(1 - seat);
}

static inline void cross_mask(const Row *row, uint8_t *mask) { memcpy(mask, FLAGS[cross_free(row)], 6); }

static inline void cross_observe(const Row *row, int seat, int8_t *out)
{
    int8_t owners[8];
    write_owners(row->of.cross.own[seat], row->of.cross.own[1 - seat], owners);
    memcpy(out, row->of.cross.grid, 9);
    memcpy(out + 9, owners, 6);
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

static inline int mover(const Row *row)
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

static inline int chooses(const Row *row, int seat)
{
    if (row->status == WON)
        return 0;
    if (row->kind == CONQUEST && row->of.conquest.challenged)
        return !row->of.conquest.bid[seat];
    return row->turn == seat;
}

/* Make one move; an illegal move loses the game. */
static void play(Row *row, int move, int turns)
{
    if (!legal(row, move)) {
        set_winner(row, 1 - mover(row));
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

/* Write what the given seats see and may do. Returns the first row whose seat is not 0 or 1, else `stop`. */
#define LOOK(KIND, game)                                                                     \
    static Py_ssize_t game##_look(const Row *rows, const int8_t *seats, Py_ssize_t start, Py_ssize_t stop, \
                                  int8_t *seen, uint8_t *masks)                              \
    {                                                                                        \
        for (Py_ssize_t i = start; i < stop; i++) {                                          \
            const Row *row = rows + i;                                                       \
            int8_t *out = seen + i * WIDTHS[KIND];                                           \
            uint8_t *mask = masks + i * MOVES[KIND];                                         \
            int seat = seats[i];                                                             \
            if (seat & ~1)                                                                   \
                return i;                                                                    \
            out[0] = (int8_t)seat;                                                           \
            out[1] = (int8_t)chooses(row, seat);                                             \
            game##_observe(row, seat, out + 2);                                              \
            if (row->status == ON && mover(row) == seat)                                     \
                game##_mask(row, mask);                                                      \
            else                                                                             \
                memset(mask, 0, (size_t)MOVES[KIND]);                                        \
        }                                                                                    \
        return stop;                                                                         \
    }
FOR_EACH_KIND(LOOK)

/* Play a random game to its end. There is a function for each game, so that the compiler can inline its rules. */
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

/* Swap a random one of the side's numbers with the pool's. Returns whether that makes a line of 15. */
static inline int swap_random(Side *side, int count, int *pool, uint64_t *stream)
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
        if (swap_random(&first, 5, &pool, &stream)) {
            set_winner(row, FIRST);
            break;
        }
        if (made == turns)
            break;
        made++;
        if (swap_random(&second, 3, &pool, &stream)) {
            set_winner(row, SECOND);
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

/* Exact values: the chance to win of the seat that makes a legal move, under perfect play after it; an endless
   game counts as one half. analysis/ explains the tables, and tables.py lays them out. */

enum { MOST_TABLES = 6, SMALLEST = 2, CELL_COUNTS = 17, CHOICES = 12, RECORD = 2 * CHOICES + 10, HAS_LINE = 0xFFFF };

/* What a move is worth to its seat, as in analysis/evaluation.py; the chance is NAN where a move is not legal. */
typedef struct {
    double chance;
    int pace, margin;
} Worth;

typedef struct {
    const uint16_t *kinds;  /* of all fillings in all outlines */
    const int32_t *counts;  /* of kinds in all outlines, by seat */
    const uint8_t *codes;   /* of all pairs of kinds */
    const int32_t *begins;  /* where each outline's codes begin */
} Duel;

typedef struct {
    const int32_t *where;   /* by the slots of both seats: 8 times the outline, plus the symmetry that leads there */
    const int32_t *weights; /* by symmetry, a seat's slots and the slot: what a token there adds to the number */
    const uint16_t *index;  /* the place of a filling by its number, those of fewer slots first */
    const int32_t *starts;  /* by outline and seat: where the kinds of its fillings start */
    Duel duels[MOST_TABLES];
    int count;              /* of duels */
    const uint8_t *recycling; /* Pattern Match's swaps: codes as if at ply 0 */
    const int32_t *records; /* Conquest: the record of a position, by its size, cells, hands and turn */
    const double *worths;   /* a record: the chances of a claim and a challenge for the mover and of both
                               seats' numbers, the paces of the same, and the numbers' shares in the mixtures */
} Tables;

static int16_t GAIN[512];   /* what the first to take gains in best play for a set of the numbers 1 to 9 */
static uint8_t TRIPLE[32];  /* three of five things: 1 to 10 */
static uint8_t SLOT[10];    /* of a number in the magic square, see pattern_recycling.py */
static const uint8_t MAGIC[9] = {2, 7, 6, 9, 5, 1, 4, 3, 8};

static void fill_value_tables(void)
{
    for (int set = 0, triples = 0; set < 512; set++) {
        for (int n = 9, sign = 1; n > 0; n--)
            if (set >> (n - 1) & 1) {
                GAIN[set] = (int16_t)(GAIN[set] + sign * n);
                sign = -sign;
            }
        if (set < 32 && SIZE[set] == 3)
            TRIPLE[set] = (uint8_t)++triples;
    }
    for (int slot = 0; slot < 9; slot++)
        SLOT[MAGIC[slot]] = (uint8_t)slot;
}

static inline Worth decode(int code, int seat, int ply)
{
    if (code == 128)
        return (Worth){0.5, 0, 0};
    int first = code > 128, plies = (first ? 255 - code : code) - ply, wins = first == (seat == FIRST);
    return (Worth){wins, wins ? -plies : plies, 0};
}

/* What a taking game is worth to a seat if it ends after `plies` moves with this margin for the first player. */
static inline Worth worth_of_margin(int margin, int seat, int plies)
{
    int wins = (margin > 0) == (seat == FIRST);
    return (Worth){wins, wins ? -plies : plies, seat ? -margin : margin};
}

/* What each token on each free slot is worth; the move is the sum of its `slot_at` and its `token_at`. */
static void duel_value(const Tables *tables, const Duel *duel, int seat, const unsigned *taken,
                       uint8_t token[2][9], unsigned tokens, const uint8_t *slot_at, const uint8_t *token_at,
                       Worth *out)
{
    static const int INDEX_AT[] = {0, 1, 10, 91, 820, 7381};
    const uint16_t *index[2] = {tables->index + INDEX_AT[size_of(taken[0]) + (seat == 0)],
                                tables->index + INDEX_AT[size_of(taken[1]) + (seat == 1)]};
    int ply = size_of(taken[0]) + size_of(taken[1]) + 1;
    for (unsigned free = 511 & ~(taken[0] | taken[1]); free; free &= free - 1) {
        int slot = member(free, 0), number[2] = {0, 0};
        unsigned after[2] = {taken[0], taken[1]};
        after[seat] |= 1u << slot;
        int found = tables->where[after[0] << 9 | after[1]], outline = found >> 3;
        for (int s = 0; s < 2; s++) {
            const int32_t *weights = tables->weights + ((found & 7) << 9 | after[s]) * 9;
            for (unsigned own = taken[s]; own; own &= own - 1) {
                int at = member(own, 0);
                number[s] += token[s][at] * weights[at];
            }
        }
        int weight = tables->weights[((found & 7) << 9 | after[seat]) * 9 + slot];
        const uint16_t *mine = duel->kinds + tables->starts[2 * outline + seat];
        int their = duel->kinds[tables->starts[2 * outline + 1 - seat] + index[1 - seat][number[1 - seat]]];
        int width = duel->counts[2 * outline + 1]; /* the second player's kinds vary faster */
        const uint8_t *codes = duel->codes + duel->begins[outline] + (seat ? their * width : their);
        for (unsigned left = tokens; left; left &= left - 1) {
            int at = member(left, 0), kind = mine[index[seat][number[seat] + at * weight]];
            out[slot_at[slot] + token_at[at]] = kind == HAS_LINE
                ? (Worth){1.0, 0, 0} /* it makes the line */
                : decode(codes[seat ? kind : kind * width], seat, ply);
        }
    }
}

static void shadow_value(const Row *row, int seat, const Tables *tables, Worth *out)
{
    static const uint8_t CELLS[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const uint8_t NUMBERS[2][9] = {{0, 9, 18, 27, 36, 45, 54, 63, 72}, {72, 63, 54, 45, 36, 27, 18, 9, 0}};
    int target = row->of.shadow.target, turned = target > 15; /* if so, each number n is 10 - n in the tablebase */
    unsigned taken[2] = {row->of.shadow.taken[0], row->of.shadow.taken[1]}, tokens = 0;
    uint8_t token[2][9];
    for (int s = 0; s < 2; s++)
        for (int c = 0; c < 9; c++)
            token[s][c] = (uint8_t)(turned ? 9 - row->of.shadow.own[s][c] : row->of.shadow.own[s][c] - 1);
    for (unsigned hand = row->of.shadow.hand[seat]; hand; hand &= hand - 1)
        tokens |= 1u << (turned ? 8 - member(hand, 0) : member(hand, 0));
    const Duel *duel = tables->duels + (tables->count == 1 ? 0 : (turned ? 30 - target : target) - 10);
    duel_value(tables, duel, seat, taken, token, tokens, CELLS, NUMBERS[turned], out);
}

static void battle_value(const Row *row, int seat, const Tables *tables, Worth *out)
{
    (void)tables;
    int lead = row->of.battle.sum[0] - row->of.battle.sum[1];
    unsigned cells = battle_free(row), left = 0;
    for (unsigned more = cells; more; more &= more - 1)
        left |= 1u << (row->of.battle.grid[member(more, 0)] - 1);
    for (; cells; cells &= cells - 1) {
        int cell = member(cells, 0), number = row->of.battle.grid[cell];
        int gain = number - GAIN[left & ~(1u << (number - 1))];
        out[cell] = worth_of_margin(lead + (seat ? -gain : gain), seat, 8 - row->made);
    }
}

/* The index of a position in `recycling`, from the first player's grid, the pool and whether the second has a
   full line; -1 if the first player has a line of 15. */
static int recycling_index(const int8_t *own, unsigned cells, int pool, int line, int turn)
{
    unsigned first = 0;
    int found[2] = {0, 0}, lines = 0;
    for (unsigned more = cells; more; more &= more - 1)
        first |= 1u << SLOT[own[member(more, 0)]];
    for (int l = 0; l < 8; l++) {
        const uint8_t *c = LINES[l];
        if (!(cells >> c[0] & cells >> c[1] & cells >> c[2] & 1))
            continue;
        if (own[c[0]] + own[c[1]] + own[c[2]] == TOTAL)
            return -1;
        unsigned five = 0;
        for (int k = 0; k < 3; k++)
            five |= 1u << size_of(first & ((1u << SLOT[own[c[k]]]) - 1));
        found[lines++] = TRIPLE[five];
    }
    int low = found[0] < found[1] ? found[0] : found[1], high = found[0] + found[1] - low;
    return (((int)(first * 9 + SLOT[pool]) * 121 + 11 * low + high) * 2 + line) * 2 + turn;
}

static void pattern_value(const Row *row, int seat, const Tables *tables, Worth *out)
{
    unsigned cells[2] = {511u & ~(unsigned)row->of.pattern.empty[0], 511u & ~(unsigned)row->of.pattern.empty[1]};
    if (row->made < PLACED) {
        static const uint8_t CELLS[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
        static const uint8_t NUMBERS[9] = {9, 54, 45, 72, 36, 0, 27, 18, 63}; /* 9 * (MAGIC - 1) */
        unsigned taken[2] = {0, 0};
        uint8_t token[2][9] = {{0}};
        for (int s = 0; s < 2; s++)
            for (unsigned more = cells[s]; more; more &= more - 1) {
                int cell = member(more, 0), slot = SLOT[row->of.pattern.own[s][cell]];
                taken[s] |= 1u << slot;
                token[s][slot] = (uint8_t)cell;
            }
        duel_value(tables, tables->duels, seat, taken, token, row->of.pattern.empty[seat], NUMBERS, CELLS, out);
        return;
    }
    int pool = row->made == PLACED ? 0 : member(row->of.pattern.pool, 0) + 1;
    for (unsigned more = cells[seat]; more; more &= more - 1) {
        int cell = member(more, 0), given = row->of.pattern.own[seat][cell], after;
        int8_t own[9];
        memcpy(own, row->of.pattern.own[seat], 9);
        own[cell] = (int8_t)pool;
        if (seat == FIRST) {
            after = recycling_index(own, cells[0], given, ANY_FULL[cells[1]], SECOND);
        } else {
            unsigned left = pool ? cells[1] : cells[1] & ~(1u << cell);
            int made = pool && makes_line(own, left, cell, TOTAL);
            after = made ? -1
                         : recycling_index(row->of.pattern.own[FIRST], cells[0], given, ANY_FULL[left], FIRST);
        }
        out[(pool ? SWAP : RETURN) + cell] =
            after < 0 ? (Worth){1.0, 0, 0} : decode(tables->recycling[after], seat, 0);
    }
}

static const double *conquest_record(const Row *row, const Tables *tables)
{
    int boards = (row->of.conquest.size - SMALLEST) * CELL_COUNTS + size_of(row->of.conquest.own[0]);
    int cells = boards * CELL_COUNTS + size_of(row->of.conquest.own[1]);
    int hands = (cells * 32 + row->of.conquest.hand[0]) * 32 + row->of.conquest.hand[1];
    return tables->worths + RECORD * (Py_ssize_t)tables->records[hands * 2 + row->turn];
}

static void conquest_value(const Row *row, int seat, const Tables *tables, Worth *out)
{
    const double *record = conquest_record(row, tables);
#define CHOICE(k) ((Worth){record[k], (int)record[CHOICES + (k)], 0})
    if (row->of.conquest.challenged) {
        for (unsigned hand = row->of.conquest.hand[seat]; hand; hand &= hand - 1)
            out[BID + member(hand, 0)] = CHOICE(2 + 5 * seat + member(hand, 0));
        return;
    }
    for (unsigned claims = conquest_claims(row); claims; claims &= claims - 1)
        out[member(claims, 0)] = CHOICE(0);
    for (unsigned more = conquest_challenges(row); more; more &= more - 1)
        out[CHALLENGE + member(more, 0)] = CHOICE(1);
#undef CHOICE
}

static void cross_value(const Row *row, int seat, const Tables *tables, Worth *out)
{
    (void)tables;
    int lead = row->of.cross.sum[0] - row->of.cross.sum[1], count = 0;
    int line[6], before[7] = {0}; /* the lines left, largest first; what the first to take gains from the first k */
    for (unsigned more = cross_free(row); more; more &= more - 1) {
        int l = PLACE[more][0], at = count++;
        for (; at > 0 && row->of.cross.line[line[at - 1]] < row->of.cross.line[l]; at--)
            line[at] = line[at - 1];
        line[at] = l;
    }
    for (int k = 0; k < count; k++)
        before[k + 1] = before[k] + (k % 2 ? -1 : 1) * row->of.cross.line[line[k]];
    for (int k = 0; k < count; k++) { /* once this line is taken, those after it change their signs */
        int gain = row->of.cross.line[line[k]] - (before[k] + before[k + 1] - before[count]);
        out[line[k]] = worth_of_margin(lead + (seat ? -gain : gain), seat, count - 1);
    }
}

/* What every move of the game is worth to a seat that has to choose. */
static void find_worths(const Row *row, int seat, const Tables *tables, Worth *out)
{
    for (int move = 0; move < MOVES[row->kind]; move++)
        out[move].chance = NAN;
    if (row->status == ON)
        switch (row->kind) {
#define CASE(KIND, game) case KIND: game##_value(row, seat, tables, out); break;
            FOR_EACH_KIND(CASE)
#undef CASE
        }
}

/* The policies of players/, as probabilities. */

enum { RANDOM, GREEDY, SIGHT, LEVEL }; /* kinds of policies; fast.py has them in this order */

typedef struct {
    int kind;
    double miss, cost;
    int depth; /* of a level, or how many moves ahead a sight sees */
} Policy;

/* A cost may be exactly what a level allows: doubles must not decide whether it is. */
#define EXACT 1e-9

static inline int equal(Worth one, Worth other)
{
    return one.chance == other.chance && one.pace == other.pace && one.margin == other.margin;
}

static Worth best_of(const Worth *mine, int moves)
{
    Worth best = {-1.0, 0, 0};
    for (int move = 0; move < moves; move++) {
        Worth one = mine[move];
        if (one.chance > best.chance
            || (one.chance == best.chance
                && (one.pace > best.pace || (one.pace == best.pace && one.margin > best.margin))))
            best = one;
    }
    return best;
}

/* The share of a seat's moves that give up some of its chance, as a count and a total. */
static void count_mistakes(const Row *row, int seat, const Tables *tables, int *mistakes, int *total)
{
    Worth mine[MOST_MOVES];
    int moves = MOVES[row->kind];
    find_worths(row, seat, tables, mine);
    double best = best_of(mine, moves).chance;
    *mistakes = *total = 0;
    for (int move = 0; move < moves; move++) {
        *total += mine[move].chance >= 0;
        *mistakes += mine[move].chance < best;
    }
}

static Row after_move(const Row *row, int move)
{
    Row after = *row;
    switch (row->kind) {
#define CASE(KIND, game) case KIND: game##_apply(&after, move); break;
        FOR_EACH_KIND(CASE)
#undef CASE
    }
    after.made++;
    return after;
}

static void spread(const int *chosen, int count, double *out)
{
    for (int k = 0; k < count; k++)
        out[chosen[k]] = 1.0 / count;
}

static void find_perfect(const Row *row, int seat, const Tables *tables, const Worth *mine, double *out)
{
    int moves = MOVES[row->kind], chosen[MOST_MOVES], count = 0, most = 0, of = 1;
    if (row->kind == CONQUEST && row->of.conquest.challenged) {
        const double *mix = conquest_record(row, tables) + 2 * CHOICES + 5 * seat;
        for (unsigned hand = row->of.conquest.hand[seat]; hand; hand &= hand - 1)
            out[BID + member(hand, 0)] = mix[member(hand, 0)];
        return;
    }
    Worth best = best_of(mine, moves);
    for (int move = 0; move < moves; move++)
        if (equal(mine[move], best))
            chosen[count++] = move;
    if (best.chance < 1 && count > 1) { /* no move forces a win: leave the opponent the most mistakes */
        int kept = 0;
        for (int k = 0; k < count; k++) {
            Row after = after_move(row, chosen[k]);
            int mistakes, total;
            count_mistakes(&after, 1 - seat, tables, &mistakes, &total);
            total += !total;
            if (mistakes * of > most * total) {
                most = mistakes, of = total;
                kept = 0;
            }
            if (mistakes * of == most * total)
                chosen[kept++] = chosen[k];
        }
        count = kept;
    }
    spread(chosen, count, out);
}

/* What a seat has, for the greedy: whether it has won, its score, its cells, the first counting the most. */
static int gain_of(const Row *row, int seat)
{
    int won = row->status == WON && row->winner == seat, score = 0, cells = 0;
    switch (row->kind) {
    case BATTLE: score = row->of.battle.sum[seat]; break;
    case CROSS: score = row->of.cross.sum[seat]; break;
    case CONQUEST: cells = size_of(row->of.conquest.own[seat]); break; /* elsewhere each move adds as many */
    }
    return (won * 256 + score) * 256 + cells;
}

static void find_greedy(const Row *row, int seat, double *out)
{
    int moves = MOVES[row->kind], chosen[MOST_MOVES], count = 0, most = -1;
    int secret = row->kind == CONQUEST && row->of.conquest.challenged;
    for (int move = 0; move < moves; move++) {
        if (!legal(row, move))
            continue;
        Row after = *row;
        if (!secret)
            after = after_move(row, move);
        int gain = gain_of(&after, seat);
        if (gain > most) {
            most = gain;
            count = 0;
        }
        if (gain == most)
            chosen[count++] = move;
    }
    spread(chosen, count, out);
}

/* Among the moves that win within sight; else those that do not lose within it; else all. */
static void find_sight(const Row *row, const Worth *mine, int depth, double *out)
{
    int moves = MOVES[row->kind], chosen[3][MOST_MOVES], count[3] = {0}; /* won, out of sight, lost */
    for (int move = 0; move < moves; move++) {
        double chance = mine[move].chance;
        if (isnan(chance))
            continue;
        int near = (chance == 0 || chance == 1) && abs(mine[move].pace) < depth;
        int end = !near ? 1 : chance == 1 ? 0 : 2;
        chosen[end][count[end]++] = move;
    }
    int end = count[0] ? 0 : count[1] ? 1 : 2;
    spread(chosen[end], count[end], out);
}

static void find_level(const Row *row, int seat, const Tables *tables, const Worth *mine, Policy level, double *out)
{
    int moves = MOVES[row->kind], costly[MOST_MOVES], slower[MOST_MOVES], count = 0, others = 0;
    find_perfect(row, seat, tables, mine, out);
    if (level.miss == 0)
        return;
    Worth best = best_of(mine, moves);
    for (int move = 0; move < moves; move++) {
        double chance = mine[move].chance;
        if (isnan(chance) || (chance == 0 && mine[move].pace < level.depth))
            continue; /* a loss that is close is not overlooked */
        if (chance < best.chance && (chance == 0 || best.chance - chance <= level.cost + EXACT))
            costly[count++] = move;
        if (chance == best.chance && !equal(mine[move], best))
            slower[others++] = move;
    }
    const int *mistakes = count ? costly : slower;
    count = count ? count : others;
    if (!count)
        return;
    for (int move = 0; move < moves; move++)
        out[move] *= 1 - level.miss;
    for (int k = 0; k < count; k++)
        out[mistakes[k]] = level.miss / count;
}

static void find_policy(const Row *row, const Tables *tables, Policy policy, double *out)
{
    Worth mine[MOST_MOVES];
    int moves = MOVES[row->kind], seat = mover(row), every[MOST_MOVES], count = 0;
    memset(out, 0, (size_t)moves * sizeof *out);
    if (row->status != ON)
        return;
    if (policy.kind >= SIGHT)
        find_worths(row, seat, tables, mine);
    switch (policy.kind) {
    case RANDOM:
        for (int move = 0; move < moves; move++)
            if (legal(row, move))
                every[count++] = move;
        spread(every, count, out);
        break;
    case GREEDY: find_greedy(row, seat, out); break;
    case SIGHT: find_sight(row, mine, policy.depth, out); break;
    case LEVEL: find_level(row, seat, tables, mine, policy, out); break;
    }
}

/* The functions of the module. Their buffers have one entry per row. */

typedef struct {
    Py_ssize_t start, stop;
    int kind, turns;
} Part;

static int check_buffer(const Part *part, const Py_buffer *buffer, Py_ssize_t size, const char *name)
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

/* reset(kind, start, stop, turns, seed, shift, setup, rows, movers, status, winners): row i gets the random
   stream of game i - shift */
static PyObject *reset(PyObject *self, PyObject *args)
{
    (void)self;
    Part part;
    unsigned long long seed;
    Py_ssize_t shift;
    Py_buffer b[5];
    if (!PyArg_ParseTuple(args, "inniKny*w*w*w*w*:reset", &part.kind, &part.start, &part.stop, &part.turns,
                          &seed, &shift, b, b + 1, b + 2, b + 3, b + 4))
        return NULL;
    int good = b[0].len == SETUP && check_buffer(&part, b + 1, sizeof(Row), "rows")
            && check_buffer(&part, b + 2, 1, "movers") && check_buffer(&part, b + 3, 1, "status")
            && check_buffer(&part, b + 4, 1, "winners");
    if (good) {
        Row *rows = b[1].buf;
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t i = part.start; i < part.stop; i++) {
            rows[i].stream = stream_of(seed, (uint64_t)(i - shift));
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
    int good = b[0].len == SETUP && check_buffer(&part, b + 1, sizeof(Row), "rows")
            && check_buffer(&part, b + 2, sizeof(int32_t), "actions") && check_buffer(&part, b + 3, 1, "movers")
            && check_buffer(&part, b + 4, 1, "status") && check_buffer(&part, b + 5, 1, "winners");
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
    int good = check_buffer(&part, b, sizeof(Row), "rows") && check_buffer(&part, b + 1, 1, "seats")
            && check_buffer(&part, b + 2, WIDTHS[part.kind], "observations")
            && check_buffer(&part, b + 3, MOVES[part.kind], "masks");
    if (good) {
        Py_ssize_t done = 0;
        Py_BEGIN_ALLOW_THREADS
        switch (part.kind) {
#define CASE(KIND, game)                                                                     \
    case KIND:                                                                               \
        done = game##_look(b[0].buf, b[1].buf, part.start, part.stop, b[2].buf, b[3].buf);   \
        break;
            FOR_EACH_KIND(CASE)
#undef CASE
        }
        Py_END_ALLOW_THREADS
        if (done < part.stop) {
            PyErr_Format(PyExc_ValueError, "%d is not a seat: game %zd needs 0 or 1.",
                         ((const int8_t *)b[1].buf)[done], done);
            good = 0;
        }
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
    int good = check_buffer(&part, b, sizeof(Row), "rows") && check_buffer(&part, b + 1, sizeof(int32_t), "actions");
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

/* The tables in a tuple of buffers, in the order of tables.py. Returns how many buffers are held, -1 on error. */
static Py_ssize_t hold_tables(int kind, PyObject *given, Py_buffer *held, Tables *tables)
{
    Py_ssize_t count = PyTuple_Size(given), got = 0;
    int duels = kind == SHADOW || kind == PATTERN;
    Py_ssize_t fixed = duels ? 5 : kind == CONQUEST ? 2 : 0;
    if (count < fixed + 4 * duels || (count - fixed) % 4 || count > fixed + 4 * MOST_TABLES * duels) {
        PyErr_SetString(PyExc_ValueError, "the tables are not those of this game");
        return -1;
    }
    for (; got < count; got++)
        if (PyObject_GetBuffer(PyTuple_GetItem(given, got), held + got, PyBUF_SIMPLE) < 0) {
            while (got > 0)
                PyBuffer_Release(held + --got);
            return -1;
        }
    if (duels) {
        tables->where = held[0].buf, tables->weights = held[1].buf, tables->index = held[2].buf;
        tables->starts = held[3].buf, tables->recycling = held[4].buf;
        for (Py_buffer *next = held + 5; next < held + count; next += 4)
            tables->duels[tables->count++] = (Duel){next[0].buf, next[1].buf, next[2].buf, next[3].buf};
    } else if (kind == CONQUEST) {
        tables->records = held[0].buf, tables->worths = held[1].buf;
    }
    return count;
}

/* values(kind, start, stop, rows, tables, values), regrets(the same) and
   policies(kind, start, stop, rows, tables, policy, miss, cost, depth, probabilities) */
enum { VALUES, REGRETS, POLICIES };

static PyObject *fill_moves(PyObject *args, int what)
{
    Part part;
    PyObject *given;
    Policy policy = {0};
    Py_buffer b[2], held[5 + 4 * MOST_TABLES];
    Tables tables = {0};
    if (what == POLICIES
            ? !PyArg_ParseTuple(args, "inny*O!iddiw*:policies", &part.kind, &part.start, &part.stop, b, &PyTuple_Type,
                                &given, &policy.kind, &policy.miss, &policy.cost, &policy.depth, b + 1)
            : !PyArg_ParseTuple(args, "inny*O!w*:values", &part.kind, &part.start, &part.stop, b, &PyTuple_Type,
                                &given, b + 1))
        return NULL;
    Py_ssize_t count = -1;
    if (check_buffer(&part, b, sizeof(Row), "rows")
        && check_buffer(&part, b + 1, (Py_ssize_t)sizeof(double) * MOVES[part.kind], "the output"))
        count = what == POLICIES && policy.kind < SIGHT ? 0 : hold_tables(part.kind, given, held, &tables);
    if (count >= 0) {
        const Row *rows = b[0].buf;
        int moves = MOVES[part.kind];
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t i = part.start; i < part.stop; i++) {
            double *out = (double *)b[1].buf + i * moves;
            if (what == POLICIES) {
                find_policy(rows + i, &tables, policy, out);
            } else {
                Worth worths[MOST_MOVES];
                find_worths(rows + i, mover(rows + i), &tables, worths);
                double best = best_of(worths, moves).chance;
                for (int move = 0; move < moves; move++)
                    out[move] = what == VALUES ? worths[move].chance : best - worths[move].chance;
            }
        }
        Py_END_ALLOW_THREADS
    }
    for (Py_ssize_t i = 0; i < count; i++)
        PyBuffer_Release(held + i);
    PyBuffer_Release(b);
    PyBuffer_Release(b + 1);
    return count >= 0 ? Py_NewRef(Py_None) : NULL;
}

static PyObject *values(PyObject *self, PyObject *args)
{
    (void)self;
    return fill_moves(args, VALUES);
}

static PyObject *regrets(PyObject *self, PyObject *args)
{
    (void)self;
    return fill_moves(args, REGRETS);
}

static PyObject *policies(PyObject *self, PyObject *args)
{
    (void)self;
    return fill_moves(args, POLICIES);
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
    int good = b[0].len == SETUP && check_buffer(&part, b + 1, 1, "winners")
            && check_buffer(&part, b + 2, sizeof(uint16_t), "lengths");
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
    {"values", values, METH_VARARGS, "Write what each legal move is worth to the mover."},
    {"regrets", regrets, METH_VARARGS, "Write how much of its chance to win each legal move gives away."},
    {"policies", policies, METH_VARARGS, "Write the probability of each move by one of our players."},
    {"playouts", playouts, METH_VARARGS, "Play random games to their end."},
    {NULL, NULL, 0, NULL},
};

static int set_up(PyObject *module)
{
    fill_tables();
    find_full_lines();
    fill_value_tables();
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
