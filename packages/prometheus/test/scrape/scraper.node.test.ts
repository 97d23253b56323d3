/** Scrapes of a target over HTTP: what is written, markers, failures and bounds. */
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type Answer, START, scraping, serving } from "../harness/scraping.ts";
import { storedContent } from "../harness/stored-content.ts";

const OPEN = "application/openmetrics-text; version=1.0.0; charset=utf-8";

test("samples, the health of the target and metadata", () =>
  scraping(async (given) => {
    given.answer = serving('# HELP a_total Things.\n# TYPE a_total counter\na_total{x="1"} 5\na_total{x="2\\n"} NaN\n');
    const { scrape } = given.target({ job: "test", labels: { env: "dev" } });
    const state = await scrape();
    const labels = { instance: given.instance, env: "dev", job: "test" };
    expect(state).toEqual({
      url: given.url,
      labels,
      health: "up",
      lastError: "",
      lastScrape: START,
      lastDuration: state.lastDuration,
      samples: 2,
      refused: 0,
    });
    await scrape();
    const rest = `env="dev", instance="${given.instance}", job="test"`;
    const content = await storedContent(given.store, START);
    const seconds = content[`{__name__="scrape_duration_seconds", ${rest}}`]!.map(([, value]) => Number(value));
    expect(seconds[0]).toBe(state.lastDuration / 1000);
    expect(Math.min(...seconds)).toBeGreaterThan(0);
    expect(Math.max(...seconds)).toBeLessThan(9);
    const twice = (value: number) => [
      [0, value],
      [1000, value],
    ];
    expect(content).toEqual({
      [`{__name__="a_total", ${rest}, x="1"}`]: twice(5),
      [`{__name__="a_total", ${rest}, x="2\\n"}`]: twice(Number.NaN),
      [`{__name__="up", ${rest}}`]: twice(1),
      [`{__name__="scrape_samples_scraped", ${rest}}`]: twice(2),
      [`{__name__="scrape_duration_seconds", ${rest}}`]: [
        [0, seconds[0]],
        [1000, seconds[1]],
      ],
    });
    expect(given.metadata.entries.get("a_total")).toEqual({ type: "counter", help: "Things.", unit: "" });
  }));

test("a series that goes gets one marker, and may come back", () =>
  scraping(async (given) => {
    const { scrape } = given.target();
    for (const text of ["a 1\nb 1\n", "a 2\n", "a 3\n", "b 4\na 4\n"]) {
      given.answer = serving(text);
      await scrape();
    }
    expect(await given.points("a")).toEqual([1, 2, 3, 4].map((value, i) => [1000 * i, value]));
    expect(await given.points("b")).toEqual([
      [0, 1],
      [1000, "stale"],
      [3000, 4],
    ]);
  }));

const PACKED = gzipSync(Buffer.alloc(1e7, "#"));

