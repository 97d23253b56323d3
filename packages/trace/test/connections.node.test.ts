/** Pipelined requests, aborts, timeouts and upgrades, in Node 20, 22 and 24: the events of a request have its id. */
import { describe, expect, test } from "vitest";
import { installedNodes } from "./harness/nodes.ts";
import { runProgram } from "./harness/programs.ts";

const POOLED = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`pool${i}`, `/pool${i}`]));

describe.each(await installedNodes())("Node $version", (node) => {
  test("pipelined requests, late errors, aborts, timeouts, pools with a limit, upgrades", async () => {
    const hapi = { seen: 3, wrong: [], before: true, bodies: ["/0", "/1", "/2"], injected: ["/a", "/b"], left: null };
    const hooks = { timeout: "/hang", abort: "/hang?abort", wrong: [] };
    expect(await runProgram(node, "connections.mjs")).toEqual({
      "fastify-3": { seen: 3, wrong: [], hooks: { ...hooks, abort: null } }, // which has no hook for aborts
      "fastify-4": { seen: 3, wrong: [], hooks },
      "fastify-5": { seen: 3, wrong: [], hooks },
      "koa-1": { seen: true, wrong: [] },
      "koa-2": { seen: true, wrong: [] },
      "koa-3": { seen: true, wrong: [] },
      "hapi-20": hapi,
      "hapi-21": hapi,
      http: {
        abort: "/abort",
        "abort response": "/abort",
        timeout: "/timeout",
        pipeline: "/pipeline",
        ...POOLED,
      },
      ends: {
        http: { seen: 3, wrong: [] },
        "express-5": { seen: 3, wrong: [] },
        "koa-3": { seen: 3, wrong: [] },
        "fastify-5": { seen: 3, wrong: [] },
      },
      informational: { seen: 12, wrong: [] },
      upgrades: { outside: [null, null], answers: ["x /a", "x /b"] },
    });
  }, 60_000);
});
