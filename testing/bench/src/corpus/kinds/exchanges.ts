import type { Cut, KindClass } from "../kind.js";

// The methods of each scenario: a file without one would be an error.
const METHODS: Readonly<Record<string, readonly string[]>> = {
  "add-and-remove-repository-collaborator": ["put", "get", "patch", "delete"],
  "add-labels-to-issue": ["post"],
  "branch-protection": ["get", "put", "delete"],
  "create-file": ["put"],
  "create-status": ["post", "get"],
  errors: ["post"],
  "get-archive": ["get"],
  "get-content": ["get"],
  "get-organization": ["get"],
  "get-repository": ["get"],
  "get-root": ["get"],
  "git-refs": ["get", "post", "patch", "delete"],
  labels: ["get", "post", "patch", "delete"],
  "lock-issue": ["put", "delete"],
  "mark-notifications-as-read": ["put"],
  markdown: ["post"],
  "paginate-issues": ["get"],
  "project-cards": ["post", "get", "patch", "delete"],
  "release-assets": ["get", "post", "patch", "delete"],
  "release-assets-conflict": ["get", "post", "delete"],
  "rename-repository": ["patch", "get"],
  "search-issues": ["get"],
};

function files(form: string, scenarios: readonly string[]): string[] {
  return scenarios.map((scenario) => `scenarios/api.github.com/${scenario}/${form}-fixture.json`);
}

function exchanges(form: string, method: string): Cut {
  return {
    name: `exchange-${form}-${method}`,
    class: "envelopes",
    package: "@octokit/fixtures",
    files: files(
      form,
      Object.keys(METHODS).filter((scenario) => METHODS[scenario]!.includes(method)),
    ),
    path: `method=${method}`,
  };
}

function response(name: string, kindClass: KindClass, scenario: string, step = "*"): Cut {
  return {
    name: `response-${name}`,
    class: kindClass,
    package: "@octokit/fixtures",
    files: [...files("normalized", [scenario]), ...files("raw", [scenario])],
    path: `${step}/response`,
  };
}

/** Recorded exchanges with the API of GitHub: as envelopes, and their contents. */
export const exchangesOfGitHub: readonly Cut[] = [
  ...["get", "post", "put", "patch", "delete"].map((method) => exchanges("normalized", method)),
  ...["get", "post", "put"].map((method) => exchanges("raw", method)),
  response("issues", "pages", "paginate-issues"),
  response("labels", "pages", "labels"),
  response("search", "pages", "search-issues"),
  response("statuses", "pages", "create-status", "method=get"),
  response("cards", "pages", "project-cards", "method=get"),
  response("refs", "resources", "git-refs"),
  response("assets", "resources", "release-assets"),
  response("root", "resources", "get-root"),
  response("contents", "resources", "get-content"),
  response("protection", "resources", "branch-protection"),
  response("error", "resources", "errors"),
];
