/** A process that receives remote writes over HTTP until it is killed. Arguments: the folder of the store, and its durability. */
import { createServer } from "node:http";
import { openSeries } from "@moonpack/series";
import { WriteReceiver } from "../../build/remote-write/receiver.js";
import { MetadataMap } from "../../build/store/metadata.js";

const [, , path, durability] = process.argv;
const warn = ({ message }) => console.log(`warning ${message}`);
const series = await openSeries({ path, durability, grace: 0, onWarning: warn });
const receiver = new WriteReceiver(series, new MetadataMap(), { maxBodyBytes: 1e7, maxRawBytes: 4e7 });
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { status, text } = await receiver.receive((name) => request.headers[name], Buffer.concat(chunks));
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(text);
});
server.listen(0, "127.0.0.1", () => console.log(`port ${server.address().port}`));

// Kills meet rounds of sealing, too.
for (;;) {
  await new Promise((resolve) => setTimeout(resolve, 40));
  await series.flush();
}
