"""Wrong solutions of the exercises of chapter 7 that their checks must reject (form: tools/gate.py)."""

MUTANTS = {
    "ladder_agent": {
        "a greeting": ("    game, lines = Game(15)", "    print('READY', flush=True)\n    game, lines = Game(15)"),
        "the stones stay after RESTART": (
            '        return Game(int(size)), "OK"\n',
            '        return game if command == "RESTART" else Game(int(size)), "OK"\n',
        ),
        "rows over the right edge": (
            "0 <= c + 4 * dc < width",
            "(0 <= c + 4 * dc < width or dr == 0 and r * width + c + 4 < height * width)",
        ),
        "errors as messages": ('said = f"ERROR {problem}"', 'said = f"MESSAGE ERROR {problem}"'),
        "a five is worth little more than a four": (
            "OWN, OTHER = (1, 12, 150, 1800, 10**7, 0), (1, 9, 110, 1300, 10**5, 0)",
            "OWN, OTHER = (1, 12, 120, 1200, 3000, 0), (1, 10, 100, 1000, 2000, 0)",
        ),
        "rounded": (
            "return middle, middle - half, middle + half",
            "return round(middle), round(middle - half), round(middle + half)",
        ),
        "a slip of the pen": ("    return max((i for", "    return max((j for"),
        "one diagonal forgotten": ("((0, 1), (1, 0), (1, 1), (1, -1))", "((0, 1), (1, 0), (1, 1))"),
        "windows at the edge forgotten": ("r + 4 * dr < height", "r + 4 * dr < height - 1"),
        "attacks for player 1": ("own = sum(board[i] == game.player", "own = sum(board[i] == 1"),
        "plays on stones": ("max((i for i in range(h * w) if not board[i]), key", "max((i for i in range(h * w)), key"),
        "a pair": ("key=lambda i: scores[i])\n\n\nclass", "key=lambda i: scores[i]), 0\n\n\nclass"),
        "asleep": (
            "    board, h, w = game.board, game.height, game.width\n",
            "    board, h, w = game.board, game.height, game.width\n    if len(board) > 200: __import__('time').sleep(1.2)\n",
        ),
        "asks the game for its moves": (
            "max((i for i in range(h * w) if not board[i])",
            "max((i for i in game.legal_moves())",
        ),
        "runs when it is imported": ('if __name__ == "__main__":\n    main()\n', "main()\n"),
        "a refused START ends the game": (
            "        if not size.isdigit() or not 5 <= int(size) <= 20:\n",
            "        game.board[:] = [0] * len(game.board)\n        if not size.isdigit() or not 5 <= int(size) <= 20:\n",
        ),
        "not flushed": ("print(said, flush=True)", "print(said)"),
        "always black": ("self.player = 1 if stones[0] <= stones[1] else 2", "self.player = 1"),
        "any size": ("not size.isdigit() or not 5 <= int(size) <= 20", "not size.isdigit()"),
        "overwrites stones": (" or self.board[y * self.width + x]:", ":"),
        "the opponent's stones for its own": ("mine if owner == 1 else 3 - mine", "mine if owner == 2 else 3 - mine"),
        "DONE is not read": (
            '            if line.strip().upper() == "DONE":\n                break\n',
            '            if line.strip().upper() == "DONE":\n                continue\n',
        ),
        "silent about the unknown": ('None if command == "INFO" else "UNKNOWN " + command', "None"),
        "dies of an error": ("            except ValueError as problem:", "            except KeyError as problem:"),
        "does not end": ('        if command.upper() == "END":\n            return\n', ""),
        "runs on without input": ('iter(sys.stdin.readline, "")', "iter(sys.stdin.readline, None)"),
    }
}
