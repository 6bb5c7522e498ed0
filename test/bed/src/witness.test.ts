import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWitness } from './witness.ts';

/** As kube-apiserver 1.36 writes it at level Metadata. */
function line(requestURI: string, more: Record<string, unknown> = {}): string {
  const event = {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: 'a6f1c1f2-6f57-4a0b-8d5c-0c4ea0c1d9ff',
    stage: 'ResponseComplete',
    requestURI,
    verb: 'get',
    user: { username: 'fleet', groups: ['system:masters', 'system:authenticated'] },
    sourceIPs: ['127.0.0.1'],
    userAgent: 'fleet/0.1',
    objectRef: { resource: 'pods', namespace: 'default', name: 'x', apiVersion: 'v1' },
    responseStatus: { metadata: {}, code: 200 },
    requestReceivedTimestamp: '2026-11-15T21:00:00.000000Z',
    stageTimestamp: '2026-11-15T21:00:00.001000Z',
    annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
    ...more,
  };
  return `${JSON.stringify(event)}\n`;
}

const own = line('/api/v1/nodes', { user: { username: 'system:kube-scheduler', groups: [] } });

let folder: string;
let log: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witness-'));
  log = join(folder, 'audit.log');
  await writeFile(log, line('/before'));
});
afterEach(() => rm(folder, { recursive: true }));

const uris = (entries: readonly { requestURI: string }[]) => entries.map((entry) => entry.requestURI);

describe('since', () => {
  it('reports the user, the impersonated user and the result', async () => {
    const witness = await openWitness(log);
    const mark = witness.mark();
    const impersonatedUser = { username: 'jane', groups: ['devs'], extra: { 'example.dev/team': ['a'] } };
    await appendFile(log, line('/api/v1/namespaces/default/pods/x', { impersonatedUser }));
    expect(await witness.since(mark)).toEqual([
      {
        auditID: 'a6f1c1f2-6f57-4a0b-8d5c-0c4ea0c1d9ff',
        stage: 'ResponseComplete',
        verb: 'get',
        requestURI: '/api/v1/namespaces/default/pods/x',
        user: 'fleet',
        groups: ['system:masters', 'system:authenticated'],
        impersonatedUser: 'jane',
        impersonatedGroups: ['devs'],
        impersonatedExtra: { 'example.dev/team': ['a'] },
        userAgent: 'fleet/0.1',
        objectRef: { resource: 'pods', namespace: 'default', name: 'x', apiVersion: 'v1' },
        code: 200,
        milliseconds: 1,
      },
    ]);
  });

  it('leaves out what was before the mark, and the member itself', async () => {
    const witness = await openWitness(log);
    const mark = witness.mark();
    await appendFile(log, own + line('/after'));
    expect(uris(await witness.since(mark))).toEqual(['/after']);
    expect(uris(await witness.since(mark, () => true))).toEqual(['/api/v1/nodes', '/after']);
  });

  it('counts only complete lines, and gives the rest when it is there', async () => {
    const witness = await openWitness(log);
    const mark = witness.mark();
    const half = line('/second');
    await appendFile(log, line('/first') + half.slice(0, 50));
    expect(uris(await witness.since(mark))).toEqual(['/first']);
    await appendFile(log, half.slice(50));
    expect(uris(await witness.since(mark))).toEqual(['/first', '/second']);
  });

  it('takes a line that was half written at the mark as before it', async () => {
    const half = line('/half');
    await appendFile(log, half.slice(0, 50));
    const witness = await openWitness(log);
    const mark = witness.mark();
    expect(await witness.since(mark)).toEqual([]);
    await appendFile(log, half.slice(50) + line('/whole'));
    expect(uris(await witness.since(mark))).toEqual(['/whole']);
  });

  it('follows a log that is rotated or truncated', async () => {
    const witness = await openWitness(log);
    const mark = witness.mark();
    await appendFile(log, line('/old'));
    await rename(log, join(folder, 'audit-2026-11-15T21-00-00.000.log'));
    await writeFile(log, line('/new'));
    expect(uris(await witness.since(mark))).toEqual(['/old', '/new']);
    const later = witness.mark();
    await truncate(log);
    expect(await witness.since(later)).toEqual([]);
  });
});

describe('until', () => {
  it('waits for lines that come later', async () => {
    const witness = await openWitness(log);
    const mark = witness.mark();
    const waiting = witness.until(mark, (entry) => entry.requestURI.startsWith('/expected'), 2);
    await appendFile(log, line('/other') + line('/expected/1'));
    await appendFile(log, line('/expected/2'));
    expect(uris(await waiting)).toEqual(['/expected/1', '/expected/2']);
  });

  it('fails at the deadline and reports what came instead', async () => {
    const witness = await openWitness(log);
    const mark = witness.mark();
    await appendFile(log, line('/other'));
    const waiting = witness.until(mark, (entry) => entry.requestURI === '/expected', 1, { deadline: 50 });
    await expect(waiting).rejects.toThrow(/0 of 1 entries[\s\S]*fleet get \/other 200/);
  });
});

describe('all', () => {
  it('gives what came before its own question', async () => {
    const witness = await openWitness(log);
    const mark = witness.mark();
    const entries = await witness.all(mark, async (marker) => {
      await appendFile(log, line('/late') + own + line(marker) + line('/afterwards'));
    });
    expect(uris(entries)).toEqual(['/late']);
  });

  it('fails if its question is not in the log: then nothing is known', async () => {
    const witness = await openWitness(log);
    const waiting = witness.all(witness.mark(), async () => {}, { deadline: 50 });
    await expect(waiting).rejects.toThrow(/0 of 1 entries/);
  });
});
