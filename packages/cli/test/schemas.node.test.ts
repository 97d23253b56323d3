import { readFileSync } from "node:fs";
import { fingerprint, fromDocument, ivar, schema, toDocument } from "@moonpack/pck";
import { describe, expect, test } from "vitest";
import { rows } from "./rows.js";
import { moonpack, type Run } from "./run.js";
import { folderWith, PLAYER } from "./schemas.js";

const Point = schema("Point", ivar("x"), ivar("y"));
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const OLD = JSON.stringify({
  pck: 1,
  root: "Player",
  structs: {
    Player: {
      fields: [
        { name: "name", type: "utf8" },
        { name: "level", type: "u16" },
        { name: "team", type: { enumeration: ["red", "blue"] } },
      ],
    },
  },
});
const NEW = `
import { enumeration, omitNull, renamed, schema, u8, utf8 } from "@moonpack/pck";
export default schema("Player", renamed(utf8("title"), "name"), u8("level"), enumeration("team", "red", "green"), omitNull(u8("age")));
`;
const cwd = folderWith({
  "player.ts": PLAYER,
  "sub/game.js": `
    import { bundle, ivar, schema } from "@moonpack/pck";
    export const Point = schema("Point", ivar("x"), ivar("y"));
    export default bundle({ Inside: Point });`,
  "alone.mts": `import { ivar, schema } from "@moonpack/pck"; export const Point = schema(ivar("x") , ivar("y")); export enum A { B }`,
  "document.cjs": `module.exports = ${JSON.stringify(toDocument(Point))};`,
  "required.cjs": `const { ivar, schema } = require("@moonpack/pck"); module.exports = schema("Point", ivar("x"), ivar("y"));`,
  "named.cts": `const { ivar, schema } = require("@moonpack/pck"); exports.Point = schema("Point", ivar("x"), ivar("y"));`,
  "point.json": JSON.stringify(toDocument(Point)),
  "none.ts": "export const answer = 42;",
  "several.ts": `import { schema } from "@moonpack/pck"; export const A = schema("A"); export const B = schema("B");`,
  "throws.ts": 'import { schema } from "@moonpack/pck"; throw new Error("not today");',
  "syntax.ts": "export const = 1;",
  "empty.ts": `import { schema, utf8 } from "@moonpack/pck"; export default schema(utf8(""));`,
  "bad.json": '{"pck": 1, "root": "A", "structs": {}}',
  "text.json": '{"pck": 1,\n "root": }',
  "old.json": OLD,
  "new.ts": NEW,
});

async function run(...args: string[]): Promise<Run & { readonly out: string; readonly said: string }> {
  const result = await moonpack(args, { cwd });
  return { ...result, out: result.stdout.toString(), said: result.stderr.replaceAll(`${cwd}/`, "") };
}

