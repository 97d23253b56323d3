// The playground by clicks and keys: its tabs, bytes, files and speed.
import { isWhole } from "@moonpack/tools/effort";
import { axeFaults, openPage, overflow } from "../visit.mjs";
import { bytesTab } from "./bytes.mjs";
import { filesOfPlayground } from "./files.mjs";
import { click, resize, settled, until } from "./hands.mjs";
import { hostileFiles } from "./hostile.mjs";
import { inView } from "./in-view.mjs";
import { keptInputs } from "./kept.mjs";
import { lateAnswers } from "./late.mjs";
import { speedTab } from "./speed.mjs";
import { keptState, tabsOfPlayground } from "./tabs.mjs";

const TABS = ["bytes", "schema", "speed"];
const LOOKS = [
  { colorScheme: "light", size: { width: 1440, height: 900 } },
  { colorScheme: "dark", size: { width: 1024, height: 768 } },
  { colorScheme: "light", size: { width: 390, height: 844 } },
  { colorScheme: "dark", size: { width: 360, height: 740 } },
];
const ANY_IMPACT = /./;

/** Looks at the playground of the site at `url` in Chromium. */
export async function playgroundInChromium(context, url, expect) {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const visit = await used(context, url, expect, "chromium");
  const { page, requests } = visit;
  const strangers = requests.filter((address) => !address.startsWith(url) && !/^(?:blob|about):/.test(address));
  expect("the playground asks for nothing outside of the site", strangers.join("\n"), "");
  await everyTab(page, expect);
  await inView(page, url, expect);
  await page.close();
}

/** Each tab, with all that was used, in windows of several sizes, light and dark. */
async function everyTab(page, expect) {
  for (const { colorScheme, size } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await resize(page, size);
    for (const id of TABS) {
      await click(page, `#tab-${id}`);
      await until(page, (one) => document.querySelector(`#panel-${one} label`)?.checkVisibility(), id);
      const what = `the tab of ${id}, ${colorScheme}, ${size.width} pixels wide,`;
      expect(`${what} does not scroll sideways`, await settled(page, overflow, 0), 0);
      expect(`${what} has no finding of axe`, (await axeFaults(page, ANY_IMPACT)).join("\n"), "");
    }
  }
}

/** The same in Firefox. */
export async function playgroundInFirefox(browser, url, expect) {
  const { page } = await used(browser, url, expect, "firefox");
  await page.close();
}

async function used(driver, url, expect, browser) {
  const visit = await openPage(driver);
  await tabsOfPlayground(visit, url, expect, { browser, tabs: TABS });
  await keptState(visit.page, expect, { browser, other: "speed" });
  await bytesTab(visit, expect, browser);
  await filesOfPlayground(visit, expect, browser);
  await hostileFiles(visit, expect, { browser, isWhole });
  await lateAnswers(driver, url, expect, browser);
  await keptInputs(visit, url, expect, browser);
  await speedTab(visit, expect, { browser, isWhole });
  expect(`no complaint in the playground, in ${browser}`, visit.faults.join("\n"), "");
  return visit;
}
