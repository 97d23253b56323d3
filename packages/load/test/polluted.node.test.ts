/** A polluted Object.prototype changes no option, no target and no report. */
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { fromJson, load, toMarkdown, toSvg } from "../src/index.js";
import { settingsOf } from "../src/options/options.js";
import { hazelcastMap, http, tcpEcho } from "../src/targets/index.js";

/** Calls `use` while Object.prototype has these properties. */
async function polluted<Result>(properties: object, use: () => Result | Promise<Result>): Promise<Result> {
  for (const [name, value] of Object.entries(properties))
    Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
  try {
    return await use();
  } finally {
    for (const name of Object.keys(properties)) Reflect.deleteProperty(Object.prototype, name);
  }
}

test("options of load", async () => {
  const settings = settingsOf({});
  const properties = {
    scenario: "set",
    payload: 1,
    concurrency: 1,
    rate: 1,
    operations: 1,
    duration: 1,
    warmup: 1,
    rounds: 1,
    keys: 1,
    distribution: "zipf",
    seed: 7,
    timeout: 1,
    signal: 1,
    onProgress: 1,
    gets: 50,
  };
  expect(await polluted(properties, () => settingsOf({}))).toEqual(settings);
  await polluted(properties, () => expect(() => settingsOf({ scenario: {} as never })).toThrow("scenario must be"));
});

test("options of targets", async () => {
  const server = createServer((socket: Socket) => socket.pipe(socket)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  const names = ["codec", "name", "connections", "pipelining", "method", "check", "gather", "host", "map", "members"];
  const properties = Object.fromEntries(names.map((name) => [name, "polluted"]));
  await polluted(properties, async () => {
    expect(http({ url: "http://a/" }).name).toBe("http://a/");
    expect(hazelcastMap().name).toBe("hazelcast://127.0.0.1:5701/moonpack-load");
    const { target, summary, options } = await load(tcpEcho({ port }), { operations: 50, rounds: 1, warmup: 0 });
    expect([target, summary!.operations, options.rate]).toEqual([`tcp://127.0.0.1:${port}`, 50, null]);
  });
});

test("reports", async () => {
  const result = await load(async () => {}, { operations: 50, rounds: 1, warmup: 0 });
  const before = [toMarkdown(result), toSvg(result)];
  await polluted({ targets: [] }, () => {
    expect([toMarkdown(result), toSvg(result)]).toEqual(before);
    expect(fromJson(JSON.parse(JSON.stringify(result)))).toEqual(result);
  });
});
