/** The tools leave nothing attached to promises when they end. */
import { describe, expect, test } from "vitest";
import { installedNodes, run } from "./harness/nodes.ts";

/** Counts how often Node's functions look at a promise that is resolved, and says whether one that was awaited is followed. */
const HEAD = `
  import { AsyncLocalStorage } from "node:async_hooks";
  import { EventEmitter } from "node:events";
  import { asyncTracer, expressMiddleware, requestProfiler } from "@moonpack/trace";
  const middleware = expressMiddleware();
  const looks = async () => {
    let resolve;
    const promise = new Promise((settle) => (resolve = settle));
    const key = Object.getOwnPropertySymbols(promise).find(({ description }) => description === "async_id_symbol");
    let count = 0;
    if (key !== undefined) {
      const id = promise[key];
      Object.defineProperty(promise, key, { get: () => (count++, id) });
    }
    resolve();
    const looked = count;
    const awaited = Promise.resolve().then(() => undefined);
    await awaited;
    return [looked, Object.getOwnPropertySymbols(awaited).length > 0];
  };
  const tick = () => new Promise((resolve) => setImmediate(resolve));`;

describe.each(await installedNodes())("Node $version", (node) => {
  test.each([
    [
      "requestProfiler",
      `const profiler = requestProfiler({ sampleRate: 1, dutyCycle: 1, output: () => undefined });
       const start = () => new Promise((resolve) => {
         const [request, response] = [new EventEmitter(), new EventEmitter()];
         request.headers = {};
         middleware(request, response, () => profiler.middleware(request, response, () => resolve(response)));
       });
       const stop = (response) => response.emit("finish");`,
    ],
    [
      "asyncTracer",
      `const start = async () => asyncTracer({ output: () => undefined });
       const stop = (tracer) => tracer.stop();`,
    ],
  ])("%s", (_tool, program) => {
    const seen = run(
      node,
      `${HEAD}${program}
       const before = await looks();
       const started = await start();
       const during = await looks();
       stop(started);
       await tick();
       const after = await looks();
       console.log(JSON.stringify({ before, during, after }));
       process.exit();`,
    ) as Record<string, [number, boolean]>;
    expect(seen.during![0]).toBeGreaterThan(seen.before![0]);
    expect(seen.after).toEqual(seen.before);
    // Only older Nodes follow promises for an AsyncLocalStorage.
    expect(seen.before).toEqual([0, node.major < 24]);
  });
});
