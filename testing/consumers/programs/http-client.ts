import {
  type BodyFormat,
  type FetchOptions,
  fetchStream,
  fetchValue,
  type MsgpackFormat,
  type MsgpackOptions,
  msgpack,
  type PckFormat,
  type PckMessages,
  type PckOptions,
  pck,
  pckOf,
  ResponseError,
  type StreamBody,
  streamBody,
  type Values,
} from "@moonpack/http/client";
import { schema, u8 } from "@moonpack/pck";
import { encode } from "moonpack";

interface Point {
  readonly x: number;
}

/** A server: what it is sent comes back, in the same format. */
async function echo(_url: string | URL, init: RequestInit): Promise<Response> {
  const request = new Request("http://localhost", init);
  const type = request.headers.get("content-type");
  if (type === null) return Response.json({ code: "ERR_LIMIT_BYTES", detail: "no" }, { status: 413 });
  return new Response(await request.arrayBuffer(), { headers: { "content-type": type } });
}

async function main(): Promise<void> {
  const plain: FetchOptions<unknown, unknown> = { value: { a: 1 }, fetch: echo };
  console.log(JSON.stringify(await fetchValue("/", plain))); // {"a":1}

  const older: PckOptions = { older: [] };
  const points: PckFormat<Point, Point> = pck(schema("Point", u8("x")), older);
  const point = await fetchValue("/", { value: { x: 7 }, request: points, response: points, fetch: echo });
  console.log(point.x); // 7
  const messages: PckMessages<Point, Point> = {
    fingerprint: points.fingerprint,
    encode: (value) => points.encode(value),
    decode: (bytes) => ({ x: bytes[0]! }),
  };
  const same: BodyFormat<Point, Point> = pckOf(messages);
  console.log((await fetchValue("/", { value: { x: 8 }, request: same, response: same, fetch: echo })).x); // 8

  const exact: MsgpackOptions = { decoder: { maps: "map" } };
  const maps: MsgpackFormat = msgpack(exact);
  console.log((await fetchValue("/", { value: { a: 1 }, response: maps, fetch: echo })) instanceof Map); // true

  const values: Values<Point> = [{ x: 1 }, { x: 2 }];
  const body: StreamBody = streamBody(values, points);
  console.log(body.type === points.type(true)); // true
  const bytes = new Uint8Array([...encode(1), ...encode(2)]);
  const two = async () => new Response(bytes, { headers: { "content-type": "application/vnd.msgpack" } });
  for await (const value of fetchStream<number>("/", { fetch: two })) console.log(value);
  // 1
  // 2

  const error: unknown = await fetchValue("/", { fetch: echo }).catch((reason: unknown) => reason);
  if (error instanceof ResponseError) console.log(error.status, error.code, error.message); // 413 ERR_LIMIT_BYTES 413: no
}
main().catch((error: unknown) => console.log(String(error)));
