// The inputs of the playground as links and as texts that are kept, without its page.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BYTES_LINKS, type Entry } from "../src/playground/bytes/link.ts";
import { DEFAULT_SETTINGS, settingsOf, settingsText } from "../src/playground/bytes/settings.ts";
import { SCHEMA_LINKS } from "../src/playground/schema/link.ts";
import { keep, kept } from "../src/playground/shared/kept.ts";
import { contentIn, fragmentOf, isLink } from "../src/playground/shared/link.ts";
import { fragmentOf as fragmentOfTab, tabOf } from "../src/playground/shared/tabs.ts";

const ENTRY: Entry = { text: '{"a":"Zoë \u202e"}', form: "json", name: "", settings: "" };

/** The storage of a browser. */
class MapStorage {
  readonly texts = new Map<string, string>();
  getItem(key: string): string | null {
    return this.texts.get(key) ?? null;
  }
  setItem(key: string, text: string): void {
    this.texts.set(key, text);
  }
  removeItem(key: string): void {
    this.texts.delete(key);
  }
}

let storage: MapStorage;
beforeEach(() => {
  storage = new MapStorage();
  Object.defineProperty(globalThis, "sessionStorage", { value: storage, configurable: true });
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, "sessionStorage");
});

describe("links to bytes", () => {
  it("hold the input, open its tab, and not another tab", async () => {
    const fragment = await fragmentOf(BYTES_LINKS, ENTRY);
    expect(await contentIn(BYTES_LINKS, fragment)).toEqual(ENTRY);
    expect(tabOf(fragment)).toBe("bytes");
    expect(fragmentOfTab("bytes", fragment)).toBe(fragment);
    expect(isLink(BYTES_LINKS, fragment)).toBe(true);
    expect(isLink(SCHEMA_LINKS, fragment)).toBe(false);
  });

  it("that are cut, or hold a schema, are refused", async () => {
    const fragment = await fragmentOf(BYTES_LINKS, ENTRY);
    for (let end = "#bytes=1.".length; end < fragment.length; end++)
      await expect(contentIn(BYTES_LINKS, fragment.slice(0, end))).rejects.toThrow("not complete");
    const other = { ...{ schema: "", samples: "", older: "", chosen: "" }, ...{ name: "", headroom: "" } };
    const schema = await fragmentOf(SCHEMA_LINKS, other);
    await expect(contentIn(BYTES_LINKS, schema)).rejects.toThrow("not complete");
  });

  it("hold how the bytes are read, and nothing for the defaults", async () => {
    const settings = { ...DEFAULT_SETTINGS, sequence: true, format: "protobuf" } as const;
    expect(settingsOf(settingsText(settings))).toEqual(settings);
    expect(settingsText(DEFAULT_SETTINGS)).toBe("");
    const { form, text, name } = ENTRY;
    expect(await contentIn(BYTES_LINKS, await fragmentOf(BYTES_LINKS, { form, text, name }))).toEqual(ENTRY);
  });

  it("with settings of strangers are read with those that can be chosen", () => {
    for (const odd of [
      "",
      "{",
      "null",
      "[]",
      '"x"',
      '{"format":"__proto__","maxDepth":1e9,"sequence":1,"decode":{"int64":"x","strict":"yes"}}',
      '{"maxDepth":-1,"decode":null}',
    ])
      expect(settingsOf(odd), odd).toEqual(DEFAULT_SETTINGS);
    expect(settingsOf('{"decode":{"strict":true,"maps":"map"},"maxDepth":9}')).toEqual({
      ...DEFAULT_SETTINGS,
      maxDepth: 9,
      decode: { ...DEFAULT_SETTINGS.decode, strict: true, maps: "map" },
    });
  });
});

describe("an input", () => {
  it("is kept, each tab apart", () => {
    expect(kept(BYTES_LINKS)).toBeUndefined();
    keep(BYTES_LINKS, ENTRY);
    expect(kept(BYTES_LINKS)).toEqual(ENTRY);
    expect(kept(SCHEMA_LINKS)).toBeUndefined();
  });

  it("that is too long is not kept, and nor is the one before it", () => {
    keep(BYTES_LINKS, ENTRY);
    keep(BYTES_LINKS, { ...ENTRY, text: "x".repeat(1_000_001) });
    expect(kept(BYTES_LINKS)).toBeUndefined();
  });

  it("of another version, or broken, counts as none", () => {
    for (const text of ["", "{", "[]", "null", "5", '["a","b",3]', '["a","b","c","d","e"]', '{"0":"a"}']) {
      storage.setItem("playground-bytes", text);
      expect(kept(BYTES_LINKS), text).toBeUndefined();
    }
  });

  it("needs no storage", () => {
    Reflect.deleteProperty(globalThis, "sessionStorage");
    keep(BYTES_LINKS, ENTRY);
    expect(kept(BYTES_LINKS)).toBeUndefined();
  });
});
