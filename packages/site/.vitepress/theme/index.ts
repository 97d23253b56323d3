// The site's theme: the default one of VitePress without its fonts, which are 400 KB, in our colours.
import { inBrowser, type Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import "./home.css";
import "./style.css";
import "./layout.css";
import Layout from "./site-layout.vue";

const theme: Theme = {
  extends: DefaultTheme,
  Layout,
  enhanceApp() {
    if (inBrowser) holdLinks();
  },
};

/**
 * The links of a built page are relative to it. The links of the sidebar, and the icon, stay when the next page is shown without
 * loading, so they become absolute.
 */
function holdLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement | HTMLLinkElement>("a[href], link[rel=icon]")) {
    if (!link.getAttribute("href")?.startsWith("#")) link.setAttribute("href", link.href);
  }
  for (const image of document.querySelectorAll<HTMLImageElement>("img.logo")) image.setAttribute("src", image.src);
}

export default theme;
