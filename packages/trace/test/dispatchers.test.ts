/** Dispatchers of undici 6 to 8 that end elsewhere than a request says: nobody learns an id who is not on the list. */
import { SHARE } from "@moonpack/tools/share";
import { describe, expect, test } from "vitest";
import { installedNodes } from "./harness/nodes.ts";
import { runProgram } from "./harness/programs.ts";

interface Results {
  readonly plain: Record<string, string[]>;
  readonly secure: Record<string, string[]>;
  readonly wrongOrder: string[];
  readonly rightOrder: string[];
  /** Composed with `undiciInterceptor`. */
  readonly known: Record<string, string[]>;
  readonly unknown: Record<string, string[]>;
  readonly trusted: string[];
  readonly composedSince: string[];
  readonly wrapper?: string[];
  readonly otherWrapper?: string[];
  readonly proxyEnv: string[];
}

/** Dispatchers that go where the request says: what they carry is what makes the others' silence mean something. */
const STRAIGHT = new Set([
  "plain",
  "options",
  "client",
  "EnvHttpProxyAgent",
  "ProxyAgent",
  "EnvHttpProxyAgent, tunnel",
]);

describe.each(await installedNodes())("Node $version", (node) => {
  const all = node.major === 20 ? ["undici-6", "undici"] : ["undici-6", "undici", "undici-8"];
  const versions = SHARE < 1 && node.version !== process.versions.node ? all.slice(-1) : all;
  test.each(versions)("%s", async (name) => {
    const results = (await runProgram(node, "dispatchers.mjs", [name])) as Results;
    const { plain, secure, wrongOrder, rightOrder, wrapper, otherWrapper, proxyEnv } = results;
    const { known, unknown, trusted, composedSince } = results;
    for (const [kind, lines] of [...Object.entries(plain), ...Object.entries(secure)]) {
      expect.soft(lines.length, kind).toBeGreaterThan(0);
      if (STRAIGHT.has(kind)) expect.soft(lines, kind).toEqual([expect.stringMatching(/^(secure )?inside mine$/)]);
      else for (const line of lines) expect.soft(line, kind).toMatch(/ null$/);
    }
    expect(Object.keys(plain).length).toBe(name === "undici-6" ? 24 : 19);
    expect(Object.keys(secure).length).toBe(name === "undici-6" ? 7 : 5);
    expect(wrongOrder).toEqual(["inside null", "outside null"]);
    expect(rightOrder).toEqual(["inside mine", "outside null"]);
    for (const [kind, lines] of Object.entries(known)) expect.soft(lines, kind).toEqual(["inside mine"]);
    for (const [kind, lines] of Object.entries(unknown)) {
      expect.soft(lines.length, kind).toBeGreaterThan(0);
      for (const line of lines) expect.soft(line, kind).toMatch(/ null$/);
    }
    expect(Object.keys(known).length).toBe(9);
    expect(Object.keys(unknown).length).toBe(name === "undici-6" ? 22 : 17);
    expect(trusted).toEqual(["outside mine"]);
    // By the proxy below the interceptor for redirects, at each hop.
    expect(composedSince).toEqual(["inside mine", "outside null"]);
    // Of undici 8, for Node's own fetch.
    expect(wrapper).toEqual(name === "undici-8" ? ["inside mine"] : undefined);
    expect(otherWrapper).toEqual(name === "undici-8" ? ["unix null"] : undefined);
    // Node 20 has no proxies of the environment.
    expect(proxyEnv).toEqual([node.major === 20 ? "inside mine" : "proxy null"]);
  }, 60_000);
});
