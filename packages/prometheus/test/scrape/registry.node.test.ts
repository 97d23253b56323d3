/** Scrapes of registries in the process: prom-client's, and hostile ones. */
import { Counter, Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import type { MetricsRegistry } from "../../src/scrape/types.ts";
import { START, scraping } from "../harness/scraping.ts";
import { storedContent } from "../harness/stored-content.ts";

test.each([false, true])("prom-client, OpenMetrics: %s", (isOpen) =>
  scraping(async (given) => {
    const registry = new Registry();
    if (isOpen) registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never);
    const registers = [registry];
    new Counter({ name: "requests_total", help: "Requests.", labelNames: ["path"], registers }).inc(
      { path: "a\nb" },
      7,
    );
    new Histogram({ name: "took", help: "Time.", buckets: [1], registers }).observe(0.5);
    const { scrape } = given.target({ targets: [registry] });
    const state = await scrape();
    expect(state).toMatchObject({ url: "registry", labels: { instance: "localhost" }, samples: 5, health: "up" });
    const content = await storedContent(given.store, START);
    const rest = 'instance="localhost", job="scrape"';
    expect(content[`{__name__="requests_total", ${rest}, path="a\\nb"}`]).toEqual([[0, 7]]);
    expect(content[`{__name__="took_bucket", ${rest}, le="1.0"}`]).toEqual([[0, 1]]);
    expect(content[`{__name__="took_bucket", ${rest}, le="+Inf"}`]).toEqual([[0, 1]]);
    expect(content[`{__name__="up", ${rest}}`]).toEqual([[0, 1]]);
    const name = isOpen ? "requests" : "requests_total";
    expect(given.metadata.entries.get(name)).toEqual({ type: "counter", help: "Requests.", unit: "" });
  }));

test("registries that fail, that hang and that answer late", () =>
  scraping(async (given) => {
    let metrics: () => unknown = () => "a 1\n";
    const registry = { contentType: "text/plain", metrics: () => metrics() } as MetricsRegistry;
    const { scrape } = given.target({ targets: [registry], timeout: 500, maxBodyBytes: 2 ** 20 });
    expect(await scrape()).toMatchObject({ health: "up" });
    for (const [next, message] of [
      [() => Promise.reject(new Error("no\nmetrics")), /^no\\u000ametrics$/],
      [
        () => {
          throw "a text";
        },
        /^a text$/,
      ],
      [() => Promise.reject(undefined), /^undefined$/],
      [() => Promise.reject(null), /^null$/],
      [() => Promise.reject(Object.create(null)), /object/],
      [() => 5, /^metrics\(\) returned 5, not a text$/],
      [() => "a 1\n".repeat(2 ** 19), /larger than 1048576 bytes/],
      [() => "é".repeat(2 ** 19 + 1), /larger than 1048576 bytes/],
      [() => "a{", /^line 1/],
    ] as const) {
      metrics = next;
      const state = await scrape();
      expect(state.health).toBe("down");
      expect(state.lastError).toMatch(message);
    }
    let calls = 0;
    let end: (text: string) => void = () => {};
    metrics = () => {
      calls++;
      return new Promise((resolve) => {
        end = resolve as typeof end;
      });
    };
    expect((await scrape()).lastError).toBe("the scrape took longer than 500 ms");
    expect((await scrape()).lastError).toBe("an earlier call of metrics() has not ended");
    expect(calls).toBe(1);
    metrics = () => "a 2\n";
    // The late text belongs to no scrape.
    end("a 9\n");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await scrape()).toMatchObject({ health: "up" });
    const points = (await storedContent(given.store, START))['{__name__="a", instance="localhost", job="scrape"}'];
    expect(points).toEqual([
      [0, 1],
      [1000, "stale"],
      [12_000, 2],
    ]);
  }));

test("a long text is read in slices, and a stop does not wait for a registry that hangs", () =>
  scraping(async (given) => {
    const text = Array.from({ length: 6000 }, (_, i) => `a{i="${i}"} ${i}\n`).join("");
    const registry = { contentType: "text/plain", metrics: () => text as unknown };
    const { scrape } = given.target({ targets: [registry as MetricsRegistry] });
    expect(await scrape()).toMatchObject({ health: "up", samples: 6000 });
    const controller = new AbortController();
    registry.metrics = () => new Promise(() => {});
    const scraped = scrape(controller.signal);
    controller.abort();
    expect(await scraped).toMatchObject({ health: "up", lastScrape: START });
  }));
