import { msgpackTransformer } from "@moonpack/trpc";
import {
  DecodeError,
  EncodeError,
  type FetchHandler,
  MoonpackError,
  type MsgpackHandlerOptions,
  type MsgpackOptions,
  moonpackFetchHandler,
} from "@moonpack/trpc/fetch";
import { initTRPC } from "@trpc/server";
import { decode } from "moonpack";

const codec: MsgpackOptions = { encoder: { maxDepth: 16 } };
const msgpack: MsgpackHandlerOptions = { ...codec, maxBytes: 1000 };
const t = initTRPC.create({ transformer: msgpackTransformer(codec) });
const router = t.router({ at: t.procedure.query(() => new Date(5)) });

async function main(): Promise<void> {
  const handler: FetchHandler = moonpackFetchHandler({ endpoint: "/trpc", router, msgpack });
  const headers = { accept: "application/vnd.msgpack" };
  const response = await handler(new Request("http://localhost/trpc/at", { headers }));
  console.log(response.status, response.headers.get("content-type")); // 200 application/vnd.msgpack
  console.log(JSON.stringify(decode(new Uint8Array(await response.arrayBuffer())))); // {"result":{"data":"1970-01-01T00:00:00.005Z"}}
  const isError = [DecodeError, EncodeError].every((one) => one.prototype instanceof MoonpackError);
  console.log(isError); // true
}
main().catch((error: unknown) => console.log(String(error)));
