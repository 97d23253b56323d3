/** Requests that are wrong, too large, cut or meant to harm, to each framework. */
import { fetchValue, streamBody } from "@moonpack/http/client";
import { decode, encode } from "moonpack";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { rows } from "./harness/app.ts";
import { caught } from "./harness/caught.ts";
import { players } from "./harness/player.ts";
import { RawConnection } from "./harness/raw.ts";
import { type Running, SERVERS } from "./harness/servers.ts";

const MSGPACK = "application/vnd.msgpack";
const JSONS = "application/json";
const MAX_BYTES = 200_000;

const bomb = new Uint8Array(72 * 1024).map((_, i) => (i % 3 === 0 ? 0xdc : 0xff));
const nested = new Uint8Array(100_001).fill(0x91);
nested[100_000] = 0xc0;

/** Bodies of /echo: type, bytes, and the code and offset of the answer. */
const INVALID: readonly (readonly [string, Uint8Array | string, string, number])[] = [
  [MSGPACK, bomb, "ERR_TRUNCATED", 3],
  [MSGPACK, nested, "ERR_LIMIT_DEPTH", 512],
  [MSGPACK, new Uint8Array([0x92, 1, 0xc1]), "ERR_INVALID_BYTE", 2],
  [MSGPACK, new Uint8Array([1, 2]), "ERR_TRAILING_BYTES", 1],
  [MSGPACK, new Uint8Array([0xa2, 0xff, 0xfe]), "ERR_INVALID_UTF8", 0],
  [MSGPACK, new Uint8Array(0), "ERR_TRUNCATED", 0],
  ["application/x-msgpack; charset=utf-8", new Uint8Array([0xc1]), "ERR_INVALID_BYTE", 0],
];
const INVALID_JSON: readonly (readonly [string, string | Uint8Array, string, number])[] = [
  [JSONS, "[".repeat(100_000), "ERR_LIMIT_DEPTH", 512],
  [JSONS, '{"é":tru}', "ERR_INVALID_BYTE", 6],
  [JSONS, '{"a":1,}', "ERR_INVALID_BYTE", 7],
  [JSONS, '{"a":"b', "ERR_TRUNCATED", 7],
  [JSONS, "1 2", "ERR_TRAILING_BYTES", 2],
  [JSONS, "[12345678901234567890]", "ERR_UNSAFE_INTEGER", 1],
  [JSONS, "[1, -1e999]", "ERR_OUT_OF_RANGE", 4],
  [JSONS, new Uint8Array([0x22, 0xff, 0x22]), "ERR_INVALID_UTF8", 1],
];

