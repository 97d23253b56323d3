/** Completions of shells, from the definitions of the commands. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../src/commands/index.js";
import { rows } from "./rows.js";
import { emptyFolder, moonpack, plainEnvironment } from "./run.js";

async function scriptOf(shell: string): Promise<string> {
  const { code, stdout, stderr } = await moonpack(["completions", shell]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.toString();
}

describe.each(rows(["bash", "zsh", "fish"]))("%s", (shell) => {
  test("every command, and options with their values, are in the script", async () => {
    const script = await scriptOf(shell);
    for (const command of COMMANDS.keys()) expect(script).toContain(command);
    for (const command of ["import", "export", "migrate", "serve"]) expect(script).toContain(command);
    for (const option of ["big-integers", "fail-if", "time-zone", "no-color", "verbose"])
      expect(script).toContain(option);
    for (const value of ["victoriametrics", "rocksdb", "zipf", "tsdb-dump"]) expect(script).toContain(value);
  });

  test("quotes and braces are balanced", async () => {
    // A check of the text, for machines without this shell: each line is a whole command or part of a block.
    const lines = (await scriptOf(shell)).split("\n").filter((line) => !line.startsWith("#"));
    for (const line of lines) {
      const plain = line.replaceAll("'\\''", "").replaceAll(/\\./g, "");
      expect([line, (plain.match(/'/g) ?? []).length % 2]).toEqual([line, 0]);
    }
    const [open, close] = [/\{$/, /^ *\}$/].map((end) => lines.filter((line) => end.test(line)).length);
    expect(open).toBe(close);
  });
});

/** The shells of this machine. */
const installed = ["bash", "zsh", "fish"].filter((shell) => spawnSync(shell, ["--version"]).status === 0);

test.each(installed)("%s accepts the syntax", async (shell) => {
  const { status, stderr } = spawnSync(shell, ["-n"], { input: await scriptOf(shell) });
  expect([status, stderr.toString()]).toEqual([0, ""]);
});

/** Completes the last word of a command line in bash, as its Tab key does. */
async function completed(words: readonly string[]): Promise<string[]> {
  const program = `${await scriptOf("bash")}
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_moonpack
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync("bash", ["-c", program, "bash", "moonpack", ...words], {
    cwd: emptyFolder(),
    env: plainEnvironment(),
  });
  expect([status, stderr.toString()]).toEqual([0, ""]);
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}

test.runIf(installed.includes("bash")).each(
  rows<[string[], string[]]>([
    [["con"], ["convert"]],
    [["co"], ["convert", "compare", "completions"]],
    [["-q", "insp"], ["inspect"]],
    [["series", "im"], ["import"]],
    [["help", "ser"], ["series"]],
    [
      ["convert", "--from", "m"],
      ["msgpack", "message"],
    ],
    [["convert", "-t", "n"], ["ndjson"]],
    [["convert", "--big"], ["--big-integers"]],
    [
      ["series", "import", "m", "--ti"],
      ["--time-column", "--time-format", "--time-zone", "--timestamp"],
    ],
    [["series", "import", "m", "a.csv", "--unit", "u"], ["us"]],
    [["series", "export", "m", "--format", "tsdb"], []],
    [
      ["completions", ""],
      ["bash", "zsh", "fish"],
    ],
    [
      ["load", "http://a/", "--scenario", ""],
      ["get", "set", "mixed"],
    ],
    // Bash itself completes names of files.
    [["convert", "a"], []],
    [["convert", "--schema", "a"], []],
  ]),
)("bash completes %j", async (words, expected) => {
  expect((await completed(words)).sort()).toEqual([...expected].sort());
});
