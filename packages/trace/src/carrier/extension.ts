/** Carriers as a MessagePack extension type. */
import { describe, invalidArgument } from "../errors.js";
import { optionsObject, ownOption, refuseUnknown } from "../options.js";
import { TraceCarrier } from "./check-carrier.js";
import { decodeCarrier, encodeCarrier } from "./payload.js";

/** A definition for `register` of moonpack's `Extensions`. */
export interface CarrierExtension {
  /** The extension type, 0 to 127. */
  readonly type: number;
  /** The class of carriers. */
  readonly class: typeof TraceCarrier;
  /** Returns the payload of a carrier. */
  encode(carrier: TraceCarrier): Uint8Array;
  /** Returns the carrier of a payload. Throws for invalid bytes. */
  decode(bytes: Uint8Array): TraceCarrier;
}

/**
 * Returns the definition of an extension for carriers, with type 116 by default. Bytes that are damaged, or of another version, are
 * decoded to an empty carrier, so that a job does not fail. Throws `ERR_INVALID_ARGUMENT` for invalid options.
 *
 * @example
 * const extensions = new Extensions().register(carrierExtension());
 * socket.write(encode({ job, trace: carrier() }, { extensions }));
 */
export function carrierExtension(options?: { readonly type?: number }): CarrierExtension {
  const given = optionsObject(options);
  refuseUnknown(given, ["type"]);
  const type = ownOption(given, "type") ?? 116;
  if (typeof type !== "number" || !Number.isInteger(type) || type < 0 || type > 127)
    throw invalidArgument(`type must be an integer from 0 to 127, not ${describe(type)}`);
  return { type, class: TraceCarrier, encode: encodeCarrier, decode: decodeCarrier };
}
