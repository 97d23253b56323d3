/** The entry for browsers, in pages and in other runtimes, with a server of ws. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codec, schema, u32 } from "@moonpack/pck";
import { withBrowser } from "@moonpack/tools/browser";
import { bundleForBrowsers } from "@moonpack/tools/browser-bundle";
import { runtimeFor } from "@moonpack/tools/runtimes";
import type { Connection } from "@moonpack/websocket/ws";
import { describe, expect, test } from "vitest";
import { served } from "./harness/echo.ts";

const Count = codec(schema("Count", u32("n")));
const kinds = { 1: Count };

const PROGRAM = `
import { connect } from "@moonpack/websocket/browser";
import { codec, schema, u32 } from "@moonpack/pck";

const kinds = { 1: codec(schema("Count", u32("n"))) };
const options = { kinds, idleTimeout: 10000 };
const results = {};
const attempt = async (name, use) => { try { results[name] = await use(); } catch (error) { results[name] = { code: error.code, closeCode: error.closeCode, path: error.path }; } };

async function run(url) {
  await attempt("10,000 in order", async () => {
    const connection = await connect(url + "/echo", options);
    const sending = (async () => { for (let n = 0; n < 10000; n++) await connection.sendKind(1, { n }); })();
    for (let n = 0; n < 10000; n++) { const { kind, value } = await connection.receive(); if (kind !== 1 || value.n !== n) return n; }
    await sending;
    const { code } = await connection.close();
    return code;
  });
  await attempt("values", async () => {
    const connection = await connect(url + "/echo", options);
    await connection.send({ text: "größer", bytes: new Uint8Array([1, 2]), list: [1.5, null] });
    const { value } = await connection.receive();
    await connection.close(3001, "done");
    return { ...value, bytes: [...value.bytes] };
  });
  await attempt("slow reader", async () => {
    const connection = await connect(url + "/flood", { ...options, unreadBytes: 500000 });
    await connection.send("begin");
    let most = 0, count = 0;
    for await (const { value } of connection) {
      // Firefox reads from the network while the page is busy.
      if (count === 100) for (const end = performance.now() + 700; performance.now() < end; );
      if (count++ % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      most = Math.max(most, connection.unreadBytes);
    }
    return { count, flat: most < 3000000 };
  });
  await attempt("slow server", async () => {
    const connection = await connect(url + "/slow", options);
    let most = 0;
    for (let n = 0; n < 300; n++) {
      await connection.send(new Uint8Array(100000));
      most = Math.max(most, connection.bufferedBytes);
    }
    const { value } = await connection.receive();
    await connection.close();
    return { value, flat: most < 3000000 };
  });
  await attempt("much both ways", async () => {
    const connection = await connect(url + "/echo", options);
    const sending = (async () => { for (let n = 0; n < 200; n++) await connection.send([n, new Uint8Array(50000)]); })();
    for (let n = 0; n < 200; n++) {
      const { value } = await connection.receive();
      if (value[0] !== n) return n;
      if (n % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await sending;
    return (await connection.close()).code;
  });
  await attempt("bad bytes", async () => (await connect(url + "/bad", options)).receive());
  await attempt("text", async () => (await connect(url + "/text", options)).receive());
  await attempt("dead server", async () => (await connect(url + "/dead", { ...options, idleTimeout: 400 })).receive());
  await attempt("refused", () => connect(url.replace(/:\\d+/, ":9"), options));
  await attempt("path", async () => { const connection = await connect(url + "/echo", options); try { connection.send({ a: [() => 1] }); } finally { void connection.close(); } });
  await attempt("abort", async () => {
    const controller = new AbortController();
    const connection = await connect(url + "/echo", { ...options, signal: controller.signal });
    const waiting = connection.receive();
    controller.abort();
    return await waiting;
  });
  return results;
}
`;

const EXPECTED = {
  "10,000 in order": 1000,
  values: { text: "größer", bytes: [1, 2], list: [1.5, null] },
  "slow reader": { count: 2000, flat: true },
  "slow server": { value: 300, flat: true },
  "much both ways": 1000,
  "bad bytes": { code: "ERR_INVALID_BYTE" },
  text: { code: "ERR_WEBSOCKET_MESSAGE" },
  "dead server": { code: "ERR_WEBSOCKET_TIMEOUT" },
  refused: { code: "ERR_WEBSOCKET_CLOSED", closeCode: 1006 },
  path: { code: "ERR_UNSUPPORTED_TYPE", path: "$.a[0]" },
  abort: { code: "ERR_ABORTED" },
};

type Failures = Record<string, unknown>;

/** Starts a server with a handler for each path, and records the errors of connections. */
async function peer(server?: ReturnType<typeof createServer>): Promise<{ port: number; failures: Failures }> {
  const failures: Failures = {};
  const handlers: Record<string, (connection: Connection<typeof kinds>) => Promise<void>> = {
    "/echo": async (connection) => {
      for await (const { kind, value } of connection) {
        if (kind === 1) await connection.sendKind(1, value);
        else await connection.send(value);
      }
    },
    "/flood": async (connection) => {
      await connection.receive();
      for (let n = 0; n < 2000; n++) await connection.send(new Uint8Array(50_000));
    },
    "/slow": async (connection) => {
      for (let n = 0; n < 300; n++) {
        await connection.receive();
        if (n % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await connection.send(300);
      await connection.receive();
    },
    "/bad": async (connection) => {
      void connection.sendBytes(new Uint8Array([0xc1]));
      await connection.receive();
    },
    "/text": async () => {
      for (const socket of serving.server.clients) socket.send("text");
      await new Promise((resolve) => setTimeout(resolve, 200));
    },
    "/dead": async (connection) => {
      for (const socket of serving.server.clients) socket.pause();
      await connection.closed;
    },
  };
  const ws = server === undefined ? { port: 0, host: "127.0.0.1" } : { server };
  const serving = await served<typeof kinds>(
    async (connection, request) => {
      await handlers[request.url!]!(connection).catch((error: unknown) => {
        failures[request.url!] = error;
        throw error;
      });
    },
    { kinds, ws, closeTimeout: 500 },
  );
  return { port: (await serving.listening).port, failures };
}

/** The close codes that the server saw. */
function checkFailures(failures: Failures): void {
  expect(failures["/bad"]).toMatchObject({ closeCode: 4007, reason: "ERR_INVALID_BYTE" });
  expect(failures["/echo"]).toMatchObject({ code: "ERR_WEBSOCKET_CLOSED" });
}

describe("in a page", () => {
  test.for(["chromium", "firefox"] as const)("of %s", async (name, test) => {
    const { executable } = await runtimeFor(test, name);
    const program = `${PROGRAM}\nrun(location.origin.replace("http", "ws")).then((results) => { window.results = JSON.stringify(results); });`;
    const { text } = await bundleForBrowsers(program, import.meta.dirname);
    const http = createServer((request, response) => {
      const isScript = request.url === "/page.js";
      response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8" });
      response.end(isScript ? text : `<!doctype html><script type="module" src="/page.js"></script>`);
    });
    http.listen(0, "127.0.0.1");
    await once(http, "listening");
    const { port } = http.address() as AddressInfo;
    try {
      const { failures } = await peer(http);
      await withBrowser(name, executable, async (context) => {
        const page = await context.newPage();
        await page.goto(`http://127.0.0.1:${port}/`);
        await expect.poll(() => page.evaluate("window.results !== undefined"), { timeout: 60_000 }).toBe(true);
        expect(JSON.parse((await page.evaluate("window.results")) as string)).toEqual(EXPECTED);
      });
      checkFailures(failures);
    } finally {
      http.closeAllConnections();
      http.close();
    }
  });
});

describe("in another runtime with a WebSocket", () => {
  test.for([
    ["deno", ["run", "--allow-all"]],
    ["bun", []],
    ["node-22", []],
  ] as const)("%s", async ([name, args], test) => {
    const { executable } = await runtimeFor(test, name);
    const { port, failures } = await peer();
    const program = `${PROGRAM}\nconsole.log(JSON.stringify(await run("ws://127.0.0.1:${port}")));\nglobalThis.process?.exit?.(0);`;
    const { text } = await bundleForBrowsers(program, import.meta.dirname);
    const file = join(mkdtempSync(join(tmpdir(), "moonpack-websocket-")), "program.mjs");
    writeFileSync(file, text);
    const child = spawn(executable, [...args, file], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    await once(child, "close");
    expect(JSON.parse(output)).toEqual(EXPECTED);
    checkFailures(failures);
  });
});
