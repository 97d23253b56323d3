// Receives reports, has them checked, stores them in weather.pck, and serves the page.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import {
  decodeContainer,
  decodeFramed,
  encodeContainer,
  encodeFramed,
  fingerprint,
  type Infer,
  MoonpackError,
  resolve,
} from "@moonpack/pck";
import { Weather } from "./weather.js";
import { Weather as Weather1 } from "./weather-1.js";

type Message = Infer<typeof Weather>;

/** Decoders for messages of older senders, by fingerprint. */
const older = new Map([[fingerprint(Weather1).join(), resolve(Weather1, Weather)]]);
const resolver = (print: Uint8Array) => older.get(print.join());

const FILE = "weather.pck";
const PAGE = new Map([
  ["/", { file: "index.html", type: "text/html; charset=utf-8" }],
  ["/bundle.js", { file: "dist/bundle.js", type: "text/javascript" }],
]);
const { CHECK_URL } = process.env;

/** All messages so far. A file with an older schema is read as values of this one. */
const messages: Message[] = existsSync(FILE) ? decodeContainer(readFileSync(FILE), { reader: Weather }).values : [];

const server = createServer(async (request, response) => {
  try {
    const page = PAGE.get(request.url ?? "");
    if (page !== undefined) response.setHeader("content-type", page.type).end(readFileSync(page.file));
    else if (request.url !== "/weather") response.writeHead(404).end();
    else if (request.method === "POST") {
      await add(request);
      response.end();
    } else response.end(encodeFramed(Weather, { reports: messages.flatMap(({ reports }) => reports) }));
  } catch (error) {
    // Invalid bytes are the sender's fault: code and offset say why.
    response.writeHead(error instanceof MoonpackError ? 400 : 500).end(String(error));
  }
});

async function add(request: IncomingMessage): Promise<void> {
  const message = decodeFramed(await buffer(request), Weather, { resolver });
  messages.push(CHECK_URL === undefined ? message : await checked(CHECK_URL, message));
  writeFileSync(FILE, encodeContainer(Weather, messages));
}

/** Returns the message with the warnings of the service. */
async function checked(url: string, message: Message): Promise<Message> {
  const response = await fetch(url, { method: "POST", body: encodeFramed(Weather, message) });
  if (!response.ok) throw new Error(await response.text());
  return decodeFramed(await response.arrayBuffer(), Weather);
}

server.listen(8080, "127.0.0.1", () => console.log("http://127.0.0.1:8080"));
