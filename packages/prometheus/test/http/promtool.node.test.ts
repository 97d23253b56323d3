/** Prometheus' own client, promtool, asks our server over HTTP. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { findRuntime } from "@moonpack/tools/runtimes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isLeftOut, missing } from "../harness/prometheus-server.ts";
import { AT, type Served, serve } from "./serve.ts";

let served: Served;
let promtool: string;
beforeAll(async () => {
  if (isLeftOut) return;
  const found = await findRuntime("prometheus");
  if (found === undefined) throw new Error(`needs ${missing}`);
  promtool = join(found.executable, "../promtool");
  served = await serve();
});
afterAll(() => served?.close());

/** Runs a command of promtool. Returns the lines of its output. */
async function run(...args: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(promtool, args);
  return stdout.trimEnd().split("\n");
}

test.skipIf(isLeftOut)("query instant", async () => {
  expect(await run("query", "instant", `--time=${AT}`, served.server.url, 'up{instance="1"}')).toEqual([
    `up{instance="1", job="api"} => 1 @[${AT}]`,
    `up{instance="1", job="web"} => 1 @[${AT}]`,
  ]);
  expect(await run("query", "instant", `--time=${AT}`, served.server.url, "1/0")).toEqual([`scalar: +Inf @[${AT}]`]);
  await expect(run("query", "instant", served.server.url, "up{")).rejects.toThrow(
    /bad_data: invalid parameter "query": 1:4: parse error/,
  );
});

test.skipIf(isLeftOut)("query range", async () => {
  const range = [`--start=${AT - 30}`, `--end=${AT}`, "--step=15s"];
  expect(await run("query", "range", ...range, served.server.url, "sum by (job) (up)")).toEqual(
    ["api", "web"].flatMap((job) => [`{job="${job}"} =>`, ...[AT - 30, AT - 15, AT].map((time) => `2 @[${time}]`)]),
  );
});

test.skipIf(isLeftOut)("query series and labels", async () => {
  const series = await run("query", "series", "--match=up", `--start=${AT - 60}`, `--end=${AT}`, served.server.url);
  expect(series.sort()).toEqual(
    ["1", "2"].flatMap((instance) =>
      ["api", "web"].map((job) => `{__name__="up", instance="${instance}", job="${job}"}`),
    ),
  );
  expect(await run("query", "labels", served.server.url, "job")).toEqual(["api", "web"]);
});

test.skipIf(isLeftOut)("check metrics", async () => {
  const text = await (await fetch(`${served.server.url}/metrics`)).text();
  const child = promisify(execFile)(promtool, ["check", "metrics"]);
  child.child.stdin!.end(text);
  const { stdout, stderr } = await child;
  expect(stdout + stderr).toBe("");
});
