/** Every function that packages export, with a wrong first argument: it may accept it or throw a coded error, but no other error. */
import { readFileSync } from "node:fs";
import { MoonpackError } from "moonpack/bytes";
import { expect, test } from "vitest";

const PACKAGES = [
  "moonpack",
  "pck",
  "prometheus",
  "http",
  "load",
  "redis",
  "hazelcast",
  "trpc",
  "websocket",
  "socket.io-parser",
  "trace",
];
const WRONG = [undefined, null, 5, "x", {}, []];

/** Entries whose functions check nothing, since they are called for each item, or have the behaviour of another library. */
const LOW_LEVEL = /^\.\/(?:bytes|msgpack\/formats|runtime|package)/;
/** Functions for other packages and for frameworks, and tools that write to standard output. */
const OTHERS = /^(?:openSource|chunkSizeOption|signalOption|encodeChunks|codeGeneration|fastifyPlugin|asyncTracer)$/;

test.each(PACKAGES)("%s", async (folder) => {
  const manifest = JSON.parse(
    readFileSync(new URL(`../../../packages/${folder}/package.json`, import.meta.url), "utf8"),
  );
  const wrong: string[] = [];
  for (const entry of Object.keys(manifest.exports)) {
    if (LOW_LEVEL.test(entry)) continue;
    const module: Record<string, unknown> = await import(`${manifest.name}${entry.slice(1)}`);
    for (const [name, call] of Object.entries(module)) {
      if (typeof call !== "function" || OTHERS.test(name) || /^class\b/.test(Function.prototype.toString.call(call)))
        continue;
      for (const argument of WRONG) {
        const error = await thrown(() => call(argument));
        if (error !== undefined && !(error instanceof MoonpackError))
          wrong.push(`${entry} ${name}(${JSON.stringify(argument)}): ${String(error)}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

/** The error of a call, of its promise or of its first value; undefined if there is none. */
async function thrown(call: () => unknown): Promise<unknown> {
  try {
    const result = await call();
    if (typeof (result as AsyncGenerator | undefined)?.next === "function") await (result as AsyncGenerator).next();
  } catch (error) {
    return error;
  }
}