describe.each(Object.entries(SERVERS))("%s", (name, start) => {
  const isFastify = name.startsWith("fastify");
  let server: Running;
  const open: RawConnection[] = [];
  beforeAll(async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    server = await start({ maxBytes: MAX_BYTES });
  });
  afterAll(async () => {
    for (const connection of open) connection.close();
    vi.restoreAllMocks();
    await server.close();
  });
  const at = (path: string) => `${server.url}${path}`;
  const post = (
    path: string,
    type: string,
    body: Uint8Array<ArrayBuffer> | string,
    headers: Record<string, string> = {},
  ) => fetch(at(path), { method: "POST", body, headers: { "content-type": type, ...headers } });
  const connection = async () => {
    const one = await RawConnection.open(server.port);
    open.push(one);
    return one;
  };
  /** The server answers as before. */
  const expectAlive = async () => {
    expect(await fetchValue(at("/echo"), { value: 1 })).toEqual({ got: 1, type: "number" });
  };

  test("invalid bytes are 400 with code and offset, and nothing else", async () => {
    // Fastify reads JSON itself.
    for (const [type, body, code, offset] of [...INVALID, ...(isFastify ? [] : INVALID_JSON)]) {
      const response = await post("/echo", type, body as string);
      const problem = (await response.json()) as object;
      expect([code, response.status, problem]).toMatchObject([
        code,
        400,
        { status: 400, title: "Bad Request", code, offset },
      ]);
      expect(Object.keys(problem).sort()).toEqual(["code", "detail", "offset", "status", "title"]);
      expect(response.headers.get("content-type")).toContain("application/problem+json");
    }
    await expectAlive();
  });

  test("above the limit: 413, before the body if its length is announced", async () => {
    const announced = await connection();
    announced.head("POST", "/echo", [`Content-Type: ${MSGPACK}`, "Content-Length: 1000000000"]);
    expect(await announced.response()).toMatchObject({ status: 413 });
    const chunked = await connection();
    chunked.head("POST", "/echo", [`Content-Type: ${MSGPACK}`, "Transfer-Encoding: chunked"]);
    for (let i = 0; i < 5; i++) chunked.chunk(new Uint8Array(50_000));
    const response = await chunked.response();
    expect([response.status, JSON.parse(response.body)]).toMatchObject([413, { code: "ERR_LIMIT_BYTES" }]);
    // Those who send all of it before they read still get the answer.
    for (const size of [MAX_BYTES + 1, 4 << 20])
      expect(await caught(fetchValue(at("/echo"), { value: new Uint8Array(size) }))).toMatchObject({
        status: 413,
        code: "ERR_LIMIT_BYTES",
      });
    const fits = encode(new Uint8Array(MAX_BYTES - 5));
    expect(fits.length).toBe(MAX_BYTES);
    expect((await post("/echo", MSGPACK, fits)).status).toBe(200);
    await expectAlive();
  });

  test("another type, charset or coding: 415, with the supported ones", async () => {
    const passesOn = name.startsWith("express") || name.startsWith("koa");
    const refused = async (type: string, body: string, headers = {}) => {
      // A middleware without a schema leaves bodies of other types to other parsers; one with a schema refuses them.
      const hasSchema = passesOn && !type.startsWith("application/json;") && type !== MSGPACK;
      const response = hasSchema
        ? await fetch(at("/player"), { method: "PUT", body, headers: { "content-type": type } })
        : await post("/echo", type, body, headers);
      const text = await response.text();
      expect([type, response.status]).toEqual([type, 415]);
      expect(text).not.toContain(".js");
      return response;
    };
    const plain = await refused("text/xml", "x");
    if (!isFastify) {
      expect(plain.headers.get("accept")).toContain(MSGPACK);
      await refused("application/json; charset=iso-8859-1", "1");
      await refused("application/json, application/vnd.msgpack", "1");
    }
    await refused("application/vnd.msgpackx", "x");
    const gzip = await refused(MSGPACK, "x", { "content-encoding": "gzip" });
    expect(gzip.headers.get("accept-encoding")).toBe("identity");
    const untyped = await fetch(at("/echo"), { method: "POST", body: new Uint8Array([1]) });
    expect(untyped.status).toBe(415);
  });

  test("hostile headers", async () => {
    const statusOf = async (accept: string) => (await fetch(at("/value?kind=plain"), { headers: { accept } })).status;
    const long = (text: string) => text.repeat(Math.floor(12_000 / text.length));
    for (const accept of [
      "*/*;q=0",
      "a",
      "/",
      "*",
      ";;;",
      long(";q=1"),
      long('"'),
      "*/*;q=abc",
      long("a/b,"),
      "*/*;fingerprint=1",
    ])
      expect([accept.slice(0, 20), await statusOf(accept)]).toEqual([accept.slice(0, 20), 406]);
    for (const accept of [long(","), `${long("a/b;q=1,")}*/*`, "*/*;q=0.0001, */*;q=0", "*/*;__proto__=1, */*"])
      expect(await statusOf(accept)).toBe(200);
    for (const type of [
      long(";"),
      `${MSGPACK};${long("a=b;")}`,
      `${MSGPACK};__proto__="x`,
      `${MSGPACK}; fingerprint=\\`,
    ]) {
      const { status } = await post("/echo", type, new Uint8Array([1]));
      expect([type.slice(0, 30), [200, 415]]).toEqual([type.slice(0, 30), expect.arrayContaining([status])]);
    }
    const twice = await connection();
    twice
      .head("POST", "/echo", [`Content-Type: ${MSGPACK}`, "Content-Type: text/plain", "Content-Length: 1"])
      .socket.write("\x01");
    expect([200, 415]).toContain((await twice.response()).status);
    await expectAlive();
  });

  test("a truncated body is an error", async () => {
    const { errors } = server.state;
    const before = errors.filter((code) => code === "ERR_HTTP_CONNECTION").length;
    const short = await connection();
    // The two bytes are a whole value: only the announced length shows that bytes are missing.
    short.head("POST", "/echo", [`Content-Type: ${MSGPACK}`, "Content-Length: 10"]).socket.write("\xa1a", "latin1");
    const aborted = await connection();
    aborted
      .head("POST", "/echo", [`Content-Type: ${MSGPACK}`, "Transfer-Encoding: chunked"])
      .chunk(new Uint8Array([1]));
    const stream = await connection();
    const taken = server.state.taken;
    stream.head("POST", "/sum", [`Content-Type: ${MSGPACK}`, "Transfer-Encoding: chunked"]).chunk(encode({ id: 1 }));
    await expect.poll(() => server.state.taken, { timeout: 30_000 }).toBe(taken + 1);
    for (const one of [short, aborted, stream]) one.close();
    await expect
      .poll(() => errors.filter((code) => code === "ERR_HTTP_CONNECTION").length, { timeout: 30_000 })
      .toBe(before + 3);
    await expectAlive();
  });

  test("streams: invalid bytes have their offset in the stream, limits hold for each value", async () => {
    const sum = async (type: string, body: Uint8Array<ArrayBuffer> | string, path = "/sum") => {
      const response = await post(path, type, body);
      return [response.status, response.status === 200 ? decode(await response.arrayBuffer()) : await response.json()];
    };
    const row = encode({ id: 1 });
    const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
    expect(await sum(MSGPACK, joined(row, row, new Uint8Array([0xc1])))).toMatchObject([
      400,
      { code: "ERR_INVALID_BYTE", offset: row.length * 2 },
    ]);
    expect(await sum(MSGPACK, joined(row, row.subarray(0, 3)))).toMatchObject([
      400,
      { code: "ERR_TRUNCATED", offset: row.length + 1 },
    ]);
    expect(await sum(MSGPACK, bomb)).toMatchObject([413, { code: "ERR_LIMIT_ELEMENTS" }]);
    expect(await sum(MSGPACK, encode({ id: 1, text: "x".repeat(MAX_BYTES) }))).toMatchObject([413, {}]);
    expect(await sum("application/x-ndjson", '{"id":1}\n{"id":}\n')).toMatchObject([
      400,
      { code: "ERR_INVALID_BYTE", offset: 15 },
    ]);
    expect(await sum("application/x-ndjson", `"${"x".repeat(MAX_BYTES)}"`)).toMatchObject([
      413,
      { code: "ERR_LIMIT_BYTES" },
    ]);
    const frames = `application/vnd.moonpack.pck-stream; fingerprint=${players.fingerprint}`;
    expect(await sum(frames, new Uint8Array([0xff, 0xff, 0xff, 0x0f]), "/levels")).toMatchObject([
      413,
      { code: "ERR_FRAME_TOO_LARGE" },
    ]);
    expect(await sum(frames, new Uint8Array([5, 1]), "/levels")).toMatchObject([400, { code: "ERR_TRUNCATED" }]);
    expect(await sum(MSGPACK, encode({ name: "x", level: 300, score: 1 }), "/levels")).toMatchObject([
      400,
      { code: "ERR_OUT_OF_RANGE", path: "$.level" },
    ]);
    // Many values above the limit of one.
    expect(await fetchValue(at("/sum"), { body: streamBody(rows(20_000)) })).toMatchObject({ count: 20_000 });
    await expectAlive();
  });

  test("a handler that leaves a stream early can answer", async () => {
    expect(await fetchValue(at("/first"), { body: streamBody(rows(50_000)) })).toEqual({
      first: { id: 0, name: "row 0" },
    });
    expect(await fetchValue(at("/first"), { value: 5 })).toEqual({ first: 5 });
    await expectAlive();
  });
});
