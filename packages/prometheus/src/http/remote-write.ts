/** The route that receives remote writes. */
import type { WriteAnswer } from "../remote-write/receiver.js";
import { RequestError } from "./errors.js";
import type { HttpRequest, Reply } from "./messages.js";
import type { RouteParts } from "./routes.js";

/** Writes the samples of a request to the store, and returns the answer. Its text says why samples were refused. */
export async function receivedWrite(
  { receiver, engine, bodies }: Pick<RouteParts, "receiver" | "engine" | "bodies">,
  { headers, body }: HttpRequest,
): Promise<Reply> {
  const header = (name: string): string | undefined => headers.get(name) ?? undefined;
  const refusal = receiver.refusal(header);
  if (refusal !== undefined) return replyOf(refusal);
  // Browsers name the page that sends a request. Senders of remote write are programs.
  if (header("origin") !== undefined) return replyOf({ status: 403, text: "pages cannot write" });
  try {
    return replyOf(await bodies.with(body, engine.settings.maxBodyBytes, (bytes) => receiver.receive(header, bytes)));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return replyOf({ status: error.kind[1] as WriteAnswer["status"], text: error.message });
  }
}

function replyOf({ status, text }: WriteAnswer): Reply {
  return { status, text: text === "" ? "" : `${text}\n`, type: "text/plain; charset=utf-8" };
}
