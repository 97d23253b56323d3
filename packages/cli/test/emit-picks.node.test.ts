import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyFolder, moonpack } from "./run.js";
import { folderWith } from "./schemas.js";

const cwd = folderWith({
  "order.ts": `
    import { array, REF, ref, schema, u32, utf8 } from "@moonpack/pck";
    export const Header = schema("Header", utf8("tenant"), utf8("region"));
    export const Order = schema("Order", u32("id"), ref("header", Header), array("items", REF(schema("Item", utf8("sku")))));`,
});

async function run(...args: string[]) {
  const { code, stdout, stderr } = await moonpack(["emit", "order.ts", ...args], { cwd });
  return { code, out: stdout.toString(), said: stderr };
}

describe("emit --pick", () => {
  test("adds decoders of some fields; a field without a name has the last name of its path", async () => {
    const out = emptyFolder();
    const picks = [
      "--pick",
      "OrderRoute=Order{id, tenant:header.tenant,items.*.sku,items.*}",
      "--pick",
      "Region=Header{region}",
    ];
    expect(await run("--target", "ts", "--out", out, ...picks)).toMatchObject({ code: 0, said: "" });
    const text = readFileSync(join(out, "header.ts"), "utf8");
    expect(text).toContain(
      "export interface OrderRoute {\n  id: number;\n  tenant: string;\n  sku: string[];\n  items: Item[];\n}\n",
    );
    expect(text).toContain("export function decodeOrderRoute(bytes: BytesInput): OrderRoute {");
    expect(text).toContain("export interface Region {\n  region: string;\n}\n");
    expect(await run("--target", "ts", "--out", out, "--check", ...picks)).toMatchObject({ code: 0 });
    expect(await run("--target", "ts", "--out", out, "--check")).toMatchObject({ code: 1 });
  });

  test("a single schema needs no name", async () => {
    const out = emptyFolder();
    const picked = await run("--export", "Order", "--target", "js", "--out", out, "--pick", "Id={id}");
    expect(picked).toMatchObject({ code: 0, said: "" });
    expect(readFileSync(join(out, "order.js"), "utf8")).toContain("export function decodeId(bytes) {");
  });

  test.each([
    [["OrderRoute=Ordr{id}"], 'OrderRoute is of "Ordr", which is not emitted: did you mean Order?'],
    [["A=Order{header.tenent}"], '"tenent", which is not a field: did you mean tenant?'],
    [["A=Order{items.sku}"], 'at a list: "*" is every element'],
    [["A={id}"], 'needs the name of a schema in "of"'],
    [["Order=Order{id}"], "would declare Order twice"],
    [["A=Order{id,id}"], "A has the field id twice: name one of them, as in {other:id}"],
    [["A=Order{}"], "A needs paths in {}"],
    [["A=Order{x:}"], "A needs paths in {}"],
    [["A=Order"], "must be NAME=SCHEMA{PATHS}"],
    [["A=Order{id}", "A=Order{id}"], "has the name A twice"],
  ])("%j is bad usage", async (picks, message) => {
    const { code, said } = await run(
      "--target",
      "ts",
      "--out",
      emptyFolder(),
      ...picks.flatMap((pick) => ["--pick", pick]),
    );
    expect(said).toContain(message);
    expect(code).toBe(2);
  });

  test("regions have no picks", async () => {
    expect(await run("--region", "x.ts", "--pick", "A=Order{id}")).toMatchObject({
      code: 2,
      said: expect.stringContaining("--pick writes whole files"),
    });
  });
});
