/** Logs of a shop's service: JSON lines that fit its purpose. */

import { pick } from '../../noise.ts';
import { iso, type LoggedContainer, type LogProgram, numbersOf, type TimedLine, type Written } from '../program.ts';

interface Topic {
  /** Words in its name by which this topic is chosen. */
  words: readonly string[];
  port: number;
  messages: readonly string[];
  /** The error with which it fails. */
  fault: string;
}

const databaseFault = 'cannot connect to database: dial tcp 10.96.31.8:5432: connect: connection refused';

const topics: readonly Topic[] = [
  {
    words: ['frontend', 'web', 'storefront', 'ui'],
    port: 8080,
    messages: ['page rendered', 'page rendered', 'session started', 'search completed', 'image served'],
    fault: 'cannot load catalog: Get "http://catalog:8080/v1/products": context deadline exceeded',
  },
  {
    words: ['cart', 'basket'],
    port: 8081,
    messages: ['item added', 'item added', 'item removed', 'cart read', 'cart expired'],
    fault: 'cannot reach cache: dial tcp 10.96.31.9:6379: connect: connection refused',
  },
  {
    words: ['payment', 'checkout', 'billing', 'order'],
    port: 8082,
    messages: ['payment authorized', 'payment captured', 'order placed', 'receipt sent', 'card declined'],
    fault: 'cannot authorize payments: PAYMENT_API_KEY is not set',
  },
  {
    words: ['catalog', 'product', 'inventory', 'search'],
    port: 8083,
    messages: ['product read', 'products listed', 'stock updated', 'price changed'],
    fault: databaseFault,
  },
];

const anything: Topic = {
  words: [],
  port: 8080,
  messages: ['request handled', 'request handled', 'request handled', 'job finished', 'cache refreshed'],
  fault: databaseFault,
};

/** The topic of an image, from a name such as `shop/payment-service`. */
const topicOf = ({ container, image, pod }: LoggedContainer): Topic =>
  [container, image, pod].flatMap((name) => topics.filter(({ words }) => words.some((one) => name.includes(one))))[0] ??
  anything;

const line = (level: string, at: number, fields: object): string => JSON.stringify({ time: iso(at), level, ...fields });

/** Errors go to stderr, as with most loggers. */
const failure = (level: string, at: number, fields: object): Written => ({ stderr: line(level, at, fields) });

export function service(container: LoggedContainer): LogProgram {
  const topic = topicOf(container);
  return {
    rate: 0.5,
    opening: [
      (at) => line('info', at, { msg: 'starting', service: container.container, version: versionOf(container) }),
      (at) => line('info', at, { msg: 'configuration loaded', file: '/etc/service/config.yaml' }),
      (at) => line('info', at, { msg: 'listening', port: topic.port }),
    ],
    steady(n, at) {
      const number = numbersOf(container, n);
      const trace = Math.floor(number(1) * 4_294_967_296)
        .toString(16)
        .padStart(8, '0');
      const millis = Math.round((2 + number(2) * 40) * 10) / 10;
      const msg = pick(topic.messages, number(3));
      if (number(4) < 0.02) return failure('error', at, { msg: 'request failed', trace, status: 503, millis });
      if (number(4) < 0.06) return line('warn', at, { msg: 'slow request', trace, status: 200, millis: millis * 20 });
      return line('info', at, { msg, trace, status: 200, millis });
    },
    closing: closingOf(container, topic),
  };
}

const versionOf = ({ image }: LoggedContainer): string => {
  const tag = image.split('@')[0]!.split('/').at(-1)!.split(':')[1];
  return tag ?? 'latest';
};

function closingOf({ instance: { end } }: LoggedContainer, { fault }: Topic): TimedLine[] {
  if (!end) return [];
  if (end.reason === 'OOMKilled') {
    // An OOM kill leaves no closing lines; these are warnings before it.
    return [0.71, 0.88, 0.97].map(
      (share) => (at) => line('warn', at, { msg: 'memory is running low', usedOfLimit: share }),
    );
  }
  if (end.exitCode === 0 || end.exitCode === 143) {
    return [(at) => line('info', at, { msg: 'shutting down', signal: 'SIGTERM' })];
  }
  if (end.exitCode === 137) return [];
  return [
    (at) => failure('error', at, { msg: 'giving up', error: fault, attempts: 3 }),
    (at) => failure('fatal', at, { msg: fault, exitCode: end.exitCode }),
  ];
}
