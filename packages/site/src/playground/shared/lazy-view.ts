// Parts of the page whose code is loaded when they are first shown.
import { type Component, defineAsyncComponent, h } from "vue";

/** A component that says so while its code is loaded, and when it could not be. */
export function lazyView(loader: () => Promise<Component>): Component {
  return defineAsyncComponent({
    loader,
    loadingComponent: () => h("p", { role: "status" }, "Loading .."),
    errorComponent: () =>
      h("p", { role: "alert", class: "fault" }, "This part of the page did not load. Load the page again."),
  });
}
