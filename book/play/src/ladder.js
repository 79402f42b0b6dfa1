// Written by `python -m tools.page`; do not edit.
/** @type {Record<number, Record<string, number>>} */
export const ELO = {
  9: {"AlphaZero 200": 2266, "AlphaZero 64": 2226, "AlphaZero 16": 2177, "expert 200": 2126, "AlphaZero, no search": 2085, "REINFORCE net": 2070, "expert 64": 2062, "AlphaGo's policy, reinforced": 2019, "AlphaGo, values only": 2010, "AlphaGo, mixed": 1999, "AlphaGo, rollouts only": 1993, "defensive": 1962, "supervised net": 1961, "AlphaGo's policy": 1955, "greedy": 1947, "mixed": 1926, "df": 1840, "pt": 1821, "UCT 10,000": 1693, "UCT 1,000": 1004, "UCT 100": 430, "UCT 10": 192, "random": 0},
  15: {"guest: Wine": 2920, "guest: Pisq7": 2858, "AlphaZero 200": 2852, "AlphaZero 64": 2837, "expert 200": 2662, "expert 64": 2541, "supervised net": 2247, "greedy": 2193, "defensive": 2187, "mixed": 2174, "REINFORCE net of 9×9": 2132, "supervised net of 9×9": 2077, "pt": 2003, "df": 1974, "UCT 10,000": 1176, "UCT 1,000": 749, "UCT 100": 124, "UCT 10": 80, "random": 0},
};
