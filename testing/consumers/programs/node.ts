import { Readable } from "node:stream";
import { DecodeStream, NULL, PipelinedWriter } from "moonpack/node";

async function main(): Promise<void> {
  const values: unknown[] = [];
  for await (const value of Readable.from([Buffer.from([1, 0xc0, 3])]).pipe(new DecodeStream())) values.push(value);
  console.log(values.length, values[1] === NULL, typeof PipelinedWriter); // 3 true function
}
main().catch((error: unknown) => console.log(String(error)));
