/** Inferred types, checked by the compiler (scripts/types-of-tests.mjs). */
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { initTRPC } from "@trpc/server";
import { expectTypeOf, test } from "vitest";
import { moonpackLink } from "../src/client/index.ts";
import { msgpackTransformer } from "../src/index.ts";
import { moonpackHandler } from "../src/node/index.ts";
import { moonpackFetchHandler } from "../src/server/fetch.ts";

const t = initTRPC.context<{ user: string }>().create({ transformer: msgpackTransformer() });
const router = t.router({
  rich: t.procedure.query(() => ({ at: new Date(), set: new Set([1]), bytes: new Uint8Array(1) })),
  add: t.procedure.input((input) => input as { by: bigint }).mutation(({ input }) => input.by),
});
const plain = initTRPC.create().router({});

test("types", () => {
  const types = () => {
    const client = createTRPCClient<typeof router>({ links: [moonpackLink({ url: "/trpc" })] });
    // `toEqualTypeOf<Uint8Array>` would depend on the version of TypeScript's library.
    expectTypeOf(client.rich.query).returns.resolves.toExtend<{ at: Date; set: Set<number>; bytes: Uint8Array }>();
    expectTypeOf(client.add.mutate).parameter(0).toEqualTypeOf<{ by: bigint }>();
    expectTypeOf(client.add.mutate({ by: 1n })).resolves.toEqualTypeOf<bigint>();
    // @ts-expect-error a router without a transformer has types of JSON
    createTRPCClient<typeof plain>({ links: [moonpackLink({ url: "/trpc" })] });
    createTRPCClient<typeof router>({ links: [httpBatchLink({ url: "/trpc", transformer: msgpackTransformer() })] });
    moonpackHandler({ router, createContext: ({ req }) => ({ user: req.url! }) });
    // @ts-expect-error the context is missing
    moonpackHandler({ router });
    moonpackFetchHandler({ router, endpoint: "/trpc", createContext: ({ req }) => ({ user: req.url }) });
    // @ts-expect-error the context is of another type
    moonpackFetchHandler({ router, endpoint: "/trpc", createContext: () => ({ user: 7 }) });
  };
  expectTypeOf(types).toBeFunction();
});
