/** Headers of requests to other services, over real sockets, in Node 20, 22 and 24: only to allowed destinations. */
import { SHARE } from "@moonpack/tools/share";
import { describe, expect, test } from "vitest";
import { outgoingHeaders, propagate, runWithId, undiciInterceptor } from "../src/index.ts";
import { readAllowList } from "../src/outgoing/allow-list.ts";
import { destinationOf, originOf } from "../src/outgoing/destination.ts";
import { installedNodes } from "./harness/nodes.ts";
import { runProgram } from "./harness/programs.ts";

type Line = [server: string, path: string, id: string | null, traceparent: number | null];
type Received = Record<string, Line[] | number>;
interface Results extends Record<string, unknown> {
  readonly http: Line[];
  readonly fetch: Line[];
  readonly none: Line[];
  readonly stopped: Line[];
}

const nodes = await installedNodes();
const refused = expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" });
/** The server, the path's last letter or number, and the id. */
const brief = (lines: unknown): string[] =>
  (lines as Line[]).map(([server, path, id]) => `${server} ${/(?:^|\/)(\w+)(?:\?.*)?$/.exec(path)?.[1] ?? ""} ${id}`);
const REDIRECTED = ["inside a mine", "outside b null", "inside c mine"];

describe.each(nodes)("Node $version", (node) => {
  test("http, fetch, and stop", async () => {
    const results = (await runProgram(node, "outgoing.mjs")) as Results;
    expect(brief(results.http)).toEqual([
      "inside 1 mine",
      "outside 2 null",
      "outside 3 null", // Host names an allowed one
      "inside 4 mine", // Host names another one
      "outside 5 null", // the agent's port wins
      "inside 6 mine",
      "unix 7 null",
      "inside 8 null", // asked as a proxy
      "proxy 9 null",
      "connect  null",
      "inside array null", // its headers are written already
      "inside expect null",
      "outside socket null", // a socket of the caller's
      "inside 10 own",
    ]);
    expect(results.http.at(-1)![3]).toBeNull(); // the caller's tracestate stands alone
    expect(results.http[0]![3]).toBe(55);
    expect(brief(results.fetch)).toEqual([...REDIRECTED, "inside own own"]);
    expect(brief(results.none)).toEqual(["inside none null"]);
    expect(brief(results.stopped)).toEqual(["inside 1 null", "inside 2 null"]);
    expect(results).toMatchObject({ fetchMixed: 0, restored: true, warnings: ["MOONPACK_TRACE_AGENT"] });
    expect(results.two).toEqual([
      "inside /1 X-Request-Id,X-Other,traceparent", // no header twice, whatever its spelling
      "outside /2 X-Other,traceparent",
    ]);
    expect(results.one).toEqual(["inside /1 X-Other,traceparent", "outside /2 X-Other,traceparent"]);
    expect(results.noneLeft).toEqual(["inside /1 ", "outside /2 "]);
    // An agent that connects itself: the proxy would learn the id, or whoever it connects to.
    const anonymous = (lines: unknown) =>
      (lines as string[]).map((line) => line.replace(/http:\/\/[\d.:]+/, "PROXIED"));
    expect(anonymous(results.proxies)).toEqual(["proxy PROXIED/HttpProxyAgent ", "inside /HttpsProxyAgent "]);
    expect(anonymous(results.any)).toEqual([
      "inside /1 X-Correlation-Id,traceparent",
      "outside /2 X-Correlation-Id,traceparent",
      "unix /unix ",
      "proxy PROXIED/HttpProxyAgent X-Correlation-Id,traceparent",
      "inside /HttpsProxyAgent X-Correlation-Id,traceparent",
    ]);
    expect(brief(results.connected)).toEqual(["connect  null"]);
    const [through, ...others] = results.proxyOfNode as unknown as Line[];
    expect([through![2], through![3], others]).toEqual([null, null, []]);
  }, 60_000);

  const all = node.major === 20 ? ["undici-6", "undici"] : ["undici-6", "undici", "undici-8"];
  const versions = SHARE < 1 && node.version !== process.versions.node ? all.slice(-1) : all;
  test.each(versions)("%s: global, interceptors, pools with a limit, proxies, Unix sockets", async (name) => {
    const results = (await runProgram(node, "outgoing.mjs", [name])) as Results;
    const { request, redirects, proxy, poolAlone, unix, lying, poolMixed } = results[name] as Received;
    expect(brief(request).slice(0, 5)).toEqual(["inside 1 mine", "outside 2 null", ...REDIRECTED]);
    // With maxRedirections an old agent repeats its headers at each hop; newer ones refuse the option.
    for (const line of brief(request).slice(5)) expect(line).toMatch(/ null$/);
    expect(brief(redirects)).toEqual(REDIRECTED);
    expect(poolMixed).toBe(0);
    // A dispatcher that is set later is seen at its first request. Only the request itself carries headers, not CONNECT.
    const [tunnels, requests] = [true, false].map((isTunnel) =>
      (proxy as Line[]).filter(([server]) => (server === "connect") === isTunnel).map(([, , id]) => id),
    );
    expect(requests).toEqual([null, "mine"]);
    for (const id of tunnels!) expect(id).toBeNull();
    // Dispatchers without the interceptor.
    for (const lines of [poolAlone, unix, lying])
      for (const [, , id, traceparent] of lines as Line[]) expect([id, traceparent]).toEqual([null, null]);
    expect([poolAlone, unix, lying].map((lines) => (lines as Line[]).length)).toEqual([1, 1, 1]);
    expect(results).toMatchObject({ restored: true, warnings: [] });
    const { any, literals } = results[name] as unknown as Record<string, string[]>;
    expect(any).toEqual([
      "inside /1 X-Correlation-Id,traceparent",
      "inside /composed X-Correlation-Id,traceparent",
      "outside /pool ", // a dispatcher without the interceptor
      "outside /fetched ",
    ]);
    expect(literals!.slice(0, 4)).toEqual(
      ["127-0-0-1", "127-1", "2130706433", "0x7f-1"].map((host) => `inside /${host} X-Request-Id,traceparent`),
    );
    // Other names of the same machine are other hosts.
    for (const line of literals!.slice(4)) expect(line).toMatch(/^inside \/(localhost|---ffff-127-0-0-1-) $/);
    expect(literals).toContain("inside /localhost ");
  }, 60_000);
});

