/** What must hold of every answer, and of all that members have seen (ERR-1, ERR-2, ERR-4, URL-9, NAME-3, IMP-1). */

import type { AuditEntry } from '@fleet/bed/audit-entry.ts';
import { userAgent } from './generator.ts';
import { type FuzzRequest, shown } from './request.ts';
import { deadline, type Outcome, tooLate } from './send.ts';

export interface Judged {
  outcomes: readonly Outcome[];
  /** Of all members: what the product asked for its users. */
  lines: readonly AuditEntry[];
  /** As whom members must have seen every request. */
  user: string;
  /** Texts that no error may show. */
  secrets: readonly string[];
}

interface Status {
  kind?: string;
  code?: number;
  details?: { causes?: { reason?: string }[] };
}

/** One line per fault; none is good. */
export function faultsOf({ outcomes, lines, user, secrets }: Judged): string[] {
  const seen = Map.groupBy(lines, (line) => line.userAgent);
  const of = (outcome: Outcome) => seen.get(userAgent(outcome.request.index)) ?? [];
  const doubled = new Set(outcomes.flatMap(({ request }) => (isDoubled(request) ? [userAgent(request.index)] : [])));
  return [
    ...outcomes.flatMap((outcome) =>
      answerFaults(outcome, of(outcome), secrets).map((fault) => described(fault, outcome)),
    ),
    ...lines.flatMap((line) =>
      lineFaults(line, user, doubled.has(line.userAgent)).map(
        (fault) => `${fault}: ${line.verb} ${line.requestURI} by ${line.userAgent}`,
      ),
    ),
  ];
}

const described = (fault: string, { request, status, body }: Outcome): string =>
  `${fault}: ${shown(request)} -> ${status} ${body.slice(0, 300)}`;

function* answerFaultsOf(outcome: Outcome, seen: readonly AuditEntry[], secrets: readonly string[]): Generator<string> {
  const { request, status, contentType, body, failure } = outcome;
  if (failure && !isCutBody(outcome) && !isMembersSilence(outcome, seen)) yield `no whole answer (${failure})`;
  if (status >= 400 && secrets.some((secret) => body.includes(secret)))
    yield 'ERR-2: shows what is none of the client’s business';
  const answer = contentType.startsWith('application/json') && status >= 400 ? statusIn(body) : undefined;
  if (status >= 500 && !isTooNew(answer) && !seen.some((line) => line.code === status || isBroken(line, status)))
    yield 'ERR-4: a 5xx of the product’s own';
  if (request.method !== 'HEAD' && answer && (answer.kind !== 'Status' || answer.code !== status))
    yield 'ERR-1: no Status, or another code';
  if (status < 400) return;
  if (seen.some((line) => isWrite(line) && line.code !== undefined && line.code < 300))
    yield 'ERR-4: refused, and done all the same';
  // A form that cannot be given is reported once it is known that there is something to give.
  const sent = status === 406 ? seen.filter(isWrite) : seen;
  if (isRefusal(status) && sent.length > 0 && !seen.some(({ code }) => code === status))
    yield 'ERR-4: refused by the product, and sent';
}

const answerFaults = (outcome: Outcome, seen: readonly AuditEntry[], secrets: readonly string[]): string[] => [
  ...answerFaultsOf(outcome, seen, secrets),
];

/** The rest of a body that is too large is not read: its sender may hear of it only by a closed connection. */
const isCutBody = ({ request, failure = '' }: Outcome): boolean =>
  (request.body?.length ?? 0) > 3_000_000 && /EPIPE|ECONNRESET|hang up/.test(failure);

/** A member may leave writes of Services unanswered after many bad ones, whoever asks: its own log shows how long. */
const isMembersSilence = ({ failure }: Outcome, seen: readonly AuditEntry[]): boolean =>
  failure === tooLate && seen.some(({ milliseconds }) => milliseconds > deadline / 2);

function statusIn(body: string): Status {
  try {
    return JSON.parse(Buffer.from(body, 'latin1').toString()) as Status;
  } catch {
    return {};
  }
}

/** A kube-apiserver that panics, as over a JSON patch's `test` without a value, may close the connection instead of answering. */
const isBroken = ({ stage }: AuditEntry, status: number): boolean => stage === 'Panic' && status === 504;

const isTooNew = (status: Status | undefined): boolean =>
  status?.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') ?? false;

const isWrite = ({ verb }: AuditEntry): boolean => !['get', 'list', 'watch'].includes(verb);

/** What the product answers after it has looked for an object (404, 409) is another matter. */
const isRefusal = (status: number): boolean => [400, 405, 406, 413, 414, 415, 422].includes(status);

const suffix = /.\.clusterspace\.member\d$/;
const ownParameters = ['clusterspace', 'partial', 'fresh', 'consistent'];

/** Of a name with two suffixes the last counts, and the other is the name's own (NAME-1). */
const isDoubled = ({ target, body }: FuzzRequest): boolean =>
  /(\.clusterspace\.[^/?&"]*){2}/.test(`${decoded(target)} ${body ?? ''}`);

function lineFaults(line: AuditEntry, user: string, doubled: boolean): string[] {
  const { requestURI, objectRef = {}, impersonatedUser } = line;
  const mark = requestURI.indexOf('?');
  const query = new URLSearchParams(mark < 0 ? '' : requestURI.slice(mark + 1));
  // A review's own name is nobody's; and behind a colon stands a port.
  const isNamed = !doubled && !objectRef.resource?.endsWith('reviews');
  const names = isNamed ? [objectRef.name ?? '', objectRef.namespace ?? ''].filter((name) => !name.includes(':')) : [];
  // A bad timeout is refused, and written down, before a member looks for whom the request is.
  const isUnread = impersonatedUser === undefined && line.code === 400 && query.has('timeout');
  return [
    ...(impersonatedUser === user || isUnread ? [] : [`IMP-1: as ${impersonatedUser ?? 'nobody'}`]),
    ...names.filter((name) => suffix.test(name)).map((name) => `NAME-3: ${name} reached a member`),
    ...ownParameters.filter((key) => query.has(key)).map((key) => `URL-9: ${key} reached a member`),
  ];
}

/** As far as it can be. */
const decoded = (text: string): string =>
  text.replace(/%[2-7][\da-f]/gi, (one) => String.fromCharCode(Number.parseInt(one.slice(1), 16)));

/** How the answers are spread, so that a run shows that it did not ask for one thing alone. */
export const spreadOf = (outcomes: readonly Outcome[]): Record<number, number> =>
  Object.fromEntries([...Map.groupBy(outcomes, ({ status }) => status)].map(([status, some]) => [status, some.length]));

/** To see that members hear of a good part. */
export const reached = (requests: readonly FuzzRequest[], lines: readonly AuditEntry[]): number => {
  const agents = new Set(lines.map((line) => line.userAgent));
  return requests.filter(({ index }) => agents.has(userAgent(index))).length;
};
