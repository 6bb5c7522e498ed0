import { badRequest, notFound, unavailable } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../testing/silent-log.ts';
import { incomingOf } from '../testing/targets.ts';
import { withErrorsAsStatus } from './boundary.ts';
import type { PlainReply } from './message.ts';

const failing = async (error: unknown, signal = new AbortController().signal, headers = {}) => {
  const { log, lines } = silentLog();
  const handler = withErrorsAsStatus(() => Promise.reject(error), log);
  const reply = (await handler(incomingOf('GET', '/x', { signal, headers }))) as PlainReply;
  const isJson = reply.headers['content-type'] === 'application/json';
  return { reply, body: isJson ? JSON.parse(String(reply.body)) : reply.body, lines };
};

describe('ERR-1: whatever is thrown becomes a Status', () => {
  it('an error for clients as it is', async () => {
    const { reply, body, lines } = await failing(badRequest('limit: "x" is no number'));
    expect(reply).toMatchObject({ status: 400, headers: { 'content-type': 'application/json' } });
    expect(body).toMatchObject({ kind: 'Status', code: 400, reason: 'BadRequest', message: 'limit: "x" is no number' });
    expect(lines).toEqual([]);
  });

  it('NAME-8: Retry-After only where the error has it', async () => {
    expect((await failing(unavailable('away', { retryAfterSeconds: 1 }))).reply.headers['retry-after']).toBe('1');
    expect((await failing(unavailable('away'))).reply.headers).not.toHaveProperty('retry-after');
  });

  it('ERR-2: anything else as a 500 without its words, which are in the log', async () => {
    const { reply, body, lines } = await failing(new TypeError('token abc at 10.0.0.1'));
    expect(reply.status).toBe(500);
    expect(JSON.stringify(body)).not.toMatch(/abc|10\.0/);
    expect(lines).toMatchObject([{ level: 'error', err: { message: 'token abc at 10.0.0.1' } }]);
  });

  it('a client that left is no error of ours', async () => {
    const { lines } = await failing(new Error('x'), AbortSignal.abort());
    expect(lines).toMatchObject([{ level: 'debug' }]);
  });

  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io', 'application/json'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io,application/json', 'application/json'],
    ['application/yaml', 'application/yaml'],
    ['application/yaml;q=0.5,application/json;q=0.4', 'application/yaml'],
    ['application/yaml;q=0.3,application/json;q=0.4', 'application/json'],
    ['application/vnd.kubernetes.protobuf', 'application/vnd.kubernetes.protobuf'],
    ['application/vnd.kubernetes.protobuf,application/json', 'application/vnd.kubernetes.protobuf'],
    ['application/vnd.kubernetes.protobuf;stream=watch', 'application/vnd.kubernetes.protobuf'],
    ['application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io', 'application/json'],
    ['text/html', 'application/json'],
    ['text/html,*/*', 'application/json'],
    ['constructor', 'application/json'],
    ['application/cbor', 'application/json'],
  ])('Accept: %s is answered in %s, as kube-apiserver does', async (accept, contentType) => {
    const { reply } = await failing(badRequest('x'), undefined, { accept });
    expect(reply.headers['content-type']).toBe(contentType);
  });

  it('YAML has its keys in kube-apiserver’s order', async () => {
    const { body } = await failing(notFound({ group: '', resource: 'pods' }, 'nope'), undefined, {
      accept: 'application/yaml',
    });
    expect(String(body)).toBe(
      'apiVersion: v1\ncode: 404\ndetails:\n  kind: pods\n  name: nope\nkind: Status\nmessage: pods "nope" not found\nmetadata: {}\nreason: NotFound\nstatus: Failure\n',
    );
  });

  it('carries the request’s id and is not to be kept; nothing is added to a member’s own answer', async () => {
    expect((await failing(badRequest('x'))).reply.headers).toMatchObject({
      'audit-id': 'test',
      'cache-control': 'no-cache, private',
    });
    const own = { 'content-type': 'text/plain' };
    const members = async () => ({ is: 'plain', status: 400, headers: own, body: undefined, passed: true }) as const;
    const { headers } = await withErrorsAsStatus(members, silentLog().log)(incomingOf('GET', '/x'));
    expect(headers).toEqual(own);
  });
});
