/** Jobs: when targets are scraped, and how a job ends. */
import { expect, test } from "vitest";
import { scraping, serving, until } from "../harness/scraping.ts";
import { storedContent } from "../harness/stored-content.ts";

const NEW = { health: "unknown", lastError: "", lastScrape: undefined, lastDuration: 0, samples: 0, refused: 0 };

test("each target is scraped once an interval, at a time of its own", () =>
  scraping(async (given) => {
    const labels = (i: number) => ({ instance: `i${i}` });
    const targets = Array.from({ length: 4 }, (_, i) => ({ target: given.url, labels: labels(i) }));
    const job = given.start({ targets, job: "test", interval: 200 });
    expect(job).toMatchObject({ job: "test", interval: 200, timeout: 200 });
    expect(job.targets).toEqual(
      targets.map((_, i) => ({ ...NEW, url: given.url, labels: { ...labels(i), job: "test" } })),
    );
    await until(() => job.targets.every(({ lastScrape }) => lastScrape !== undefined));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await job.stop();
    const content = await storedContent(given.store, 0);
    const offsets = new Set<number>();
    for (let i = 0; i < 4; i++) {
      const times = content[`{__name__="up", instance="i${i}", job="test"}`]!.slice(0, -1).map(([time]) => time);
      expect(times.length).toBeGreaterThan(2);
      for (let n = 1; n < times.length; n++) expect(times[n]! - times[n - 1]!).toBeGreaterThan(20);
      offsets.add(Math.min(...times.map((time) => time % 200)));
    }
    expect(offsets.size).toBeGreaterThan(1);
  }));

test("one target that hangs and one that fails: the others are scraped, and no scrapes of a target overlap", () =>
  scraping(async (given) => {
    let running = 0;
    let most = 0;
    let asked = 0;
    given.answer = (request, response) => {
      if (request.url === "/ok") return void response.end("a 1\n");
      if (request.url === "/fail") return void response.writeHead(500).end();
      asked++;
      most = Math.max(most, ++running);
      response.on("close", () => running--);
    };
    const at = (path: string) => ({ target: new URL(path, given.url), labels: { instance: path } });
    const targets = [at("/slow"), at("/fail"), "http://127.0.0.1:1/", at("/ok")];
    const job = given.start({ targets, interval: 60, timeout: 60 });
    await until(() => asked > 2 && job.targets[3]!.health === "up");
    const states = job.targets;
    expect(states.map(({ health }) => health).slice(0, 3)).toEqual(["down", "down", "down"]);
    expect(states[0]!.lastError).toBe("the scrape took longer than 60 ms");
    expect(most).toBe(1);
  }));

test("a stop aborts running scrapes, and ends all series", () =>
  scraping(async (given) => {
    const job = given.start({ interval: 300 });
    await until(() => job.targets[0]!.health === "up");
    let isAsked = false;
    given.answer = (_, response) => response.write("a 1\n", () => (isAsked = true));
    await until(() => isAsked);
    const before = performance.now();
    await Promise.all([job.stop(), job.stop()]);
    expect(performance.now() - before).toBeLessThan(150);
    const content = await storedContent(given.store, 0);
    expect(Object.keys(content).length).toBe(4);
    for (const points of Object.values(content)) {
      expect(points.filter(([, value]) => value === "stale")).toEqual([points.at(-1)]);
      expect(points.at(-1)![0]).toBeGreaterThan(points.at(-2)![0]);
    }
    given.answer = serving("a 2\n");
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await storedContent(given.store, 0)).toEqual(content);
  }));

test("a job that is stopped before its first scrape writes nothing", () =>
  scraping(async (given) => {
    await given.start({ interval: "1h" }).stop();
    await given.start({ targets: [] }).stop();
    expect(await storedContent(given.store, 0)).toEqual({});
  }));
