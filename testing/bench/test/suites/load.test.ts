/**
 * Every way to load returns the dictionary, and a way that returns something else is detected. The dictionaries are as
 * the pages describe them.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "moonpack";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Case } from "../../src/suites/load/cases.ts";
import { checkCases } from "../../src/suites/load/check.ts";
import { type Dictionary, madeDictionary, parseSkk } from "../../src/suites/load/dictionary.ts";
import { sizesOf } from "../../src/suites/load/files.ts";
import { writeForms } from "../../src/suites/load/forms.ts";

describe("cases", () => {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-load-test-"));
  beforeAll(() => writeForms(folder, madeDictionary(300)));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("each returns the document", async () => {
    await checkCases(folder);
  });

  test("a different document is detected", async () => {
    const other: Case = { id: "other", title: "other", form: "json", ready: async () => () => ({}) };
    await expect(checkCases(folder, [other])).rejects.toThrow("other returns another document");
  });

  test("every form has its sizes", () => {
    for (const form of ["pretty", "json", "msgpack", "pck"])
      expect(Object.keys(sizesOf(folder, form)).sort()).toEqual(["gzip", "plain"]);
  });
});

test("the synthetic dictionary has more than 15 MB of MessagePack, some candidates with a note", () => {
  const dictionary = madeDictionary();
  expect(encode(dictionary).length).toBeGreaterThan(15_000_000);
  const candidates = Object.values(dictionary).flat();
  const noted = candidates.filter(({ note }) => note !== null).length;
  expect(noted / candidates.length).toBeCloseTo(1 / 6, 1);
});

/** Lines as in SKK-JISYO.L. They contain EUC-JP, which `TextDecoder` can read and no API writes. */
const SKK_LINES = [
  ";; -*- mode: fundamental; coding: euc-jp -*-",
  ";; okuri-ari entries.",
  "\xa4\xaa\xa4\xaak /\xc2\xbf/",
  ";; okuri-nasi entries.",
  "\xa4\xad\xa4\xb7\xa4\xe3 /\xb5\xad\xbc\xd4/\xb5\xa5\xbc\xd6;train/",
  "\xa4\xad\xa4\xb7\xa4\xe3 /\xb5\xa2\xbc\xd2/",
  "",
].join("\n");

test("lines of SKK are parsed: comments are left out, readings joined, notes separated", () => {
  const text = new TextDecoder("euc-jp", { fatal: true }).decode(Buffer.from(SKK_LINES, "latin1"));
  expect(parseSkk(text)).toEqual<Dictionary>({
    きしゃ: [
      { word: "記者", note: null },
      { word: "汽車", note: "train" },
      { word: "帰社", note: null },
    ],
    おおk: [{ word: "多", note: null }],
  });
});
