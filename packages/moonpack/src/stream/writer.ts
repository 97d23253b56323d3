import { type EncoderOptions, encoderSettings } from "../msgpack/options.js";
import { MessageWriter } from "../msgpack/write.js";

/** The one that was used last, while nobody uses it. */
let kept: MessageWriter | undefined;

/**
 * A writer for one message in slices, the caller's alone. Without options it may be one that knows keys and has memory
 * already: growing to 16 MB anew takes a quarter of the time that such a message takes to write.
 */
export function takeWriter(options: EncoderOptions | undefined): MessageWriter {
  const writer = options === undefined ? kept : undefined;
  if (writer === undefined) return new MessageWriter(encoderSettings(options));
  kept = undefined;
  return writer;
}

/** Gives back a writer without options that is done with its message, which has been copied. */
export function keepWriter(writer: MessageWriter): void {
  writer.letGo();
  kept = writer;
}
