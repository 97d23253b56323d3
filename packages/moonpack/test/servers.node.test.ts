/**
 * Every server in the hand-written pages and in `examples/` survives hostile clients: garbage, cut messages, resets, frames and bodies
 * that are not valid. Afterwards it answers a good client. For an example of a page that is the example's own client.
 */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { thinned } from "@moonpack/harness/effort.ts";
import { attack, visit } from "@moonpack/tools/hostile-clients/attack";
import { runWithHostileClients, start } from "@moonpack/tools/hostile-clients/run";
import { handshake, packetsFor, request, serversInPages } from "@moonpack/tools/hostile-clients/servers";
import { promised } from "@moonpack/tools/pages";
import { build } from "esbuild";
import { encode } from "moonpack";
import { afterAll, afterEach, describe, expect, test } from "vitest";

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "moonpack-servers-"));
symlinkSync(fromRoot("node_modules"), join(folder, "node_modules"), "junction");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("in pages", () => {
  const servers = serversInPages("node");

  test("there are servers", () => expect(servers.length).toBeGreaterThan(24));

  test.each(thinned(servers))("$page:$line", async ({ code }) => {
    const frames = packetsFor(code, encode);
    const done = await runWithHostileClients(["--input-type=module", "-e", code], { cwd: folder, frames });
    expect(done, done.stderr).toMatchObject({ status: 0, signal: null });
    expect(done.servers).toBeGreaterThan(0);
    expect(done.visits).toBeGreaterThan(30);
    // The servers of some examples print what hostile clients do, too.
    const printed = done.stdout.trimEnd().split("\n");
    const expected = promised(code) ?? [];
    let from = 0;
    for (const line of expected) {
      const at = printed.indexOf(line, from);
      expect(at, `"${line}" in\n${done.stdout}`).toBeGreaterThanOrEqual(0);
      from = at + 1;
    }
  });
});

/** The bytes that a valid client sends, and the first bytes of the answer. */
type Good = readonly [parts: readonly Uint8Array[], answer: string];
const OK = "HTTP/1.1 200 ";
const CREATED = "HTTP/1.1 201 ";
const SWITCHED = "HTTP/1.1 101 ";
const JSON_TYPE = "application/json";
const GET_PAGE: Good = [[request("GET /")], OK];
const READING = '{"station":"Summit","at":"1700000000000","celsius":1.5,"humidity":60}';

/** The programs in `examples/` that listen until they are stopped. */
const EXAMPLES: Record<string, { args?: string[]; good: Good[] }> = {
  "chat-socket.io/server.js": {
    good: [
      GET_PAGE,
      [[request("GET /socket.io/?EIO=4&transport=polling")], OK],
      [[handshake("/socket.io/?EIO=4&transport=websocket")], SWITCHED],
    ],
  },
  "form-standard-schema/server.js": {
    good: [
      [[request("POST /signups", JSON_TYPE, '{"name":"Ann","plan":"free","seats":null}')], CREATED],
      [[request("GET /signups")], OK],
    ],
  },
  "http-express/server.js": {
    good: [
      GET_PAGE,
      [[request("GET /readings")], OK],
      [[request("GET /live")], OK],
      [[request("POST /readings", JSON_TYPE, READING)], CREATED],
    ],
  },
  "live-websocket/server.js": { good: [GET_PAGE, [[handshake("/")], SWITCHED]] },
  "prometheus-grafana/server.js": {
    args: ["0", join(folder, "service-metrics")],
    good: [[[request("GET /fast")], OK]],
  },
  "series-latency/server.js": {
    args: [join(folder, "latency-store")],
    good: [
      [[request("GET /fast")], OK],
      [[request("GET /latency.json")], OK],
    ],
  },
  "tcp/server.js": { good: [[[encode([1, "add", 2, 3])], "\x93\x01\xc0\x05"]] },
  "trace-gateway/orders.js": { good: [[[request("GET /orders/7")], OK]] },
  "trace-gateway/prices.js": { good: [[[request("GET /prices/tea")], OK]] },
  "trpc-page/server.js": { good: [GET_PAGE, [[request("GET /trpc/list")], OK]] },
};

