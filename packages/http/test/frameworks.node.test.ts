/** The same requests to each framework, by our client over real sockets. */
import { fetchStream, fetchValue, ResponseError, streamBody } from "@moonpack/http/client";
import { decode } from "moonpack";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { rows, VALUES } from "./harness/app.ts";
import { caught } from "./harness/caught.ts";
import { ADA, DECODED_ADA, oldPlayers, players, strangers } from "./harness/player.ts";
import { RawConnection } from "./harness/raw.ts";
import { type Running, SERVERS } from "./harness/servers.ts";

describe.each(Object.entries(SERVERS))("%s", (name, start) => {
  let server: Running;
  beforeAll(async () => {
    // Hono and its server write errors of handlers to the console.
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    server = await start();
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await server.close();
  });
  const at = (path: string) => `${server.url}${path}`;

  test("a value both ways, as MessagePack", async () => {
    const value = { ...(VALUES["rich"] as object), ...(VALUES["plain"] as object), ["__proto__"]: 1 };
    const answer = await fetchValue<{ got: object; type: string }>(at("/echo"), { value });
    expect(answer).toEqual({ got: value, type: "object" });
    expect(Object.getPrototypeOf(answer.got)).toBe(Object.prototype);
    expect(Object.keys(answer.got)).toContain("__proto__");
    expect(await fetchValue(at("/value?kind=rich"))).toEqual(VALUES["rich"]);
    expect(await fetchValue(at("/value?kind=date"))).toEqual(VALUES["date"]);
  });

  test("formats of Accept", async () => {
    const ask = async (accept: string | undefined, kind = "plain", method = "GET") => {
      const response = await fetch(at(`/value?kind=${kind}`), {
        method,
        ...(accept !== undefined && { headers: { accept } }),
      });
      return { response, type: response.headers.get("content-type"), vary: response.headers.get("vary") };
    };
    for (const accept of [
      undefined,
      "",
      "*/*",
      "application/*",
      "text/html, */*;q=0.1",
      "application/vnd.msgpack",
      "application/json;q=0.5, application/vnd.msgpack",
    ]) {
      const { response, type, vary } = await ask(accept);
      expect([accept, type, vary?.toLowerCase()]).toEqual([accept, "application/vnd.msgpack", "accept"]);
      expect(decode(await response.arrayBuffer())).toEqual(VALUES["plain"]);
    }
    expect((await ask("application/x-msgpack")).type).toBe("application/x-msgpack");
    expect((await ask("application/vnd.msgpack; charset=binary")).type).toBe("application/vnd.msgpack");
    for (const accept of [
      "application/json",
      "application/json; charset=utf-8",
      "application/vnd.msgpack;q=0, */*",
      "APPLICATION/JSON, application/vnd.msgpack;q=0.9",
    ]) {
      const { response, type } = await ask(accept);
      expect([accept, type]).toEqual([accept, "application/json; charset=utf-8"]);
      expect(await response.text()).toBe('{"name":"Ada","list":[1,-0,0.5,null,true],"__proto__":{"admin":true}}');
    }
    expect(await (await ask("application/json", "date")).response.json()).toEqual({ at: "1970-01-01T00:00:00.000Z" });
    const none = await ask("text/html, application/xml;q=0.9");
    expect(none.response.status).toBe(406);
    expect(none.vary?.toLowerCase()).toContain("accept");
    expect(await none.response.json()).toMatchObject({ status: 406, code: "ERR_HTTP_NOT_ACCEPTABLE" });
    const rich = await ask("application/json", "rich");
    expect(rich.response.status).toBe(406);
    expect(await rich.response.json()).toMatchObject({ code: "ERR_UNSUPPORTED_TYPE", path: "$.bytes" });
    expect((await ask("application/json, application/vnd.msgpack;q=0.1", "rich")).type).toBe("application/vnd.msgpack");
    const head = await ask("*/*", "plain", "HEAD");
    expect([head.response.status, head.type]).toEqual([200, "application/vnd.msgpack"]);
    expect(Number(head.response.headers.get("content-length"))).toBeGreaterThan(10);
    expect((await head.response.arrayBuffer()).byteLength).toBe(0);
  });

  test("a value that cannot be encoded is the server's error, and no stack leaves it", async () => {
    const response = await fetch(at("/value?kind=invalid"), { headers: { accept: "application/vnd.msgpack" } });
    expect(response.status).toBe(500);
    if (!name.startsWith("express")) expect(await response.text()).not.toContain(".js:");
  });

  test("PCK both ways, from older clients, and checked in other formats", async () => {
    const ask = { method: "PUT", response: players };
    expect(await fetchValue(at("/player"), { ...ask, value: ADA, request: players })).toEqual(DECODED_ADA);
    expect(await fetchValue(at("/player"), { ...ask, value: { name: "Bob", level: 1 }, request: oldPlayers })).toEqual({
      name: "Bob",
      level: 1,
      score: 7n,
      title: null,
      image: new Uint8Array(0),
      items: new Map(),
    });
    // The answer in MessagePack, since this client has another schema; checked against that.
    expect(
      await fetchValue(at("/player"), { method: "PUT", value: ADA, request: players, response: oldPlayers }),
    ).toEqual({ name: "Ada", level: 3 });
    const response = await fetch(at("/player"), {
      method: "PUT",
      body: JSON.stringify({ name: "Eve", level: 2, score: "12", title: null, image: "AQI=", items: [["a", 1]] }),
      headers: { "content-type": "application/json; charset=UTF-8", accept: "application/json" },
    });
    expect(await response.json()).toEqual({
      name: "Eve",
      level: 2,
      score: "12",
      title: null,
      image: "AQI=",
      items: [["a", 1]],
    });
    const wrong = await caught(fetchValue(at("/player"), { ...ask, value: { name: "Ada", level: 300, score: 1 } }));
    expect(wrong).toMatchObject({ status: 400, code: "ERR_OUT_OF_RANGE", path: "$.level" });
    const wrongJson = await fetch(at("/player"), {
      method: "PUT",
      body: '{"name":"Eve","level":2,"score":12,"title":null,"image":"","items":[["a",-1]]}',
      headers: { "content-type": "application/json" },
    });
    expect([wrongJson.status, await wrongJson.json()]).toMatchObject([400, { path: "$.score" }]);
  });

  test("a fingerprint that is unknown, or missing", async () => {
    const error = await caught(
      fetchValue(at("/player"), { method: "PUT", value: { name: "x", level: "y" }, request: strangers }),
    );
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ status: 415, code: "ERR_FINGERPRINT" });
    expect((error as ResponseError).headers.get("accept")).toContain(players.fingerprint);
    const response = await fetch(at("/player"), {
      method: "PUT",
      body: new Uint8Array(3),
      headers: { "content-type": "application/vnd.moonpack.pck" },
    });
    expect(response.status).toBe(415);
  });

  test("a stream as answer", async () => {
    const got: unknown[] = [];
    for await (const row of fetchStream(at("/rows?n=5000"))) got.push(row);
    expect(got.length).toBe(5000);
    expect(got.at(-1)).toEqual({ id: 4999, name: "row 4999" });
    const lines = await (await fetch(at("/rows?n=3"), { headers: { accept: "application/x-ndjson" } })).text();
    expect(lines).toBe('{"id":0,"name":"row 0"}\n{"id":1,"name":"row 1"}\n{"id":2,"name":"row 2"}\n');
    for await (const _ of fetchStream(at("/rows?n=0"))) expect.fail("no rows");
    const head = await fetch(at("/rows?n=3"), { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/vnd.msgpack"]);
    expect((await fetch(at("/rows?n=3"), { headers: { accept: "application/json" } })).status).toBe(406);
  });

  test("a stream as request", async () => {
    expect(await fetchValue(at("/sum"), { body: streamBody(rows(5000)) })).toEqual({ sum: 12497500, count: 5000 });
    expect(await fetchValue(at("/levels"), { body: streamBody([ADA, ADA], players) })).toEqual({
      level: 6,
      score: 2n ** 61n,
    });
    expect(await fetchValue(at("/levels"), { body: streamBody([{ name: "x", level: 4 }], oldPlayers) })).toEqual({
      level: 4,
      score: 7,
    });
    const lines = await fetch(at("/sum"), {
      method: "POST",
      body: '{"id":1}\n\n{"id":2}',
      headers: { "content-type": "application/x-ndjson" },
    });
    expect(decode(await lines.arrayBuffer())).toEqual({ sum: 3, count: 2 });
  });

  test("a stream that fails is an error at the client, and one that fails before its first value has a status", async () => {
    const got: unknown[] = [];
    const cut = caught(
      (async () => {
        for await (const row of fetchStream(at("/cut"))) got.push(row);
      })(),
    );
    expect(await cut).toMatchObject({ code: "ERR_HTTP_CONNECTION" });
    expect(got.length).toBe(2);
    const early = caught(
      (async () => {
        for await (const _ of fetchStream(at("/early-error")));
      })(),
    );
    expect(await early).toMatchObject({ code: "ERR_HTTP_STATUS", status: 500 });
  });

  test("a client that leaves closes the values, which are read with back-pressure", async () => {
    const { state } = server;
    let count = 0;
    for await (const _ of fetchStream(at("/live"))) if (++count === 3) break;
    await expect.poll(() => [state.closed, state.aborted], { timeout: 30_000 }).toEqual([1, 1]);
    // Somebody who reads nothing: the values stop when the buffers are full.
    const leaving = new AbortController();
    const slow = await fetch(at("/live"), { signal: leaving.signal });
    const reader = slow.body!.getReader();
    await reader.read();
    let before = -1;
    await expect
      .poll(
        () => {
          const stopped = state.produced === before;
          before = state.produced;
          return stopped;
        },
        { timeout: 60_000, interval: 200 },
      )
      .toBe(true);
    leaving.abort();
    await expect.poll(() => [state.closed, state.aborted], { timeout: 30_000 }).toEqual([2, 2]);
  });

  test("a client that leaves before the first value closes the values, in each format", async () => {
    const { state } = server;
    for (const accept of ["application/vnd.msgpack", "application/x-ndjson"]) {
      const { produced, closed, aborted } = state;
      const connection = await RawConnection.open(server.port);
      connection.head("GET", "/quiet", [`Accept: ${accept}`]);
      await expect.poll(() => state.produced, { timeout: 30_000 }).toBe(produced + 1);
      connection.close();
      await expect
        .poll(() => [accept, state.aborted, state.closed], { timeout: 30_000 })
        .toEqual([accept, aborted + 1, closed + 1]);
    }
  });

  test("no body", async () => {
    expect(await fetchValue(at("/empty"))).toBeUndefined();
    expect(await fetchValue(at("/value?kind=plain"), { method: "HEAD" })).toBeUndefined();
    expect(await fetchValue(at("/echo"), { method: "POST" })).toEqual({ type: "undefined" });
  });
});
