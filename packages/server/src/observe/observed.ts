/** Wraps the gateway: logs each request with its result and duration, and counts it in metrics. */

import { verbFor } from '@fleet/kube/request-info.ts';
import type { Logger } from 'pino';
import type { Handler, Incoming } from '../http/message.ts';
import type { AskedTarget } from '../target/target.ts';
import type { Metrics } from './metrics.ts';

export interface Observer {
  wrap(handler: Handler): Handler;
  onTarget(incoming: Incoming, target: AskedTarget): void;
}

const placeLabel = ({ place }: AskedTarget): string => (place.at === 'one' ? 'one' : place.at);

/** HTTP/2 accepts any word as a method; a label must not. */
const methodLabel = (method: string): string => (verbFor(method) === 'unknown' ? 'other' : method.toLowerCase());

export function createObserver(metrics: Metrics, log: Logger): Observer {
  const targets = new WeakMap<Incoming, AskedTarget>();
  return {
    onTarget: (incoming, target) => {
      targets.set(incoming, target);
    },
    wrap: (handler) => async (incoming) => {
      const start = performance.now();
      const reply = await handler(incoming);
      const target = targets.get(incoming);
      const verb = target?.ask.is === 'resource' ? target.ask.verb : methodLabel(incoming.method);
      const place = target ? placeLabel(target) : 'none';
      const milliseconds = performance.now() - start;
      metrics.requests.inc({ verb, place, code: reply.status });
      metrics.duration.observe({ verb, place }, milliseconds / 1000);
      log.debug(
        {
          id: incoming.id,
          method: incoming.method,
          url: incoming.url,
          code: reply.status,
          ms: Math.round(milliseconds),
        },
        'request',
      );
      return reply;
    },
  };
}
