import { TRPCError } from "@trpc/server";

/** Returns a request with a limited body: reading more than `maxBytes` throws `PAYLOAD_TOO_LARGE`. tRPC itself has no limit. */
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
  // Node and Deno require `duplex` for a stream as body. The types of the DOM do not have it.
  return new Request(request, { body: body.pipeThrough(counting), duplex: "half" } as RequestInit);
}
