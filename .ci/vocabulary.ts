/** The left column of the project's vocabulary: words of our own, and the Kubernetes terms that replace them. */

export interface Rule {
  name: string;
  /** Matched without case, over text in which `placesInLine` and `places-in-line` read `places In Line` and `places in line`. */
  pattern: RegExp;
  say: string;
}

export const rules: readonly Rule[] = [
  { name: 'misfit', pattern: /\bmisfits?\b/g, say: 'an invalid value' },
  { name: 'wish', pattern: /\bwish(es|ed)?\b/g, say: 'request options' },
  { name: 'obstacle', pattern: /\bobstacles?\b/g, say: 'connection error' },
  { name: 'in line', pattern: /\bplaces? in line\b|\bin line for\b/g, say: 'request queue' },
  { name: 'let go', pattern: /\b(lets?|letting) go\b/g, say: 'drops, releases' },
  { name: 'gives up', pattern: /\b(gives?|gave|given|giving) up\b/g, say: 'drops, releases, stops' },
  { name: 'lies about', pattern: /\blies about\b/g, say: 'is left over' },
  { name: 'goes on with', pattern: /\b(go|goes|gone|going|went) on (with|from)\b/g, say: 'resumes, continues' },
  { name: 'where it was', pattern: /\bwhere it was\b|\bits place\b/g, say: 'its position, its resource version' },
  {
    name: 'initial list',
    pattern: /\bwhat (there )?(is|was) (there )?already\b|\bwhat is listed first\b/g,
    say: 'the initial list, initial events',
  },
  { name: 'away', pattern: /\b(is|are|was|were|be|been|being) away\b/g, say: 'is unreachable' },
  { name: 'told', pattern: /\b(tells?|told|telling)\b/g, say: 'reports, returns, logs, sends' },
  { name: 'says', pattern: /\b(says?|said|saying)\b/g, say: 'reports, returns, logs, prints' },
  {
    name: 'rights',
    pattern: /\brights\b|\b(no|a|any|the|this|that|which|whose|without|by) right (to|of|in|on)\b/g,
    say: 'permissions, access reviews',
  },
  { name: 'may', pattern: /\bmay (?-i:[A-Z])/g, say: 'isAllowedTo, can: names, not sentences' },
  { name: 'door', pattern: /\bdoors?\b/g, say: 'the endpoint' },
  { name: 'leg', pattern: /\blegs?\b/g, say: 'the per-cluster stream' },
  { name: 'ways', pattern: /\bways\b|\bthe way of\b/g, say: 'transports' },
  { name: 'elsewhere', pattern: /\belsewhere\b/g, say: 'on a worker thread, in another cluster' },
  { name: 'news', pattern: /\bnews\b/g, say: 'status update' },
  { name: 'room', pattern: /\brooms?\b/g, say: 'resource summary, space, capacity' },
  { name: 'wanted', pattern: /\bwanted\b/g, say: 'spec, desired, expected' },
  { name: 'in words', pattern: /\bin words\b/g, say: 'the error message' },
  { name: 'owed', pattern: /\bowe[sd]?\b/g, say: 'is still pending' },
  { name: 'good name', pattern: /\bgood name\b/g, say: 'never been Ready' },
];

/** Words of the left column that have ordinary meanings too, which an expression cannot separate: left to readers. */
export const leftToReaders = {
  'completed, counted': 'a Job is completed and requests are counted',
  'here, its place, the way': 'ordinary English in most sentences',
  'may, in sentences': 'an object may exist',
};

export interface Exception {
  /** Matched at the place of the hit, over the same text as the rules. */
  text: RegExp;
  /** Only in these files. */
  files?: RegExp;
  reason: string;
}

export const exceptions: readonly Exception[] = [
  { text: /\bWanted By=/g, files: /installing\.md$/, reason: 'a setting of systemd' },
  {
    text: /\bgive up ownership\b/g,
    files: /conformance(\.md|\/src\/embedded-selection\.ts)$/,
    reason: 'a test name of Kubernetes',
  },
  { text: /\bMay Jun\b/g, files: /spdy\/dictionary\.ts$/, reason: 'data of a protocol' },
  { text: /\bgiving up\b/g, files: /logs\/programs\/service\.ts$/, reason: 'what a simulated program logs' },
];
