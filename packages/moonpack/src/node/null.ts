/**
 * nil as a value of a Node stream. In object mode `null` means the end of the stream. So {@link DecodeStream} emits this symbol
 * for a message that is nil, in `data` events, `pipe` and `for await`, and {@link EncodeStream} writes nil for it. Inside a
 * value, null is null. All copies of the package use the same symbol.
 *
 * @example
 * for await (const value of socket.pipe(new DecodeStream())) handle(value === NULL ? null : value);
 */
export const NULL: unique symbol = Symbol.for("moonpack.NULL");
