/** Fetch handlers behind @hono/node-server, which replaces the global Response: echoes, also of what `fetch` returned. */
import { describe, expect, test } from "vitest";
import { installedNodes } from "./harness/nodes.ts";
import { runProgram } from "./harness/programs.ts";

describe.each(await installedNodes())("Node $version", (node) => {
  test("the request's own id is echoed, not the id of a service whose answer is forwarded", async () => {
    const right = {
      "": "200 mine mine",
      fetched: "203 mine body o a=1,b=2",
      redirect: "307 mine",
      none: "204 mine",
    };
    expect(await runProgram(node, "node-server.mjs")).toEqual({ hono: right, fetchHandler: right });
  });
});
