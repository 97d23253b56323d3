// Actions of a reader, for both drivers: Playwright's Chromium and Puppeteer's Firefox share most calls.

const PATIENCE_MS = 30_000;
const SETTLE_MS = 4000;
const LOOK_MS = 20;

/** Sets the size of the window. */
export function resize(page, size) {
  return page.setViewportSize?.(size) ?? page.setViewport(size);
}

/** Waits until `look`, which runs in the page, returns something true, and returns it. */
export async function until(page, look, argument) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = await page.evaluate(look, argument);
    if (seen) return seen;
    // The argument first: a summary shows the first line only.
    if (Date.now() > end) throw new Error(`the page does not come to ${JSON.stringify(argument) ?? ""} ${look}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Waits until `look` returns the expected value; returns its last result after some seconds, for the check that follows. */
export async function settled(page, look, expected, argument) {
  const end = Date.now() + SETTLE_MS;
  for (;;) {
    const seen = await page.evaluate(look, argument);
    if (seen === expected || Date.now() > end) return seen;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Waits for an element, and for a text in it. Returns all of its text. */
export function untilText(page, selector, text) {
  return until(
    page,
    ([where, part]) => {
      const seen = document.querySelector(where)?.textContent ?? "";
      return seen.includes(part) && seen;
    },
    [selector, text],
  );
}

/** The text of an element, with single spaces. */
export function textOf(page, selector) {
  return page.evaluate((where) => document.querySelector(where)?.textContent?.replace(/\s+/g, " ").trim(), selector);
}

/**
 * Clicks the button, label or tab with this text, inside of an element. A change of the page's layout can move it away from the
 * pointer, so a click that does not arrive is repeated. Not for a click that leaves the page: the next page does not know that
 * it arrived.
 */
export async function clickText(page, inside, text) {
  const end = Date.now() + PATIENCE_MS;
  do {
    await until(page, markByText, [inside, text]);
    await page.click("[data-hand]");
    if (await page.evaluate(() => globalThis.wasClicked)) return;
  } while (Date.now() < end);
  throw new Error(`no click arrives at ${text} in ${inside}`);
}

/** Marks the element that is to be clicked, in the page. */
function markByText([inside, text]) {
  const all = [...document.querySelectorAll(`${inside} :is(button, label, summary)`)];
  const found = all.find((one) => one.textContent.trim() === text && one.checkVisibility());
  for (const one of document.querySelectorAll("[data-hand]")) delete one.dataset.hand;
  if (found === undefined) return false;
  found.dataset.hand = "here";
  globalThis.wasClicked = false;
  const note = () => {
    globalThis.wasClicked = true;
  };
  found.addEventListener("click", note, { capture: true, once: true });
  // The bar at the top of the page covers what is scrolled below it, and Puppeteer clicks on the bar then.
  found.scrollIntoView({ block: "center" });
  return true;
}

/** Presses keys one after another: `Control+a` holds Control. */
export async function press(page, ...keys) {
  for (const key of keys) {
    const [last, ...held] = key.split("+").reverse();
    for (const one of held.reverse()) await page.keyboard.down(one);
    await page.keyboard.press(last);
    for (const one of held) await page.keyboard.up(one);
  }
}

/** Replaces the text of a text area by keys. */
export async function typeOver(page, selector, text) {
  await page.focus(selector);
  await press(page, "Control+a");
  await page.keyboard.type(text);
}

/** Replaces the text of a text area by what is on the clipboard. */
export async function pasteOver(page, selector) {
  await page.focus(selector);
  await press(page, "Control+a", "Control+v");
}

/** Chooses an option of a `select`. */
export function choose(page, selector, value) {
  return page.selectOption?.(selector, value) ?? page.select(selector, value);
}

/**
 * Drops a file with this name on an element. `make` runs in the page before the drop and returns the content.
 */
export async function dropFile(page, selector, name, make, argument) {
  await makeFile(page, name, make, argument);
  await dropMade(page, selector);
}

/** Makes the file that {@link dropMade} drops. */
export async function makeFile(page, name, make, argument) {
  const source = `(${make})(${JSON.stringify(argument)})`;
  await page.evaluate(`globalThis.madeFile = new File([].concat(${source}), ${JSON.stringify(name)}); undefined`);
}

/** Drops the file that was made. */
export function dropMade(page, selector) {
  return page.evaluate((where) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(globalThis.madeFile);
    const event = { dataTransfer, bubbles: true, cancelable: true };
    document.querySelector(where).dispatchEvent(new DragEvent("dragover", event));
    document.querySelector(where).dispatchEvent(new DragEvent("drop", event));
  }, selector);
}

/** Runs in the page: keeps the files that it saves, as their names and bytes, in `saved`. */
export const catchFiles = () => {
  globalThis.saved ??= [];
  const blobs = new Map();
  const create = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    const address = create.call(URL, blob);
    blobs.set(address, blob);
    return address;
  };
  HTMLAnchorElement.prototype.click = async function click() {
    const bytes = new Uint8Array(await blobs.get(this.href).arrayBuffer());
    globalThis.saved.push(`${this.download}: ${[...bytes].map((byte) => byte.toString(16)).join(" ")}`);
  };
};
