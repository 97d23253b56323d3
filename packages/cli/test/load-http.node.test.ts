/** `moonpack load` of HTTP, with the options of autocannon's users. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { rows } from "./rows.js";
import { moonpack } from "./run.js";

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

let seen: Seen[] = [];
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  seen.push({ method: request.method!, url: request.url!, headers: request.headers, body });
  response.end();
});
let origin = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.closeAllConnections());
beforeEach(() => {
  seen = [];
});

const SHORT = ["-a", "20", "--warmup", "0", "--rounds", "1", "-c", "4"];

async function loaded(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await moonpack(["load", ...args]);
  expect([code, stderr.replace(/^moonpack: takes .*\n/, "")]).toEqual([0, ""]);
  return stdout.toString();
}

test("-m, -H and -b: the method, headers and the body of each request", async () => {
  const headers = ["-H", "content-type=application/json", "-H", "X-From: a=b: c", "--header", "x-from=d"];
  const text = await loaded(`${origin}/users`, ...SHORT, "-m", "post", "-b", '{"name":"Ada"}', ...headers);
  expect(seen).toHaveLength(20);
  for (const { method, url, headers: given, body } of seen) {
    expect([method, url, body]).toEqual(["POST", "/users", '{"name":"Ada"}']);
    expect(given).toMatchObject({ "content-type": "application/json" });
  }
  expect(text.split("\n").slice(0, 2)).toEqual([`POST ${origin}/users`, "POST; 4 in flight; 1 round of 20 operations"]);
});

test("a header's value may have = and :", async () => {
  await loaded(`${origin}/`, ...SHORT, "-H", "x-a: b=c:d", "-H", "x-e=f:g=h");
  expect(seen[0]!.headers).toMatchObject({ "x-a": "b=c:d", "x-e": "f:g=h" });
});

test("a GET of one URL has neither keys nor a payload; {key} has keys", async () => {
  const [title, what] = (await loaded(`${origin}/`, ...SHORT)).split("\n");
  expect([title, what]).toEqual([`${origin}/`, "GET; 4 in flight; 1 round of 20 operations"]);
  expect((await loaded(`${origin}/{key}`, ...SHORT, "--keys", "5")).split("\n")[1]).toBe(
    "GET, 5 keys (uniform); 4 in flight; 1 round of 20 operations",
  );
});

test("--scenario set sends values; -m is its method", async () => {
  const text = await loaded(`${origin}/`, ...SHORT, "--scenario", "set", "-m", "PATCH", "--payload", "3");
  expect(text.split("\n")[1]).toBe("PATCH, 3 B; 4 in flight; 1 round of 20 operations");
  expect(new Set(seen.map(({ method, body }) => `${method} ${body.length}`))).toEqual(new Set(["PATCH 3"]));
});

test("-d is seconds, -r requests a second of each connection, -R of all of them", async () => {
  const one = await loaded(`${origin}/`, "-c", "2", "-d", "0.5", "-r", "20", "--rounds", "1", "--warmup", "0");
  expect(one.split("\n")[1]).toBe("GET; 40/s, at most 2 in flight; 1 round of 500 ms");
  expect(seen).toHaveLength(20);
  const all = await loaded(`${origin}/`, "-c", "2", "-d", "500ms", "-R", "20", "--rounds", "1", "--warmup", "0");
  expect(all.split("\n")[1]).toBe("GET; 20/s, at most 2 in flight; 1 round of 500 ms");
});

test("a ramp of the rate or of the concurrency", async () => {
  const rate = await loaded(`${origin}/`, "-d", "0.2", "-R", "50..100", "--rounds", "2", "--warmup", "0");
  expect(rate.split("\n")[1]).toBe("GET; 50 to 100/s, at most 64 in flight; 2 rounds of 200 ms");
  expect(rate).toMatch(/^round +rate +ops\/s +p50 +p99 .*\n1(?: \(saturated\))? +50 .*\n2(?: \(saturated\))? +100 /m);
  const workers = await loaded(`${origin}/`, "-a", "20", "-c", "1..3", "--rounds", "3", "--warmup", "0");
  expect(workers).toMatch(/^round +in flight +ops\/s .*\n1 +1 .*\n2 +2 .*\n3 +3 /m);
});

test("the length of the run is said before it starts; not with --quiet", async () => {
  const said = async (...args: string[]) => (await moonpack(["load", `${origin}/`, ...args])).stderr;
  expect(await said("-d", "0.1", "--rounds", "2", "--warmup", "800ms")).toBe(
    "moonpack: takes 1 s: a warm-up and 2 rounds; Ctrl-C ends it with the figures so far\n",
  );
  expect(await said(...SHORT)).toBe("moonpack: takes 1 round; Ctrl-C ends it with the figures so far\n");
  expect(await said(...SHORT, "--quiet")).toBe("");
});

test("a server that does not listen ends the run at once, and nothing is announced", async () => {
  const args = ["load", "http://127.0.0.1:1/", "--duration", "60s"];
  expect(await moonpack(args)).toMatchObject({
    code: 1,
    stderr: "moonpack: cannot load http://127.0.0.1:1/: ERR_LOAD_REFUSED: nothing listens at http://127.0.0.1:1/\n",
  });
});

describe("exit code 2", () => {
  test.each(
    rows([
      [["127.0.0.1:3000"], "for a server, add http://, as in http://127.0.0.1:3000"],
      [["localhost:3000/a"], "add http://"],
      [["tcp://127.0.0.1:7000", "-m", "POST"], "--method needs a target that is http:// or https://"],
      [["tcp://127.0.0.1:7000", "-H", "a=b"], "--header needs a target that is http://"],
      [["http://a/", "-H", "a"], '--header must be NAME=VALUE or "NAME: VALUE", not a'],
      [["http://a/", "-H", "a(=b"], "--header a(: "],
      [["http://a/", "-H", "a=b\nc"], "--header a: "],
      [["http://a/", "--payload", "3"], "--payload needs --scenario set or mixed: other requests send --body"],
      [["http://a/", "--codec", "json"], "--codec needs --scenario set or mixed"],
      [["http://a/", "--keys", "3"], "--keys needs {key} in the URL"],
      [["http://a/", "--scenario", "mixed", "-m", "POST"], "--method needs one kind of operations"],
      [["http://a/", "--scenario", "set", "-b", "x"], "--scenario set sends values: use --payload"],
      [["http://a/", "-r", "5", "-R", "5"], "--rate and --connection-rate exclude each other"],
      [["http://a/", "-r", "5", "-c", "1..5"], "cannot be used with a ramp of --concurrency"],
      [["http://a/", "-R", "5..", "--rounds", "2"], "--rate must be operations a second, such as 2000, 20k or a ramp"],
      [["http://a/", "-R", "5..10", "--rounds", "1"], "a ramp needs at least 2 rounds"],
      [["http://a/", "-d", "soon"], "--duration must be a duration from 1ms to 24h, such as 500ms, 10 (seconds)"],
      [["http://a/", "-c", "0"], "--concurrency must be a whole number of at least 1"],
    ]),
  )("%j", async (args, text) => {
    const { code, stdout, stderr } = await moonpack(["load", ...args]);
    expect([code, stdout.length]).toEqual([2, 0]);
    expect(stderr).toContain(text);
  });
});
