import { spawn } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rows } from "./rows.js";
import { bin, emptyFolder, plainEnvironment, shellCode } from "./run.js";
import { folderWith } from "./schemas.js";

/** A command that keeps running, and its output since the last look. */
class Watching {
  readonly #child;
  readonly #ended: Promise<number | null>;
  #out = "";
  #said = "";

  constructor(cwd: string, args: readonly string[]) {
    this.#child = spawn(process.execPath, [bin, ...args], { cwd, env: plainEnvironment() });
    this.#child.stdout.on("data", (chunk) => {
      this.#out += chunk;
    });
    this.#child.stderr.on("data", (chunk) => {
      this.#said += chunk;
    });
    this.#ended = new Promise((resolve) => this.#child.on("close", (code, by) => resolve(shellCode(code, by))));
  }

  /** Waits until it is ready for the next change. Returns its output and errors since the last time. */
  async next(): Promise<{ readonly out: string; readonly said: string }> {
    while (!/^watching .*\n/m.test(this.#out)) {
      if (this.#child.exitCode !== null) throw new Error(`it ended: ${this.#out}${this.#said}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const result = { out: this.#out, said: this.#said };
    this.#out = "";
    this.#said = "";
    return result;
  }

  /** Sends the signal of Ctrl-C. Returns the exit code. */
  async interrupt(): Promise<number | null> {
    this.#child.kill("SIGINT");
    return await this.#ended;
  }

  get ended(): Promise<number | null> {
    return this.#ended;
  }
}

const field = (name: string) => `export const field: string = "${name}";\n`;

test("--watch writes again when the schema or a file that it imports changes, reports errors and continues, until Ctrl-C", async () => {
  const cwd = folderWith({
    "player.ts": `
      import { schema, u8 } from "@moonpack/pck";
      import { field } from "./parts/field.js";
      export default schema("Player", u8(field));`,
    "parts/field.ts": field("one"),
    "old.json": '{"pck":1,"root":"Player","structs":{"Player":{"fields":[]}}}',
  });
  const out = emptyFolder();
  const emitted = () => readFileSync(join(out, "player.ts"), "utf8");
  const watching = new Watching(cwd, ["emit", "player.ts", "--target", "ts", "--out", out, "--watch"]);
  const first = await watching.next();
  expect(first.out).toMatch(/player\.ts written\nwatching player\.ts and 1 imported file; press Ctrl-C to end\n$/);
  expect(emitted()).toMatch(/^ {2}one: number;$/m);

  writeFileSync(join(cwd, "parts/field.ts"), field("two"));
  const second = await watching.next();
  expect(second.out).toMatch(/^\nparts\/field\.ts changed\n.*player\.ts written\nwatching /);
  expect(emitted()).toMatch(/^ {2}two: number;$/m);

  writeFileSync(join(cwd, "parts/field.ts"), "syntax error(");
  const third = await watching.next();
  expect(third.said).toMatch(/^moonpack: cannot load .*player\.ts/);
  expect(emitted()).toMatch(/^ {2}two: number;$/m);

  // Editors save by replacing the file with another one.
  writeFileSync(join(cwd, "parts/.field.ts.part"), field("three"));
  renameSync(join(cwd, "parts/.field.ts.part"), join(cwd, "parts/field.ts"));
  expect((await watching.next()).said).toBe("");
  expect(emitted()).toMatch(/^ {2}three: number;$/m);

  writeFileSync(
    join(cwd, "player.ts"),
    `import { schema } from "@moonpack/pck";\nexport default schema("Player");\n// no imports any more`,
  );
  const last = await watching.next();
  expect(last.out).toMatch(/watching player\.ts; press Ctrl-C to end\n$/);
  expect(emitted()).toMatch(/export interface Player \{\n\}/);
  expect(await watching.interrupt()).toBe(130);
});

test("--watch also watches older schemas", async () => {
  const document = (type: string) =>
    `{"pck":1,"root":"Player","structs":{"Player":{"fields":[{"name":"a","type":"${type}"}]}}}`;
  const cwd = folderWith({ "new.json": document("u16"), "old.json": document("u8") });
  const out = emptyFolder();
  const args = ["emit", "new.json", "--older", "old.json", "--target", "ts", "--out", out, "--watch"];
  const watching = new Watching(cwd, args);
  await watching.next();
  writeFileSync(join(cwd, "old.json"), document("i8"));
  expect((await watching.next()).said).toMatch(/ERR_SCHEMA/);
  writeFileSync(join(cwd, "old.json"), document("u16"));
  expect((await watching.next()).out).toMatch(/old\.json changed\n.*player\.ts written/);
  expect(await watching.interrupt()).toBe(130);
});

test("--watch also watches the file of --names", async () => {
  const cwd = folderWith({
    "player.json": '{"pck":1,"root":"Player","structs":{"Player":{"fields":[{"name":"size","type":"u8"}]}}}',
    "names.json": "{}",
  });
  const args = ["emit", "player.json", "--target", "go", "--package", "game", "--names", "names.json", "--watch"];
  const watching = new Watching(cwd, args);
  expect((await watching.next()).said).toMatch(/would both be Size in Go/);
  writeFileSync(join(cwd, "names.json"), '{"Player.size": "Bytes"}');
  expect((await watching.next()).out).toMatch(/names\.json changed\npck\.go written/);
  expect(await watching.interrupt()).toBe(130);
});

test.each(
  rows([
    [["--target", "go"]],
    [[]],
    [["--region", "player.py"]],
    [["--region", "player.ts", "--name", "x"]],
    [["--target", "ts", "--runtime", "no path"]],
    [["--target", "go", "--package", "func"]],
  ]),
)("bad usage ends it at once, even if the schema is invalid: %j", async (args) => {
  const cwd = folderWith({
    "player.json": '{"pck":1,"root":"A","structs":{"A":{"fields":[]}}}',
    "broken.ts": "export const = 1;",
  });
  for (const schema of ["player.json", "broken.ts"])
    expect(await new Watching(cwd, ["emit", schema, ...args, "--watch"]).ended).toBe(2);
  expect(existsSync(join(cwd, "pck.go"))).toBe(false);
});
