// Answers of the playground's worker that come later than the reader's next key.
import { goTo, openPage } from "../visit.mjs";
import { dropFile, focus, press, settled, until, untilText } from "./hands.mjs";

const NUMBERS = 20_000;

/** An array of small numbers. Runs in the page. */
const numbers = (n) => {
  const bytes = new Uint8Array(n + 5).fill(7);
  new DataView(bytes.buffer).setUint32(1, n);
  bytes[0] = 0xdd;
  return bytes;
};

/** Runs in the page: `give(name)` hands over the next answer of a function, while `holds` is true. */
function holdAnswers() {
  const names = new Map();
  const held = [];
  const { postMessage } = Worker.prototype;
  const { addEventListener } = EventTarget.prototype;
  Worker.prototype.postMessage = function ask(message, ...rest) {
    if (message.name !== undefined) names.set(message.id, message.name);
    return postMessage.call(this, message, ...rest);
  };
  Worker.prototype.addEventListener = function listen(type, listener) {
    const take = (event) => {
      if (!("news" in event.data)) names.delete(event.data.id);
      listener.call(this, event);
    };
    const receive = (event) => {
      if (globalThis.holds) held.push({ name: names.get(event.data.id), give: () => take(event) });
      else take(event);
    };
    addEventListener.call(this, type, type === "message" ? receive : listener);
  };
  globalThis.give = (name) => {
    const at = held.findIndex((one) => name === undefined || one.name === name);
    if (at === -1) return false;
    held.splice(at, 1)[0].give();
    return true;
  };
  globalThis.isAsked = (name) => [...names.values()].some((one) => name === undefined || one === name);
}

/** The last key counts, whichever answers come last. Opens a page of its own. */
export async function lateAnswers(driver, url, expect, browser) {
  const { page, faults } = await openPage(driver);
  await (page.addInitScript?.(holdAnswers) ?? page.evaluateOnNewDocument(holdAnswers));
  await goTo(page, `${url}playground.html`);
  await dropFile(page, ".input-box", "numbers.msgpack", numbers, NUMBERS);
  await untilText(page, "#panel-bytes .status", "20,001 items");
  await until(page, () => document.querySelector(".tree .row") !== null && !globalThis.isAsked());
  await page.evaluate(() => {
    globalThis.holds = true;
  });
  const give = (name) => until(page, (one) => globalThis.give(one), name);
  await focus(page, ".tree");
  await press(page, "End");
  await until(page, () => globalThis.isAsked("rows"));
  await focus(page, ".hex");
  await press(page, "Control+End");
  await give("at");
  await give("reveal");
  await press(page, "Control+Home");
  // The rows for the first key: its row is the last one, and the bytes are at their beginning.
  await until(page, () => {
    if (!globalThis.isAsked("rows")) return true;
    globalThis.give("rows");
    return false;
  });
  await page.evaluate(() => {
    globalThis.holds = false;
    while (globalThis.give());
  });
  const place = () =>
    `${document.querySelector(".hex .line").getAttribute("aria-rowindex")} ${document.querySelector(".detail code")?.textContent}`;
  await until(page, () => !globalThis.isAsked());
  expect(`the last key counts, in ${browser}`, await settled(page, place, "1 $"), "1 $");
  expect(`no complaint about late answers, in ${browser}`, faults.join("\n"), "");
  await page.close();
}
