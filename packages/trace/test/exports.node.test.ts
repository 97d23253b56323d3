/** The package as users of cls-rtracer load it: import and require, names and default. */
import { describe, expect, test } from "vitest";
import * as source from "../src/index.ts";
import { installedNodes, run } from "./harness/nodes.ts";

const nodes = await installedNodes();
const names = Object.keys(source).filter((name) => name !== "default");

describe.each(nodes)("Node $version", (node) => {
  test("import: all names, and all functions in the default export, which are the same", () => {
    const program = `
      import rTracer, * as all from "@moonpack/trace";
      import { id, runWithId } from "@moonpack/trace";
      console.log(JSON.stringify([
        Object.keys(all),
        Object.keys(rTracer).filter((name) => rTracer[name] !== all[name]),
        runWithId(() => [id(), rTracer.id()], 7),
      ]));`;
    const [all, different, ids] = run(node, program) as [string[], string[], unknown[]];
    expect(all.sort()).toEqual([...names, "default"].sort());
    expect([different, ids]).toEqual([[], [7, 7]]);
  });

  test("require: the same instance, by names and by default", () => {
    const program = `
      const rTracer = require("@moonpack/trace");
      const { id, runWithId } = require("@moonpack/trace");
      import("@moonpack/trace").then((imported) => console.log(JSON.stringify([
        runWithId(() => [id(), rTracer.id(), rTracer.default.id(), imported.id()], 7),
        rTracer.__esModule,
        typeof rTracer.expressMiddleware,
      ])));`;
    expect(run(node, program, "commonjs")).toEqual([[7, 7, 7, 7], true, "function"]);
  });

  test("under --frozen-intrinsics: requests in and out, carriers", () => {
    const program = `
      import { once } from "node:events";
      import { createServer } from "node:http";
      import * as trace from "@moonpack/trace";
      const outgoing = trace.propagate({ to: "any" });
      const options = { traceContext: true, useHeader: true };
      const answer = (request, response) => response.end(trace.id() + " " + typeof request.headers.traceparent);
      const server = createServer(trace.httpListener(answer, options)).listen(0, "127.0.0.1");
      await once(server, "listening");
      const { encode, decode } = trace.carrierExtension();
      const seen = await trace.runWithId(async () => {
        trace.set("a", 1);
        const response = await fetch("http://127.0.0.1:" + server.address().port);
        const sent = decode(encode(trace.carrier({ values: ["a"] })));
        return [await response.text(), trace.runWithCarrier(sent, () => [trace.id(), trace.get("a")])];
      }, "x-1");
      outgoing.stop();
      server.close();
      server.closeAllConnections();
      console.log(JSON.stringify(seen));`;
    expect(run(node, program, "module", ["--frozen-intrinsics"])).toEqual(["x-1 string", ["x-1", 1]]);
  });
});

test("the default export has every function", () => {
  const functions = names.filter((name) => !/^[A-Z]/.test(name));
  expect(Object.keys(source.default).sort()).toEqual(expect.arrayContaining(functions.sort()));
});
