/** Logs of nginx and httpd: access lines in the combined format. */

import { pick } from '../../noise.ts';
import { accessTime, iso, type LoggedContainer, type LogProgram, numbersOf, type TimedLine } from '../program.ts';

const paths = ['/', '/', '/', '/products', '/products/17', '/cart', '/static/app.js', '/static/app.css', '/healthz'];
const agents = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15',
  'kube-probe/1.36',
  'curl/8.16.0',
];
const statuses = [200, 200, 200, 200, 200, 200, 200, 304, 304, 404];

const errorTime = (at: number): string => `${iso(at).slice(0, 10).replaceAll('-', '/')} ${iso(at).slice(11, 19)}`;

const notice =
  (text: string): TimedLine =>
  (at) => ({ stderr: `${errorTime(at)} [notice] 1#1: ${text}` });

export function webServer(container: LoggedContainer): LogProgram {
  return {
    rate: 0.5,
    opening: [
      () => '/docker-entrypoint.sh: Configuration complete; ready for start up',
      notice('using the "epoll" event method'),
      notice('nginx/1.29.3'),
      notice('start worker processes'),
      notice('start worker process 29'),
    ],
    steady(n, at) {
      const number = numbersOf(container, n);
      const client = `10.244.${Math.floor(number(1) * 4)}.${1 + Math.floor(number(2) * 250)}`;
      const status = pick(statuses, number(3));
      const size = status === 304 ? 0 : 150 + Math.floor(number(4) * 9000);
      const request = `GET ${pick(paths, number(5))} HTTP/1.1`;
      return `${client} - - [${accessTime(at)}] "${request}" ${status} ${size} "-" "${pick(agents, number(6))}" "-"`;
    },
    closing: closingOf(container),
  };
}

function closingOf({ instance: { end } }: LoggedContainer): TimedLine[] {
  if (!end || end.reason === 'OOMKilled' || end.exitCode === 137) return [];
  if (end.exitCode === 0 || end.exitCode === 143) {
    return [notice('signal 15 (SIGTERM) received, exiting'), notice('exit')];
  }
  const why = 'host not found in upstream "backend" in /etc/nginx/conf.d/default.conf:12';
  return [(at) => ({ stderr: `${errorTime(at)} [emerg] 1#1: ${why}` }), () => ({ stderr: `nginx: [emerg] ${why}` })];
}
