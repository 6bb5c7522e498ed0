import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createHookCalls } from './call-hook.ts';
import { HookError } from './hook-error.ts';
import { type Operation, operations } from './hook-model.ts';
import { asks, explorerOf, type Fields, items, native, observed, patchOf, template } from './testing/explorer-bed.ts';
import { startHookServer } from './testing/hook-server.ts';
import { hookOf } from './testing/sample-hooks.ts';

describe('hostile hooks, over HTTPS', () => {
  type Reply = { status?: number; headers?: Record<string, string>; body?: string | Buffer; silent?: boolean };
  const respond = (response: Fields) => (uid: string) => ({ body: JSON.stringify({ response: { uid, ...response } }) });
  const halfPatch = patchOf(
    { op: 'replace', path: '/spec/replicas', value: 99 },
    { op: 'test', path: '/spec/replicas', value: 3 },
  );
  const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));

  const some: Operation[] = ['status', 'retaining'];
  const hostile: [string, (uid: string) => Reply, string, Operation[]?][] = [
    ['slow', () => ({ silent: true }), 'timeout'],
    ['a wrong uid', () => ({ body: '{"response":{"uid":"other","replicas":1,"healthy":true}}' }), 'invalid-answer'],
    ['half a patch', respond({ patch: 'W10=', replicas: 1, healthy: true, status: {} }), 'invalid-answer'],
    ['10 MB', () => ({ body: Buffer.alloc(10_000_000, ' ') }), 'invalid-answer', some],
    ['a redirect', () => ({ status: 302, headers: { location: 'https://127.0.0.1:1/' } }), 'http-status'],
    ['not JSON', () => ({ body: '<html>' }), 'invalid-answer'],
    ['nothing', () => ({}), 'invalid-answer'],
    ['deep JSON', () => ({ body: deep }), 'invalid-answer', some],
    [
      'a deep response',
      (uid) => ({ body: `{"response":{"uid":"${uid}","status":{"a":${deep}}}}` }),
      'invalid-answer',
      ['status'],
    ],
    ['a gzip bomb', () => ({ headers: { 'content-encoding': 'gzip' }, body: bomb }), 'invalid-answer'],
    ['null', () => ({ body: 'null' }), 'invalid-answer'],
    ['an error page', () => ({ status: 500, body: 'stack' }), 'http-status'],
  ];
  const missing: [string, (uid: string) => Reply, string, Operation[]] = [
    'a missing field',
    respond({}),
    'invalid-answer',
    ['replica', 'status', 'healthy'],
  ];
  const patching = operations.filter((one) => ['packing', 'revising', 'retaining', 'aggregating'].includes(one));
  const patches: [string, (uid: string) => Reply, string, Operation[]][] = [
    [
      'a patch on /metadata/name',
      respond(patchOf({ op: 'replace', path: '/metadata/name', value: 'x' })),
      'patch',
      patching,
    ],
    ['a patch whose test fails', respond(halfPatch), 'patch', patching],
    ['a patch that is no list', respond({ patchType: 'JSONPatch', patch: 'e30=' }), 'patch', patching],
  ];

  it.each<[string, (uid: string) => Reply, string, Operation[]?]>([...hostile, missing, ...patches])(
    'EXP-4, EXP-5: %s is an error that names the hook, and leaves the object as it was',
    async (_, answer, failure, asked = [...operations]) => {
      await using server = await startHookServer((body, response) => {
        const reply = answer(JSON.parse(body).request.uid);
        if (!reply.silent) response.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
      });
      await using calls = createHookCalls({ resolveService: () => undefined });
      const client = { at: 'url', url: `${server.url}/s3cret`, ca: server.ca } as const;
      const { explorer, reports } = explorerOf({
        hooks: [hookOf({ client, timeoutSeconds: failure === 'timeout' ? 1 : 30 })],
        rules: native,
        call: calls.call,
      });
      const kept = structuredClone({ template, observed, items });
      // All at once: a slow hook takes its time each time.
      const errors = await Promise.all(
        asked.map((operation) =>
          asks[operation](explorer).then(
            () => 'no error',
            (error: unknown) => error,
          ),
        ),
      );
      for (const [index, error] of errors.entries()) {
        expect(error).toBeInstanceOf(HookError);
        expect(error).toMatchObject({ failure, operation: asked[index], hook: 'examples/workloads.example.com' });
        expect((error as Error).message).toContain('"workloads.example.com"');
        expect((error as Error).message).not.toMatch(/s3cret|stack|\n/);
      }
      expect(reports.toSorted()).toEqual(
        asked.map((operation) => ['workloads.example.com', operation, failure]).toSorted(),
      );
      expect({ template, observed, items }).toEqual(kept);
    },
  );
});
