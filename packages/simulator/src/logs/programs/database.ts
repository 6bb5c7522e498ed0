/** Logs of PostgreSQL and Redis. */

import { pick } from '../../noise.ts';
import { dayTime, type LoggedContainer, type LogProgram, numbersOf, spacedTime, type TimedLine } from '../program.ts';

const isStopped = ({ instance: { end } }: LoggedContainer): boolean => end?.exitCode === 0 || end?.exitCode === 143;
const isFailed = ({ instance: { end } }: LoggedContainer): boolean =>
  end !== undefined && end.reason !== 'OOMKilled' && ![0, 137, 143].includes(end.exitCode);

const postgresLine =
  (process: number, text: string): TimedLine =>
  (at) => ({ stderr: `${spacedTime(at)} [${process}] ${text}` });

export const postgres = (container: LoggedContainer): LogProgram => ({
  rate: 0.05,
  opening: [
    () => 'PostgreSQL Database directory appears to contain a database; Skipping initialization',
    postgresLine(1, 'LOG:  starting PostgreSQL 18.1 on x86_64-pc-linux-gnu, 64-bit'),
    postgresLine(1, 'LOG:  listening on IPv4 address "0.0.0.0", port 5432'),
    postgresLine(1, 'LOG:  listening on Unix socket "/var/run/postgresql/.s.PGSQL.5432"'),
    postgresLine(1, 'LOG:  database system is ready to accept connections'),
  ],
  steady(n, at) {
    const number = numbersOf(container, n);
    if (n % 2 === 0) return postgresLine(27, 'LOG:  checkpoint starting: time')(at);
    const buffers = 3 + Math.floor(number(1) * 400);
    const share = ((buffers / 16_384) * 100).toFixed(1);
    const written = `LOG:  checkpoint complete: wrote ${buffers} buffers (${share}%); 0 WAL file(s) added`;
    return postgresLine(
      27,
      `${written}; write=${(number(2) * 30).toFixed(3)} s, sync=${(number(3) / 50).toFixed(3)} s`,
    )(at);
  },
  closing: [
    ...(isStopped(container)
      ? [
          postgresLine(1, 'LOG:  received smart shutdown request'),
          postgresLine(27, 'LOG:  shutting down'),
          postgresLine(1, 'LOG:  database system is shut down'),
        ]
      : []),
    ...(isFailed(container)
      ? [
          postgresLine(1, 'FATAL:  data directory "/var/lib/postgresql/data" has wrong ownership'),
          postgresLine(1, 'HINT:  The server must be started by the user that owns the data directory.'),
        ]
      : []),
  ],
});

const redisLine =
  (sign: string, text: string): TimedLine =>
  (at) =>
    `1:M ${dayTime(at)} ${sign} ${text}`;

export const redis = (container: LoggedContainer): LogProgram => ({
  rate: 0.05,
  opening: [
    redisLine('*', 'Redis version=8.2.3, bits=64, commit=00000000, modified=0, pid=1, just started'),
    redisLine('*', 'Running mode=standalone, port=6379.'),
    redisLine('*', 'Server initialized'),
    redisLine('*', 'Ready to accept connections tcp'),
  ],
  steady(n, at) {
    const number = numbersOf(container, n);
    const changes = 100 + Math.floor(number(1) * 900);
    const texts = [`${changes} changes in 300 seconds. Saving...`, 'Background saving terminated with success'];
    return redisLine('*', n % 2 === 0 ? texts[0]! : pick(texts.slice(1), number(2)))(at);
  },
  closing: [
    ...(isStopped(container)
      ? [
          redisLine('*', 'User requested shutdown...'),
          redisLine('*', 'Saving the final RDB snapshot before exiting.'),
          redisLine('#', 'Redis is now ready to exit, bye bye...'),
        ]
      : []),
    ...(isFailed(container)
      ? [redisLine('#', "Fatal error, can't open config file '/etc/redis/redis.conf': No such file or directory")]
      : []),
  ],
});
