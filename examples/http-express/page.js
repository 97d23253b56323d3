import { fetchStream, fetchValue, ResponseError } from "@moonpack/http/client";
import { reading, readings } from "./schema.js";

const element = (id) => document.querySelector(`#${id}`);

/** Adds a row: the format, the bytes of the answer, how many readings it has. */
function show(format, bytes, count) {
  const row = element("formats").insertRow();
  for (const text of [format, bytes, count]) row.insertCell().textContent = text;
}

/** `fetch`, with a look at the length of the answer. */
let bytes;
async function measured(url, init) {
  const response = await fetch(url, init);
  bytes = response.headers.get("content-length");
  return response;
}

async function formats() {
  const asPck = await fetchValue("/readings", { response: readings, fetch: measured });
  show("PCK", bytes, asPck.readings.length);
  const asMessagePack = await fetchValue("/readings", { fetch: measured });
  show("MessagePack", bytes, asMessagePack.readings.length);
  const response = await measured("/readings", { headers: { accept: "application/json" } });
  show("JSON", bytes, (await response.json()).readings.length);
}

document.forms[0].addEventListener("submit", async (event) => {
  event.preventDefault();
  const { celsius, humidity } = Object.fromEntries(new FormData(event.target));
  const value = { station: "Page", at: BigInt(Date.now()), celsius: Number(celsius), humidity: Number(humidity) };
  try {
    // As MessagePack: the server checks it. With `request: reading` the page itself would refuse what is not of the schema.
    const saved = await fetchValue("/readings", { value, response: reading });
    element("result").textContent = `saved ${saved.celsius} °C`;
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    element("result").textContent = `${error.status} ${error.code} at ${error.path}`;
  }
});

async function live() {
  for await (const { station, celsius } of fetchStream("/live", { response: reading })) {
    const item = document.createElement("li");
    item.textContent = `${station}: ${celsius.toFixed(1)} °C`;
    element("live").prepend(item);
  }
}

await formats();
await live();
