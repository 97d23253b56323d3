import type { Contestant } from "../../measure/interleave.js";
import type { Operation } from "../../types.js";
import { ArrivingCopies } from "../protobuf/inputs.js";
import type { Ready } from "./ready.js";

/** Makes a contestant that writes messages in turn, or reads copies of its output. */
export function contestant({ candidate, codec, messages }: Ready, operation: Operation): Contestant {
  // Copies: the next call overwrites shared memory.
  const payloads = messages.map((message) => Uint8Array.from(codec.encode(message)));
  const bytes = payloads.reduce((sum, { length }) => sum + length, 0) / payloads.length;
  const { id } = candidate;
  // The codec's own functions: closures around them would be one call site for all candidates.
  if (operation === "encode") {
    return { id, bytes, call: codec.encode as Contestant["call"], prepare: inTurn(messages, (message) => message) };
  }
  const copies = new ArrivingCopies();
  return {
    id,
    bytes,
    call: codec.decode as Contestant["call"],
    prepare: inTurn(payloads, (each) => copies.copy(each)),
  };
}

/** Takes `items` in turn, converts each with `make`, and fills an array that the next batch reuses. */
export function inTurn<Item>(items: readonly Item[], make: (item: Item) => unknown): Contestant["prepare"] {
  const batch: unknown[] = [];
  let next = 0;
  return (count) => {
    batch.length = count;
    for (let index = 0; index < count; index++) {
      batch[index] = make(items[next]!);
      next = next + 1 === items.length ? 0 : next + 1;
    }
    return batch;
  };
}
