// First bytes of files that are dropped by mistake, or that are compressed.

const SIGNATURES: readonly { readonly bytes: readonly number[]; readonly text: string }[] = [
  { bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a], text: "a PNG picture" },
  { bytes: [0xff, 0xd8, 0xff], text: "a JPEG picture" },
  { bytes: [0x47, 0x49, 0x46, 0x38], text: "a GIF picture" },
  { bytes: [0x25, 0x50, 0x44, 0x46], text: "a PDF document" },
  { bytes: [0x1f, 0x8b], text: "data in gzip: decompress them first" },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], text: "data in zstd: decompress them first" },
  { bytes: [0x50, 0x4b, 0x03, 0x04], text: "a ZIP archive: unpack it first" },
  { bytes: [0xff, 0xfe], text: "text in UTF-16" },
  { bytes: [0xfe, 0xff], text: "text in UTF-16" },
  { bytes: [0xef, 0xbb, 0xbf], text: "text in UTF-8" },
];

/** Names the format that the first bytes belong to, if it is none of the playground's. Undefined for all others. */
export function lookOf(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find((each) => each.bytes.every((byte, index) => bytes[index] === byte))?.text;
}
