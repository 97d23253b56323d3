// Nothing that was typed is lost: by a reload, on the way back, by an example, by a link. Drops anywhere on the page are read.
import { goTo } from "../visit.mjs";
import { click, clickText, dropFile, focus, press, settled, typeOver, until, untilText } from "./hands.mjs";

const TYPED = '{"typed":[1,2,3]}';
const text = () => document.querySelector("#input-text")?.value;
const status = () => document.querySelector("#panel-bytes .status")?.textContent.replace(/\s+/g, " ").trim();
const isSequence = () => document.querySelector("#panel-bytes .bar input[type=checkbox]").checked;
const FOUND = "From JSON: MessagePack, 11 bytes, 6 items. Valid.";

/** Looks at the tab of bytes of the page at `url`, which is open. */
export async function keptInputs({ page }, url, expect, browser) {
  const check = async (what, look, expected) =>
    expect(`${what}, in ${browser}`, await settled(page, look, expected), expected);
  await click(page, "#tab-bytes");
  await typeOver(page, "#input-text", TYPED);
  await check("what is typed is read", status, FOUND);
  await clickText(page, "#panel-bytes .examples", "PCK");
  await untilText(page, "#panel-bytes .status", "PCK container");
  await clickText(page, "#panel-bytes", "Restore the previous input");
  await check("an example can be undone", text, TYPED);
  await page.reload();
  await check("a reload keeps the input", text, TYPED);
  await check("and reads it", status, FOUND);
  // A page with this listener is loaded again on the way back: the harder way, and Firefox's driver loses pages that are not.
  await page.evaluate(() => addEventListener("unload", () => {}));
  await goTo(page, `${url}start.html`);
  await page.goBack();
  await until(page, () => document.querySelector("#input-text") !== null);
  await check("so does the way back", text, TYPED);
  await page.evaluate(() => document.querySelector(".VPNavBar a[href$='contents.html']").click());
  await until(page, () => document.querySelector("#input-text") === null);
  await page.evaluate(() => history.back());
  await until(page, () => document.querySelector("#input-text") !== null);
  await check("and the way back within the site", text, TYPED);
  await clickText(page, "#panel-bytes .examples", "JSON");
  await clickText(page, "#panel-bytes .examples", "Broken");
  await clickText(page, "#panel-bytes", "Restore the previous input");
  await clickText(page, "#panel-bytes", "Restore the previous input");
  await check("two examples can be undone", text, TYPED);
  await clickText(page, "#panel-bytes", "multiple messages");
  await check("a setting is read with it", status, FOUND);
  await clickText(page, "#panel-bytes", "Copy a link to this input");
  await until(page, () => location.hash.startsWith("#bytes=1."));
  const link = await page.evaluate(() => location.href);
  await typeOver(page, "#input-text", "[7]");
  await page.reload();
  await check("after a link was copied, a reload keeps what was typed later", text, "[7]");
  await untilText(page, "#panel-bytes .status", "2 bytes, 2 items");
  await page.evaluate(() => {
    location.hash = "bytes";
  });
  await page.goto("about:blank");
  await page.goto(link);
  await check("a link opens what was shared", text, TYPED);
  await check("with its settings", isSequence, true);
  await clickText(page, "#panel-bytes", "Restore the previous input");
  await check("and can be undone", text, "[7]");
  await clickText(page, "#panel-bytes", "multiple messages");
  await dropFile(page, "h1", "on the title.txt", () => "<Buffer 82 a1 61 01 a1 62 02>");
  await check(
    "a file that is dropped on the title is read",
    status,
    "From Node's <Buffer ..>: MessagePack, 7 bytes, 5 items. Valid.",
  );
  await focus(page, "#input-text");
  await press(page, "Control+a");
}
