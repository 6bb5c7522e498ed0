/**
 * Data directories of earlier versions can be opened without migration.
 *
 * `testing/data-directory-v1` was written by 09e89e9: closed once, opened again, then killed, so that its last writes are only in the
 * write-ahead log. History begins at revision 155. Its encryption key is for this test only.
 */

import { chmodSync, copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encryptedPrefixes } from './api-server.ts';
import { openLocal } from './store/open-local.ts';
import { temporaryDirectory } from './store/testing/temporary-directory.ts';
import { openServer } from './testing/open-server.ts';

const fixture = join(import.meta.dirname, 'testing/data-directory-v1');

function copied(): string {
  const directory = temporaryDirectory();
  for (const file of ['store.db', 'store.db-wal']) {
    writeFileSync(join(directory, file), gunzipSync(readFileSync(join(fixture, `${file}.gz`))));
  }
  copyFileSync(join(fixture, 'encryption.keys'), join(directory, 'encryption.keys'));
  chmodSync(join(directory, 'encryption.keys'), 0o600);
  return directory;
}

const configMaps = '/api/v1/namespaces/kept/configmaps';

describe('CP-1: a data directory that an earlier version wrote', () => {
  it('has all objects at their versions, with Secrets that its key opens', async () => {
    const { ask, internalErrors } = await openServer({ directory: copied() });
    expect((await ask('GET', `${configMaps}/settings`)).body).toMatchObject({
      metadata: { resourceVersion: '158', labels: { of: 'today' } },
      data: { text: 'three' },
    });
    expect((await ask('GET', `${configMaps}/gone`)).status).toBe(404);
    expect((await ask('GET', '/api/v1/namespaces/kept/secrets/password')).body).toMatchObject({
      metadata: { resourceVersion: '160' },
      data: { word: Buffer.from('hidden-2').toString('base64') },
    });
    expect((await ask('GET', '/apis/example.com/v1/namespaces/kept/widgets/a')).body).toMatchObject({
      metadata: { resourceVersion: '155' },
      spec: { size: 3 },
    });
    const next = await ask('POST', configMaps, { metadata: { name: 'next' } });
    expect(Number(next.body.metadata?.['resourceVersion'])).toBeGreaterThan(160);
    expect(internalErrors).toEqual([]);
  });

  it('a watch resumes from an old version, and one from before its history is expired', async () => {
    const { ask, watch } = await openServer({ directory: copied() });
    const query = 'watch=true&fieldSelector=metadata.name!=kube-root-ca.crt';
    const events = await watch(`${configMaps}?${query}&resourceVersion=155`);
    const seen: string[] = [];
    while (seen.length < 4) {
      const { value } = await events.next();
      const { name, resourceVersion } = value.object.metadata;
      seen.push(`${value.type} ${name} ${resourceVersion}`);
    }
    expect(seen).toEqual(['MODIFIED settings 156', 'ADDED gone 157', 'MODIFIED settings 158', 'DELETED gone 159']);
    const secrets = await watch('/api/v1/namespaces/kept/secrets?watch=true&resourceVersion=155');
    const { value } = await secrets.next();
    expect(value).toMatchObject({ type: 'MODIFIED', object: { metadata: { resourceVersion: '160' } } });
    const past = await ask('GET', `${configMaps}?resourceVersion=157&resourceVersionMatch=Exact`);
    expect(past.body.items).toMatchObject([{ metadata: { name: 'gone' } }, { data: { text: 'two' } }]);
    expect(await ask('GET', `${configMaps}?resourceVersion=150&resourceVersionMatch=Exact`)).toMatchObject({
      status: 410,
      body: { reason: 'Expired' },
    });
  });

  it('can shrink from then on', async () => {
    const directory = copied();
    const store = openLocal({ directory, encryptedPrefixes });
    expect(await store.revision()).toBe(160);
    await store[Symbol.asyncDispose]();
    const db = new DatabaseSync(join(directory, 'store.db'), { readOnly: true });
    expect(db.prepare('PRAGMA auto_vacuum').get()).toEqual({ auto_vacuum: 2 });
    // Earlier versions can still open it.
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
    db.close();
    expect(statSync(join(directory, 'store.db')).mode & 0o777).toBe(0o600);
  });
});
