"""A small GTP program for the tests: it plays the first empty point, or misbehaves as its argument says."""

import sys
import time

how = sys.argv[1] if len(sys.argv) > 1 else ""
COLUMNS = "ABCDEFGHJKLMNOPQRST"
size, taken = 9, set()

for line in sys.stdin:
    number, command, *words = line.split()
    answer = ""
    if command == "boardsize":
        size = int(words[0])
    elif command == "clear_board":
        taken = set()
    elif command == "play":
        taken.add(words[1].upper())
    elif command == "genmove":
        if how == "die":
            sys.exit(3)
        if how == "silent":
            time.sleep(60)
        while how in ("endless", "floods"):
            sys.stdout.write("x" * 65536 if how == "endless" else "=1 A1\n\n" * 4096)
        if how == "refuse":
            print(f"?{number} no idea\n", flush=True)
            continue
        points = [f"{COLUMNS[col]}{size - row}" for row in range(size) for col in range(size)]
        answer = next(point for point in points if point not in taken)
        taken.add(answer)
        answer = {"nonsense": "Q99", "resign": "resign", "passes": "PASS"}.get(how, answer)
    if how == "noisy":
        print("thinking ...\n= 7\n\n=999 B1", flush=True)
    print(f"={number} {answer}\n", flush=True)
