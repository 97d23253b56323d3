/** Carriers as a MessagePack extension type. */
import { describe, invalidArgument } from "../errors.js";
import { optionsObject, ownOption, refuseUnknown } from "../options.js";
import { TraceCarrier } from "./check-carrier.js";
import { decodeCarrier, encodeCarrier } from "./payload.js";

/** What `register` of moonpack's `Extensions` takes. */
export interface CarrierExtension {
  readonly type: number;
  readonly class: typeof TraceCarrier;
  encode(carrier: TraceCarrier): Uint8Array;
  decode(bytes: Uint8Array): TraceCarrier;
}

/**
 * The definition of an extension for carriers, of type 116 unless another one is given. Bytes that are damaged, or of another
 * version, are decoded to an empty carrier: a job does not fail because of them.
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
