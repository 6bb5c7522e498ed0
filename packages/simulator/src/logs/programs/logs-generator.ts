/** Logs of `agnhost logs-generator`, which Kubernetes' own tests read. */

import { parseGoDuration } from '@fleet/kube/go-duration.ts';
import { pick } from '../../noise.ts';
import { klogHead, type LoggedContainer, type LogProgram, numbersOf } from '../program.ts';

const methods = ['GET', 'PUT', 'POST'];
const namespaces = ['kube-system', 'default', 'ns'];

const flag = (command: readonly string[], name: string): string | undefined => {
  const at = command.findIndex((one) => one === name || one.startsWith(`${name}=`));
  return at < 0 ? undefined : (command[at]!.split('=')[1] ?? command[at + 1]);
};

const mostLines = 1_000_000_000;

const totalOf = (text = ''): number => (/^\d+$/.test(text) && Math.min(Number(text), mostLines)) || 1;

export function logsGenerator(container: LoggedContainer): LogProgram {
  const total = totalOf(flag(container.command, '--log-lines-total'));
  const nanos = parseGoDuration(flag(container.command, '--run-duration') ?? '') ?? 0n;
  const seconds = Number(nanos) / 1e9 || 1;
  return {
    rate: total / seconds,
    opening: [],
    steadyTotal: total,
    steady(n, at) {
      const number = numbersOf(container, n);
      const name = Math.floor(number(1) * 36 ** 4).toString(36);
      const url = `/api/v1/namespaces/${pick(namespaces, number(2))}/pods/${name}`;
      const status = 200 + Math.floor(number(3) * 400);
      const request = `${n} ${pick(methods, number(4))} ${url} ${status}`;
      return { stderr: `${klogHead(at, 'logs_generator.go:76')} ${request}` };
    },
    closing: [],
  };
}
