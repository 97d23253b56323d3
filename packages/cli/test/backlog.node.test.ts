/** A conversion's memory and work do not grow with the data that has already passed through it. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, statSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ContainerWriter, schema, utf8 } from "@moonpack/pck";
import { encode } from "moonpack";
import { describe, expect, test } from "vitest";
import { convertBytes } from "./in-process.js";
import { rows } from "./rows.js";
import { bin, emptyFolder, moonpackProcess, plainEnvironment } from "./run.js";

/** Peak memory in MB. Holding back 256 values before writing them takes 290 MB and more. */
const LIMIT = 240;

/** Writes parts to a file. */
function writeParts(path: string, parts: Iterable<Uint8Array>): void {
  const file = openSync(path, "w");
  for (const part of parts) writeSync(file, part);
  closeSync(file);
}

describe("values of a megabyte and more are written as they arrive", () => {
  test.each(rows(["json", "msgpack"]))("an array of strings, to %s", async (to) => {
    const folder = emptyFolder();
    const [from, out] = [join(folder, "in.msgpack"), join(folder, `out.${to}`)];
    writeParts(
      from,
      (function* () {
        yield Uint8Array.of(0xdc, 0, 200);
        const item = encode("x".repeat(1_000_000));
        for (let i = 0; i < 200; i++) yield item;
      })(),
    );
    const { code, stderr, peak } = await moonpackProcess(["convert", from, out]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(statSync(out).size).toBeGreaterThan(200e6);
    expect(peak).toBeLessThan(LIMIT);
    rmSync(folder, { recursive: true });
  });

  test("values of a container", async () => {
    const folder = emptyFolder();
    const [from, out] = [join(folder, "in.pck"), join(folder, "out.ndjson")];
    const writer = new ContainerWriter(schema(utf8("text")));
    writeParts(
      from,
      (function* () {
        for (let i = 0; i < 63; i++) {
          writer.add({ text: "x".repeat(3_000_000) });
          yield writer.take();
        }
      })(),
    );
    const { code, stderr, peak } = await moonpackProcess(["convert", from, out]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(statSync(out).size).toBeGreaterThan(180e6);
    expect(peak).toBeLessThan(LIMIT);
    rmSync(folder, { recursive: true });
  });
});

test("a long line that arrives in pieces is searched once", async () => {
  const prototype = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
  const original = [prototype.lastIndexOf, Buffer.prototype.lastIndexOf] as const;
  const searchedIn = async (size: number): Promise<number> => {
    let searched = 0;
    for (const [owner, method] of [
      [prototype, original[0]],
      [Buffer.prototype, original[1]],
    ] as const) {
      owner.lastIndexOf = function (this: Uint8Array, ...args: unknown[]): number {
        searched += this.length;
        return Reflect.apply(method, this, args) as number;
      };
    }
    try {
      const line = Buffer.from(`"${"x".repeat(size)}"\n"y"\n`);
      const packed = await convertBytes(line, {
        from: "ndjson",
        to: "msgpack",
        chunk: 1000,
        wholeBytes: 500,
        pipe: true,
      });
      expect(packed.length).toBeGreaterThan(size);
    } finally {
      [prototype.lastIndexOf, Buffer.prototype.lastIndexOf] = original;
    }
    return searched;
  };
  expect(await searchedIn(100_000)).toBeLessThan(300_000);
  expect(await searchedIn(1_600_000)).toBeLessThan(4_800_000);
});

test.runIf(process.platform === "linux")("pack closes files that it cannot write", () => {
  const folder = emptyFolder();
  const files = Array.from({ length: 150 }, (_, i) => `${i}.json`);
  for (const name of files) {
    writeFileSync(join(folder, name), "[1]");
    symlinkSync("/dev/full", join(folder, name.replace("json", "msgpack")));
  }
  const command = [process.execPath, bin, "pack", ...files, "--out", folder];
  const limited = ["-c", 'ulimit -n 100 && exec "$@"', "sh", ...command];
  const { stderr } = spawnSync("sh", limited, { cwd: folder, encoding: "utf8", env: plainEnvironment() });
  expect(stderr.match(/no space left on the disk/g)?.length).toBe(150);
});
