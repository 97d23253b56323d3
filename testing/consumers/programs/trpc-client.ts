import {
  DecodeError,
  EncodeError,
  MoonpackError,
  type MoonpackLinkOptions,
  type MsgpackOptions,
  moonpackLink,
  type WithTransformer,
} from "@moonpack/trpc/client";
import { createTRPCClient } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { encode } from "moonpack";

const msgpack: MsgpackOptions = { decoder: { maxDepth: 16 } };
const headers = { "content-type": "application/vnd.msgpack" };
const bodies: Uint8Array<ArrayBuffer>[] = [
  encode([{ result: { data: { at: new Date(5) } } }]),
  encode([{}]).subarray(0, 1),
];
const options: MoonpackLinkOptions = {
  ...msgpack,
  url: "http://localhost/trpc",
  fetch: async () => new Response(bodies.shift()!, { headers }),
};

/** The type error for a router without a transformer. */
export type Missing = WithTransformer<AnyTRPCRouter>;

/** The calls of this program; a real client infers them from the router's type. */
interface Calls {
  readonly one: { query(input?: unknown): Promise<{ at: Date }> };
}

/** Returns moonpack's error inside an error of tRPC. */
function ownError(error: unknown): unknown {
  let inner = error;
  while (inner instanceof Error && !(inner instanceof MoonpackError)) inner = inner.cause;
  return inner;
}

async function main(): Promise<void> {
  const client = createTRPCClient({ links: [moonpackLink(options as never)] }) as unknown as Calls;
  console.log((await client.one.query()).at.getTime()); // 5
  const errors: unknown[] = [];
  for (const input of [undefined, () => 1]) errors.push(await client.one.query(input).catch((error: unknown) => error));
  // tRPC has two builds: require() returns another TRPCClientError than the link uses, which is an ES module.
  const causes = errors.map(ownError);
  console.log(causes[0] instanceof DecodeError, causes[1] instanceof EncodeError); // true true
  console.log(causes.every((cause) => cause instanceof MoonpackError)); // true
}
main().catch((error: unknown) => console.log(String(error)));
