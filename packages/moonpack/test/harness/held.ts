/**
 * Measures what things hold, in a process of its own: the test runner's heap moves by hundreds of kilobytes whenever it
 * likes. Many things are held at once, so what the engine takes for itself counts little for each; the same work is done
 * once before, so code and what all share are there; and the least of three rounds counts. Node only.
 */
import { childResult } from "./child.ts";

/** Functions, as code, by the names of their results. */
export type Steps<Name extends string> = Readonly<Record<Name, string>>;

/**
 * Bytes that each of `count` things holds on the heap and in buffers after each step. `setup` is code in front: imports,
 * functions. The first step is called with nothing and answers a thing; each later one is called with what the one before
 * answered, and answers what is to be held from then on. Steps may be async.
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
      const used = async () => {
        // A buffer's memory is counted as free by the collection after the one that finds the buffer dead.
        for (let i = 0; i < 3; i++) {
          await new Promise((resolve) => setImmediate(resolve));
          gc();
        }
        const { heapUsed, arrayBuffers } = process.memoryUsage();
        return heapUsed + arrayBuffers;
      };
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
 * Bytes of the heap that one call of `act` takes, whether it keeps them or not: garbage too. The least of five rounds of
 * `calls`, no more than 60 MB all together: nothing is collected meanwhile.
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
