// Written by `python -m tools.page`; do not edit.
/** @type {Record<number, Record<string, number>>} */
export const ELO = {
  9: {"AlphaZero 200": 2245, "AlphaZero 64": 2193, "AlphaZero 16": 2173, "expert 200": 2099, "REINFORCE net": 2063, "AlphaZero, no search": 2061, "expert 64": 2026, "AlphaGo, values only": 1990, "AlphaGo, mixed": 1987, "AlphaGo, rollouts only": 1985, "AlphaGo's policy, reinforced": 1972, "AlphaGo's policy": 1950, "greedy": 1935, "supervised net": 1932, "defensive": 1923, "mixed": 1894, "df": 1811, "pt": 1805, "UCT 10,000": 1641, "UCT 1,000": 1115, "UCT 100": 465, "UCT 10": 78, "random": 0},
  15: {"guest: Wine": 2642, "guest: Pisq7": 2578, "AlphaZero 200": 2541, "AlphaZero 64": 2528, "expert 200": 2408, "expert 64": 2355, "defensive": 2050, "greedy": 2011, "supervised net": 2006, "mixed": 1933, "REINFORCE net of 9×9": 1901, "supervised net of 9×9": 1831, "df": 1763, "pt": 1763, "UCT 10,000": 1048, "UCT 1,000": 630, "UCT 10": 107, "UCT 100": 42, "random": 0},
};
