/**
 * Measures the memory that objects keep alive. Node only.
 *
 * A separate process, because the test runner's heap varies by hundreds of kilobytes at any time. Many objects are
 * kept at once, so the engine's own allocations count little for each. A first round, not counted, loads code and
 * shared data. The minimum of the three rounds after it is the result.
 */
import { childResult } from "./child.ts";

/** Source code of `used`: resolves to the bytes in use, on the heap and in buffers, after everything dead is collected. */
export const USED = `const used = async () => {
  // A buffer's memory counts as free one collection after the buffer itself is collected.
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};`;

/** The source code of functions, by the names of their results. */
export type Steps<Name extends string> = Readonly<Record<Name, string>>;

/**
 * Returns the bytes, on the heap and in buffers, that each of `count` objects keeps alive after each step. `setup` is
 * code that runs first: imports, functions. The first step is called without an argument and returns an object. Each
 * later step is called with the result of the step before, and returns the object to keep instead. Steps may be async.
 */
export function heldByEach<Name extends string>(
  setup: string,
  steps: Steps<Name>,
  count = 50,
  flags: readonly string[] = [],
): Record<Name, number> {
  const members = Object.entries<string>(steps).map(([name, code]) => `${JSON.stringify(name)}: ${code},`);
  return childResult(
    `
    ${setup}
    {
      const steps = { ${members.join("\n")} };
      ${USED}
      const held = {};
      for (let round = 0; round < 4; round++) {
        const things = new Array(${count}).fill(undefined);
        const before = await used();
        for (const [name, step] of Object.entries(steps)) {
          for (let i = 0; i < things.length; i++) things[i] = await step(things[i]);
          const bytes = ((await used()) - before) / things.length;
          if (round > 0) held[name] = Math.min(held[name] ?? Infinity, bytes);
        }
        things.length = 0;
      }
      console.log(JSON.stringify(held));
    }`,
    ["--expose-gc", ...flags],
    120_000,
  );
}

/**
 * Returns the heap bytes that one call of `act` allocates, garbage included. This is the minimum of five rounds of
 * `calls` calls. A round must allocate less than 60 MB, so that no collection runs during it.
 */
export function allocatedByCall(setup: string, act: string, calls = 1): number {
  return childResult(
    `
    ${setup}
    {
      const act = ${act};
      let least = Infinity;
      for (let round = 0; round < 6; round++) {
        gc();
        const before = process.memoryUsage().heapUsed;
        for (let i = 0; i < ${calls}; i++) act();
        const bytes = (process.memoryUsage().heapUsed - before) / ${calls};
        if (round > 0) least = Math.min(least, bytes);
      }
      console.log(JSON.stringify(least));
    }`,
    ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"],
    120_000,
  );
}
