/** The example in examples/http-express: each format, what is refused, the stream; by our client, and in a page. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { fetchStream, fetchValue, type PckFormat } from "@moonpack/http/client";
import { withBrowser } from "@moonpack/tools/browser";
import { runtimeFor } from "@moonpack/tools/runtimes";
import { expect, onTestFinished, test } from "vitest";
import { caught } from "./harness/caught.ts";

const folder = new URL("../../../examples/http-express/", import.meta.url);

interface Reading {
  readonly station: string;
  readonly at: bigint;
  readonly celsius: number;
  readonly humidity: number;
}

/** Starts the server. Returns its address, and what ends it by a signal. */
async function start(): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const server = fileURLToPath(new URL("server.js", folder));
  const child = spawn(process.execPath, [server, "0"], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  const stop = async () => {
    child.kill("SIGTERM");
    return (await once(child, "exit"))[0] as unknown;
  };
  return { url, stop };
}

test("the same readings in each format, values that are checked, a stream", async () => {
  const { url, stop } = await start();
  const schemas = (await import(new URL("schema.js", folder).href)) as {
    reading: PckFormat<Reading, Reading>;
    readings: PckFormat<{ readings: Reading[] }, never>;
  };
  const asPck = await fetchValue(`${url}/readings`, { response: schemas.readings });
  const { readings } = await fetchValue<{ readings: Reading[] }>(`${url}/readings`);
  expect(asPck.readings).toHaveLength(100);
  expect(readings.map((one) => ({ ...one, at: BigInt(one.at) }))).toEqual(asPck.readings);
  const json = await fetch(`${url}/readings`, { headers: { accept: "application/json" } });
  expect(((await json.json()) as { readings: object[] }).readings[1]).toMatchObject({
    station: "Airport",
    at: "1700000600000",
  });

  const value = { station: "Test", at: 5n, celsius: 1.5, humidity: 300 };
  expect(await caught(fetchValue(`${url}/readings`, { value }))).toMatchObject({ status: 400, path: "$.humidity" });
  const stations: string[] = [];
  for await (const { station } of fetchStream(`${url}/live`, { response: schemas.reading })) {
    stations.push(station);
    if (stations.length === 2) break;
    await fetchValue(`${url}/readings`, { value: { ...value, humidity: 30 }, request: schemas.reading });
  }
  expect(stations).toEqual(["Harbour", "Test"]);
  expect(await stop()).toBe(0);
});

test("the page, in Chromium", async (test) => {
  const { executable } = await runtimeFor(test, "chromium");
  const { url } = await start();
  await withBrowser("chromium", executable, async (context) => {
    const page = await context.newPage();
    const errors: Error[] = [];
    page.on("pageerror", (error) => errors.push(error));
    await page.goto(url);
    const wait = (condition: string) => page.waitForFunction(condition, undefined, { timeout: 60_000 });
    await wait("document.querySelector('#live li')");
    const rows = (await page.evaluate(
      "[...document.querySelectorAll('tbody tr')].map((row) => row.innerText.split('\\t'))",
    )) as string[][];
    expect(rows.map(([format, , count]) => [format, count])).toEqual([
      ["PCK", "100"],
      ["MessagePack", "100"],
      ["JSON", "100"],
    ]);
    const [pck, msgpack, json] = rows.map(([, bytes]) => Number(bytes)) as [number, number, number];
    expect(pck * 2).toBeLessThan(msgpack);
    expect(msgpack).toBeLessThan(json);
    await page.evaluate("document.forms[0].querySelector('button').click()");
    await wait("document.querySelector('#live li').textContent === 'Page: 21.5 °C'");
    await wait("document.querySelector('#result').textContent === 'saved 21.5 °C'");
    await page.evaluate("document.forms[0].humidity.value = 300; document.forms[0].querySelector('button').click()");
    await wait("document.querySelector('#result').textContent === '400 ERR_OUT_OF_RANGE at $.humidity'");
    expect(errors).toEqual([]);
  });
});
