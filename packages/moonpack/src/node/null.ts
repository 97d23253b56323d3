/**
 * nil as a value of a Node stream. In object mode `null` means the end, so {@link DecodeStream} gives this symbol for a
 * message that is nil, by `data` events, `pipe` and `for await` alike, and {@link EncodeStream} writes nil for it. Within
 * a value, null is null. The same symbol whichever copy of the package it comes from.
 *
 * @example
 * for await (const value of socket.pipe(new DecodeStream())) handle(value === NULL ? null : value);
 */
export const NULL: unique symbol = Symbol.for("moonpack.NULL");
