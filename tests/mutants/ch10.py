"""Wrong solutions of the exercises of chapter 10 besides those that they declare."""

MUTANTS = {
    "ConnectFour": {"a copy that forgets what was built on it": ("other = type(self)()", "other = ConnectFour()")}
}
