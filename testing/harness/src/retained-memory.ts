/**
 * Measures the memory that objects keep alive. Node only.
 *
 * A separate process, because the test runner's heap varies by hundreds of kilobytes at any time. Many objects are
 * kept at once, so the engine's own allocations count little for each. A first round, not counted, loads code and
 * shared data. The minimum of the rounds after it, three if nothing else is said, is the result.
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
export function retainedByEach<Name extends string>(
  setup: string,
  steps: Steps<Name>,
  count = 50,
  flags: readonly string[] = [],
): Record<Name, number> {
  const [outcome] = retainedInCases(setup, [steps], { count, flags });
  return retainedIn(outcome!);
}

/** The objects that one case keeps alive after each step, or the stack of an error. */
export type CaseOutcome<Name extends string> = { readonly held: Record<Name, number> } | { readonly failure: string };

/** The result of a case. Throws if one of its steps threw. */
export function retainedIn<Name extends string>(outcome: CaseOutcome<Name>): Record<Name, number> {
  if ("failure" in outcome) throw new Error(outcome.failure);
  return outcome.held;
}

/**
 * The same for several cases, one after the other in one process: starting a process and loading the library takes
 * longer than most cases. Each case has its own uncounted round, and its bytes are counted from its own beginning. One
 * counted round is enough for a case whose limit is many times what the engine itself allocates.
 */
export function retainedInCases<Name extends string>(
  setup: string,
  cases: readonly Steps<Name>[],
  { count, rounds = 3, flags = [] }: { count: number; rounds?: number; flags?: readonly string[] },
): CaseOutcome<Name>[] {
  const stepsOf = (steps: Steps<Name>) =>
    `{ ${Object.entries<string>(steps)
      .map(([name, code]) => `${JSON.stringify(name)}: ${code},`)
      .join("\n")} }`;
  return childResult(
    `
    ${setup}
    {
      // Functions, so that a case which fails to create its steps fails alone.
      const cases = [${cases.map((steps) => `() => (${stepsOf(steps)})`).join(",\n")}];
      ${USED}
      const measured = async (steps) => {
        const held = {};
        for (let round = 0; round <= ${rounds}; round++) {
          const things = new Array(${count}).fill(undefined);
          const before = await used();
          for (const [name, step] of Object.entries(steps)) {
            for (let i = 0; i < things.length; i++) things[i] = await step(things[i]);
            const bytes = ((await used()) - before) / things.length;
            if (round > 0) held[name] = Math.min(held[name] ?? Infinity, bytes);
          }
          things.length = 0;
        }
        return held;
      };
      const outcomes = [];
      for (const steps of cases) {
        try {
          outcomes.push({ held: await measured(steps()) });
        } catch (error) {
          outcomes.push({ failure: String(error?.stack ?? error) });
        }
      }
      console.log(JSON.stringify(outcomes));
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
