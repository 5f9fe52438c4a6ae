"""Reads PGN from standard input with python-chess and prints what it found, as one JSON object."""

import io
import json
import sys

import chess
import chess.pgn

text = sys.stdin.read()
stream = io.StringIO(text)
games = []
while (game := chess.pgn.read_game(stream)) is not None:
    games.append(game)
first = games[0]
moves = []
for node in first.mainline():
    side = "black" if node.turn() == chess.WHITE else "white"
    moves.append(
        {
            "number": (node.ply() + 1) // 2,
            "side": side,
            "null": node.move == chess.Move.null(),
            "clk": node.clock(),
            "emt": node.emt(),
            "comment": node.comment,
        }
    )
print(
    json.dumps(
        {
            "games": len(games),
            "errors": [str(error) for game in games for error in game.errors],
            "headers": dict(first.headers),
            "comment": first.comment,
            "moves": moves,
        }
    )
)
