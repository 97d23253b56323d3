// Drops anywhere on the page: the box in view takes them.
import { onBeforeUnmount, onMounted, type Ref, ref } from "vue";

/** Calls `take` with files and texts that are dropped anywhere while the element is shown. Returns whether something is over the page. */
export function usePageDrops(
  element: Readonly<Ref<HTMLElement | undefined>>,
  take: (file: File | undefined, text: string) => void,
): Ref<boolean> {
  const isOver = ref(false);
  const isShown = () => element.value?.checkVisibility() === true;
  const listeners = {
    dragover() {
      isOver.value = isShown();
    },
    dragleave({ relatedTarget }: DragEvent) {
      // Without a related target, the pointer has left the window.
      if (relatedTarget === null) isOver.value = false;
    },
    drop({ dataTransfer, target }: DragEvent) {
      isOver.value = false;
      // An editor takes what is dropped on it.
      if (!isShown() || (target instanceof Element && target.closest("[contenteditable=true]") !== null)) return;
      take(dataTransfer?.files[0], dataTransfer?.getData("text/plain") ?? "");
    },
  } as const;
  onMounted(() => {
    for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener as EventListener);
  });
  onBeforeUnmount(() => {
    for (const [type, listener] of Object.entries(listeners)) removeEventListener(type, listener as EventListener);
  });
  return isOver;
}
