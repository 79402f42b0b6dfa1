"""The parameter server of chapter 8, declared by its solution."""

import math

import numpy as np

from mock5check.script import script


class ParameterServer:
    """Weights that many workers change."""

    def __init__(self, weights, rate, oldest):
        self.weights = np.array(weights, dtype=float)
        self.rate, self.oldest, self.version = rate, oldest, 0

    def pull(self):
        """(version, weights)."""
        return self.version, self.weights.copy()

    def push(self, version, gradient):
        """Whether the gradient counts."""
        age = self.version - version
        if not 0 <= age <= self.oldest or not np.isfinite(gradient).all():
            return False
        self.weights -= self.rate / (1 + age) * np.asarray(gradient)
        self.version += 1
        return True


NEW = "server = ParameterServer(array([1.0, 2.0]), rate={}, oldest={})"
GRADIENTS = "1.0, 1.0", "3.0, -1.0", "0.5, 0.0", "nan, 1.0", "nan, nan", "inf, 0.0", "-inf, 1.0"
GOOD = 3  # of them are finite


def push(version, gradient="1.0, 1.0"):
    return f"server.push({version}, array([{gradient}]))"


def servers(rng):
    """Scripts of one server, sometimes of two."""
    for gradient in GRADIENTS:
        yield [NEW.format(0.5, 2), push(0, gradient), "server.pull()"]
    yield [NEW.format(0.5, 2), push(2), "server.pull()"]
    yield [NEW.format(0.1, 0), "server.pull()", push(0), push(1), "server.pull()"]
    yield [NEW.format(0.5, 0), push(0), push(0), push(1), "server.pull()"]
    yield [NEW.format(0.5, 2), push(0), push(0), push(0), "server.pull()", push(0), "server.pull()"]
    yield [NEW.format(1.0, 3), push(1), "server.pull()", push(0), push(1), "server.pull()"]
    begin = "weights = array([1.0, 2.0])", "server = ParameterServer(weights, rate=0.5, oldest=1)"
    yield [*begin, push(0), "weights"]
    yield [*begin, "gradient = array([1.0, 1.0])", "server.push(0, gradient)", "gradient"]
    yield [*begin, "weights[:] = 99", "server.pull()"]
    yield [*begin, "version, pulled = server.pull()", push(0), "pulled"]
    yield [*begin, "version, pulled = server.pull()", "pulled[:] = 99", "server.pull()"]
    other = "other = ParameterServer(array([7.0, 8.0]), rate=0.25, oldest=0)"
    yield [NEW.format(0.5, 1), other, push(0), "other.pull()", "server.pull()", push(0), "server.pull()"]
    square = "array([[1.0, 2.0], [3.0, 4.0]])"
    yield [f"server = ParameterServer({square}, rate=0.5, oldest=1)", f"server.push(0, {square})", "server.pull()"]
    for _ in range(25):
        rate, oldest = float(rng.choice([0.1, 0.5, 2.0])), int(rng.integers(0, 4))
        steps, version = [NEW.format(rate, oldest)], 0
        for _ in range(rng.integers(2, 9)):
            age = int(rng.integers(-1, min(version, oldest + 1) + 1))
            place = int(rng.integers(*((0, GOOD) if rng.random() < 0.8 else (GOOD, len(GRADIENTS)))))
            steps.append(push(version - age, GRADIENTS[place]))
            version += 0 <= age <= oldest and place < GOOD
        yield [*steps, "server.pull()"]


def why(line, names):
    if line == "gradient":
        return "The gradient belongs to the caller. Don't change it."
    if "weights" in names:
        return "The server keeps an array of its own. Copy what comes in, and return a copy."
    return (
        "A gradient counts if its age, the server's version minus its own, is between 0 and `oldest`, and all of its "
        "numbers are finite. Then the weights change by −rate / (1 + age) times the gradient, and the version grows "
        f"by one. The server should now be at version {names['server'].version}."
    )


parameter_server = script(
    "parameter_server",
    ParameterServer,
    cases=servers,
    why=why,
    given={"array": np.array, "nan": math.nan, "inf": math.inf},
)
