import { createServer } from "node:http";
import { msgpackTransformer } from "@moonpack/trpc";
import { moonpackLink } from "@moonpack/trpc/client";
import {
  DecodeError,
  EncodeError,
  MoonpackError,
  type MoonpackHandlerOptions,
  type MsgpackHandlerOptions,
  type MsgpackOptions,
  moonpackHandler,
} from "@moonpack/trpc/node";
import { createTRPCClient } from "@trpc/client";
import { initTRPC } from "@trpc/server";

const codec: MsgpackOptions = {};
const msgpack: MsgpackHandlerOptions = { ...codec, maxBytes: 1000 };
const t = initTRPC.create({ transformer: msgpackTransformer() });
const router = t.router({
  add: t.procedure
    .input((input) => input as { a: bigint; b: bigint })
    .mutation(({ input }): { sum: bigint; at: Date } => ({ sum: input.a + input.b, at: new Date(5) })),
});
const options: MoonpackHandlerOptions<typeof router> = { router, msgpack, basePath: "/trpc/" };

const server = createServer(moonpackHandler(options));
server.listen(0, "127.0.0.1", async () => {
  const { port } = server.address() as { port: number };
  const client = createTRPCClient<typeof router>({ links: [moonpackLink({ url: `http://127.0.0.1:${port}/trpc` })] });
  const { sum, at } = await client.add.mutate({ a: 2n ** 60n, b: 2n ** 61n });
  console.log(sum, at.getTime()); // 3458764513820540928n 5
  const isError = [DecodeError, EncodeError].every((one) => one.prototype instanceof MoonpackError);
  console.log(isError); // true
  server.close();
});
