/** Random numbers that are the same in every run: vectors are compared with the files that are committed. */

/** A source of integers from 0 up to, but not including, `below` (Mulberry32). */
export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** The first of many random things that fits. Throws if none does, since the vector would not show what its name says. */
export function findWhere<T>(seed: number, make: (random: Random) => T, fits: (thing: T) => boolean): T {
  const random = randomFrom(seed);
  for (let tries = 0; tries < 100_000; tries++) {
    const thing = make(random);
    if (fits(thing)) return thing;
  }
  throw new Error("no random thing fits");
}

/** A list of `count` things. */
export function listOf<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}
