// Starts a browser on one page. Chromium and Firefox take different drivers: Playwright drives no Firefox but its own.
// What a browser would ask of the network by itself stays undone.

const CHROMIUM_ARGS = ["--disable-gpu", "--disable-quic", "--disable-sync", "--disable-background-networking"];
const FIREFOX_PREFERENCES = {
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "app.update.enabled": false,
  "datareporting.healthreport.uploadEnabled": false,
  "network.http.http3.enable": false,
};

/** Opens the page; `trouble` is told of errors in it. Answers `page`, `close`, and `gone`, which rejects when the page crashes. */
export async function openBrowser(name, executablePath, url, trouble) {
  const browser = await launchers[name](executablePath);
  const page = await browser.newPage();
  const gone = new Promise((_, reject) => {
    page.on(name === "chromium" ? "crash" : "error", () => reject(new Error("the page crashed")));
    browser.on("disconnected", () => reject(new Error("the browser is gone")));
  });
  gone.catch(() => undefined); // also when nobody waits any more
  page.on("pageerror", (error) => trouble(error.stack ?? error.message));
  page.on("console", (message) => trouble(message.text()));
  // Not awaited: a page has loaded when its modules have run, which is when it has reported.
  page.goto(url, { timeout: 0 }).catch((error) => trouble(error.message));
  return { page, gone, close: () => browser.close() };
}

const launchers = {
  async chromium(executablePath) {
    const { chromium } = await import("playwright-core");
    return chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  },
  async firefox(executablePath) {
    const { default: puppeteer } = await import("puppeteer-core");
    return puppeteer.launch({
      browser: "firefox",
      executablePath,
      protocol: "webDriverBiDi",
      headless: true,
      protocolTimeout: 0, // what a page takes is for whoever waits to limit
      extraPrefsFirefox: FIREFOX_PREFERENCES,
    });
  },
};
