/** Which reader and writer each condition of package.json gets, and what the small ones of pages refuse. */
import { readFileSync } from "node:fs";
import { collidingKeys, KINDS_OF_KEYS } from "@moonpack/harness/colliding-keys.ts";
import { build } from "esbuild";
import type * as Moonpack from "moonpack";
import { encode, Decoder as ServerDecoder } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { describe, expect, test } from "vitest";

const folder = new URL("..", import.meta.url);
const { imports } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8")) as {
  imports: Record<"#platform" | "#runtime", Record<string, { import: string; require: string }>>;
};

/** The package as a bundler with this condition sees it, with its own `complete`. */
async function bundled(...conditions: string[]): Promise<typeof Moonpack & { readonly complete: typeof complete }> {
  const contents = 'export * from "moonpack"; export { complete } from "moonpack/msgpack/features";';
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: new URL("test", folder).pathname },
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module"],
    conditions: ["import", ...conditions],
    external: ["node:*"],
    tsconfigRaw: "{}",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString("base64")}`);
}

const collides = (): Uint8Array => {
  const [keyOf] = Object.values(KINDS_OF_KEYS);
  return encode(new Map(collidingKeys(600, keyOf!).map((key) => [key, 0])));
};

describe("#platform", () => {
  test.each([
    ["node", "node", "node"],
    ["deno", "deno", "node"],
    ["bun", "bun", "node"],
    ["browser", "browser", "default"],
    ["workerd", "default", "default"],
    ["edge-light", "default", "default"],
    ["default", "default", "default"],
  ])("%s gets %s with import, %s with require", (condition, module, common) => {
    const files = { import: `./dist/platform-${module}.js`, require: `./dist/platform-${common}.cjs` };
    expect(imports["#platform"][condition]).toEqual(files);
  });

  test("all leaves export the same, some also what another leaf uses", async () => {
    const namesOf = async (file: string) => Object.keys((await import(new URL(file, folder).href)) as object);
    const names = await namesOf(imports["#platform"]["browser"]!.import);
    expect(names).toEqual(expect.arrayContaining(["asBuffer", "guardSlab", "readUtf8", "writeUtf8"]));
    for (const files of Object.values(imports["#platform"]))
      for (const file of Object.values(files)) expect(await namesOf(file), file).toEqual(expect.arrayContaining(names));
  });
});

describe("#runtime", () => {
  test.each([
    ["node", "on"],
    ["deno", "on"],
    ["bun", "on"],
    ["workerd", "edge"],
    ["edge-light", "edge"],
    ["default", "edge"],
    ["browser", "off"],
  ])("%s gets %s, with import and require", (condition, name) => {
    expect(imports["#runtime"][condition]).toEqual({ import: `./dist/${name}.js`, require: `./dist/${name}.cjs` });
  });

  test("workers of Cloudflare and Vercel, whose bundlers also set browser, get the complete ones", () => {
    const order = Object.keys(imports["#runtime"]);
    expect(order.indexOf("workerd")).toBeLessThan(order.indexOf("browser"));
    expect(order.indexOf("edge-light")).toBeLessThan(order.indexOf("browser"));
  });

  test.each([
    ["workerd", "browser"],
    ["edge-light"],
    [],
  ])("the complete ones with the conditions %s %s", async (...conditions) => {
    const { decode, encode } = await bundled(...conditions.filter((each) => each !== undefined));
    expect(decode(encode({ b: 1, a: 2 }, { canonical: true }), { strict: true })).toEqual({ a: 2, b: 1 });
    expect(() => decode(new Uint8Array([1]), { strictt: true } as object)).toThrow(/did you mean strict\?/);
  });
});

describe("pages", () => {
  test("strict, canonical and json need the engine, which is an import", async () => {
    const { decode, Decoder, encode, Encoder: PageEncoder, complete: engine } = await bundled("browser");
    for (const act of [
      () => decode(new Uint8Array([1]), { strict: true }),
      () => new Decoder({ strict: true }),
      () => encode(1, { canonical: true }),
      () => new PageEncoder({ fidelity: "json" }),
    ]) {
      expect(act).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
      expect(act).toThrow(/moonpack\/msgpack\/features/);
    }
    expect(() => decode(new Uint8Array([0xcd, 0, 5]), { strict: true, engine })).toThrow(/shortest/);
    expect(Object.keys(decode<object>(encode({ b: 1, a: 2 }, { canonical: true, engine })))).toEqual(["a", "b"]);
    expect(decode(encode({ at: new Date(0) }, { fidelity: "json", engine }))).toEqual({
      at: "1970-01-01T00:00:00.000Z",
    });
  });

  test("a wrong name is refused, without a suggestion", async () => {
    const { decode, encode } = await bundled("browser");
    expect(() => decode(new Uint8Array([1]), { maxdepth: 1 } as object)).toThrow('"maxdepth" is not a known option');
    expect(() => encode(1, { maxdepth: 1 } as object)).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
    );
  });

  test("deep values: by recursion, and a coded error where the call stack ends", async () => {
    const { decode, encode } = await bundled("browser");
    const nested = (n: number): Uint8Array => new Uint8Array(n + 1).fill(0x91, 0, n);
    expect(encode(decode(nested(512)))).toEqual(nested(512));
    expect(encode(decode(nested(1000), { maxDepth: 1000 }), { maxDepth: 1000 })).toEqual(nested(1000));
    expect(() => decode(nested(513))).toThrow(expect.objectContaining({ code: "ERR_LIMIT_DEPTH", offset: 512 }));
    const atEnd = (): unknown => {
      try {
        return atEnd();
      } catch {
        return decode(nested(400));
      }
    };
    try {
      atEnd();
    } catch (error) {
      expect(error).toMatchObject({ code: "ERR_LIMIT_DEPTH" });
    }
  });

  test("names that are array indices take no arrays, and keep their values", async () => {
    const { decode, encode } = await bundled("browser");
    for (const value of [{ 1023: 0 }, { 4294967294: 1, 5: 2 }, { a: 1, 0: 2 }])
      expect(decode(encode(value))).toEqual(value);
    const many = encode(Array.from({ length: 2000 }, () => ({ 1023: 0 })));
    const before = process.memoryUsage().heapUsed;
    const values = decode<unknown[]>(many);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(2000 * 4000);
    expect(values).toHaveLength(2000);
  });

  test("the engine brings the guards back; servers have them", async () => {
    const page = await bundled("browser");
    const bytes = collides();
    expect(page.decode(bytes)).toBeInstanceOf(Map);
    expect(() => page.decode(bytes, { engine: page.complete })).toThrow(/collide/);
    expect(() => new ServerDecoder().decode(bytes)).toThrow(/collide/);
    expect(() => page.decode(bytes, { engine: complete })).toThrow(/engine must be an Engine of this copy/);
  });
});
