// Prepares a codec for messages. A codec that returns other values is not measured.
import { CODECS, type CodecId, type ReadyCodec } from "./codecs.ts";
import { messagesOf, textOfSource } from "./messages.ts";
import { differenceOf } from "./same-value.ts";

/** The messages and the codecs to measure. */
export interface Task {
  readonly source: string | Blob;
  /** Each element of a list is a message. */
  readonly isList: boolean;
}

/** A codec that has passed its check. */
export interface Prepared {
  readonly codec: ReadyCodec;
  readonly messages: readonly unknown[];
  /** The messages in its bytes. */
  readonly encoded: readonly Uint8Array[];
}

/** Prepares a codec. Throws an Error that says why it cannot hold the messages, or where it gives back another value. */
export async function prepare(id: CodecId, { source, isList }: Task): Promise<Prepared> {
  const messages = messagesOf(await textOfSource(source), isList);
  const codec = await CODECS[id].load(messages);
  return { codec, messages, encoded: checkedBytes(codec, messages) };
}

/** The messages in the bytes of a codec. Throws an Error where it gives back another value. */
export function checkedBytes(codec: ReadyCodec, messages: readonly unknown[]): readonly Uint8Array[] {
  // Copies: the memory of a codec may be reused.
  const encoded = messages.map((message) => new Uint8Array(codec.encode(message)));
  for (const [index, message] of messages.entries()) {
    const path = differenceOf(message, codec.decode(encoded[index]!), { mayFill: codec.mayFill === true });
    const which = messages.length === 1 ? "" : ` of message ${index + 1}`;
    if (path !== undefined) throw new Error(`it gives back another value at ${path}${which}`);
  }
  return encoded;
}