const FAILURES: readonly (readonly [string, Answer, RegExp])[] = [
  ["a status", (_, response) => response.writeHead(503).end("a 9\n"), /^the server answered with the status 503$/],
  ["a line that is not valid", serving("a 9\nb\n"), /^line 2, column 2: /],
  ["OpenMetrics without its end", serving("a 9\n", OPEN), /does not end in # EOF/],
  ["another type", serving("<html>", "text/html"), /^the text has the type "text\/html": it is not of metrics$/],
  ["a connection that is closed", (_, response) => response.destroy(), /^fetch failed: /],
  ["a body that is cut", (_, response) => void response.write("a 9\n", () => response.destroy()), /^terminated/],
  ["a long text", serving(`a 1\n${"# x\n".repeat(250)}`), /larger than 1000 bytes/],
  [
    "a long text in few bytes",
    (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(PACKED),
    /larger than 1000 bytes/,
  ],
  ["a body that does not end", (_, response) => void response.write("a 1\n"), /longer than 200 ms/],
  ["no answer", () => {}, /longer than 200 ms/],
];

test.each(FAILURES)("%s: markers for the series, up is 0; then the target recovers", (_, answer, message) =>
  scraping(async (given) => {
    const { scrape, end } = given.target({
      maxBodyBytes: 1000,
      timeout: String(message).includes("200") ? 200 : 10_000,
    });
    given.answer = serving(`a 1\n${"# x\n".repeat(249)}`);
    // A busy machine may need longer than the timeout.
    for (let i = 0; i < 20 && (await scrape()).health === "down"; i++);
    const from = (await given.points("up")).length;
    given.answer = answer;
    const state = await scrape();
    expect(state).toMatchObject({ health: "down", samples: 0 });
    expect(state.lastError).toMatch(message);
    given.answer = serving("a 1\n");
    for (let i = 0; i < 20 && (await scrape()).health === "down"; i++);
    await end();
    const values = async (name: string) => (await given.points(name)).map(([, value]) => value);
    expect((await values("up")).slice(from - 1, from + 1)).toEqual([1, 0]);
    expect((await values("up")).slice(-2)).toEqual([1, "stale"]);
    expect((await values("scrape_samples_scraped")).slice(from - 1, from + 1)).toEqual([1, 0]);
    expect((await values("a")).slice(0, 2)).toEqual([1, "stale"]);
    expect((await values("a")).slice(-2)).toEqual([1, "stale"]);
    expect(await values("a")).not.toContain(9);
  }));

test("an aborted scrape writes nothing; the end of the target ends all series", () =>
  scraping(async (given) => {
    const { scrape, end } = given.target();
    await scrape();
    const controller = new AbortController();
    given.answer = (_, response) => response.write("a 1\n", () => controller.abort());
    expect(await scrape(controller.signal)).toMatchObject({ health: "up", lastScrape: START });
    const before = Date.now();
    await end();
    for (const points of Object.values(await storedContent(given.store, START))) {
      expect(points.length).toBe(2);
      expect(points[1]![1]).toBe("stale");
      expect(points[1]![0] + START).toBeGreaterThan(before - 1);
    }
  }));

test("timestamps of the text are kept, and such series get no markers", () =>
  scraping(async (given) => {
    const text = `a 1 ${START - 5}\na 2 ${START - 4}\nb 3 ${START}\nc 4\n`;
    const { scrape, end } = given.target();
    given.answer = serving(text);
    expect(await scrape()).toMatchObject({ health: "up", samples: 4 });
    given.answer = serving("");
    await scrape();
    await end();
    expect(await given.points("a")).toEqual([
      [-5, 1],
      [-4, 2],
    ]);
    expect(await given.points("b")).toEqual([[0, 3]]);
    expect(await given.points("c")).toEqual([
      [0, 4],
      [1000, "stale"],
    ]);
    // OpenMetrics has seconds.
    given.answer = serving(`a 4 ${START / 1000}\n# EOF\n`, OPEN);
    await given.target({ job: "open" }).scrape();
    expect(await given.points("a", "open")).toEqual([[0, 4]]);
    given.answer = serving(text);
    const other = given.target({ job: "other", honorTimestamps: false });
    await other.scrape();
    given.answer = serving("");
    await other.scrape();
    expect(await given.points("a", "other")).toEqual([
      [0, 1],
      [1000, "stale"],
    ]);
  }));

test("labels of the text and of the target", () =>
  scraping(async (given) => {
    given.answer = serving(
      'a{job="own",instance="",x="1"} 1\nb{job="own",exported_job="mine",empty=""} 2\na{x="1",job="own",instance=""} 3\n',
    );
    await given.target({ job: "ours" }).scrape();
    await given.target({ job: "honored", honorLabels: true, labels: { extra: "e" } }).scrape();
    const own = `instance="${given.instance}"`;
    const content = await storedContent(given.store, START);
    const found = Object.entries(content).filter(([name]) => /"[ab]"/.test(name));
    expect(Object.fromEntries(found)).toEqual({
      // Of two samples of a series the first one counts.
      [`{__name__="a", exported_job="own", ${own}, job="ours", x="1"}`]: [[0, 1]],
      '{__name__="a", extra="e", job="own", x="1"}': [[0, 1]],
      [`{__name__="b", exported_exported_job="own", exported_job="mine", ${own}, job="ours"}`]: [[0, 2]],
      [`{__name__="b", exported_job="mine", extra="e", ${own}, job="own"}`]: [[0, 2]],
    });
  }));

test("bounds of buckets and quantiles have one form", () =>
  scraping(async (given) => {
    given.answer = serving(
      '# TYPE h histogram\nh_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\n# TYPE s summary\ns{quantile="0.50"} 1\n# TYPE g gauge\ng{le="1"} 1\n',
    );
    await given.target().scrape();
    const names = Object.keys(await storedContent(given.store, START));
    const ends = `instance="${given.instance}", job="scrape"`;
    for (const name of [
      `{__name__="h_bucket", ${ends}, le="1.0"}`,
      `{__name__="h_bucket", ${ends}, le="+Inf"}`,
      `{__name__="s", ${ends}, quantile="0.5"}`,
      `{__name__="g", ${ends}, le="1"}`,
    ])
      expect(names).toContain(name);
  }));

test("headers, gzip", () =>
  scraping(async (given) => {
    let seen: Record<string, unknown> = {};
    given.answer = ({ headers }, response) => {
      seen = { ...headers };
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("a 1\n"));
    };
    const headers = { authorization: "Bearer x" };
    const target = { target: new URL(given.url), headers, labels: { instance: given.instance } };
    expect(await given.target({ targets: [target] }).scrape()).toMatchObject({ health: "up", samples: 1 });
    expect(seen).toMatchObject({ ...headers, "x-prometheus-scrape-timeout-seconds": "10" });
    expect(seen.accept).toMatch(/^application\/openmetrics-text;version=1.0.0;q=0.8,text\/plain;version=0.0.4;q=0.6/);
    expect(seen["accept-encoding"]).toMatch(/gzip/);
    expect(await given.points("a")).toEqual([[0, 1]]);
  }));

test("failures of the store are in the state, and end nothing", () =>
  scraping(
    async (given) => {
      given.answer = serving(`a 1\nb 2 ${Date.now() - 7_200_000}\n`);
      const { scrape, end } = given.target();
      const state = await scrape();
      expect(state).toMatchObject({ health: "up", refused: 1 });
      expect(state.lastError).toMatch(/"b": the timestamp \d+ is too old/);
      // A metric that is deleted is registered again.
      const a = { name: "a", tags: { instance: given.instance, job: "scrape" } };
      await given.store.delete({ metric: a });
      await scrape();
      expect(await given.points("a")).toEqual([[1000, 1]]);
      await given.store.close();
      expect((await scrape()).lastError).toMatch(/^the samples were not written: .*closed/);
      await end();
    },
    { retention: "1h" },
  ));
