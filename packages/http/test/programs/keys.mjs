// For Deno: keys of JSON that are array indices with equal hashes, as many as 1 MiB holds, then as many others.
import { readJson } from "../../build/json/read.js";

const time = (key) => {
  const members = Array.from({ length: 60_000 }, (_, i) => `"${key((i + 1) * 65_536)}":0`);
  const bytes = new TextEncoder().encode(`{${members.join()}}`);
  const start = performance.now();
  readJson(bytes);
  return performance.now() - start;
};
console.log(JSON.stringify([time(String), time((number) => `k${number}`)]));
