/**
 * Counts work instead of timing it: V8's precise coverage tells how often each block of our code ran, exactly and the
 * same on any machine. What native code does for one call (a copy, a search) is one block here; the codec's own
 * counters (`copied`, `bytes`) tell of those.
 *
 * Blocks are counted in functions compiled after the start only: call `startCounting` before the code is imported.
 *
 * Small functions are no longer counted once they are inlined in optimised code, and when that happens depends on what
 * else the machine does: counts are up to a third lower then. That is no matter for how they grow, but it is for constants.
 */
import { Session } from "node:inspector/promises";
import { setFlagsFromString } from "node:v8";

const OURS = /\/packages\/moonpack\/dist\//;

/**
 * Turns the counters on and answers the function that counts the blocks that one call runs. `isExact`: nothing is optimised
 * in this process, so that the same work counts the same each time; it takes three times as long.
 */
export async function startCounting(isExact = false): Promise<(act: () => void) => Promise<number>> {
  if (isExact) setFlagsFromString("--no-opt");
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const take = async (): Promise<number> => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    let blocks = 0;
    for (const { url, functions } of result) {
      if (!OURS.test(url)) continue;
      for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
    }
    return blocks;
  };
  return async (act) => {
    await take(); // sets the counters to zero
    act();
    return take();
  };
}
