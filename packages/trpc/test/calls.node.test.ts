/** Calls over real sockets, with each handler: values, batches, errors, and tRPC's own clients. */
import { createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink, type TRPCClientError } from "@trpc/client";
import { DecodeError, EncodeError } from "moonpack/bytes";
import { decode, Extension, encode } from "moonpack/msgpack";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { moonpackLink } from "../src/client/index.ts";
import { msgpackTransformer } from "../src/index.ts";
import { moonpackFetchHandler } from "../src/server/fetch.ts";
import { type AppRouter, RICH, router } from "./harness/router.ts";
import { HANDLERS, start, type TestServer } from "./harness/servers.ts";

const MSGPACK = "application/vnd.msgpack";
const js = { fidelity: "js" } as const;

describe.each(Object.entries(HANDLERS))("by the handler for %s", (_, make) => {
  let server: TestServer;
  let small: TestServer;
  beforeAll(async () => {
    server = await start(make);
    small = await start(make, { msgpack: { maxBytes: 1000 }, maxBatchSize: 2 });
  });
  beforeEach(() => {
    server.errors.length = 0;
    server.seen.length = 0;
    small.errors.length = 0;
  });
  afterAll(async () => {
    await server?.close();
    await small?.close();
  });

  const clientOf = (options: Partial<Parameters<typeof moonpackLink<AppRouter>>[0]> = {}) =>
    createTRPCClient<AppRouter>({ links: [moonpackLink({ url: server.url, ...options })] });

  test("values keep their types in both directions", async () => {
    const client = clientOf();
    expect(await client.rich.query()).toEqual(RICH);
    expect(await client.keep.mutate(RICH)).toEqual(RICH);
    expect(await client.echo.query(RICH)).toEqual(RICH);
    for (const value of [null, 0, "", "é", [], new Date(7), 2n ** 64n, new Uint8Array(3), undefined])
      for (const call of [client.echo.query(value), client.keep.mutate(value)]) expect(await call).toEqual(value);
    // MessagePack has one integer type: see docs/trpc.md.
    expect(await client.keep.mutate({ small: 7n })).toEqual({ small: 7 });
    expect(await client.nothing.mutate()).toBeUndefined();
    expect(await client.nested.deep.query()).toEqual([new Date(7)]);
    expect(server.errors).toEqual([]);
  });

  test("concurrent calls are one request, in MessagePack", async () => {
    const client = clientOf();
    const calls = [client.add.mutate({ a: 1, b: 2 }), client.nothing.mutate(), client.keep.mutate("x")];
    expect(await Promise.all(calls)).toEqual([3, undefined, "x"]);
    expect(server.seen).toEqual([
      {
        method: "POST",
        url: "/trpc/add,nothing,keep?batch=1",
        type: MSGPACK,
        accept: `${MSGPACK}, application/json;q=0.5`,
      },
    ]);
    expect(await Promise.all([client.rich.query(), client.echo.query(1)])).toEqual([RICH, 1]);
    expect(server.seen.map(({ method }) => method)).toEqual(["POST", "GET"]);
    const many = await Promise.all(Array.from({ length: 300 }, (_, i) => client.keep.mutate(i)));
    expect(many).toEqual(Array.from({ length: 300 }, (_, i) => i));
    expect(server.seen).toHaveLength(3);
  });

  test("queries by POST send inputs as bytes", async () => {
    const client = clientOf({ methodOverride: "POST" });
    expect(await client.echo.query({ bytes: new Uint8Array(5000) })).toEqual({ bytes: new Uint8Array(5000) });
    expect(server.seen).toMatchObject([{ method: "POST", type: MSGPACK }]);
  });

  test("the options headers and fetch", async () => {
    const urls: string[] = [];
    const send = (url: string, init: RequestInit): Promise<Response> => {
      urls.push(url);
      return fetch(url, init);
    };
    const client = clientOf({ headers: { "x-user": "ada" }, fetch: send });
    expect(await client.user.query()).toBe("ada");
    expect(urls).toEqual([`${server.url}/user?batch=1&input=%7B%7D`]);
  });

  test("errors of procedures have tRPC's shape", async () => {
    const client = clientOf();
    const calls = [client.fails.query(), client.rich.query()];
    const [failed, rich] = await Promise.allSettled(calls);
    expect(rich).toMatchObject({ status: "fulfilled" });
    const error = (failed as PromiseRejectedResult).reason as TRPCClientError<AppRouter>;
    expect(error.name).toBe("TRPCClientError");
    expect(error.message).toBe("not you");
    expect(error.data).toEqual({ code: "FORBIDDEN", httpStatus: 403, path: "fails" });
    expect(error.shape).toMatchObject({ code: -32_003 });
    expect((error.meta!.response as Response).status).toBe(207);
    const invalid = await caught(client.add.mutate({ a: 1, b: "2" as never }));
    expect(invalid.data).toMatchObject({ code: "BAD_REQUEST", httpStatus: 400 });
    const unknown = await caught((client as unknown as Unknown).none.query());
    expect(unknown.data).toMatchObject({ code: "NOT_FOUND", httpStatus: 404 });
  });

  test("unsupported values are errors with their path, at both ends", async () => {
    const client = clientOf();
    const ours = await caught(client.keep.mutate({ list: [() => 1] }));
    expect(ours.cause).toBeInstanceOf(EncodeError);
    expect(ours.cause).toMatchObject({ code: "ERR_UNSUPPORTED_TYPE", path: "$.list[0]" });
    expect(server.seen).toEqual([]);
    const theirs = await caught(client.broken.query());
    expect(theirs.data).toMatchObject({ code: "INTERNAL_SERVER_ERROR", httpStatus: 500 });
    expect(theirs.message).toContain("at $.run");
    expect(server.errors).toMatchObject([{ code: "INTERNAL_SERVER_ERROR" }]);
  });

  describe("invalid bodies", () => {
    const post = async (path: string, body: BodyInit | null, headers: Record<string, string> = {}) => {
      const init = { method: "POST", body, headers: { "content-type": MSGPACK, accept: MSGPACK, ...headers } };
      const response = await fetch(`${small.url}/${path}`, init);
      expect(response.headers.get("content-type")).toBe(MSGPACK);
      const answer = decode<Answer | Answer[]>(new Uint8Array(await response.arrayBuffer()), js);
      return { status: response.status, answer, error: [answer].flat()[0]!.error };
    };

    test("invalid bytes: 400, with code and offset, without a stack", async () => {
      const { status, error } = await post("keep", new Uint8Array([0x92, 1]));
      expect(status).toBe(400);
      expect(error!.message).toContain("ERR_TRUNCATED");
      expect(error!.message).toContain("at byte");
      expect(error!.data).toEqual({ code: "BAD_REQUEST", httpStatus: 400, path: "keep" });
      expect(small.errors).toMatchObject([{ code: "BAD_REQUEST", path: "keep", cause: { code: "ERR_TRUNCATED" } }]);
      small.errors.length = 0;
      const batch = await post("keep,add?batch=1", new Uint8Array([0xc1]));
      expect(batch.status).toBe(400);
      expect(small.errors.map(({ path }) => path)).toEqual(["keep", "add"]);
      expect((batch.answer as Answer[]).map(({ error }) => error!.data.code)).toEqual(["BAD_REQUEST", "BAD_REQUEST"]);
      expect((await post("keep?batch=1", encode([1]))).error!.data.code).toBe("BAD_REQUEST");
      expect((await post("keep?batch=1", encode(7))).error!.data.code).toBe("BAD_REQUEST");
    });

    test("too large: 413; another type: 415; a coded body: 415; too many calls: 400", async () => {
      const large = await post("keep", new Uint8Array(1001));
      expect([large.status, large.error!.data.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
      const text = await post("keep", "hello", { "content-type": "text/plain" });
      expect([text.status, text.error!.data.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
      const coded = await post("keep", new Uint8Array(5), { "content-encoding": "gzip" });
      expect([coded.status, coded.error!.data.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
      small.errors.length = 0;
      const many = await post("keep,keep,keep?batch=1", encode({}));
      expect(small.errors.map(({ path }) => path)).toEqual(["keep,keep,keep"]);
      expect([many.status, many.error!.data.code]).toEqual([400, "BAD_REQUEST"]);
    });

    test("a JSON body has the same limit, whatever its Content-Length", async () => {
      const large = JSON.stringify("x".repeat(2000));
      const parts = async function* () {
        for (let i = 0; i < 1000; i++) yield Buffer.from("x".repeat(1000));
      };
      const ask = async (body: BodyInit, accept: string, path: string) => {
        const headers = { "content-type": "application/json", accept };
        const init = { method: "POST", body, headers, duplex: "half" } as RequestInit;
        return (await fetch(`${small.url}/${path}`, init)).status;
      };
      for (const accept of ["application/json", MSGPACK])
        for (const path of ["keep", "keep,keep?batch=1"]) {
          small.errors.length = 0;
          expect(await ask(large, accept, path)).toBe(413);
          expect(await ask(parts() as never, accept, path)).toBe(413);
          expect(new Set(small.errors.map(({ code }) => code))).toEqual(new Set(["PAYLOAD_TOO_LARGE"]));
          expect(await ask(JSON.stringify(msgpackTransformer().serialize("a")), accept, "keep")).toBe(200);
        }
    });

    test("a form has the same limit", async () => {
      const form = new FormData();
      form.set("text", "x".repeat(2000));
      expect((await fetch(`${small.url}/keep`, { method: "POST", body: form })).status).toBe(413);
      expect(small.errors).toMatchObject([{ code: "PAYLOAD_TOO_LARGE", path: "keep" }]);
    });

    test("a regular expression is refused without compiling it, which would take a second", async () => {
      const slow = new Extension(99, encode(["\\p{RGI_Emoji}".repeat(20), "iv"]));
      const { status, error } = await post("keep", encode(slow));
      expect([status, error!.data.code]).toEqual([400, "BAD_REQUEST"]);
      expect(error!.message).toContain("ERR_UNSUPPORTED_TYPE");
    });

    test("an invalid input in the URL: 400", async () => {
      for (const input of ["1", '"!"', '"wQ=="', "{"]) {
        const url = `${small.url}/echo?input=${encodeURIComponent(input)}`;
        const response = await fetch(url, { headers: { accept: MSGPACK } });
        const { error } = decode<Answer>(new Uint8Array(await response.arrayBuffer()), js);
        expect([response.status, error!.data.code]).toEqual([400, "BAD_REQUEST"]);
      }
    });

    test("a single call, a call without body, and a mutation by GET", async () => {
      expect((await post("keep", encode({ a: 1 }))).answer).toEqual({ result: { data: { a: 1 } } });
      expect((await post("nothing", null)).answer).toEqual({ result: {} });
      const response = await fetch(`${small.url}/keep`, { headers: { accept: MSGPACK } });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    });

    test("HEAD has the same response as from tRPC, also with a Content-Type", async () => {
      const heads = [{}, { "content-type": MSGPACK }, { "content-type": MSGPACK, accept: MSGPACK }];
      for (const headers of heads)
        expect((await fetch(`${server.url}/rich`, { method: "HEAD", headers })).status).toBe(204);
      expect(server.errors).toEqual([]);
    });
  });

  test("the formats of body and response are independent", async () => {
    const transformer = msgpackTransformer();
    const post = (body: BodyInit, headers: Record<string, string>) =>
      fetch(`${server.url}/keep`, { method: "POST", body, headers });
    const json = await post(encode({ at: new Date(5) }), { "content-type": MSGPACK });
    expect(json.headers.get("content-type")).toBe("application/json");
    const { result } = (await json.json()) as { result: { data: string } };
    expect(transformer.deserialize(result.data)).toEqual({ at: new Date(5) });
    const body = JSON.stringify(transformer.serialize({ at: new Date(5) }));
    const bytes = await post(body, { "content-type": "application/json", accept: MSGPACK });
    expect(decode(new Uint8Array(await bytes.arrayBuffer()), js)).toEqual({ result: { data: { at: new Date(5) } } });
  });

  test("tRPC's own links return the same values", async () => {
    const options = { url: server.url, transformer: msgpackTransformer() };
    for (const link of [
      httpLink<AppRouter>(options),
      httpBatchLink<AppRouter>(options),
      httpBatchStreamLink<AppRouter>(options),
    ]) {
      const client = createTRPCClient<AppRouter>({ links: [link] });
      expect(await client.rich.query()).toEqual(RICH);
      expect(await client.keep.mutate(RICH)).toEqual(RICH);
      expect((await caught(client.fails.query())).data).toMatchObject({ code: "FORBIDDEN" });
    }
  });

  test("a subscription works as in tRPC, and is refused in MessagePack", async () => {
    const events = await (await fetch(`${server.url}/ticks`, { headers: { accept: "text/event-stream" } })).text();
    const values = [...events.matchAll(/^data: "(.*)"$/gm)].map(([, text]) => msgpackTransformer().deserialize(text));
    expect(values).toEqual([new Date(1), { big: 2n ** 70n }]);
    const response = await fetch(`${server.url}/ticks`, { headers: { accept: MSGPACK } });
    expect(response.status).toBe(406);
    const { error } = decode<Answer>(new Uint8Array(await response.arrayBuffer()));
    expect(error!.message).toContain("httpSubscriptionLink");
  });

  test("a call can be aborted", async () => {
    const abort = new AbortController();
    const call = caught(clientOf().slow.query(undefined, { signal: abort.signal }));
    while (server.seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    expect((await call).message).toMatch(/abort/i);
    while (server.errors.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(server.errors).toMatchObject([{ path: "slow", cause: { message: "left" } }]);
  });
});

describe("responses of other servers", () => {
  const clientOf = (response: () => Response) =>
    createTRPCClient<AppRouter>({ links: [moonpackLink({ url: "http://localhost", fetch: async () => response() })] });

  test("a proxy's page, an invalid body, an unknown envelope", async () => {
    const html = await caught(
      clientOf(() => new Response("<h1>", { status: 502, headers: { "content-type": "text/html" } })).rich.query(),
    );
    expect(html.cause).toMatchObject({ code: "ERR_HTTP_STATUS" });
    expect(html.message).toContain("502");
    const headers = { "content-type": MSGPACK };
    const cut = await caught(clientOf(() => new Response(encode([{}]).subarray(0, 1), { headers })).rich.query());
    expect(cut.cause).toBeInstanceOf(DecodeError);
    const form = await caught(clientOf(() => new Response(encode([7]), { headers })).rich.query());
    expect(form.cause).toMatchObject({ code: "ERR_HTTP_TYPE" });
    const none = await caught(clientOf(() => new Response(null, { status: 204 })).rich.query());
    expect(none.message).toContain("no Content-Type");
  });

  test("a tRPC server with the transformer and without the handler: JSON is read", async () => {
    const text = msgpackTransformer().serialize({ at: new Date(5) });
    const client = clientOf(() => Response.json([{ result: { data: text } }]));
    expect(await client.rich.query()).toEqual({ at: new Date(5) });
  });
});

test.each(["/", "", "/trpc", "trpc/"])("onError gets the path after the endpoint %j", async (endpoint) => {
  const paths: (string | undefined)[] = [];
  const handler = moonpackFetchHandler<AppRouter>({
    router,
    endpoint,
    maxBatchSize: 1,
    createContext: () => ({ user: undefined }),
    onError: ({ path }) => void paths.push(path),
  });
  const url = new URL(`${endpoint.replace(/\/$/, "")}/nested.deep,keep?batch=1`, "http://localhost/");
  const request = new Request(url, { method: "POST", body: encode({}), headers: { "content-type": MSGPACK } });
  expect((await handler(request)).status).toBe(400);
  expect(paths).toEqual(["nested.deep,keep"]);
});

interface Answer {
  readonly error?: { readonly message: string; readonly data: { readonly code: string } };
}
interface Unknown {
  readonly none: { query(): Promise<unknown> };
}

/** Returns the error of a rejected call. */
async function caught(call: Promise<unknown>): Promise<TRPCClientError<AppRouter>> {
  let value: unknown;
  try {
    value = await call;
  } catch (error) {
    return error as TRPCClientError<AppRouter>;
  }
  throw new Error(`resolved with ${String(value)}`);
}
