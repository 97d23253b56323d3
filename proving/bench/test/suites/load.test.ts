/**
 * Every way to load returns the dictionary, and one that does not is detected. The dictionaries are as the pages
 * describe them.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "moonpack";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Case, cases, type Load } from "../../src/suites/load/cases.ts";
import { ableCases } from "../../src/suites/load/check.ts";
import { type Dictionary, madeDictionary, parseSkk } from "../../src/suites/load/dictionary.ts";
import { fileOf, packZstd, sizesOf } from "../../src/suites/load/files.ts";
import { writeForms } from "../../src/suites/load/forms.ts";

describe("cases", () => {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-load-test-"));
  let zstd = false;
  beforeAll(() => {
    writeForms(folder, madeDictionary(300));
    zstd = packZstd(folder, (path) => readFileSync(path));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("each returns the document, or the bytes or text of its file", async () => {
    const expected = cases.filter(({ packing }) => packing !== "zstd" || zstd).map(({ id }) => id);
    expect(await ableCases(folder)).toEqual(expected);
  });

  test.each<[Case["gives"], Load]>([
    ["document", () => ({})],
    ["bytes", () => readFileSync(fileOf(folder, "json")).subarray(1)],
    ["bytes", () => undefined],
    ["text", () => readFileSync(fileOf(folder, "json"), "latin1")],
  ])("a different %s is detected", async (gives, load) => {
    const other: Case = { id: "other", title: "other", form: "json", gives, ready: async () => load };
    await expect(ableCases(folder, [other])).rejects.toThrow("other returns another document");
  });

  test("every form has its sizes", () => {
    const packings = zstd ? ["gzip", "plain", "zstd"] : ["gzip", "plain"];
    for (const form of ["pretty", "json", "msgpack", "pck"])
      expect(Object.keys(sizesOf(folder, form)).sort()).toEqual(packings);
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
