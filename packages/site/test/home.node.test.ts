// The figures, the chart and the comparison of the home page. The oracles are the results of benchmarks and the libraries themselves.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as msgpackJavascript from "@msgpack/msgpack";
import * as moonpack from "moonpack";
import * as msgpackr from "msgpackr";
import { describe, expect, it } from "vitest";
import { converted, explained } from "../src/home/convert.ts";
import { stripOf } from "../src/home/strip.ts";
import { figureText, liveStrip, pillars, serviceRatios } from "../src/pictures/home.ts";
import { withPictures } from "../src/pictures/places.ts";
import { ratios } from "../src/pictures/ratios.ts";
import { figureOf, tableOf } from "../src/pictures/tables.ts";
import { BYTES_LINKS } from "../src/playground/bytes/link.ts";
import { contentIn } from "../src/playground/shared/link.ts";
import { root } from "../src/repository.ts";

const PAGE = "packages/site/src/pages/index.md";
const text = withPictures(PAGE, readFileSync(join(root, PAGE), "utf8"));

describe("the live strip", () => {
  it("has the bytes of its JSON, and the JSON of its bytes", () => {
    const found = converted('{ "id": 4711, "name": "Zoë" }');
    expect(found).toEqual({
      hex: "82 a2 69 64 cd 12 67 a4 6e 61 6d 65 a4 5a 6f c3 ab",
      back: '{"id":4711,"name":"Zoë"}',
      jsonBytes: Buffer.byteLength('{"id":4711,"name":"Zoë"}'),
      bytes: 17,
    });
    expect(converted("[9007199254740993]").back).toBe("[9007199254740993]");
  });

  it("says what is wrong", () => {
    expect(() => converted('{"a":')).toThrow();
    expect(() => converted(`"${"x".repeat(5000)}"`)).toThrow("The playground reads longer texts");
  });

  it("begins with figures that its own codec returns", () => {
    const tag = liveStrip().replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    const [, json = "", first = ""] = /json="([\s\S]*)" :first="(.*)" \/>/.exec(tag) ?? [];
    expect(JSON.parse(first)).toEqual(converted(json));
    expect(stripOf("[]", Uint8Array.of(0x90), "[]")).toEqual({ hex: "90", back: "[]", jsonBytes: 2, bytes: 1 });
  });

  it("leads to its bytes in the playground", async () => {
    expect(await contentIn(BYTES_LINKS, await explained("[1]"))).toEqual({ text: "[1]", form: "json", name: "" });
  });
});

describe("figures", () => {
  it("come from the results, and no comment is left for them", () => {
    const bundles = tableOf("size", "bundles");
    expect(text).toContain(`${(figureOf(bundles, "moonpack-decode", "gzip") / 1000).toFixed(1)} kB`);
    expect(text).not.toMatch(/<!-- (?:figure|picture)/);
    expect(figureText("service encode steady json-pack inverse")).toBe(
      `${(1 / figureOf(tableOf("service", "encode"), "steady", "json-pack")).toFixed(1)} times`,
    );
    expect(() => figureText("size bundles nothing gzip kB")).toThrow("lack gzip in bundles, nothing");
    expect(() => figureText("size bundles moonpack-both gzip miles")).toThrow("unknown form");
  });

  it("are not typed by hand", () => {
    const source = readFileSync(join(root, PAGE), "utf8").replace(/<!--[\s\S]*?-->/g, "");
    expect(source).not.toMatch(/\d[.,]?\d*\s?(?:kB|KB|bytes|×|times)/);
  });

  it("stand in three pillars, one in each", () => {
    expect(pillars().match(/<strong>[^<]+<\/strong>/g)?.length).toBe(3);
    const sizes = tableOf("pck", "sizes");
    expect(pillars()).toContain(`<strong>${figureOf(sizes, "pck", "player")} bytes</strong>`);
  });

  it("of losses stand left of 1, in their colour; of gains right of it", () => {
    const chart = ratios("x", "x", [
      {
        heading: "h",
        ratios: [
          { name: "a", value: 0.5 },
          { name: "b", value: 2 },
        ],
      },
    ]);
    const [middle] = [.../class="axis" d="M([\d.]+)/.exec(chart)!].slice(1).map(Number);
    const bars = [...chart.matchAll(/class="bar (\w+)" x="([\d.]+)" y="\d+" width="([\d.]+)"/g)];
    expect(bars.map(([, colour]) => colour)).toEqual(["loss", "ours"]);
    expect(Number(bars[0]![2]) + Number(bars[0]![3])).toBeCloseTo(middle!, 0);
    expect(Number(bars[1]![2])).toBeCloseTo(middle!, 0);
    // Half and twice are equally long.
    expect(Number(bars[0]![3])).toBeCloseTo(Number(bars[1]![3]), 0);
    expect(serviceRatios()).toContain("we are slower");
  });
});

describe("the comparison", () => {
  const rows = new Map(
    [...text.matchAll(/^\| ([^|]+) \| (.*) \|$/gm)].map(([, name = "", cells = ""]) => [
      name.trim(),
      cells.split(" | "),
    ]),
  );
  const libraries = [
    { encode: moonpack.encode, decode: moonpack.decode },
    { encode: msgpackr.pack, decode: msgpackr.unpack },
    { encode: msgpackJavascript.encode, decode: msgpackJavascript.decode },
    {
      encode: (value: unknown) => Buffer.from(JSON.stringify(value)),
      decode: (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString()) as unknown,
    },
  ];

  /** What the libraries that run here do with a value, in the order of the columns. */
  function kept(value: unknown, isSame: (back: unknown) => boolean): string[] {
    return libraries.map(({ encode, decode }) => {
      try {
        return isSame(decode(encode(value) as Uint8Array<ArrayBuffer>)) ? "yes" : "no";
      } catch {
        return "no";
      }
    });
  }

  /** The cells of the columns that run here. */
  function cells(row: string): string[] {
    const all = rows.get(row)!;
    return [all[0]!, all[1]!, all[2]!, all[5]!];
  }

  it("says what the libraries do", () => {
    expect(cells("any value, without a schema")).toEqual(
      kept({ a: [1] }, (back) => JSON.stringify(back) === '{"a":[1]}'),
    );
    expect(cells("dates").map((cell) => (cell === "yes" ? "yes" : "no"))).toEqual(
      kept(new Date(5), (back) => back instanceof Date && back.getTime() === 5),
    );
    expect(cells("bytes")).toEqual(kept(Uint8Array.of(1, 2), (back) => back instanceof Uint8Array && back[1] === 2));
    expect(cells("integers of 64 bits, exact by default")).toEqual(
      kept(2n ** 60n + 1n, (back) => back === 2n ** 60n + 1n),
    );
    expect(cells("a Map with keys of any type")).toEqual(
      kept(new Map([[1, 2]]), (back) => back instanceof Map && back.get(1) === 2),
    );
  });

  it("says which work without eval", () => {
    const program = `
      const { pack, unpack } = require("msgpackr"); const m = require("moonpack"); const j = require("@msgpack/msgpack");
      const rows = Array.from({ length: 100 }, (_, i) => ({ id: i, name: "x" }));
      for (const [e, d] of [[m.encode, m.decode], [pack, unpack], [j.encode, j.decode]])
        console.log(d(e(rows)).length);`;
    const args = ["--disallow-code-generation-from-strings", "-e", program];
    const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    expect(stdout).toBe("100\n100\n100\n");
    expect(cells("works without `eval`")).toEqual(["yes", "yes", "yes", "yes"]);
  });
});
