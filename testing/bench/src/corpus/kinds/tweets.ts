import type { Cut } from "../kind.js";

const SEARCH = "jsonexamples/twitter.json";
const TIMELINE = "jsonexamples/small/twitter_timeline.json";
const SAMPLES = "jsonexamples/small/jsoniter_scala";

function cut(name: string, file: string, path: string, rest: Partial<Cut> = {}): Cut {
  return { name, class: "tweets", package: "simdjson", files: [file], path, ...rest };
}

/** Tweets of a search for a Japanese word, and of a timeline. */
export const tweets: readonly Cut[] = [
  cut("tweet", SEARCH, "statuses/*"),
  cut("tweet-retweeted", SEARCH, "statuses/*/retweeted_status"),
  cut("tweet-user", SEARCH, "statuses/*/user"),
  cut("tweet-user-entities", SEARCH, "statuses/*/user/entities"),
  cut("tweet-entities", SEARCH, "statuses/*/entities"),
  cut("tweet-media", SEARCH, "statuses/*/entities/media"),
  cut("tweet-page", SEARCH, "statuses/*", { lists: 4, take: 12 }),
  cut("timeline-tweet", TIMELINE, "*"),
  cut("timeline-user", TIMELINE, "*/user"),
  cut("timeline-page", TIMELINE, "*", { lists: 5 }),
  { ...cut("documented-tweet", `${SAMPLES}/twitter_api_response.json`, "*") },
  { ...cut("compact-tweet", `${SAMPLES}/twitter_api_compact_response.json`, "*") },
];
