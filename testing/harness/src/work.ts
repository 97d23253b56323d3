/**
 * Counts work instead of timing it. V8's precise coverage reports how often each block of the library ran: exact, and
 * equal on every machine. A native call (a copy, a search) counts as one block. The codec's own counters (`copied`,
 * `bytes`) show the work inside such calls.
 *
 * Only functions compiled after the start are counted: call `startCounting` before you import the code.
 *
 * V8 stops counting small functions once they are inlined into optimised code, and when that happens depends on the load
 * of the machine. So nothing is optimised in a process that counts: equal work gives equal counts.
 */
import { Session } from "node:inspector/promises";
import { setFlagsFromString } from "node:v8";

const OURS = /\/packages\/(?:moonpack|protobuf|pck|trace|prometheus)\/(?:dist|build)\//;

/**
 * Turns the counters on. Returns a function that counts the blocks that one call runs. Switches optimisation
 * off in this process, which then takes three times as long.
 */
export async function startCounting(): Promise<(act: () => void) => Promise<number>> {
  setFlagsFromString("--no-opt");
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
    await take(); // resets the counters
    act();
    return take();
  };
}
