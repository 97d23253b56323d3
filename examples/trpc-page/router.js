// The procedures: pictures are bytes, times are dates, tags are sets. None of them becomes text.
import { msgpackTransformer } from "@moonpack/trpc";
import { initTRPC, TRPCError } from "@trpc/server";

const t = initTRPC.create({ transformer: msgpackTransformer() });
const pictures = new Map();

/** A parser; tRPC accepts any function. */
function drawing(input) {
  const { name, tags, pixels } = input;
  if (typeof name !== "string" || name === "") throw new TypeError("a picture needs a name");
  if (!(tags instanceof Set)) throw new TypeError("tags must be a Set");
  if (!(pixels instanceof Uint8Array) || pixels.length !== 256) throw new TypeError("16 x 16 pixels are needed");
  return { name, tags, pixels };
}

export const router = t.router({
  list: t.procedure.query(() => [...pictures.values()].map(({ pixels: _, ...rest }) => rest)),
  pixels: t.procedure
    .input((name) => String(name))
    .query(({ input }) => {
      const found = pictures.get(input);
      if (found === undefined) throw new TRPCError({ code: "NOT_FOUND", message: `no picture ${input}` });
      return found.pixels;
    }),
  save: t.procedure.input(drawing).mutation(({ input }) => {
    const saved = { ...input, at: new Date() };
    pictures.set(input.name, saved);
    return saved.at;
  }),
});
