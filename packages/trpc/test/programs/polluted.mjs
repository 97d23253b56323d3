// A call while Object.prototype has properties with the names of options of this package.
import { msgpackTransformer } from "@moonpack/trpc";
import { moonpackLink } from "@moonpack/trpc/client";
import { moonpackFetchHandler } from "@moonpack/trpc/fetch";
import { createTRPCClient } from "@trpc/client";
import { initTRPC } from "@trpc/server";

for (const name of ["encoder", "decoder", "msgpack", "maxBytes", "fidelity", "transformer"])
  Object.defineProperty(Object.prototype, name, { value: "polluted", configurable: true, writable: true });

const t = initTRPC.create({ transformer: msgpackTransformer() });
const router = t.router({
  show: t.procedure.input((input) => input).query(({ input }) => `${input.size}:${[...input][0].toISOString()}`),
});
const handler = moonpackFetchHandler({ endpoint: "/trpc", router });
const fetch = (url, init) => handler(new Request(url, init));
const client = createTRPCClient({ links: [moonpackLink({ url: "http://localhost/trpc", fetch })] });
console.log(JSON.stringify([await client.show.query(new Set([new Date(5), 1]))]));
