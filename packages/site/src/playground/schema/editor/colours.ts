// The look of editors: the colours are variables of the page, which has them for light and dark.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const WORDS = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword, tags.moduleKeyword], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--code-number)" },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--code-comment)" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--code-function)" },
  { tag: [tags.typeName, tags.className, tags.namespace], color: "var(--code-type)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-property)" },
]);

const FRAME = EditorView.theme({
  "&": {
    fontSize: "13px",
    color: "var(--vp-c-text-1)",
    backgroundColor: "var(--vp-c-bg-alt)",
    border: "1px solid var(--vp-c-border)",
    borderRadius: "6px",
    height: "100%",
  },
  "&.cm-focused": { outline: "2px solid var(--vp-c-brand-1)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--vp-font-family-mono)", lineHeight: "1.5", overscrollBehavior: "contain" },
  ".cm-content": { caretColor: "var(--vp-c-text-1)" },
  ".cm-cursor": { borderLeftColor: "var(--vp-c-text-1)" },
  ".cm-gutters": {
    color: "var(--vp-c-text-2)",
    backgroundColor: "var(--vp-c-bg-alt)",
    borderRight: "1px solid var(--vp-c-divider)",
    borderRadius: "6px 0 0 6px",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--code-line)" },
  "& .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "var(--code-selection)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--code-selection)" },
  ".cm-tooltip": {
    color: "var(--vp-c-text-1)",
    backgroundColor: "var(--vp-c-bg-elv)",
    border: "1px solid var(--vp-c-border)",
    borderRadius: "6px",
    maxWidth: "min(480px, 90vw)",
    overflowWrap: "anywhere",
  },
  ".cm-diagnostic": { padding: "4px 10px" },
});

/** The extensions for the look. */
export const LOOK: Extension = [FRAME, syntaxHighlighting(WORDS)];
