/** Every framework over real sockets, in Node 20, 22 and 24: no request ever sees the id of another. */
import { SHARE } from "@moonpack/tools/share";
import { describe, expect, test } from "vitest";
import { installedNodes } from "./harness/nodes.ts";
import { runProgram } from "./harness/programs.ts";

const FRAMEWORKS = [
  ["express-4", "express-5", "http", "hono"],
  ["fastify-2", "fastify-3", "fastify-4", "fastify-5"],
  ["koa-1", "koa-2", "koa-3", "hapi-20", "hapi-21"],
].flat();
const CONCURRENT = SHARE === 1 ? 1000 : 150;
const nodes = await installedNodes();

describe.each(nodes)("Node $version", (node) => {
  test("bodies, uploads, errors, echoes, events, keep-alive: each has its id, and nothing is left outside", async () => {
    const results = await runProgram(node, "frameworks.mjs", [String(CONCURRENT)]);
    const right = { requests: CONCURRENT, events: true, errors: true, outside: null, faults: [] };
    expect(results).toEqual(Object.fromEntries(FRAMEWORKS.map((name) => [name, right])));
  }, 200_000);
});

test("1,000 concurrent requests", async () => {
  const right = { requests: 1000, events: true, errors: true, outside: null, faults: [] };
  const node = nodes.find(({ version }) => version === process.versions.node)!;
  expect(await runProgram(node, "frameworks.mjs", ["1000", "http", "fastify-5"])).toEqual({
    http: right,
    "fastify-5": right,
  });
}, 200_000);
