import type { Cut } from "../kind.js";

const AWS = (
  "alexa-skill-event alexa-smart-home-event api-gateway-event cloud-watch-event cloud-watch-log-event " +
  "cognito-user-pool-event dynamo-stream-event kinesis s3 scheduled sns sqs"
).split(" ");

const GITHUB = "PushEvent CreateEvent ForkEvent WatchEvent IssueCommentEvent GollumEvent".split(" ");

function cloud(type: string): Cut {
  return {
    name: `aws-${type.replace(/-event$/, "")}`,
    class: type.startsWith("api-gateway") ? "envelopes" : "events",
    package: "@serverless/event-mocks",
    files: [`dist/events/aws/${type}-template.json`],
  };
}

function timeline(type: string): Cut {
  return {
    name: `github-${type}`,
    class: "events",
    package: "simdjson",
    files: ["jsonexamples/github_events.json"],
    path: `type=${type}`,
  };
}

/** Events of cloud services, and GitHub's public timeline. */
export const events: readonly Cut[] = [
  ...AWS.map(cloud),
  ...GITHUB.map(timeline),
  {
    name: "github-event-page",
    class: "pages",
    package: "simdjson",
    files: ["jsonexamples/github_events.json"],
    path: "*",
    lists: 5,
  },
];
