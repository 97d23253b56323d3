// Features of editors: history, brackets, marks of errors, and keys that leave them.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { go } from "@codemirror/lang-go";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { HIDDEN, shownText } from "../../shared/shown.ts";
import { LOOK } from "./colours.ts";

/** The languages of editors. */
export type EditorLanguage = "typescript" | "go" | "json";

/** The settings of an editor. */
export interface EditorSettings {
  /** Its name for screen readers. */
  readonly label: string;
  /** The id of the text that describes it; "" for none. */
  readonly describedBy: string;
  readonly isReadOnly: boolean;
  /** The longest text, in characters: a change that makes more is refused. */
  readonly most: number;
  /** Hears of each change of the text. */
  readonly onChange: (text: string) => void;
  /** Hears that a change was refused. */
  readonly onRefused: (length: number) => void;
}

/** Longer texts have no colours: to parse them in pieces holds up the page for 100 ms each. */
const MAX_COLOURED = 50_000;

/** The language whose colours a text of a length gets; "" for none. */
export function coloursFor(language: EditorLanguage, length: number): EditorLanguage | "" {
  return length > MAX_COLOURED ? "" : language;
}

/** The extension for the colours of a language. */
export function languageOf(language: EditorLanguage | ""): Extension {
  if (language === "") return [];
  if (language === "go") return go();
  return language === "json" ? json() : javascript({ typescript: true });
}

/** A character that is invisible, or that turns the text around it, as its escape. */
function specialCharacter(code: number, description: string | null): HTMLElement {
  const element = document.createElement("span");
  element.className = "cm-specialChar";
  element.textContent = shownText(String.fromCodePoint(code));
  element.title = description ?? "";
  return element;
}

/** All extensions but the language. */
export function extensionsFor({ label, describedBy, isReadOnly, most, ...hear }: EditorSettings): Extension {
  const attributes = {
    "aria-label": label,
    ...(describedBy === "" ? {} : { "aria-describedby": describedBy }),
    ...(isReadOnly ? { "aria-readonly": "true" } : {}),
    tabindex: "0",
    spellcheck: "false",
    autocorrect: "off",
    autocapitalize: "off",
  };
  const special = highlightSpecialChars({ render: specialCharacter, specialChars: HIDDEN });
  const common = [lineNumbers(), bracketMatching(), special, LOOK, EditorView.contentAttributes.of(attributes)];
  if (isReadOnly)
    return [...common, EditorState.readOnly.of(true), EditorView.editable.of(false), keymap.of(defaultKeymap)];
  return [
    ...common,
    history(),
    drawSelection(),
    highlightActiveLine(),
    indentOnInput(),
    indentUnit.of("  "),
    lintGutter(),
    // CodeMirror itself lets the next Tab leave after an Escape.
    keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
    EditorState.changeFilter.of(({ docChanged, newDoc }) => {
      if (!docChanged || newDoc.length <= most) return true;
      hear.onRefused(newDoc.length);
      return false;
    }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) hear.onChange(state.doc.toString());
    }),
  ];
}
