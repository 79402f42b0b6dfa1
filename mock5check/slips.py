"""The mistakes that are often made, as functions: what a wrong answer equals tells which one it was."""

NO_RETURN = "It returned nothing. Is a `return` missing?"


def likely(slips: list, *args) -> dict:
    """{the wrong answer to these arguments: its cause}, for `Trial.expect`.

    slips: [(function that makes the mistake, its cause)], the more frequent first. One that raises is left out.
    """
    causes = {}
    for slip, cause in slips:
        try:
            causes.setdefault(slip(*args), cause)
        except (ArithmeticError, ValueError):
            continue
    return causes
