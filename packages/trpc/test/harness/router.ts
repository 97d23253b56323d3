/** The router of the tests. */
import { initTRPC, TRPCError } from "@trpc/server";
import { msgpackTransformer } from "../../src/index.ts";

export interface Context {
  readonly user: string | undefined;
}

export const t = initTRPC.context<Context>().create({ transformer: msgpackTransformer(), isDev: false });

export const RICH = {
  date: new Date(5),
  map: new Map<unknown, unknown>([[1, { a: 1 }]]),
  set: new Set(["x"]),
  big: 2n ** 100n,
  bytes: new Uint8Array([0, 255, 10]),
  missing: undefined,
  nothing: null,
  nan: Number.NaN,
  list: [undefined, -0, 1.5],
};

const any = (input: unknown): unknown => input;
let counter = 0;

export const router = t.router({
  echo: t.procedure.input(any).query(({ input }) => input),
  keep: t.procedure.input(any).mutation(({ input }) => input),
  rich: t.procedure.query(() => RICH),
  nothing: t.procedure.mutation(() => undefined),
  user: t.procedure.query(({ ctx }) => ctx.user),
  add: t.procedure
    .input((input) => {
      const { a, b } = input as { a: number; b: number };
      if (typeof a !== "number" || typeof b !== "number") throw new TypeError("a and b must be numbers");
      return { a, b };
    })
    .mutation(({ input }) => input.a + input.b),
  nested: t.router({ deep: t.procedure.query(() => [new Date(7)]) }),
  fails: t.procedure.query(() => {
    throw new TRPCError({ code: "FORBIDDEN", message: "not you" });
  }),
  broken: t.procedure.query(() => ({ run: () => counter++ })),
  slow: t.procedure.query(async ({ signal }) => {
    await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("left"))));
  }),
  ticks: t.procedure.subscription(async function* () {
    yield new Date(1);
    yield { big: 2n ** 70n };
  }),
});
export type AppRouter = typeof router;
