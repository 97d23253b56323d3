import {
  type DecoderOptions,
  decode,
  decodeAsync,
  decodeMultiStream,
  ExtensionCodec,
  encode,
} from "@moonpack/compat/msgpack-javascript";

async function main(): Promise<void> {
  const extensionCodec = new ExtensionCodec();
  extensionCodec.register({
    type: 0,
    encode: (value) => (value instanceof Set ? encode([...value]) : null),
    decode: (data) => new Set(decode(data) as unknown[]),
  });
  const options: DecoderOptions<undefined> = { extensionCodec };
  const set = decode(encode(new Set([1, 2]), { extensionCodec }), options) as Set<number>;
  console.log(set.size); // 2
  console.log(await decodeAsync(new Blob([encode(7)]).stream())); // 7
  for await (const value of decodeMultiStream(new Blob([encode(8)]).stream())) console.log(value); // 8
}
main().catch((error: unknown) => console.log(String(error)));
