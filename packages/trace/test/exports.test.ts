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
});

test("the default export has every function", () => {
  const functions = names.filter((name) => !/^[A-Z]/.test(name));
  expect(Object.keys(source.default).sort()).toEqual(expect.arrayContaining(functions.sort()));
});
