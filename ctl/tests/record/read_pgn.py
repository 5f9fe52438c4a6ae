"""Reads PGN from standard input with python-chess and prints what it found, as a JSON array of games."""

import io
import json
import sys

import chess
import chess.pgn



def moves(game):
    for node in game.mainline():
        yield {
            "number": (node.ply() + 1) // 2,
            "side": "black" if node.turn() == chess.WHITE else "white",
            "null": node.move == chess.Move.null(),
            "clk": node.clock(),
            "emt": node.emt(),
            "comment": node.comment,
        }


stream = io.StringIO(sys.stdin.read())
games = []
while (game := chess.pgn.read_game(stream)) is not None:
    games.append(
        {
            "errors": [str(error) for error in game.errors],
            "headers": dict(game.headers),
            "comment": game.comment,
            "moves": list(moves(game)),
        }
    )
print(json.dumps(games))
