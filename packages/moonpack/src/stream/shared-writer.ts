import { type EncoderOptions, type EncoderSettings, encoderSettings } from "../msgpack/options.js";
import { MessageWriter } from "../msgpack/write/message.js";

/** Creates the writer of streams, which is the complete one in pages too. */
export function completeWriter(settings: EncoderSettings): MessageWriter {
  return new MessageWriter(settings);
}

/** The last writer without options, while it is not in use. */
let free: MessageWriter | undefined;

/**
 * Returns a writer for one message in slices; the caller owns it. Without options it may be a used one, which already has memory
 * and keys: growing new memory to 16 MB takes a quarter of the time of writing such a message.
 */
export function acquireWriter(options: EncoderOptions | undefined): MessageWriter {
  const writer = options === undefined ? free : undefined;
  if (writer === undefined) return completeWriter(encoderSettings(options));
  free = undefined;
  return writer;
}

/** Gives back a writer without options, after its message has been copied. */
export function releaseWriter(writer: MessageWriter): void {
  writer.letGo();
  free = writer;
}
