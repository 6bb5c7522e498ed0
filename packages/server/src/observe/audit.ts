/** The audit log: who sent which request to which clusters, and the result (AUDIT-1). Never bodies, queries or credentials. */

import type { Handler, Incoming, Reply } from '../http/message.ts';
import { type AskedTarget, karmada, type ParsedPlace } from '../target/target.ts';

interface Identity {
  name: string;
  groups: readonly string[];
}

/** An event of an agent before or after its login (AGENT-3). Before it, `cluster` is what the agent claims. */
export interface AgentEvent {
  event: 'AgentLoggedIn' | 'AgentLoginFailed' | 'AgentRefused';
  cluster: string | undefined;
  address: string;
  /** The method of the login, or what was refused. */
  what: string;
  /** How many since the last line of the same kind. Each login has a line of its own. */
  count?: number;
}

export interface Audit {
  onAgent(event: AgentEvent): void;
  onCaller(incoming: Incoming, caller: Identity): void;
  onTarget(incoming: Incoming, target: AskedTarget, user: Identity): void;
  wrap(handler: Handler): Handler;
}

interface Known {
  caller?: Identity;
  user?: Identity;
  target?: AskedTarget;
}

const longestPath = 256;

/** For requests that cannot be parsed. */
const pathOf = (url: string): string => (url.split('?')[0] ?? '').slice(0, longestPath);

/** No names means all members. */
function clustersOf(place: ParsedPlace) {
  if (place.at === 'one') return { clusters: [place.cluster] };
  if (place.at === 'template') return { clusters: [karmada] };
  return place.at === 'many' || place.at === 'review'
    ? { clusters: place.clusters.only, exceptClusters: place.clusters.except }
    : {};
}

function askedOf({ method, url }: Incoming, target: AskedTarget | undefined) {
  if (!target) return { verb: method.toLowerCase(), path: pathOf(url) };
  const { ask, place } = target;
  const where = { at: place.at, ...clustersOf(place) };
  if (ask.is === 'path') return { verb: method.toLowerCase(), path: ask.path.slice(0, longestPath), ...where };
  const { verb, group, version, resource, subresource, namespace, name } = ask;
  return { verb, group, version, resource, subresource, namespace, name, ...where };
}

/** One line when a request has ended; for streams, one more when the answer begins. */
export function createAudit(write: (line: string) => void, isStream: (target: AskedTarget) => boolean): Audit {
  const known = new WeakMap<Incoming, Known>();
  const knownOf = (incoming: Incoming): Known => {
    const found = known.get(incoming) ?? {};
    known.set(incoming, found);
    return found;
  };
  const line = (stage: string, incoming: Incoming, reply: Reply, start: number): string => {
    const { caller, user, target } = knownOf(incoming);
    return JSON.stringify({
      time: new Date().toISOString(),
      id: incoming.id,
      stage,
      user: caller && { name: caller.name, groups: caller.groups },
      impersonatedUser: user && user !== caller ? { name: user.name, groups: user.groups } : undefined,
      from: incoming.remoteAddress,
      userAgent: [incoming.headers['user-agent'] ?? []].flat()[0]?.slice(0, longestPath),
      ...askedOf(incoming, target),
      code: reply.status,
      ms: Math.round(performance.now() - start),
      bytes: incoming.traffic.sent,
    });
  };
  return {
    onAgent({ event, cluster, address, what, count }) {
      const shown = { cluster: cluster?.slice(0, longestPath), what: what.slice(0, longestPath), count };
      write(JSON.stringify({ time: new Date().toISOString(), stage: event, from: address, ...shown }));
    },
    onCaller(incoming, caller) {
      knownOf(incoming).caller = caller;
    },
    onTarget(incoming, target, user) {
      Object.assign(knownOf(incoming), { target, user });
    },
    wrap: (handler) => async (incoming) => {
      const start = performance.now();
      const reply = await handler(incoming);
      const { target } = knownOf(incoming);
      const ended = () => write(line('ResponseComplete', incoming, reply, start));
      if (reply.is === 'upgraded' || (target && isStream(target)))
        write(line('ResponseStarted', incoming, reply, start));
      // Aborted whenever an answer was written, or its client has disconnected.
      if (incoming.signal.aborted) ended();
      else incoming.signal.addEventListener('abort', ended, { once: true });
      return reply;
    },
  };
}
