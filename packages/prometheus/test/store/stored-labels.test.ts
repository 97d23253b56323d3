/** The form of labels in a store: every text is read back, and the store takes it. */
import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { expect, test } from "vitest";
import { Labels } from "../../src/eval/labels.ts";
import {
  isMarkerMetric,
  labelsOf,
  markerMetric,
  originalText,
  storedLabel,
  storedMetric,
  storedText,
} from "../../src/store/stored-labels.ts";

/** The characters at the borders of what is written in another form, and others. */
const CHARACTERS = [
  ...'\0\n\r\t\x1f \x7e\x7f\x80az"\\é',
  ..."\udfff\ud800\ue000\ue001\ue00a\ue01f\ue020\ue07e\ue07f\ue080\ue0fe\ue0ff\ue100\uf8ff\u{1f600}".split(""),
];
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what stores refuse.
const REFUSED = /[\0-\x1f\x7f]/;

test("vectors", () => {
  for (const [text, stored] of [
    ["", ""],
    ["GET /é", "GET /é"],
    ["a\nb\0", "a\ue00ab\ue000"],
    ["\x1f\x7f\x80", "\ue01f\ue07f\x80"],
    ["\ue000\ue0ff\ue100", "\ue0ff\ue000\ue0ff\ue0ff\ue100"],
    ["\u{1f600}\n", "\u{1f600}\ue00a"],
  ] as const) {
    expect(storedText(text)).toBe(stored);
    expect(originalText(stored)).toBe(text);
  }
});

test("each character alone and each pair is read back, and has one form", () => {
  const forms = new Set<string>();
  let count = 0;
  for (const a of ["", ...CHARACTERS])
    for (const b of CHARACTERS) {
      const stored = storedText(a + b);
      expect(REFUSED.test(stored)).toBe(false);
      expect(originalText(stored)).toBe(a + b);
      forms.add(stored);
      count++;
    }
  expect(forms.size).toBe(count);
});

test("random texts are read back, names of labels too", () => {
  const below = randomSource(35);
  for (let i = 0; i < share(5000); i++) {
    const parts = Array.from({ length: below(8) }, () =>
      below(6) === 0 ? "__stale__" : CHARACTERS[below(CHARACTERS.length)]!,
    );
    const text = parts.join("");
    expect(originalText(storedText(text))).toBe(text);
    expect(originalText(storedLabel(text))).toBe(text);
    expect(storedLabel(text)).not.toBe("__stale__");
  }
});

test("texts that other programs wrote are read as well as possible", () => {
  for (const text of ["\ue0ff", "a\ue0ff", "\ue020", "\ue0fe\ue080"]) expect(originalText(text)).toBe(text);
});

test("series become metrics, and metrics series", () => {
  const labels = { job: "a\nb", __stale__: "1", "\ue000": "\ue0ff" };
  const metric = storedMetric("up\t", labels);
  expect(metric).toEqual({
    name: "up\ue009",
    tags: { job: "a\ue00ab", "\ue0ff__stale__": "1", "\ue0ff\ue000": "\ue0ff\ue0ff" },
  });
  const same = Labels.of({ ...labels, __name__: "up\t" });
  expect(labelsOf(metric).key).toBe(same.key);
  expect(isMarkerMetric(metric)).toBe(false);
  const marker = markerMetric(metric);
  expect(marker).toEqual({ name: metric.name, tags: { ...metric.tags, __stale__: "1" } });
  expect(isMarkerMetric(marker)).toBe(true);
  expect(labelsOf(marker).key).toBe(same.key);
});

test("names of Object.prototype are labels like others", () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
  const labels = Object.fromEntries(names.map((name) => [name, `${name}\n`]));
  const metric = storedMetric("constructor", labels);
  expect(Object.keys(metric.tags)).toEqual(names);
  expect(Object.getPrototypeOf(metric.tags)).toBe(Object.prototype);
  expect(isMarkerMetric(metric)).toBe(false);
  const found = labelsOf(markerMetric(metric));
  for (const name of names) expect(found.get(name)).toBe(`${name}\n`);
  expect(found.get("__name__")).toBe("constructor");
  expect(found.names.length).toBe(6);
});

test("a tag cannot replace the name", () => {
  expect(labelsOf({ name: "up", tags: { __name__: "down" } }).get("__name__")).toBe("up");
});
