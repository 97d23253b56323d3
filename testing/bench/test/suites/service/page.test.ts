/** The mix in pages: its candidates, its documents, and browsers that are not installed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { loadCorpus } from "../../../src/corpus/load.ts";
import { decodeIndependently } from "../../../src/race/formats.ts";
import { ArrivingCopies } from "../../../src/suites/protobuf/inputs.ts";
import { sameValue } from "../../../src/suites/protobuf/verify.ts";
import { rivals } from "../../../src/suites/service/candidates.ts";
import type { StoredDocuments } from "../../../src/suites/service/documents.ts";
import { candidatesInPages, rivalsInPages } from "../../../src/suites/service/page/candidates.ts";
import { PAGE_DOCUMENTS, pagePlan } from "../../../src/suites/service/page/plan.ts";
import { browsersPart } from "../../../src/suites/service/parts/browsers.ts";
import type { PartRun } from "../../../src/suites/service/parts/part.ts";
import { drawSequence, GROUP } from "../../../src/suites/service/sequence.ts";
import { ShuffledRuns, workerOf } from "../../../src/suites/service/shuffled-runs.ts";
import { readDocuments, writeDocuments } from "../../../src/suites/service/stored.ts";
import { verify } from "../../../src/suites/service/verify.ts";
import { Random } from "../../../src/workloads/random.ts";

const folder = mkdtempSync(join(tmpdir(), "moonpack-service-page-test-"));
let stored: StoredDocuments;
beforeAll(() => {
  writeDocuments(folder, PAGE_DOCUMENTS);
  stored = readDocuments(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("the documents are the first of every kind", () => {
  const corpus = loadCorpus();
  expect(stored.mixed).toHaveLength(corpus.length);
  for (const [index, { first, count }] of stored.mixed.entries()) {
    const expected = corpus[index]!.documents.slice(0, PAGE_DOCUMENTS);
    expect(count).toBe(expected.length);
    expect(stored.value(first + count - 1)).toStrictEqual(expected.at(-1));
  }
});

test("other libraries have the same names as in processes", () => {
  const names = rivals.map(({ id }) => id);
  for (const { id } of rivalsInPages) expect(names).toContain(id);
});

describe.each(["decode", "encode"] as const)("candidates that %s", (operation) => {
  const judge = { isEqual: sameValue, decode: decodeIndependently };

  test.each(candidatesInPages)("$id reproduces the documents", (candidate) => {
    expect(() => verify(candidate, operation, stored, judge, 1)).not.toThrow();
  });

  test("are timed by the clock that they are given", () => {
    const workers = candidatesInPages.map((candidate) => workerOf(candidate, operation, stored, new ArrivingCopies())!);
    const time = (work: () => void) => {
      work();
      return { milliseconds: 0.25, interrupted: false };
    };
    const messages = drawSequence(stored.mixed, pagePlan, 1).slice(0, GROUP);
    const times = new ShuffledRuns(workers, new Random(1), time).measure(messages);
    expect(Object.values(times)).toEqual(candidatesInPages.map(() => ({ micros: [250], interrupted: [] })));
  });
});

describe("without browsers", () => {
  const run: PartRun = {
    quick: false,
    operations: ["decode"],
    processes: 1,
    folder,
    isFiltered: false,
    chooses: () => true,
  };
  beforeAll(() => {
    vi.stubEnv("PATH", "");
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });

  test("a whole run says how to install them before it measures anything", async () => {
    await expect(browsersPart.prepare!(run)).rejects.toThrow(
      "chromium is not installed: node scripts/runtimes.mjs chromium",
    );
  });

  test("only those that are chosen are needed", async () => {
    const only = { ...run, isFiltered: true, chooses: (name: string) => /firefox/.test(name) };
    await expect(browsersPart.prepare!(only)).rejects.toThrow("firefox is not installed");
  });

  test("a quick run leaves them out, unless the filter names them", async () => {
    const quick = { ...run, quick: true };
    expect(await browsersPart.prepare!(quick)).toBeUndefined();
    expect(await browsersPart.run(quick)).toEqual([]);
    await expect(browsersPart.prepare!({ ...quick, isFiltered: true })).rejects.toThrow("chromium is not installed");
  });
});
