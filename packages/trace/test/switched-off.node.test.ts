/** Importing switches nothing on; making a middleware does. On Node 20 and 22 that is what every promise pays for. */
import { describe, expect, test } from "vitest";
import { installedNodes, run } from "./harness/nodes.ts";
import { runProgram } from "./harness/programs.ts";

const USES_OUTSIDE = `
  trace.id(), trace.get("a"), trace.set("a", 1), trace.context(), trace.carrier(), trace.traceparent();
  trace.bind(() => 1)(), trace.runWithContext(undefined, () => 1), trace.uuidv7(), trace.carrierExtension();
  trace.bindEmitter(process).once("x", () => 1), trace.parseTraceparent("x"), trace.parseTracestate("a=1");
  trace.expressMiddleware({ enabled: false }), trace.httpListener(() => 1, { enabled: false });
  trace.koaMiddleware({ enabled: false }), trace.koaV1Middleware({ enabled: false }), trace.outgoingHeaders();
  trace.honoMiddleware({ enabled: false }), trace.fetchHandler(() => 1, { enabled: false });
  trace.hapiPlugin.register({}, { enabled: false }), trace.fastifyPlugin({}, { enabled: false }, () => 1);`;

const SWITCHING = [
  "trace.expressMiddleware()",
  "trace.fastifyMiddleware()",
  "trace.httpListener(() => 1)",
  "trace.koaMiddleware()",
  "trace.koaV1Middleware()",
  "trace.honoMiddleware()",
  "trace.fetchHandler(() => new Response())",
  "trace.fastifyPlugin({ addHook() {} }, undefined, () => 1)",
  "trace.hapiPlugin.register({ listener: process, ext() {}, decorate() {} })",
  "trace.runWithId(() => 1)",
  "trace.runWithCarrier({}, () => 1)",
];

const nodes = await installedNodes();

describe.each(nodes)("Node $version", (node) => {
  const hasPromiseHooks = node.major < 24;

  test("nothing is on after the import, nor after everything that needs no context; what needs one switches on", async () => {
    const on = [false, hasPromiseHooks];
    expect(await runProgram(node, "switched-off.mjs", [USES_OUTSIDE, ...SWITCHING])).toEqual({
      [USES_OUTSIDE]: [false, false],
      ...Object.fromEntries(SWITCHING.map((line) => [line, on])),
    });
  });

  test("promises from after the middleware was made, but before the first request, have its context", () => {
    const program = `
      import { expressMiddleware, id } from "@moonpack/trace";
      const middleware = expressMiddleware({ requestIdFactory: () => "mine" });
      let open;
      const early = new Promise((resolve) => { open = resolve; });
      const seen = [];
      middleware({ headers: {} }, {}, () => early.then(() => seen.push(id())));
      setTimeout(open, 1);
      setTimeout(() => console.log(JSON.stringify([seen, id() ?? null])), 20);`;
    expect(run(node, program)).toEqual([["mine"], null]);
  });
});
