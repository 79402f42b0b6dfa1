"""A scripted engine that speaks the Gomocup protocol in some manner: `python gomocup_engine.py MANNER`.

It plays the first free point in reading order, and knows nothing of mock5lib.
"""

import os
import subprocess
import sys
import time

manner = sys.argv[1] if len(sys.argv) > 1 else "well"
end = {"cr": "\r", "crlf": "\r\n"}.get(manner, "\n")


def say(text):
    sys.stdout.write(text + end)
    sys.stdout.flush()


def commands():
    """Lines of the input, whatever ends them; "strict" takes a CR for a part of the command."""
    with open(0, newline="\n" if manner == "strict" else None) as file:
        for line in file:
            if manner == "hears":
                open(sys.argv[2], "a").write(line)
            if line.strip():
                yield line[:-1] if manner == "strict" else line.strip()


def answer(taken, width, height):
    """One move, in this engine's manner."""
    if manner == "hangs":
        time.sleep(3600)
    elif manner == "dies":
        sys.stderr.write("out of ideas\n")
        os._exit(3)
    elif manner == "megabytes":
        while True:
            sys.stdout.write("MESSAGE " + "x" * 1_000_000)
    elif manner == "lines":
        while True:
            say("DEBUG thinking")
    elif manner == "errors":
        while True:
            sys.stderr.write("e" * 100_000)
    elif manner == "garbage":
        say("I like the center")
        return None
    elif manner == "refuses":
        say("ERROR I do not feel like it")
        return None
    elif manner == "strays":
        say("99,99")
        return None
    elif manner == "errs":
        say("ERROR opponent's move")
        say("UNKNOWN")
    elif manner == "negative":
        say("-1,0")
        return None
    elif manner == "occupied":
        say("{},{}".format(*next(iter(taken))))
        return None
    elif manner == "orphan":
        child = subprocess.Popen(["sleep", "3600"], stdin=subprocess.DEVNULL)
        open(sys.argv[2], "w").write(str(child.pid))
        time.sleep(3600)
    if manner == "talks":
        say("DEBUG depth 1")
        say("message  eval 3,4 is fine")
        say("SUGGEST 5,5")
        say("")
    free = next((x, y) for y in range(height) for x in range(width) if (x, y) not in taken)
    say(("  {} , {}  " if manner == "spaced" else "{},{}").format(*free))
    return free


def main():
    width = height = 0
    taken, restarts = set(), 0
    source = commands()
    for line in source:
        word, _, rest = line.partition(" ")
        if manner == "mute" or (manner == "mute after start" and word not in ("START", "INFO")):
            continue
        if word == "INFO" and manner == "tells":
            open(sys.argv[2], "a").write(rest + "\n")
        if word == "INFO" and manner == "unknown":  # to all of them, which no engine should
            say("UNKNOWN command")
        if word == "INFO" and manner == "narrow" and not -(2**31) <= int(rest.split()[1]) < 2**31:
            time.sleep(3600)  # as one real engine, which then reads its input without end
        if word in ("START", "RECTSTART"):
            if manner == "small":
                say("ERROR boards of 15 only")
                continue
            sizes = [int(size) for size in rest.split(",")]
            width, height = sizes[0], sizes[-1]
            taken = set()
            time.sleep(0.3 if manner == "slow" else 0)
            say("OK")
        elif word == "RESTART":
            restarts += 1
            if manner == "unknown":
                say("UNKNOWN command")
            elif manner == "leaves":
                return
            elif not (manner == "deaf" and restarts > 1):
                taken = set()
                time.sleep(0.3 if manner == "slow" else 0)
                say("OK")
        elif word == "BOARD":
            taken = set()
            for stone in source:
                if stone == "DONE":
                    break
                x, y, _ = map(int, stone.split(","))
                taken.add((x, y))
            taken.add(answer(taken, width, height))
        elif word in ("BEGIN", "TURN"):
            if word == "TURN":
                taken.add(tuple(map(int, rest.split(","))))
            taken.add(answer(taken, width, height))
        elif word == "END" and manner != "stays":
            if manner == "slow":  # to keep what it has learned
                time.sleep(0.3)
                open(sys.argv[2], "w").write("learned")
            return
    while manner == "stays":
        time.sleep(3600)


main()
