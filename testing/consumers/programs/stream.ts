import {
  DecodeStream,
  type DecodeStreamOptions,
  decodeArrayStream,
  decodeAsync,
  decodeStream,
  encodeCooperatively,
  encodeStream,
  StreamDecoder,
} from "moonpack/stream";

async function main(): Promise<void> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of encodeStream([{ id: 1 }, null, "three"])) chunks.push(chunk);
  for await (const value of decodeStream(new Blob(chunks))) console.log(JSON.stringify(value));
  // {"id":1}
  // null
  // "three"

  const options: DecodeStreamOptions = { maxDepth: 4 };
  const values: ReadableStream<unknown> = new Blob([new Uint8Array([1, 2])])
    .stream()
    .pipeThrough(new DecodeStream(options));
  const reader = values.getReader();
  console.log((await reader.read()).value, (await reader.read()).value); // 1 2

  const array = await encodeCooperatively([7, 8]);
  const elements: unknown[] = [];
  for await (const element of decodeArrayStream([array])) elements.push(element);
  console.log(elements.join(), (await decodeAsync<number[]>([array])).length); // 7,8 2
  const decoder = new StreamDecoder();
  console.log([...decoder.push(new Uint8Array([5]))].join()); // 5
}
main().catch((error: unknown) => console.log(String(error)));
