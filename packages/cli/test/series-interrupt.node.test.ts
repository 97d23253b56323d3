import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { bin, emptyFolder, moonpack, plainEnvironment, shellCode } from "./run.js";

const onPosix = process.platform !== "win32";

/** Interrupts an import that has been given 1,000 lines and waits for more, after some milliseconds. Returns what it says. */
async function interruptedAfter(cwd: string, milliseconds: number): Promise<string> {
  const child = spawn(process.execPath, [bin, "series", "import", "metrics", "--format", "line", "--unit", "ns"], {
    cwd,
    env: plainEnvironment(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.on("close", (code, by) => resolve(shellCode(code, by))));
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  child.stdin.on("error", () => {});
  child.stdin.write(Array.from({ length: 1000 }, (_, i) => `cpu load=${i} ${i}000000\n`).join(""));
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  return text;
}

test.runIf(onPosix)(
  "a signal ends an import: the points that were read are in the store and in the summary",
  async () => {
    // Nothing shows from outside how much has been read. A signal that comes before the first line is tried again, later.
    for (let wait = 1000; ; wait *= 2) {
      const cwd = emptyFolder();
      const text = await interruptedAfter(cwd, wait);
      const [, points, line] = /^([\d,]+) points imported into metrics, .* line (\d+)\n$/.exec(text) ?? [];
      if (points === undefined || line === undefined) {
        expect(["", "0 points imported into metrics, then interrupted\n"]).toContain(text);
        continue;
      }
      expect(text).toBe(
        `${points} points imported into metrics, then interrupted after standard input, line ${line}\n`,
      );
      expect(Number(points.replace(",", ""))).toBe(Number(line));
      const query = ["series", "query", "metrics", "cpu.load", "--reverse", "--limit", "1", "--json"];
      const { stdout } = await moonpack(query, { cwd });
      const last = Number(line) - 1;
      expect(JSON.parse(stdout.toString())).toMatchObject({ timestamp: last, value: last });
      return;
    }
  },
);
