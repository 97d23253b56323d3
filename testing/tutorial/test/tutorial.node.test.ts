/**
 * The project of docs/pck-tutorial.md, which is examples/pck-weather. Its files must equal the page's, and its emitted code must be
 * current. Its server and command are tested in Node, before and after the schema change. The page's commands, its Go service
 * and its page in a browser are separate parts of `npm test` (scripts/tutorial.mjs, testing/tutorial/src/page.mjs).
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeContainer } from "@moonpack/pck";
import { afterAll, expect, test } from "vitest";
import { freePort, stage, startServer, versions } from "../src/stage.mjs";

const folder = mkdtempSync(join(tmpdir(), "moonpack-weather-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function node(cwd: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: "utf8",
    timeout: 60_000,
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  return { status, lines: stdout.trimEnd().split("\n"), stderr: stderr.trimEnd() };
}

test("examples/pck-weather is the project of the tutorial, and its emitted files are current", () => {
  const script = fileURLToPath(new URL("../src/example.mjs", import.meta.url));
  expect(node(folder, script, "--check")).toEqual({ status: 0, lines: [""], stderr: "" });
});

test("server and command, before and after the change", async () => {
  const { before, after } = versions();
  const port = await freePort();
  const [old, now] = [join(folder, "old"), join(folder, "now")];
  for (const place of [old, now]) mkdirSync(place);
  await stage(old, before, port, "dist");
  await stage(now, after, port, "dist");

  let stop = await startServer(old);
  try {
    expect(node(old, "dist/send.js", "Bergen", "7", "20", "cloudy").lines).toEqual(["Bergen 7 cloudy"]);
    const refused = node(old, "dist/send.js", "Bergen", "7", "20", "foggy");
    expect([refused.status, refused.stderr]).toEqual([1, 'EncodeError: unknown name "foggy" (at $.reports[0].sky)']);
    await stop();

    cpSync(join(old, "weather.pck"), join(now, "weather.pck"));
    stop = await startServer(now);
    const told = node(old, "dist/send.js", "Voss", "3", "10", "clear");
    expect([told.status, told.stderr]).toEqual([1, "Error: the server is newer: load the page again"]);
    expect(node(now, "dist/send.js", "Oslo", "-0.5", "12", "rain").lines).toEqual([
      "Bergen 7 cloudy person",
      "Voss 3 clear person",
      "Oslo -0.5 rain sensor",
    ]);
  } finally {
    await stop();
  }
  const { schema, values } = decodeContainer(readFileSync(join(now, "weather.pck")));
  expect([schema.name, values.length]).toEqual(["Weather", 3]);
});