/** Their programs with clients of their servers, which end by themselves, and those that are tested below. */
const OTHERS = ["load-http/compare.js", "pck-weather/src/server.ts", "trace-gateway/gateway.js"];

const running: { kill(): void; ended: Promise<unknown> }[] = [];
afterEach(async () => {
  for (const program of running.splice(0)) {
    program.kill();
    await program.ended.catch(() => undefined); // its test has failed with that
  }
});

/** Starts a program. Resolves to the port of its server. `isOpen`: without hostile clients before its first client. */
function started(args: readonly string[], seeds: readonly Buffer[], frames: Uint8Array[][] = []): Promise<number> {
  return new Promise((resolve, reject) => {
    const listening = async (port: number, release: (port: number) => void): Promise<void> => {
      await attack(port, seeds, frames);
      release(port);
      resolve(port);
    };
    const program = start(args, { cwd: folder, delaysClients: true, listening });
    running.push(program);
    program.ended.then(({ status, stdout, stderr }) => reject(new Error(`exit ${status}\n${stdout}${stderr}`)), reject);
  });
}

/** The server is attacked, and still answers. */
async function survives(args: readonly string[], good: readonly Good[], frames: Uint8Array[][] = []): Promise<number> {
  const port = await started(
    args,
    good.map(([parts]) => Buffer.concat(parts)),
    frames,
  );
  for (const [parts, answer] of good) {
    const text = (await visit(port, parts, "answered", 20_000)).toString("latin1");
    expect(text.startsWith(answer), text).toBe(true);
  }
  return port;
}

describe("in examples", () => {
  const script = (path: string): string => fromRoot(`examples/${path}`);
  const source = (path: string): string => readFileSync(script(path), "utf8");

  test("each program that listens is tested here", () => {
    const all = readdirSync(fromRoot("examples"), { recursive: true, encoding: "utf8" }).map((path) =>
      path.replaceAll("\\", "/"),
    );
    const listening = all.filter((path) => /\.[jt]s$/.test(path) && !path.includes("node_modules/"));
    const programs = listening.filter((path) => /\b(?:listen|listening|serve)\(/.test(source(path)));
    // They export how to listen, and what a connection does, to the programs beside them.
    const shared = ["load-http/server.js", "tcp/protocol.js", "trace-gateway/server.js"];
    expect(programs.filter((path) => !shared.includes(path)).sort()).toEqual(
      [...Object.keys(EXAMPLES), ...OTHERS].filter((path) => path !== "load-http/compare.js").sort(),
    );
  });

  test.each(thinned(Object.keys(EXAMPLES)))("%s", async (path) => {
    const { args = [], good } = EXAMPLES[path]!;
    await survives([script(path), "0", ...args], good, packetsFor(source(path), encode));
  });

  test("trace-gateway/gateway.js", async () => {
    const [orders, prices] = await Promise.all(
      ["orders.js", "prices.js"].map((name) => started([script(`trace-gateway/${name}`)], [])),
    );
    const url = (port: number | undefined): string => `http://127.0.0.1:${port}`;
    await survives([script("trace-gateway/gateway.js"), url(orders), url(prices)], [GET_PAGE]);
  });

  test("load-http/compare.js, its two servers", async () => {
    const done = await runWithHostileClients([script("load-http/compare.js"), "0.2", "200"], { cwd: folder });
    expect(done, done.stderr).toMatchObject({ status: 0, signal: null, servers: 2 });
    expect(done.stdout).toContain("## kept beside made anew");
  });

  // The server of docs/pck-tutorial.md, too: testing/tutorial compares the page with this project.
  test("pck-weather/src/server.ts", async () => {
    const outfile = join(folder, "weather.mjs");
    const options = { bundle: true, platform: "node", format: "esm", packages: "external" } as const;
    await build({ entryPoints: [script("pck-weather/src/server.ts")], outfile, ...options });
    copyFileSync(script("pck-weather/index.html"), join(folder, "index.html"));
    await survives([outfile], [GET_PAGE, [[request("GET /weather")], OK]]);
  });
});
