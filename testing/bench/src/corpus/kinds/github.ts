import type { Cut, KindClass } from "../kind.js";

// Of the events of GitHub, those that a service meets most, and few of the largest: a pull request has 24 KB.
const WEBHOOKS = (
  "branch_protection_rule check_suite commit_comment create delete dependabot_alert deploy_key discussion " +
  "github_app_authorization gollum installation installation_repositories issue_comment issues label " +
  "marketplace_purchase member membership merge_group meta milestone organization org_block ping project_column " +
  "projects_v2_item pull_request push release security_advisory sponsorship star team workflow_job"
).split(" ");

// Single resources of GitHub's API, as its events contain them.
const RESOURCES: readonly (readonly [kind: string, path: string])[] = [
  ["repository", "name=fork/examples/*/forkee"],
  ["user", "*/examples/*/sender"],
  ["organization", "*/examples/*/organization"],
  ["installation", "name=installation/examples/*/installation"],
  ["issue", "name=issues/examples/*/issue"],
  ["issue-comment", "name=issue_comment/examples/*/comment"],
  ["commit-comment", "name=commit_comment/examples/*/comment"],
  ["discussion-comment", "name=discussion_comment/examples/*/comment"],
  ["review", "name=pull_request_review/examples/*/review"],
  ["review-comment", "name=pull_request_review_comment/examples/*/comment"],
  ["check-run", "name=check_run/examples/*/check_run"],
  ["code-scanning-alert", "name=code_scanning_alert/examples/*/alert"],
  ["deployment", "name=deployment/examples/*/deployment"],
  ["deployment-status", "name=deployment_status/examples/*/deployment_status"],
  ["status-commit", "name=status/examples/*/commit"],
  ["page-build", "name=page_build/examples/*/build"],
  ["project", "name=project/examples/*/project"],
  ["project-card", "name=project_card/examples/*/project_card"],
  ["hook", "name=ping/examples/*/hook"],
  ["commit", "name=push/examples/*/head_commit"],
  ["milestone-resource", "name=milestone/examples/*/milestone"],
  ["workflow-step", "name=workflow_job/examples/*/workflow_job/steps/*"],
  ["release-resource", "name=release/examples/*/release"],
  ["team-resource", "*/examples/*/team"],
];

function cut(name: string, kindClass: KindClass, path: string): Cut {
  return { name, class: kindClass, package: "@octokit/webhooks-examples", files: ["api.github.com/index.json"], path };
}

/** Webhooks of GitHub, and the resources in them. */
export const github: readonly Cut[] = [
  ...WEBHOOKS.map((event) => cut(`webhook-${event}`, "webhooks", `name=${event}/examples/*`)),
  ...RESOURCES.map(([kind, path]) => cut(`github-${kind}`, "resources", path)),
  cut("github-labels", "pages", "name=issues/examples/*/issue/labels"),
  cut("github-assignees", "pages", "name=issues/examples/*/issue/assignees"),
];
