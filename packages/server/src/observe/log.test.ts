import { StatusError } from '@fleet/kube/status.ts';
import { expect, it } from 'vitest';
import { silentLog } from '../testing/silent-log.ts';

it('SEC-2: an error that quotes megabytes of a member is a short line', () => {
  const { log, lines } = silentLog();
  const text = 'x'.repeat(2_000_000);
  const cause = new StatusError(500, text, text, { causes: [{ message: text }] });
  log.warn({ err: new Error('failed', { cause }), cluster: 'm1' }, 'it');
  log.warn({ err: cause }, 'it');
  log.warn({ err: text }, 'it');
  for (const line of lines) expect(JSON.stringify(line).length).toBeLessThan(40_000);
  expect(lines[0]).toMatchObject({ cluster: 'm1', msg: 'it', err: { type: 'Error' } });
});

it('a line has its level by name', () => {
  const { log, lines } = silentLog();
  for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]('it');
  expect(lines.map(({ level }) => level)).toEqual(['debug', 'info', 'warn', 'error']);
});

it('other errors are logged as they are', () => {
  const { log, lines } = silentLog();
  log.warn({ err: Object.assign(new Error('failed'), { code: 'ECONNRESET' }) }, 'it');
  const stack = expect.stringContaining('log.test.ts');
  expect(lines).toMatchObject([{ err: { type: 'Error', message: 'failed', code: 'ECONNRESET', stack } }]);
});
