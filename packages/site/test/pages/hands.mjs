// Actions of a reader, for both drivers: Playwright's Chromium and Puppeteer's Firefox share most calls.

const PATIENCE_MS = 30_000;
const LOOK_MS = 20;
/** The time between two looks counts up to this: a machine that stands still does not look. */
const MAX_STEP_MS = 5000;
/** Playwright's limit for an element to stand still; then it is looked for again. */
const CLICK_MS = 10_000;

/** Returns a function that returns true until the patience is at its end. */
function patience() {
  let left = PATIENCE_MS;
  let before = performance.now();
  return () => {
    const now = performance.now();
    left -= Math.min(now - before, MAX_STEP_MS);
    before = now;
    return left > 0;
  };
}

/** Sets the size of the window. */
export function resize(page, size) {
  return page.setViewportSize?.(size) ?? page.setViewport(size);
}

/** Waits until `look`, which runs in the page, returns something true, and returns it. */
export async function until(page, look, argument) {
  const isPatient = patience();
  for (;;) {
    const { seen, fault } = await looked(page, look, argument);
    if (seen) return seen;
    if (!isPatient()) {
      // The argument first: a summary shows the first line only.
      const why = fault === undefined ? "" : `${fault.message.split("\n", 1)[0]}: `;
      const message = `the page does not come to ${why}${JSON.stringify(argument) ?? ""} ${look}`;
      throw new Error(message, { cause: fault });
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Waits until `look` returns the expected value; returns its last result if that takes too long, for the check that follows. */
export async function settled(page, look, expected, argument) {
  const isPatient = patience();
  for (;;) {
    const { seen, fault } = await looked(page, look, argument);
    if (fault === undefined && seen === expected) return seen;
    if (!isPatient()) return fault ?? seen;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** What `look` returns, or the error that it throws: of an element that is not there yet, it may read a property. */
function looked(page, look, argument) {
  return page.evaluate(look, argument).then(
    (seen) => ({ seen }),
    (fault) => ({ fault }),
  );
}

/** Waits for an element, and for a text in it. Returns all of its text. */
export async function untilText(page, selector, text) {
  const isThere = ([where, part]) => {
    const seen = document.querySelector(where)?.textContent ?? "";
    return seen.includes(part) && seen;
  };
  try {
    return await until(page, isThere, [selector, text]);
  } catch (cause) {
    const seen = await page.evaluate(stateOf, selector);
    throw new Error(`${selector} does not come to ${JSON.stringify(text)}: ${JSON.stringify(seen)}`, { cause });
  }
}

/** The page's state for a message of failure: an element's text, where the keys go, and the typed texts. */
function stateOf(where) {
  const { activeElement } = document;
  return {
    text: document.querySelector(where)?.textContent.trim().slice(0, 300),
    focus: activeElement?.id || activeElement?.className || activeElement?.tagName,
    typed: [...document.querySelectorAll("textarea")].map(({ value }) => value.slice(0, 100)),
  };
}

/** The text of an element, with single spaces. */
export function textOf(page, selector) {
  return page.evaluate((where) => document.querySelector(where)?.textContent?.replace(/\s+/g, " ").trim(), selector);
}

/** Clicks the button, label or tab with this text, inside of an element. Not for a click that leaves the page. */
export function clickText(page, inside, text) {
  return clickFirst(page, [`${inside} :is(button, label, summary)`, text]);
}

/** Clicks an element, once it is there. Not for a click that leaves the page. */
export function click(page, selector) {
  return clickFirst(page, [selector]);
}

/**
 * Clicks the first visible element of a selector, with a text if one is given. A change of the page's layout can move it away from
 * the pointer: what is hit then does not get the click (visit.mjs), which is repeated. A page after this one would not know that it
 * arrived.
 */
async function clickFirst(page, wanted) {
  const isPatient = patience();
  let cause;
  do {
    await until(page, markFirst, wanted);
    // The element may be replaced before the click.
    await page.click("[data-hand]", { timeout: CLICK_MS }).catch((error) => {
      cause = error;
    });
    if (await page.evaluate(() => globalThis.wasClicked)) return;
  } while (isPatient());
  throw new Error(`no click arrives at ${wanted.join(": ")}`, { cause });
}

/** Marks the element that is to be clicked, in the page, and keeps clicks from all others: Playwright repeats one that it sees stray. */
function markFirst([selector, text]) {
  const isWanted = (one) => text === undefined || one.textContent.trim() === text;
  const found = [...document.querySelectorAll(selector)].find((one) => isWanted(one) && one.checkVisibility());
  for (const one of document.querySelectorAll("[data-hand]")) delete one.dataset.hand;
  if (found === undefined) return false;
  found.dataset.hand = "here";
  globalThis.wasClicked = false;
  globalThis.guardClick = (event) => {
    if (found.contains(event.target) && isWanted(found)) {
      globalThis.wasClicked = true;
      globalThis.guardClick = undefined;
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  // The bar at the top of the page covers what is scrolled below it, and Puppeteer clicks on the bar then.
  found.scrollIntoView({ block: "center" });
  return true;
}

/** Moves the pointer to an element, once it is there and stands still: Puppeteer's locators wait for that, its pages do not. */
export async function hover(page, selector) {
  const isOver = (where) => document.querySelector(where)?.matches(":hover");
  const isPatient = patience();
  do {
    await page.locator(selector).hover();
    if (await page.evaluate(isOver, selector)) return;
  } while (isPatient());
  throw new Error(`the pointer does not come to ${selector}`);
}

/** Gives an element the focus, once it is there. */
export function focus(page, selector) {
  return until(
    page,
    (where) => {
      const found = document.querySelector(where);
      found?.focus();
      return found !== null && found === document.activeElement;
    },
    selector,
  );
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

/** Replaces the text of a text area, or of an editor, by keys. Types again if a text area shows that keys were lost. */
export async function typeOver(page, selector, text) {
  const isPatient = patience();
  let typed;
  do {
    await focus(page, selector);
    await press(page, "Control+a");
    await page.keyboard.type(text);
    typed = await page.evaluate((where) => document.querySelector(where).value, selector);
    if (typed === undefined || typed === text) return;
    console.log(`site: ${selector} has ${JSON.stringify(typed)} after ${JSON.stringify(text)} was typed`);
  } while (isPatient());
  throw new Error(`${selector} has ${JSON.stringify(typed)} instead of ${JSON.stringify(text)}, which was typed`);
}

/** Replaces the text of a text area by what is on the clipboard. */
export async function pasteOver(page, selector) {
  await focus(page, selector);
  await press(page, "Control+a", "Control+v");
}

/** Chooses an option of a `select`. */
export async function choose(page, selector, value) {
  await page.waitForSelector(selector);
  await (page.selectOption?.(selector, value) ?? page.select(selector, value));
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
