/** Metrics per cluster: requests, time, failures, open answers, bytes, health. The cluster is the only unbounded label. */

import type { BytesReply, UpgradeReply, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface MemberMetrics {
  /** The same upstream, measured. One object per upstream, however often this is called. */
  measured(cluster: string, upstream: Upstream): Upstream;
  /** Removes the series of a cluster that has left. */
  forget(cluster: string): void;
}

const codes = ['1xx', '2xx', '3xx', '4xx', '5xx'];

export function createMemberMetrics(
  registry: Registry,
  members: () => readonly { name: string; ready: boolean }[],
): MemberMetrics {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name: `fleet_member_${name}`, help, labelNames, registers });
  // Added up until metrics are read: members write pieces of 2 KB, and a label lookup for each took 5 % of a list.
  const came = new Map<string, number>();
  const series = {
    came,
    requests: counter('requests_total', 'Requests to a cluster that were answered, by class of code.', [
      'cluster',
      'code',
    ]),
    errors: counter('errors_total', 'Requests to a cluster that got no answer, left by clients or not.', ['cluster']),
    received: new Counter({
      name: 'fleet_member_received_bytes_total',
      help: 'Bytes of answers from a cluster.',
      labelNames: ['cluster'],
      registers,
      collect() {
        for (const [cluster, bytes] of came) this.inc({ cluster }, bytes);
        came.clear();
      },
    }),
    sent: counter('sent_bytes_total', 'Bytes of requests to a cluster, where their length was known.', ['cluster']),
    open: new Gauge({
      name: 'fleet_member_open_answers',
      help: 'Answers of a cluster that are being read: watches, logs, exec, lists.',
      labelNames: ['cluster'],
      registers,
    }),
    duration: new Histogram({
      name: 'fleet_member_request_duration_seconds',
      help: "Time to the head of a cluster's answer.",
      labelNames: ['cluster'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
      registers,
    }),
  };
  new Gauge({
    name: 'fleet_member_ready',
    help: '1 while a cluster counts as ready.',
    labelNames: ['cluster'],
    registers,
    collect() {
      this.reset();
      for (const { name, ready } of members()) this.set({ cluster: name }, ready ? 1 : 0);
    },
  });
  const known = new WeakMap<Upstream, Upstream>();
  const stays = new Map<string, Stay>();
  return {
    measured(cluster, upstream) {
      const stay = stays.get(cluster) ?? { isOver: false };
      stays.set(cluster, stay);
      const found = known.get(upstream) ?? measuredUpstream(cluster, upstream, series, stay);
      known.set(upstream, found);
      return found;
    },
    forget(cluster) {
      const stay = stays.get(cluster);
      if (stay) stay.isOver = true;
      stays.delete(cluster);
      came.delete(cluster);
      for (const code of codes) series.requests.remove({ cluster, code });
      for (const one of [series.errors, series.received, series.sent, series.open, series.duration]) {
        one.remove({ cluster });
      }
    },
  };
}

interface Series {
  requests: Counter<'cluster' | 'code'>;
  errors: Counter<'cluster'>;
  /** Bytes that are not added to `received` yet, by cluster. */
  came: Map<string, number>;
  sent: Counter<'cluster'>;
  open: Gauge<'cluster'>;
  duration: Histogram<'cluster'>;
}

/**
 * The time from joining to leaving. Requests in flight end after that: they must not bring the series back, nor count
 * for a cluster of the same name that has joined since.
 */
interface Stay {
  isOver: boolean;
}

function measuredUpstream(cluster: string, upstream: Upstream, series: Series, stay: Stay): Upstream {
  const label = { cluster };
  const answered = async <R>(call: UpstreamCall, ask: Promise<R>, codeOf: (reply: R) => number): Promise<R> => {
    const start = performance.now();
    if (!stay.isOver) series.sent.inc(label, lengthOf(call));
    const reply = await ask.catch((error: unknown) => {
      if (!stay.isOver) series.errors.inc(label);
      throw error;
    });
    if (stay.isOver) return reply;
    series.requests.inc({ cluster, code: `${Math.floor(codeOf(reply) / 100)}xx` });
    series.duration.observe(label, (performance.now() - start) / 1000);
    series.open.inc(label);
    return reply;
  };
  const meter = {
    came: (bytes: number) => {
      if (!stay.isOver) series.came.set(cluster, (series.came.get(cluster) ?? 0) + bytes);
    },
    closed: () => {
      if (!stay.isOver) series.open.dec(label);
    },
  };
  return {
    async call(call): Promise<BytesReply> {
      const reply = await answered(call, upstream.call(call), ({ status }) => status);
      reply.body.measure(meter);
      return reply;
    },
    async upgrade(call): Promise<UpgradeReply> {
      const codeOf = (reply: UpgradeReply) => (reply.is === 'upgraded' ? reply.status : reply.reply.status);
      const reply = await answered(call, upstream.upgrade(call), codeOf);
      if (reply.is === 'refused') reply.reply.body.measure(meter);
      else {
        // A `data` listener would start the stream before its reader is ready, so the socket's own counter is read.
        const { stream } = reply;
        stream.once('close', () => {
          const { bytesRead, bytesWritten } = stream as { bytesRead?: number; bytesWritten?: number };
          meter.came(bytesRead ?? 0);
          if (!stay.isOver) series.sent.inc(label, bytesWritten ?? 0);
          meter.closed();
        });
      }
      return reply;
    },
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}

const lengthOf = ({ body, headers }: UpstreamCall): number => {
  if (body === undefined) return 0;
  return Buffer.isBuffer(body) ? body.length : Number(headers['content-length'] ?? 0) || 0;
};
