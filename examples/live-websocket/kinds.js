// The kinds of messages of both ends. All other messages are MessagePack.
import { codec, f32, schema, u32 } from "@moonpack/pck";

/** The position of a pointer: 12 bytes, and 2 for the kind. */
export const POINTER = 1;
export const kinds = { [POINTER]: codec(schema("Pointer", u32("who"), f32("x"), f32("y"))) };
