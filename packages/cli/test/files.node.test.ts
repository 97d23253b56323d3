import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { decode, encode } from "moonpack";
import { describe, expect, test } from "vitest";
import { rows } from "./rows.js";
import { bin, emptyFolder, fileOf, moonpack, plainEnvironment, shellCode } from "./run.js";

const onPosix = process.platform !== "win32";

describe("the output replaces a file only when it is complete", () => {
  test("bad data leaves the old file, and nothing beside it", async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, "out.mp"), "old");
    const { code } = await moonpack(["convert", "-", "out.mp"], { cwd: folder, input: `[${"1,".repeat(400_000)}x]` });
    expect(code).toBe(1);
    expect(readFileSync(join(folder, "out.mp"), "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["out.mp"]);
  });

  test("the output may be the input file", async () => {
    const path = fileOf("data.json", '{"a":[1,2]}');
    expect((await moonpack(["convert", path, path, "--pretty"])).code).toBe(0);
    expect(readFileSync(path, "utf8")).toBe('{\n  "a": [\n    1,\n    2\n  ]\n}\n');
  });

  test.runIf(onPosix)("permissions are kept, and a link stays a link", async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, "real.mp"), "old");
    chmodSync(join(folder, "real.mp"), 0o640);
    symlinkSync("real.mp", join(folder, "link.mp"));
    expect((await moonpack(["convert", "-", "link.mp"], { cwd: folder, input: "[]" })).code).toBe(0);
    expect(readlinkSync(join(folder, "link.mp"))).toBe("real.mp");
    expect(lstatSync(join(folder, "link.mp")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "real.mp"))).toEqual(Buffer.from([0x90]));
    expect(statSync(join(folder, "real.mp")).mode & 0o777).toBe(0o640);
  });

  test.runIf(onPosix)("a device is written to, not replaced", async () => {
    expect((await moonpack(["convert", "-", "/dev/null", "--to", "msgpack"], { input: "[]" })).code).toBe(0);
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });
});

describe("files that cannot be opened: exit 1 and a plain text", () => {
  test.each(
    rows<[string, string[], string]>([
      ["no input", ["convert", "missing.json"], "cannot read .*missing.json: no such file or folder"],
      ["a folder", ["convert", "folder.json"], "cannot read .*folder.json: it is a folder, not a file"],
      [
        "no folder for the output",
        ["convert", "in.json", "no/out.mp"],
        "cannot write .*out.mp: no such file or folder",
      ],
      [
        "a folder as output",
        ["convert", "in.json", "folder.json"],
        "cannot write .*folder.json: it is a folder, not a file",
      ],
      ["inspect", ["inspect", "missing.mp"], "cannot read .*missing.mp: no such file or folder"],
      ["bench", ["bench", "missing.mp"], "cannot read .*missing.mp: no such file or folder"],
      ["pack", ["pack", "missing.json"], "cannot read .*missing.json: no such file or folder"],
      ["a schema", ["fingerprint", "missing.ts"], "cannot read .*missing.ts: no such file or folder"],
      ["a container", ["convert", "missing.pck"], "cannot read .*missing.pck: no such file or folder"],
      [
        "pack into a file",
        ["pack", "in.json", "--out", "in.json"],
        "cannot create the folder .*in.json: a file with that name already exists",
      ],
    ]),
  )("%s", async (_, args, text) => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, "folder.json"));
    writeFileSync(join(cwd, "in.json"), "[]");
    const { code, stderr } = await moonpack(args, { cwd });
    expect(stderr).toMatch(new RegExp(`^moonpack: ${text}\n$`));
    expect(code).toBe(1);
  });
});

