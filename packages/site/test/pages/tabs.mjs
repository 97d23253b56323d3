// The tabs of the playground: by clicks, by keys and by the address.
import { goTo } from "../visit.mjs";
import { click, focus, press, resize, settled, until, untilText } from "./hands.mjs";

const DESKTOP = { width: 1280, height: 900 };

/** The state of the tabs: which one is chosen, has the focus, is reached by Tab, and whose panel is shown. */
const seen = () => {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const idOf = (list) => list.map(({ id }) => id.replace(/^(tab|panel)-/, "")).join(" ");
  return [
    `chosen ${idOf(tabs.filter((one) => one.getAttribute("aria-selected") === "true"))}`,
    `focus ${idOf(tabs.filter((one) => one === document.activeElement))}`,
    `reached ${idOf(tabs.filter((one) => one.tabIndex === 0))}`,
    `shown ${idOf([...document.querySelectorAll("[role=tabpanel]")].filter((one) => one.checkVisibility()))}`,
    location.hash,
  ].join(", ");
};

/** Looks at the tabs of the page at `url`, which is opened first. Ends at the first tab. */
export async function tabsOfPlayground({ page, requests }, url, expect, { browser, tabs }) {
  const check = async (what, expected) =>
    expect(`${what}, in ${browser}`, await settled(page, seen, expected), expected);
  const all = (id) => `chosen ${id}, focus ${id}, reached ${id}, shown ${id}, #${id}`;
  await resize(page, DESKTOP);
  await page.goto(`${url}playground.html`);
  await untilText(page, ".status", "From JSON: MessagePack");
  const last = tabs.at(-1);
  const isLoaded = () => requests.some((address) => address.includes(`${last}-view`));
  expect(`an unopened tab is not loaded, in ${browser}`, isLoaded(), false);
  await focus(page, "#tab-bytes");
  await press(page, "ArrowLeft");
  await check("the arrow keys lead from the first tab to the last", all(last));
  // In Firefox a page that is left while it loads a tab reports an error.
  const loaded = (id) =>
    until(page, (one) => document.querySelector(`#panel-${one} h2, #panel-${one} label`) !== null, id);
  await loaded(last);
  expect(`a tab that is opened is loaded, in ${browser}`, isLoaded(), true);
  await press(page, "Home", "ArrowRight");
  await check("and on to the next", all(tabs[1]));
  await loaded(tabs[1]);
  await press(page, "End");
  await check("End leads to the last tab", all(last));
  await press(page, "ArrowRight");
  await check("and the next is the first", all("bytes"));
  await page.evaluate((id) => {
    location.hash = id;
  }, last);
  await until(page, (id) => document.querySelector(`#panel-${id}`).checkVisibility(), last);
  // With the messages that the tab begins with, which it loads too.
  await until(page, () => document.querySelector("#speed-text").value !== "");
  await page.goto("about:blank");
  await goTo(page, `${url}playground.html#${last}`);
  await check("the address opens a tab", all(last).replace(`focus ${last}`, "focus "));
  await click(page, "#tab-bytes");
  await untilText(page, "#panel-bytes .status", "From JSON: MessagePack");
}

/** That a tab is as it was left: rows that are open, what is chosen, and how far it was scrolled. */
export async function keptState(page, expect, { browser, other }) {
  const state = () => {
    const { scrollTop } = document.querySelector(".hex");
    const chosen = document.querySelector(".tree [aria-selected=true]")?.textContent;
    return `${scrollTop} ${chosen} ${document.querySelector(".hex .offset").textContent}`;
  };
  await page.evaluate(() => {
    document.querySelector("#input-text").value = JSON.stringify(Array.from({ length: 3000 }, (_, index) => index));
    document.querySelector("#input-text").dispatchEvent(new Event("input"));
  });
  await untilText(page, ".status", "3,001 items");
  await focus(page, ".tree");
  await press(page, "End");
  await until(page, () => document.querySelector(".tree [aria-selected=true]")?.textContent.includes("[2999]"));
  await until(page, () => document.querySelector(".hex .line").getAttribute("aria-rowindex") !== "1");
  const before = await page.evaluate(state);
  await click(page, `#tab-${other}`);
  await until(page, () => !document.querySelector(".hex").checkVisibility());
  await click(page, "#tab-bytes");
  await until(page, () => document.querySelector(".hex").scrollTop > 0);
  expect(`a tab is as it was left, in ${browser}`, await settled(page, state, before), before);
}
