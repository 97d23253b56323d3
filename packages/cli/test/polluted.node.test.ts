/** An Object.prototype that a module polluted before the command runs changes no option and no output. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { emptyFolder, type MeasuredRun, moonpackProcess } from "./run.js";

/** The names of options, with values that would change what a command does. */
const POLLUTION = {
  typed: true,
  pretty: true,
  canonical: true,
  framed: true,
  sequence: true,
  sizes: true,
  bigIntegers: true,
  from: "msgpack",
  to: "msgpack",
  schema: "polluted.ts",
  export: "Polluted",
  output: "polluted.out",
  force: true,
  limit: 1,
  maxDepth: 1,
  tags: { polluted: "yes" },
  name: "polluted",
  unit: "s",
  target: "go",
  package: "polluted",
  names: "polluted.json",
  runtime: "polluted",
  window: "1m",
  timeColumn: "polluted",
  valueColumns: "polluted",
  empty: "1",
  delimiter: ";",
  timeFormat: {},
  timeZone: {},
  histograms: 3,
  foot: "polluted",
};

const folder = emptyFolder();
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const polluter = file(
  "polluter.mjs",
  `for (const [name, value] of Object.entries(${JSON.stringify(POLLUTION)}))
    Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });`,
);
const json = file("a.json", '{"id":7,"items":[{"sku":"a"},{"sku":"b"}],"__proto__":{"x":1}}');
const schema = file(
  "player.mjs",
  'import { schema, u8, utf8 } from "@moonpack/pck";\nexport const Player = schema("Player", utf8("name"), u8("level"));\n',
);
const points = file("points.ndjson", '{"name":"load","tags":{"dc":"a"},"timestamp":1700000000000,"value":1}\n');

const samples = file("points.om", 'load{dc="a"} 1 1700000000\n# EOF\n');

const COMMANDS: string[][] = [
  ["convert", json, "--to", "ndjson"],
  ["inspect"],
  ["infer", json],
  ["emit", schema, "--target", "js"],
  ["series", "import", join(folder, "store"), points],
  ["series", "import", join(folder, "om-store"), samples],
  ["series", "export", join(folder, "om-store"), "--format", "openmetrics"],
];

function run(args: string[], env: Record<string, string> = {}): Promise<MeasuredRun> {
  return moonpackProcess(args, { cwd: emptyFolder(), input: Uint8Array.of(0x81, 0xa1, 0x61, 1), env });
}

test.each(COMMANDS)("%s %s", async (...args) => {
  const plain = await run(args.map((arg) => arg.replace(/store$/, "plain")));
  const polluted = await run(args, { NODE_OPTIONS: `--import ${pathToFileURL(polluter).href}` });
  expect(polluted.stderr.replaceAll("store", "plain")).toBe(plain.stderr);
  expect(polluted.stdout.toString().replaceAll("store", "plain")).toBe(plain.stdout.toString());
  expect(polluted.code).toBe(0);
});
