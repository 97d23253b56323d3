/** `#runtime` on servers and edge workers: the complete reader and writer. */

import type { BaseReader } from "../read/base.js";
import { MessageReader } from "../read/message.js";
import type { DecoderSettings } from "../read/settings.js";
import type { BaseWriter } from "../write/base.js";
import { MessageWriter } from "../write/message.js";
import type { EncoderSettings } from "../write/settings.js";

export function createReader(settings: DecoderSettings): BaseReader {
  return new MessageReader(settings);
}

export function createWriter(settings: EncoderSettings): BaseWriter {
  return new MessageWriter(settings);
}

export { refuseUnknown as refuseNames } from "../../bytes/unknown-options.js";
