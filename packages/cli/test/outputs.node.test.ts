import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { rows } from "./rows.js";
import { bin, emptyFolder, moonpack, plainEnvironment } from "./run.js";

const onPosix = process.platform !== "win32";
const hasBash = spawnSync("bash", ["--version"]).status === 0;
const onLinux = process.platform === "linux";

/** True if a folder can be made unwritable even for root. */
function canFreeze(): boolean {
  const folder = emptyFolder();
  const frozen = spawnSync("chattr", ["+i", folder]).status === 0;
  if (frozen) spawnSync("chattr", ["-i", folder]);
  return frozen;
}

const isRoot = process.getuid?.() === 0;
const freezes = isRoot && canFreeze();

test.runIf(onPosix && (!isRoot || freezes))("an old file in an unwritable folder is never lost", async () => {
  const cwd = emptyFolder();
  const folder = join(cwd, "frozen");
  mkdirSync(folder);
  const old = join(folder, "out.mp");
  writeFileSync(old, "old");
  if (isRoot) spawnSync("chattr", ["+i", folder]);
  else chmodSync(folder, 0o555);
  onTestFinished(() => {
    if (isRoot) spawnSync("chattr", ["-i", folder]);
    else chmodSync(folder, 0o755);
  });
  writeFileSync(join(cwd, "out.json"), "[1]");
  writeFileSync(join(cwd, "s.json"), '{"pck":1,"root":"Out","structs":{"Out":{"fields":[]}}}');
  for (const args of [
    ["convert", "out.json", "frozen/out.mp"],
    ["convert", "-", "frozen/out.mp", "--from", "json"],
    ["convert", "out.json", "frozen/new.mp"],
    ["pack", "out.json", "--out", "frozen"],
    ["emit", "s.json", "--target", "ts", "--out", "frozen"],
  ]) {
    const { code, stderr } = await moonpack(args, { cwd, input: "[1]" });
    expect([args, code]).toEqual([args, 1]);
    expect(stderr).toMatch(/^moonpack: cannot (write|replace) .*: permission denied/);
    expect(readFileSync(old, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["out.mp"]);
  }
});

describe.runIf(onPosix && hasBash)("descriptors that the shell has opened are used directly", () => {
  const run = (command: string, cwd = emptyFolder()) => {
    const moonpack = `"${process.execPath}" "${bin}"`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", command.replaceAll("MOONPACK", moonpack)], {
      cwd,
      env: plainEnvironment(),
      input: "[1,2]",
      timeout: 60_000,
    });
    return { cwd, status, text: stdout.toString("latin1"), stderr: stderr.toString() };
  };
  const PACKED = "\x92\x01\x02";

  test.each(
    rows([
      ["a pipe", "MOONPACK convert - /dev/stdout --from json | cat"],
      ["a socket", "MOONPACK convert - /dev/stdout --from json"],
      ["by its number", "MOONPACK convert - /dev/fd/1 --from json | cat"],
      ["another descriptor", "{ MOONPACK convert - /dev/fd/7 --from json 7>&1 >&2 | cat; }"],
      ["standard error", "MOONPACK convert - /dev/stderr --from json 2>&1 >/dev/null | cat"],
      ["as input", "MOONPACK convert /dev/stdin --from json | cat"],
      ["a pipe as input", "cat | MOONPACK convert /dev/fd/0 /dev/stdout --from json"],
      ["a substitution as input", "MOONPACK convert <(cat) --from json | cat"],
      ["a file as input", "cat > in.json; MOONPACK convert /dev/fd/6 --from json 6< in.json"],
      [
        "a substitution of a conversion",
        "cat > in; MOONPACK convert <(MOONPACK convert in --from json --to msgpack) --from msgpack --to msgpack",
      ],
    ]),
  )("%s", (_, command) => {
    const { status, text, stderr } = run(command);
    expect([stderr, status, text]).toEqual(["", 0, PACKED]);
  });

  test("a substitution as output", () => {
    const command = "{ MOONPACK convert - >(cat; echo end) --from json --to msgpack; } | cat";
    expect(run(command).text).toBe(`${PACKED}end\n`);
  });

  test("an open file is written from its position, not replaced", () => {
    const { cwd, text } = run(
      "{ echo before; MOONPACK convert - /dev/stdout --from json; echo after; } > out; cat out",
    );
    expect(text).toBe(`before\n${PACKED}after\n`);
    expect(readdirSync(cwd)).toEqual(["out"]);
  });

  test("a named pipe with bad data is read only once", () => {
    const bad = run("mkfifo pipe; echo '[1,x' > pipe & MOONPACK convert pipe - --from json --to msgpack");
    expect([bad.status, bad.stderr]).toEqual([
      1,
      `moonpack: ${join(bad.cwd, "pipe")}: ERR_INVALID_BYTE: expected a value, found "x" (at byte 3), line 1 column 4\n`,
    ]);
  });

  test("a named pipe as output", () => {
    expect(run("mkfifo pipe; cat pipe & MOONPACK convert - pipe --from json --to msgpack; wait").text).toBe(PACKED);
  });

  test("descriptors that Node opened for itself are errors", () => {
    // The first ones: epoll, pipes with both ends in the process, eventfd.
    for (const number of rows([3, 4, 5, 6, 8])) {
      const refused = `/dev/fd/${number}: no such open descriptor\n`;
      const unwritten = run(`MOONPACK convert - /dev/fd/${number} --from json`);
      expect([unwritten.status, unwritten.stderr]).toEqual([1, `moonpack: cannot write ${refused}`]);
      const unread = run(`MOONPACK convert /dev/fd/${number} --from json`);
      expect([unread.status, unread.stderr]).toEqual([1, `moonpack: cannot read ${refused}`]);
    }
  });

  test("a reader that closes early is not an error; a descriptor that is not open is one", () => {
    const early = run("yes 1 | head -n 500000 | MOONPACK convert - /dev/stdout --from ndjson | head -c 3");
    expect([early.stderr, early.text]).toEqual(["", "\x01\x01\x01"]);
    const none = run("MOONPACK convert - /dev/fd/77 --from json");
    expect([none.status, none.stderr]).toEqual([1, "moonpack: cannot write /dev/fd/77: no such open descriptor\n"]);
    const unread = run("MOONPACK convert /dev/fd/77 --from json");
    expect([unread.status, unread.stderr]).toEqual([1, "moonpack: cannot read /dev/fd/77: no such open descriptor\n"]);
  });
});