describe("fingerprint", () => {
  test.each(
    rows([
      ["point.json"],
      ["alone.mts"],
      ["document.cjs"],
      ["required.cjs"],
      ["named.cts"],
      ["player.ts", "--export", "Point"],
      ["sub/game.js"],
      ["sub/game.js", "--export", "Inside"],
    ]),
  )("%s %s %s", async (...args) => {
    const { code, out, said } = await run("fingerprint", ...args.filter((arg) => arg !== undefined));
    expect([code, out, said]).toEqual([0, `${hex(fingerprint(Point))}\n`, ""]);
  });

  test("a module that imports every entry of moonpack and of PCK gets the CLI's own", async () => {
    const entries = ["moonpack", "pck"].flatMap((library) => {
      const manifest = readFileSync(new URL(`../../${library}/package.json`, import.meta.url), "utf8");
      const { name, exports } = JSON.parse(manifest) as { readonly name: string; readonly exports: object };
      const paths = Object.keys(exports).filter((path) => !/\/package\.json$/.test(path));
      return paths.map((path) => `${name}${path.slice(1)}`);
    });
    const source = entries.map((entry, i) => `import * as m${i} from ${JSON.stringify(entry)};`).join("\n");
    const pck = `m${entries.indexOf("@moonpack/pck")}`;
    const folder = folderWith({
      "all.ts": `${source}
        export default ${pck}.schema("Point", ${pck}.ivar("x"), ${pck}.ivar("y"));
        export const all = [${entries.map((_, i) => `m${i}`)}];`,
    });
    const { code, stdout, stderr } = await moonpack(["fingerprint", "all.ts"], { cwd: folder });
    expect([code, stdout.toString(), stderr]).toEqual([0, `${hex(fingerprint(Point))}\n`, ""]);
  });

  test("of a container: the head suffices", async () => {
    const container = readFileSync(new URL("../../../vectors/pck/container.jsonl", import.meta.url), "utf8");
    const { bytes, doc } = JSON.parse(container.slice(0, container.indexOf("\n")));
    const folder = folderWith({ "a.pck": Buffer.concat([Buffer.from(bytes, "hex"), Buffer.from([0x81])]) });
    const { stdout } = await moonpack(["fingerprint", "a.pck"], { cwd: folder });
    expect(stdout.toString()).toBe(`${hex(fingerprint(fromDocument(doc)))}\n`);
  });

  test.each(
    rows([
      [["none.ts"], "none.ts exports no schema\n"],
      [["several.ts"], "several.ts exports several schemas: choose one with --export A or --export B\n"],
      [["player.ts", "--export", "Team"], "player.ts exports no schema Team: choose one with --export Newer or "],
      [["throws.ts"], "cannot load throws.ts: not today"],
      [["syntax.ts"], "cannot load syntax.ts: "],
      [["empty.ts"], "empty.ts: ERR_SCHEMA: "],
      [["bad.json"], 'bad.json: ERR_SCHEMA: root: unknown struct "A"'],
      [["text.json"], 'text.json: ERR_INVALID_BYTE: expected a value, found "}" (at byte 20), line 2 column 10'],
    ]),
  )("an invalid schema: exit 1 and the reason: %j", async (args, text) => {
    const { code, out, said } = await run("fingerprint", ...args);
    expect([code, out]).toEqual([1, ""]);
    expect(said).toContain(`moonpack: ${text}`);
    expect(said).not.toMatch(/^\s+at /m);
  });
});

describe("compare", () => {
  test("a table of changes with both directions, then the reasons; exit 1 on a no", async () => {
    const { code, out } = await run("compare", "old.json", "new.ts");
    const [head, ...lines] = out.split("\n");
    expect(head).toMatch(/^change +where +what +new reads old +old reads new$/);
    expect(lines[0]).toMatch(/^renamed +Player\.title +was name +yes +no$/);
    expect(lines[1]).toMatch(/^changed +Player\.level +u16 became u8 +no +yes$/);
    expect(lines[2]).toMatch(/^changed +Player\.team +values added: green, values removed: blue +depends +depends$/);
    expect(lines[3]).toMatch(/^added +Player\.age +u8, omitNull +yes +yes$/);
    expect(lines[4]).toBe("");
    expect(lines.slice(5).filter((line) => line.startsWith("Player.level: "))).toHaveLength(1);
    expect(code).toBe(1);
  });

  test("no changes, or none that break anything: exit 0", async () => {
    const same = await run("compare", "point.json", "alone.mts");
    expect([same.code, same.out]).toEqual([0, "no changes: bytes and values are the same\n"]);
    const folder = folderWith({
      "a.json": OLD,
      "b.json": OLD.replace('"utf8"}', '"utf8"},{"name":"age","type":"u8","omit":["null"]}'),
    });
    const added = await moonpack(["compare", "a.json", "b.json"], { cwd: folder });
    expect(added.code).toBe(0);
    expect(added.stdout.toString()).toMatch(/^added +Player\.age +u8, omitNull +yes +yes$/m);
  });

  test("--json: one change per line", async () => {
    const { code, out } = await run("compare", "old.json", "new.ts", "--json");
    const changes = out.trimEnd().split("\n");
    expect(code).toBe(1);
    expect(JSON.parse(changes[1]!)).toMatchObject({ kind: "changed", path: "Player.level", newReadsOld: "no" });
    expect(changes.length).toBe(4);
  });
});
