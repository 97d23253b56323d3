/** Hono in workerd: bundled as a deploy tool does, requested by our client over a socket. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchStream, fetchValue, streamBody } from "@moonpack/http/client";
import { runtimeFor } from "@moonpack/tools/runtimes";
import { startWorker } from "@moonpack/tools/workerd";
import { build } from "esbuild";
import { decode } from "moonpack";
import { expect, onTestFinished, test } from "vitest";
import { failing, rows, VALUES } from "./harness/app.ts";
import { caught } from "./harness/caught.ts";
import { ADA, DECODED_ADA, players, strangers } from "./harness/player.ts";

const WORKER = `
import { newState } from "./app.ts";
import { honoApp } from "./hono-app.ts";
export default honoApp(newState(), { maxBytes: 100_000 });
`;

test("in workerd", async (test) => {
  const { executable } = await runtimeFor(test, "workerd");
  const folder = mkdtempSync(join(tmpdir(), "moonpack-http-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { metafile } = await build({
    stdin: { contents: WORKER, resolveDir: join(import.meta.dirname, "harness") },
    outfile: join(folder, "worker.mjs"),
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    metafile: true,
  });
  // No module of Node, and none of our adapters for Node.
  const inputs = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(inputs).toEqual([]);
  const worker = await startWorker(executable, folder, ["worker.mjs"]);
  onTestFinished(() => worker.kill());
  const at = (path: string) => `http://127.0.0.1:${worker.port}${path}`;

  expect(await fetchValue(at("/echo"), { value: VALUES["rich"] })).toEqual({ got: VALUES["rich"], type: "object" });
  expect(await fetchValue(at("/player"), { method: "PUT", value: ADA, request: players, response: players })).toEqual(
    DECODED_ADA,
  );
  expect(
    await caught(fetchValue(at("/player"), { method: "PUT", value: { name: "x", level: "y" }, request: strangers })),
  ).toMatchObject({ status: 415, code: "ERR_FINGERPRINT" });
  const json = await fetch(at("/value?kind=plain"), { headers: { accept: "application/json" } });
  expect([json.headers.get("vary"), (await json.json()) as object]).toMatchObject(["Accept", { name: "Ada" }]);
  expect((await fetch(at("/value?kind=plain"), { headers: { accept: "text/html" } })).status).toBe(406);
  const head = await fetch(at("/value?kind=plain"), { method: "HEAD" });
  expect([head.status, (await head.arrayBuffer()).byteLength]).toEqual([200, 0]);

  let count = 0;
  for await (const _ of fetchStream(at("/rows?n=5000"))) count++;
  expect(count).toBe(5000);
  expect(await fetchValue(at("/sum"), { body: streamBody(rows(5000)) })).toEqual({ sum: 12497500, count: 5000 });
  expect(await fetchValue(at("/levels"), { body: streamBody([ADA, ADA], players) })).toMatchObject({ level: 6 });
  // A stream that is left early. workerd closes the connection with the answer, and a client that is still sending then may lose it:
  // this one sends no more before it has the answer.
  let hasAnswer = (): void => undefined;
  const answer = new Promise<void>((resolve) => {
    hasAnswer = resolve;
  });
  async function* pausing() {
    yield* rows(50);
    await answer;
    yield* rows(50);
  }
  expect(await fetchValue(at("/first"), { body: streamBody(pausing()) })).toEqual({ first: { id: 0, name: "row 0" } });
  hasAnswer();
  const cut = async () => {
    for await (const _ of fetchStream(at("/cut")));
  };
  expect(await caught(cut())).toMatchObject({ code: "ERR_HTTP_CONNECTION" });
  expect(await caught(fetchValue(at("/sum"), { body: streamBody(failing()) }))).toMatchObject({
    code: "ERR_HTTP_CONNECTION",
  });

  const bomb = new Uint8Array(72 * 1024).map((_, i) => (i % 3 === 0 ? 0xdc : 0xff));
  const nested = new Uint8Array(90_000).fill(0x91);
  for (const [body, code] of [
    [bomb, "ERR_TRUNCATED"],
    [nested, "ERR_LIMIT_DEPTH"],
  ] as const) {
    const response = await fetch(at("/echo"), {
      method: "POST",
      body,
      headers: { "content-type": "application/vnd.msgpack" },
    });
    expect([response.status, await response.json()]).toMatchObject([400, { code }]);
  }
  expect(await caught(fetchValue(at("/echo"), { value: new Uint8Array(100_001) }))).toMatchObject({
    status: 413,
    code: "ERR_LIMIT_BYTES",
  });
  const alive = await fetch(at("/echo"), {
    method: "POST",
    body: new Uint8Array([1]),
    headers: { "content-type": "application/msgpack" },
  });
  expect(decode(await alive.arrayBuffer())).toEqual({ got: 1, type: "number" });
});
