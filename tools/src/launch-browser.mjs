// Starts a browser. Chromium and Firefox need different drivers: Playwright drives only its own build of Firefox.
// The browsers' own network requests are switched off.

const CHROMIUM_ARGS = ["--disable-gpu", "--disable-quic", "--disable-sync", "--disable-background-networking"];
const FIREFOX_PREFERENCES = {
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "app.update.enabled": false,
  "datareporting.healthreport.uploadEnabled": false,
  "network.http.http3.enable": false,
};

/** Starts `chromium` or `firefox`. The objects of both drivers have `newPage`, `on("disconnected")` and `close`. */
export async function launchBrowser(name, executablePath) {
  return launchers[name](executablePath);
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
      protocolTimeout: 0, // the caller limits the time
      extraPrefsFirefox: FIREFOX_PREFERENCES,
    });
  },
};