describe("signals and pipes", () => {
  const signals: [NodeJS.Signals, number][] = onPosix
    ? [
        ["SIGINT", 130],
        ["SIGTERM", 143],
      ]
    : [];

  test.each(rows(signals))("%s in the middle leaves no partial file, exit %i", async (signal, exit) => {
    const cwd = emptyFolder();
    const temporary = emptyFolder();
    const child = spawn(process.execPath, [bin, "convert", "-", "out.mp", "--from", "json"], {
      cwd,
      env: { ...plainEnvironment(), TMPDIR: temporary },
      stdio: ["pipe", "ignore", "inherit"],
    });
    const ended = new Promise((resolve) => child.on("close", (code, by) => resolve(shellCode(code, by))));
    child.stdin.on("error", () => {});
    child.stdin.write(`[${"1,".repeat(2_000_000)}`);
    while (readdirSync(cwd).length === 0 || readdirSync(temporary).length === 0)
      await new Promise((go) => setTimeout(go, 20));
    child.kill(signal);
    expect(await ended).toBe(exit);
    expect([readdirSync(cwd), readdirSync(temporary)]).toEqual([[], []]);
  });

  test("a finished conversion leaves no temporary file", async () => {
    const temporary = emptyFolder();
    const { code, stdout } = await moonpack(["convert", "--from", "json"], {
      env: { TMPDIR: temporary },
      input: `[${"1,".repeat(1_000_000)}1]`,
    });
    expect([code, stdout.length, readdirSync(temporary)]).toEqual([0, 1_000_006, []]);
  });

  test("a reader that closes early is not an error", async () => {
    const input = fileOf("many.mp", encode(Array.from({ length: 300_000 }, (_, id) => ({ id, name: "x".repeat(20) }))));
    for (const args of [
      ["convert", input, "--to", "json"],
      ["inspect", input],
    ]) {
      const child = spawn(process.execPath, [bin, ...args], {
        env: plainEnvironment(),
        stdio: ["ignore", "pipe", "pipe"],
      });
      let stderr = "";
      child.stderr.on("data", (chunk: Buffer) => {
        stderr += chunk.toString();
      });
      child.stdout.once("data", () => child.stdout.destroy());
      const code = await new Promise((resolve) => child.on("close", resolve));
      expect([code, stderr]).toEqual([0, ""]);
    }
  });
});

describe("pack", () => {
  test("packs, reads back, prints a table of at most 120 columns", async () => {
    const cwd = emptyFolder();
    const value = { a: [1, 2.5, "drei", null, { __proto__x: true }], big: "9" };
    writeFileSync(join(cwd, "one.json"), JSON.stringify(value));
    writeFileSync(join(cwd, "two.json"), '\ufeff[9007199254740993, -0, {"__proto__": 1}, 1e99]\n');
    const { code, stdout, stderr } = await moonpack(["pack", "one.json", "two.json", "--out", "a/b"], { cwd });
    expect([code, stderr]).toEqual([0, ""]);
    const text = stdout.toString();
    expect(text).toMatch(/^one\.json .* equal$/m);
    expect(text).toMatch(/^two\.json .* equal$/m);
    expect(text).toContain(`2 files packed into ${join("a", "b")}: `);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
    expect(decode(readFileSync(join(cwd, "a/b/one.msgpack")))).toEqual(value);
    expect(readFileSync(join(cwd, "a/b/two.msgpack")).toString("hex")).toMatch(/^94cf0020000000000001ca80000000/);
  });

  test("a file with invalid JSON is named with line and column, exit 1; the others are packed", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "good.json"), "[1]");
    writeFileSync(join(cwd, "bad.json"), "[1,\n2");
    writeFileSync(join(cwd, "worse.json"), "hello");
    const { code, stdout, stderr } = await moonpack(["pack", "bad.json", "good.json", "worse.json"], { cwd });
    expect(code).toBe(1);
    expect(stdout.toString()).toMatch(/^good\.json .* equal$/m);
    expect(stderr).toBe(
      `moonpack: ${join(cwd, "bad.json")}: ERR_TRUNCATED: expected "," or "]", but the text ends (at byte 5), line 2 column 2\n` +
        `moonpack: ${join(cwd, "worse.json")}: ERR_INVALID_BYTE: expected a value, found "h" (at byte 0), line 1 column 1\n`,
    );
    expect(existsSync(join(cwd, "out/good.msgpack"))).toBe(true);
    expect(readdirSync(join(cwd, "out"))).toEqual(["good.msgpack"]);
  });

  test("two files with one name are not packed into one file", async () => {
    const cwd = emptyFolder();
    for (const folder of ["x", "y"]) {
      mkdirSync(join(cwd, folder));
      writeFileSync(join(cwd, folder, "data.json"), "1");
    }
    const { code, stderr } = await moonpack(["pack", "x/data.json", "y/data.json"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("would both be written to");
  });
});
