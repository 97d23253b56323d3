// Opens a browser on one page that posts its own report.
import { launchBrowser } from "../launch-browser.mjs";

/**
 * Opens the page. `trouble` is called with errors in it. Returns `page`, `close`, and `gone`, which rejects when the
 * page crashes.
 */
export async function openBrowser(name, executablePath, url, trouble) {
  const browser = await launchBrowser(name, executablePath);
  const page = await browser.newPage();
  const gone = new Promise((_, reject) => {
    page.on(name === "chromium" ? "crash" : "error", () => reject(new Error("the page crashed")));
    browser.on("disconnected", () => reject(new Error("the browser has ended")));
  });
  gone.catch(() => undefined); // even if no caller waits any more
  page.on("pageerror", (error) => trouble(error.stack ?? error.message));
  page.on("console", (message) => trouble(message.text()));
  // Not awaited: the page has loaded when its modules have run, and by then it has reported.
  page.goto(url, { timeout: 0 }).catch((error) => trouble(error.message));
  return { page, gone, close: () => browser.close() };
}
