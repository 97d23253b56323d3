import {
  type BodiesOptions,
  bodies,
  HTTP_ERROR_CODES,
  type HttpErrorCode,
  type MsgpackFormat,
  type MsgpackOptions,
  msgpack,
  type PckFormat,
  type PckMessages,
  type PckOptions,
  type Problem,
  pck,
  pckOf,
  type ReadOptions,
  RequestError,
  type RequestErrorDetails,
  type RequestStatus,
  type SendOptions,
  type SendStreamOptions,
  type Values,
  type ValuesToSend,
  type WebBodies,
} from "@moonpack/http";
import { schema, u8 } from "@moonpack/pck";
import { decode, encode } from "moonpack";
import { complete as engine } from "moonpack/msgpack/features";

interface Point {
  readonly x: number;
}

async function main(): Promise<void> {
  const exact: MsgpackOptions = { decoder: { strict: true, engine }, encoder: { canonical: true, engine } };
  const format: MsgpackFormat = msgpack(exact);
  const answered: string[] = [];
  const options: BodiesOptions = { msgpack: format, maxBytes: 1000, onError: ({ code }) => answered.push(code) };
  const http: WebBodies = bodies(options);

  const older: PckOptions = { older: [] };
  const points: PckFormat<Point, Point> = pck(schema("Point", u8("x")), older);
  const messages: PckMessages<Point, Point> = { ...points, decode: (bytes) => ({ x: bytes[0]! }) };
  console.log(pckOf(messages).fingerprint === points.fingerprint); // true

  const post = (type: string, body: Uint8Array<ArrayBuffer>) =>
    new Request("http://localhost", {
      method: "POST",
      body,
      headers: { "content-type": type, accept: points.accept(false) },
    });
  const reading: ReadOptions<Point> = { pck: points };
  const sending: SendOptions<Point> = { pck: points };
  const request = post(points.type(false), points.encode({ x: 7 }));
  const point = await http.read(request, reading);
  console.log(point?.x); // 7
  const response = http.response(request, { x: 8 }, { ...sending, status: 201 });
  console.log(response.status, (await response.arrayBuffer()).byteLength); // 201 1

  const values: Values = [1, 2];
  const later: ValuesToSend = (signal) => (signal.aborted ? [] : values);
  const streaming: SendStreamOptions = { early: true };
  const stream = await http.streamResponse(new Request("http://localhost"), later, streaming);
  console.log(new Uint8Array(await stream.arrayBuffer()).join()); // 1,2
  let sum = 0;
  for await (const value of http.readStream<number>(post("application/vnd.msgpack", new Uint8Array([1, 2]))))
    sum += value;
  console.log(sum); // 3

  const error: unknown = await http.read(post("text/plain", encode(1))).catch((reason: unknown) => reason);
  const problem = (await http.problem(error).json()) as Problem;
  console.log(answered.join()); // ERR_HTTP_TYPE
  console.log(problem.status, error instanceof RequestError); // 415 true
  const code: HttpErrorCode = "ERR_HTTP_STATUS";
  console.log(code in HTTP_ERROR_CODES); // true
  const status: RequestStatus = 400;
  const details: RequestErrorDetails = { offset: 3 };
  console.log(new RequestError(status, "ERR_TRUNCATED", "cut", details).toProblem().offset); // 3
  console.log(decode(format.encode({ b: 1, a: 2 })) !== undefined); // true
}
main().catch((error: unknown) => console.log(String(error)));
