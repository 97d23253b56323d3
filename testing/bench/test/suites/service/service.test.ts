/** The parts of the suite service work together on small jobs, and every bar refers to a number in a table. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serviceBars } from "../../../src/bars/service.ts";
import { loadCorpus } from "../../../src/corpus/load.ts";
import { candidateOf, candidates, rivals } from "../../../src/suites/service/candidates.ts";
import type { StoredDocuments } from "../../../src/suites/service/documents.ts";
import { cutFragments, FRAGMENTS } from "../../../src/suites/service/fragments.ts";
import { check } from "../../../src/suites/service/jobs/check.ts";
import { rivalsInPages } from "../../../src/suites/service/page/candidates.ts";
import { GROUP, planOf } from "../../../src/suites/service/sequence.ts";
import { ShuffledRuns, workerOf } from "../../../src/suites/service/shuffled-runs.ts";
import { readDocuments, writeDocuments } from "../../../src/suites/service/stored.ts";
import { workloads } from "../../../src/workloads/index.ts";
import { Random } from "../../../src/workloads/random.ts";

const folder = mkdtempSync(join(tmpdir(), "moonpack-service-test-"));
let stored: StoredDocuments;
const corpus = loadCorpus();
beforeAll(() => {
  writeDocuments(folder);
  stored = readDocuments(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("the corpus is stored, in its order", () => {
  expect(stored.mixed).toHaveLength(corpus.length);
  for (const [index, { first, count, group }] of stored.mixed.entries()) {
    const kind = corpus[index]!;
    expect([group, count]).toEqual([kind.class, kind.documents.length]);
    expect(stored.value(first)).toStrictEqual(kind.documents[0]);
    expect(stored.value(first + count - 1)).toStrictEqual(kind.documents[count - 1]);
  }
});

describe("fragments", () => {
  const [pairs, texts] = cutFragments(corpus);

  test("are arrays of pairs of floats", () => {
    expect(pairs!.documents.length).toBeGreaterThan(30);
    for (const document of pairs!.documents as number[][][]) {
      expect(document.length).toBeGreaterThanOrEqual(8);
      expect(document.every((pair) => pair.length === 2 && pair.every((each) => !Number.isInteger(each)))).toBe(true);
    }
  });

  test("and lists of texts with 10 to 150 characters beyond ASCII", () => {
    expect(texts!.documents.length).toBeGreaterThan(10);
    for (const text of (texts!.documents as string[][]).flat()) {
      const count = text.replace(/[^\u0080-\uffff]/g, "").length;
      expect(count).toBeGreaterThanOrEqual(10);
      expect(count).toBeLessThanOrEqual(150);
    }
  });
});

describe.each(["decode", "encode"] as const)("candidates that %s", (operation) => {
  test.each(candidates.map(({ id }) => id))("%s reproduces the documents", (candidate) => {
    expect(check({ kind: "check", folder, operation, candidate, most: 1 })).toBe(true);
  });

  test("run each group in a shuffled order", () => {
    const workers = candidates.map((candidate) => workerOf(candidate, operation, stored)!);
    const messages = Array.from({ length: 2 * GROUP }, (_, index) => index * 7);
    const times = new ShuffledRuns(workers, new Random(1)).measure(messages);
    expect(Object.keys(times)).toEqual(candidates.map(({ id }) => id));
    for (const { micros } of Object.values(times)) expect(micros).toHaveLength(2);
  });
});

test("inputs of decoders are new bytes, and values of encoders new objects", () => {
  for (const operation of ["decode", "encode"] as const) {
    const { prepare } = workerOf(candidateOf("moonpack"), operation, stored)!;
    const [first, second] = [prepare([5])[0], prepare([5])[0]];
    expect(second).not.toBe(first);
    expect(second).toEqual(first);
  }
});

test("a candidate that changes a value is detected", () => {
  const candidate = candidateOf("json-pack");
  const broken = { ...candidate, create: () => ({ ...candidate.create(), decode: () => ({}) }) };
  const job = { kind: "check", folder, operation: "decode", candidate: "broken", most: 1 } as const;
  expect(() => check(job, broken)).toThrow("broken does not decode one of webhooks exactly");
});

test("every bar refers to a table, a row and a column that the suite has", () => {
  const tables = ["decode", "decode-classes", "encode", "encode-classes", "chromium"];
  const sections = planOf(true).sections.map(({ id }) => id);
  const inPages = ["decode", "encode"].flatMap((operation) => sections.map((id) => `${operation}-${id}`));
  const rows = [...sections, ...inPages, "worst", ...Object.keys(FRAGMENTS)] as string[];
  for (const { table, row, column } of serviceBars) {
    if (table === "company") {
      expect(workloads.map(({ id }) => id)).toContain(row);
      expect(column).toBe("all");
      continue;
    }
    expect(tables).toContain(table);
    expect(rows).toContain(row);
    expect((table === "chromium" ? rivalsInPages : rivals).map(({ id }) => id)).toContain(column);
  }
});
