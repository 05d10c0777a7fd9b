// The peer of benchmarks/server.py: boardgame.io's server, its storage in memory, with a game of nine cells
// and three in a row. The lobby's API has a port of its own: on the same one, today's koa does not see it.
const { Server } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const ROWS = [[0, 1, 2], [3, 4, 5], [6, 7, 8]];
const COLUMNS = ROWS.map((_, k) => ROWS.map((row) => row[k]));
const DIAGONALS = [[0, 4, 8], [2, 4, 6]];

function owner(cells, line) {
  const [first, ...rest] = line.map((cell) => cells[cell]);
  return first !== "" && rest.every((mark) => mark === first) ? first : undefined;
}

const game = {
  name: "tic-tac-toe",
  setup: () => ({ cells: new Array(9).fill("") }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    take({ G, playerID }, cell) {
      if (G.cells[cell] !== "") return INVALID_MOVE;
      G.cells[cell] = playerID;
    },
  },
  endIf({ G }) {
    for (const line of [...ROWS, ...COLUMNS, ...DIAGONALS]) {
      const winner = owner(G.cells, line);
      if (winner !== undefined) return { winner };
    }
    return G.cells.includes("") ? undefined : { draw: true };
  },
};

const [port, apiPort] = process.argv.slice(2).map(Number);
Server({ games: [game], origins: [] }).run({ port, lobbyConfig: { apiPort } });
