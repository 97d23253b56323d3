import { schema, u8 } from "@moonpack/pck";
import { readContainer, writeContainer } from "@moonpack/pck/stream";

async function main(): Promise<void> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of writeContainer(schema("Die", u8("eyes")), [{ eyes: 6 }, { eyes: 1 }])) chunks.push(chunk);
  for await (const value of readContainer<{ eyes: number }>(new Blob(chunks))) console.log(value.eyes);
  // 6
  // 1
}
main().catch((error: unknown) => console.log(String(error)));
