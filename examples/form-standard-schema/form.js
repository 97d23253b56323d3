// A form whose values are checked by the schema, by TanStack Form without any framework. React's, Vue's and others' are the same.
import { FormApi } from "@tanstack/form-core";
import { signup } from "./schema.js";

/** Returns a form that sends valid values with `send`. */
export function signupForm(send) {
  const form = new FormApi({
    defaultValues: { name: "", plan: "free", seats: null },
    validators: { onChange: signup, onSubmit: signup },
    onSubmit: ({ value }) => send(value),
  });
  form.mount();
  return form;
}

/** The messages of a form, by field. */
export function messagesOf(form) {
  const errors = form.state.errors.filter((one) => one !== undefined);
  return Object.fromEntries(
    errors.flatMap((byField) => Object.entries(byField)).map(([field, issues]) => [field, issues[0].message]),
  );
}