describe("allow-lists", () => {
  test.each([
    ["api.internal", "http://api.internal", true],
    ["api.internal", "https://API.internal:8443", true],
    ["api.internal", "http://api.internal.evil.example", false],
    ["api.internal", "http://xapi.internal", false],
    ["api.internal:8080", "http://api.internal:8080", true],
    ["api.internal:8080", "http://api.internal", false],
    ["api.internal:80", "http://api.internal", true],
    ["*.internal", "http://a.b.internal", true],
    ["*.internal", "http://internal", false],
    ["*.internal", "http://evilinternal", false],
    ["https://api.internal", "https://api.internal:443", true],
    ["https://api.internal", "http://api.internal", false],
    ["127.0.0.1", "http://127.1", true],
    ["127.0.0.1", "http://2130706433", true],
    ["127.0.0.1", "http://127.0.0.2", false],
    ["[::1]:8080", "http://[0:0:0:0:0:0:0:1]:8080", true],
    ["::1", "http://[::1]", true],
    ["localhost", "http://127.0.0.1", false],
  ])("%s, %s: %s", (to, origin, isAllowed) => {
    expect(readAllowList(to)(originOf(origin, "/"))).toBe(isAllowed);
  });

  test("patterns, functions, lists, and what is not known", () => {
    const here = destinationOf("http:", "a.internal", 80, "/x?y");
    expect(readAllowList(/^http:\/\/a\.internal$/g)(here)).toBe(true);
    expect(readAllowList(["b", ({ pathname }: URL) => pathname === "/x"])(here)).toBe(true);
    expect(readAllowList(() => expect.unreachable("no"))(here)).toBe(false);
    expect(readAllowList((() => Promise.resolve(true)) as never)(here)).toBe(false);
    expect([readAllowList("any")(undefined), readAllowList(() => true)(undefined)]).toEqual([true, false]);
    expect(destinationOf("http:", "a@evil.example", 80, "/")).toBeUndefined();
  });

  test.each([
    undefined,
    1,
    "",
    "a b",
    "a/b",
    "http://a/b",
    "http://*.a",
    "ftp://a",
    "a:0",
    "a:99999",
    "u@a",
    ".internal",
    ".internal:80",
    "*..a",
    "a..b",
    "http://.a",
    "https://a..b",
    [null],
  ])("%j is refused at once", (to) => {
    expect(() => propagate({ to } as never)).toThrow(refused);
  });

  test("other options are checked too", () => {
    expect(() => propagate(undefined as never)).toThrow(refused);
    expect(() => propagate({ to: "any", headerName: "a b" })).toThrow(refused);
    expect(() => undiciInterceptor({ origins: () => true, headerName: "a b" })).toThrow(refused);
    for (const origins of [undefined, "any", ["http://a"], /a/])
      expect(() => undiciInterceptor({ origins } as never)).toThrow(refused);
  });
});

test("outgoingHeaders: a new span each time, undefined outside", () => {
  expect(outgoingHeaders()).toBeUndefined();
  const [first, second] = runWithId(() => [outgoingHeaders()!, outgoingHeaders()!], "mine");
  expect(first!.map(([name]) => name)).toEqual(["X-Request-Id", "traceparent"]);
  expect(first![0]![1]).toBe("mine");
  expect(first![1]![1].slice(0, 35)).toBe(second![1]![1].slice(0, 35));
  expect(first![1]![1]).not.toBe(second![1]![1]);
});
