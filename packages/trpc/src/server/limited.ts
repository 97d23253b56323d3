import { TRPCError } from "@trpc/server";

/** A request whose body has at most so many bytes: reading more throws `PAYLOAD_TOO_LARGE`. tRPC reads JSON of any length. */
export function limited(request: Request, maxBytes: number): Request {
  const { body } = request;
  if (body === null) return request;
  let left = maxBytes;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.length;
      if (left < 0) controller.error(new TRPCError({ code: "PAYLOAD_TOO_LARGE" }));
      else controller.enqueue(chunk);
    },
  });
  // Node and Deno want `duplex` for a body that is a stream; the types of the DOM do not have it.
  return new Request(request, { body: body.pipeThrough(counting), duplex: "half" } as RequestInit);
}
