/** Global dispatchers of undici 6 to 8, and dispatchers with undiciInterceptor, over real sockets. */
import { SHARE } from "@moonpack/tools/share";
import { describe, expect, test } from "vitest";
import { installedNodes } from "./harness/nodes.ts";
import { runProgram } from "./harness/programs.ts";

const INSIDE = ["inside mine"];

describe.each(await installedNodes())("Node $version", (node) => {
  const all = node.major === 20 ? ["undici-6", "undici"] : ["undici-6", "undici", "undici-8"];
  const versions = SHARE < 1 && node.version !== process.versions.node ? all.slice(-1) : all;
  test.each(versions)("%s", async (name) => {
    expect(await runProgram(node, "dispatchers.mjs", [name])).toEqual({
      plain: {
        Agent: INSIDE,
        composed: INSIDE,
        RetryAgent: INSIDE,
        EnvHttpProxyAgent: INSIDE,
        MockAgent: INSIDE,
      },
      tunnel: ["secure inside mine"],
      // The page says so: redirects that are followed behind the interceptor repeat its headers.
      wrongOrder: ["inside mine", "outside mine"],
      rightOrder: ["inside mine", "outside null"],
      composedTwice: INSIDE,
      // By origins as text and as URL, and by one that is not allowed.
      Client: [INSIDE, INSIDE, ["inside null"]],
      Pool: [INSIDE, INSIDE, ["inside null"]],
      // At each hop. From the second request on, the proxy is outside of the dispatcher that undici 6 composes.
      composedSince: ["inside mine", "outside null", ...(name === "undici-6" ? ["outside mine"] : [])],
      setSince: ["inside null", "inside mine"],
      nodeFetch: INSIDE,
      // Node 20 has no proxies of the environment.
      proxyEnv: [node.major === 20 ? "inside null" : "proxy null"],
    });
  }, 60_000);
});
