/** The options of scrapes. */
import { caught } from "@moonpack/harness/caught.ts";
import { memory, openSeries } from "@moonpack/series";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { scrapeSettings } from "../../src/scrape/options.ts";
import { startScrapes } from "../../src/scrape/start.ts";
import type { ScrapeOptions } from "../../src/scrape/types.ts";
import { MetadataMap } from "../../src/store/metadata.ts";

const URL_TEXT = "http://localhost:9100/metrics";

test("defaults, and forms of targets", () => {
  const registry = new Registry();
  const targets = [
    URL_TEXT,
    new URL("https://a.example"),
    "http://[::1]/x",
    registry,
    { target: URL_TEXT, labels: { instance: "me" } },
  ];
  const settings = scrapeSettings({ targets });
  expect(settings).toMatchObject({ job: "scrape", interval: 15_000, timeout: 10_000, maxBodyBytes: 10 * 2 ** 20 });
  expect(settings.targets.map(({ labels }) => labels.instance)).toEqual([
    "localhost:9100",
    "a.example:443",
    "[::1]:80",
    "localhost",
    "me",
  ]);
  expect(settings.targets[3]!.source).toBe(registry);
  expect(scrapeSettings({ targets: [], interval: "5s" }).timeout).toBe(5000);
  expect(
    scrapeSettings({ targets: [URL_TEXT], labels: { job: "a", instance: "b" }, job: "c" }).targets[0]!.labels,
  ).toEqual({
    instance: "b",
    job: "c",
  });
});

test.each([
  [{}, /targets must be iterable/],
  [{ targets: URL_TEXT }, /targets must be iterable/],
  [{ targets: ["localhost:9100"] }, /"localhost:9100" is not a URL such as/],
  [{ targets: ["file:///etc/passwd"] }, /is not a URL such as/],
  [{ targets: [5] }, /a target must be a URL or a registry, not 5/],
  [{ targets: [{}] }, /a target must be a URL or a registry/],
  [{ targets: [{ target: URL_TEXT, label: {} }] }, /did you mean labels/],
  [{ targets: ["http://me:secret@localhost/"] }, /header authorization/],
  [{ targets: [{ target: URL_TEXT, headers: { "a b": "c" } }] }, /headers are not valid/],
  [{ targets: [{ target: URL_TEXT, labels: { a: 1 } }] }, /labels must be texts/],
  [{ targets: [URL_TEXT], labels: { __name__: "x" } }, /labels must be texts/],
  [{ targets: [URL_TEXT], labels: { a: "\ud800" } }, /labels must be texts/],
  [{ targets: [URL_TEXT, URL_TEXT] }, /two targets have the same labels: \{instance="localhost:9100", job="scrape"\}/],
  [{ targets: [], interval: "1x" }, /interval must be/],
  [{ targets: [], interval: 5 }, /at least 10 ms/],
  [{ targets: [], interval: "1s", timeout: "2s" }, /timeout must be at most 1000 ms/],
  [{ targets: [], job: "" }, /job must be a text/],
  [{ targets: [], honorLabels: 1 }, /honorLabels must be/],
  [{ targets: [], intervall: "1s" }, /did you mean interval/],
  [{ targets: [], maxBodyBytes: 0 }, /maxBodyBytes must be/],
])("%j", async (options, message) => {
  const store = await openSeries({ driver: memory() });
  const error = caught(() => startScrapes(store, new MetadataMap(), options as unknown as ScrapeOptions, () => {}));
  expect(error).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
  expect((error as Error).message).toMatch(message);
  await store.close();
});

test("a polluted Object.prototype makes no registry of an object, and no options", () => {
  const polluted = Object.prototype as Record<string, unknown>;
  try {
    polluted.metrics = () => "a 1\n";
    polluted.job = "polluted";
    polluted.headers = { a: "b" };
    expect((caught(() => scrapeSettings({ targets: [{} as never] })) as Error).message).toMatch(/must be a URL or/);
    const { job, targets } = scrapeSettings({ targets: [URL_TEXT] });
    expect(job).toBe("scrape");
    expect(targets[0]!.headers).toEqual({});
  } finally {
    delete polluted.metrics;
    delete polluted.job;
    delete polluted.headers;
  }
});
