import { type AnySchema, diagnose, diagnoseContainer } from "@moonpack/pck";
import type { ByteWindow } from "../shared/input.js";
import type { Part } from "./parts.js";

/** Yields the whole container as one part; with a schema, the whole message. */
export async function* pckPart(
  window: ByteWindow,
  schema: AnySchema | undefined,
  framed: boolean,
): AsyncGenerator<Part, void, undefined> {
  const bytes = await window.reachEnd();
  const items = schema === undefined ? diagnoseContainer(bytes) : diagnose(bytes, schema, { framed });
  yield { bytes, position: 0, total: bytes.length, items };
}
