"""AlphaZero: self-play, replay, the loop and its config, evaluation, the proof.

Chapter 6 builds it.
"""
