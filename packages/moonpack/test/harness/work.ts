/**
 * Counts work instead of timing it: V8's precise coverage tells how often each block of our code ran, exactly and the
 * same on any machine. What native code does for one call (a copy, a search) is one block here; the codec's own
 * counters (`copied`, `bytes`) tell of those.
 *
 * Blocks are counted in functions compiled after the start only: call `startCounting` before the code is imported.
 */
import { Session } from "node:inspector/promises";

const OURS = /\/packages\/moonpack\/dist\//;

/** Turns the counters on and answers the function that counts the blocks that one call runs. */
export async function startCounting(): Promise<(act: () => void) => Promise<number>> {
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