test.runIf(onLinux)("a full disk is an error, also for standard output", () => {
  const command = `echo "[1]" | "${process.execPath}" "${bin}" convert - --from json --to json > /dev/full`;
  const { status, stderr } = spawnSync("sh", ["-c", command], { env: plainEnvironment() });
  expect([status, stderr.toString()]).toEqual([
    1,
    "moonpack: cannot write standard output: no space left on the disk\n",
  ]);
});

test.runIf(onLinux)("creating a folder below /proc is an error, not an endless loop", async () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "s.json"), '{"pck":1,"root":"A","structs":{"A":{"fields":[]}}}');
  for (const args of [
    ["emit", "s.json", "--target", "ts", "--out", "/proc/moonpack/a"],
    ["pack", "s.json", "--out", "/proc/moonpack"],
  ]) {
    const { code, stderr } = await moonpack(args, { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^moonpack: cannot create the folder \/proc\/moonpack/);
  }
});

test.runIf(onPosix)("emit does not read a named pipe or device in the place of its output", async () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "s.json"), '{"pck":1,"root":"A","structs":{"A":{"fields":[]}}}');
  expect(spawnSync("mkfifo", [join(cwd, "a.ts")]).status).toBe(0);
  const { code, stderr } = await moonpack(["emit", "s.json", "--target", "ts"], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining("already exists and was not generated by moonpack")]);
});
