// The figures of the live strip: JSON, its bytes as MessagePack, and both sizes.

/** The state of the strip. */
export interface Strip {
  /** The bytes as digits. */
  readonly hex: string;
  /** The JSON that the bytes decode to. */
  readonly back: string;
  /** Bytes of JSON without spaces, and of MessagePack. */
  readonly jsonBytes: number;
  readonly bytes: number;
}

/** Returns the figures of a value: its shortest JSON, its bytes, and the JSON that these decode to. */
export function stripOf(json: string, bytes: Uint8Array, back: string): Strip {
  return {
    hex: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" "),
    back,
    jsonBytes: new TextEncoder().encode(json).length,
    bytes: bytes.length,
  };
}
