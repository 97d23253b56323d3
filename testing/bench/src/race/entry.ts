import { isDeepStrictEqual } from "node:util";
import { SocketInputs } from "../measure/inputs.js";
import type { Contestant } from "../measure/interleave.js";
import type { Candidate, Codec, InputKind, Operation, Payload } from "../types.js";
import { decodeIndependently, referencePayload } from "./formats.js";

/** A candidate's entry in a race: a contestant, or the reason why it is not timed. */
export type Entry =
  | { readonly contestant: Contestant; readonly refusal?: undefined }
  | { readonly contestant?: undefined; readonly refusal: string };

/**
 * Prepares one candidate for one workload. A candidate that does not reproduce every value exactly is not timed, since it would do less
 * work.
 */
export function enter(
  candidate: Candidate,
  operation: Operation,
  values: readonly unknown[],
  input: InputKind,
): Entry | undefined {
  const codec = candidate.create();
  try {
    if (operation === "encode") return codec.encode && encodeEntry(candidate, codec, codec.encode, values);
    return codec.decode && decodeEntry(candidate, codec, codec.decode, values, input);
  } catch (error) {
    return { refusal: `throws ${error instanceof Error ? error.message : String(error)}` };
  }
}

function encodeEntry(
  candidate: Candidate,
  codec: Codec,
  encode: (value: unknown) => Payload,
  values: readonly unknown[],
): Entry {
  let bytes = 0;
  for (const value of values) {
    const payload = encode(value);
    bytes += payload.length;
    if (!isDeepStrictEqual(decodeIndependently(candidate, codec, payload), value)) {
      return { refusal: "an independent decoder reads a different value" };
    }
  }
  return {
    contestant: {
      id: candidate.id,
      bytes: bytes / values.length,
      call: encode,
      prepare: taker(values, (value) => value),
    },
  };
}

function decodeEntry(
  candidate: Candidate,
  codec: Codec,
  decode: (payload: Payload) => unknown,
  values: readonly unknown[],
  input: InputKind,
): Entry {
  const inputs = new SocketInputs(input);
  const payloads = values.map((value) => referencePayload(candidate, codec, value));
  let bytes = 0;
  for (let i = 0; i < values.length; i++) {
    bytes += payloads[i]!.length;
    if (!isDeepStrictEqual(decode(inputs.copy(payloads[i]!)), values[i])) return { refusal: "reads a different value" };
  }
  return {
    contestant: {
      id: candidate.id,
      bytes: bytes / values.length,
      // The candidate's own function: a closure around it would be one call site for all candidates.
      call: decode as (payload: unknown) => unknown,
      prepare: taker(payloads, (payload) => inputs.copy(payload)),
    },
  };
}

/** Takes `items` in turn, converts each with `make`, and fills an array that the next batch reuses. */
function taker<Item>(items: readonly Item[], make: (item: Item) => unknown): (count: number) => unknown[] {
  const batch: unknown[] = [];
  let next = 0;
  return (count) => {
    batch.length = count;
    for (let i = 0; i < count; i++) {
      batch[i] = make(items[next]!);
      next = next + 1 === items.length ? 0 : next + 1;
    }
    return batch;
  };
}
