/** The example in examples/series-latency: what it records is there after it was killed, and its page has all its parts. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { openSeries } from "../src/open.ts";

const server = fileURLToPath(new URL("../../../examples/series-latency/server.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "moonpack-latency-"));
const started: ChildProcess[] = [];

afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [server, "0", join(folder, "store")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  const [url] = await once(createInterface(child.stdout!), "line");
  return { child, url: url as string };
}

interface Route {
  route: string;
  status: string;
  count: number[];
}

/** How many requests of each route the service knows of. */
async function counts(url: string): Promise<Record<string, number>> {
  const routes = (await (await fetch(`${url}/latency.json`)).json()) as Route[];
  const sums = routes.map(({ route, status, count }) => [`${route} ${status}`, count.reduce((a, b) => a + b, 0)]);
  return Object.fromEntries(sums);
}

/**
 * Waits until a reader beside the service finds all requests. The service itself answers with points that the operating system
 * may not have yet, and which die with it.
 */
async function written(): Promise<void> {
  const series = await openSeries({ path: join(folder, "store"), readOnly: true });
  const requests = async (route: string): Promise<number> => {
    const points = series.query({
      metric: { name: "http.latency", tags: { route, status: route === "/fast" ? "200" : "404", stat: "count" } },
    });
    return (await points.toArray()).reduce((sum, { value }) => sum + Number(value), 0);
  };
  await expect
    .poll(async () => [await requests("/fast"), await requests("unknown")], { timeout: 10_000 })
    .toEqual([20, 1]);
  await series.close();
}

/** Waits for the second's points. */
async function eventually(url: string, expected: Record<string, number>): Promise<void> {
  await expect.poll(() => counts(url), { timeout: 10_000 }).toMatchObject(expected);
}

test("requests are counted by route, and survive the death of the service", async () => {
  const first = await start();
  for (let i = 0; i < 20; i++) await fetch(`${first.url}/fast`);
  expect((await fetch(`${first.url}/missing`)).status).toBe(404);
  await eventually(first.url, { "/fast 200": 20, "unknown 404": 1 });
  await written();

  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  const second = await start();
  expect(await counts(second.url)).toMatchObject({ "/fast 200": 20, "unknown 404": 1 });

  for (const part of ["/", "/page.js", "/uplot.js", "/uplot.css"])
    expect((await fetch(second.url + part)).status).toBe(200);
  second.child.kill("SIGTERM");
  const [code] = await once(second.child, "exit");
  expect(code).toBe(0);
});
