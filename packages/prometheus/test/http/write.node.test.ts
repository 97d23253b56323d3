/** Requests of remote write over HTTP that are hostile, or that have more than samples. */
import { createPrometheus } from "@moonpack/prometheus";
import { fetchHandler } from "@moonpack/prometheus/fetch";
import type { Series } from "@moonpack/series";
import { expect, test } from "vitest";
import { NOW, openStore } from "../harness/store.ts";
import { bytes, field, labels, pack, request, sample, series, varint } from "../remote-write/encode.ts";

const HEADERS = { "content-type": "application/x-protobuf", "content-encoding": "snappy" };
type Body = Uint8Array<ArrayBuffer> | ReadableStream;

/** Sends requests to the fetch handler of a store. */
async function posting(
  run: (post: (body: Body, headers?: object) => Promise<Response>, store: Series) => Promise<void>,
): Promise<void> {
  const store = await openStore();
  const answer = fetchHandler(createPrometheus(store, { maxBodyBytes: 5000, now: () => NOW }));
  const post = (body: Body, headers = {}) => {
    const init = { method: "POST", body, headers: { ...HEADERS, ...headers }, duplex: "half" as const };
    return answer(new Request("http://localhost/api/v1/write", init));
  };
  try {
    await run(post, store);
  } finally {
    await store.close();
  }
}

test("a body without an end is read up to the limit", () =>
  posting(async (post) => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1000;
        controller.enqueue(new Uint8Array(1000));
      },
    });
    expect((await post(endless)).status).toBe(413);
    expect(sent).toBeLessThan(10_000);
  }));

test("pages cannot write: browsers name the page, senders do not", () =>
  posting(async (post, store) => {
    const body = pack(request(series(labels({ __name__: "a" }), sample(NOW, 1))));
    const refused = await post(body, { origin: "https://page.example" });
    expect([refused.status, await refused.text()]).toEqual([403, "pages cannot write\n"]);
    expect(await store.last({ name: "a" })).toBe(undefined);
    expect((await post(body)).status).toBe(204);
    expect(await store.last({ name: "a" })).toEqual({ timestamp: NOW, value: 1 });
  }));

test("the valid samples of a request are written, and its metadata is kept", async () => {
  const store = await openStore();
  const prom = createPrometheus(store, { now: () => NOW });
  const server = await prom.listen({ port: 0 });
  const body = pack(
    request(
      series(labels({ __name__: "a" }), sample(NOW, 1)),
      series(labels({ job: "x" }), sample(NOW, 1)),
      bytes(3, [...field(1, 0, varint(2)), ...bytes(2, "a"), ...bytes(4, "Sent.")]),
    ),
  );
  const answer = await fetch(`${server.url}/api/v1/write`, { method: "POST", headers: HEADERS, body });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toMatch(/^1 samples were refused, 1 were written: the series has no __name__.*\n$/);
  expect((await prom.query("a")).result).toMatchObject([{ value: 1 }]);
  const metadata = await fetch(`${server.url}/api/v1/metadata`);
  expect(await metadata.json()).toMatchObject({ data: { a: [{ type: "gauge", help: "Sent.", unit: "" }] } });
  await server.close();
  await store.close();
});
