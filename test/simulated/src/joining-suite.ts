/** A client whose watch breaks off while a member joins. */

import { expect, it, vi } from 'vitest';
import { type SimulatedFleet, startFleet } from './fleet.ts';
import { mapIn } from './registering.ts';
import { requestAs } from './request.ts';
import { type WatchedLine, watchLinesOf } from './watched-lines.ts';

const path = '/api/v1/namespaces/default/configmaps';
const labels = { watched: 'yes' };
const selected = `${path}?labelSelector=watched%3Dyes`;
const watched = `${selected}&watch=true&allowWatchBookmarks=true`;
const settled = { timeout: 30_000, interval: 50 };

/**
 * A member joins, and the client's watch breaks off behind the first of its objects. That one is deleted, and the client resumes
 * from its last bookmark. Returns what it was sent then, until it knows all of the member or has to list again.
 */
async function breakOffWhileJoining(fleet: SimulatedFleet): Promise<string[]> {
  const config = await fleet.config();
  const { client } = await fleet.add('member2');
  for (const name of ['a', 'b', 'c']) await client.create(path, { metadata: { name, labels } });
  const switched = (active: string | null) => {
    const metadata = { annotations: { 'cluster.kubesphere.io/active': active } };
    return fleet.controlPlane.patch('/apis/cluster.karmada.io/v1alpha1/clusters/member2', 'merge', { metadata });
  };
  await switched('false');
  let version = '';
  await vi.waitFor(async () => {
    const { body } = await requestAs(config, selected);
    const { items, metadata } = body as { items: unknown[]; metadata: { resourceVersion: string } };
    expect(items).toEqual([]);
    version = metadata.resourceVersion;
  }, settled);
  const bookmarked = (line: WatchedLine) => {
    if (line.type === 'BOOKMARK') version = line.object.metadata.resourceVersion;
  };
  let first = '';
  const watchOn = () => watchLinesOf(config, `${watched}&resourceVersion=${version}`);
  const begun = await watchOn();
  await switched(null);
  for await (const line of begun) {
    bookmarked(line);
    if (line.type !== 'ADDED') continue;
    first = line.object.metadata.name;
    break;
  }
  await client.delete(`${path}/${first.split('.')[0]}`);
  const events: string[] = [];
  for await (const line of await watchOn()) {
    bookmarked(line);
    if (line.type === 'BOOKMARK' && mapIn(version)['member2']) break;
    if (line.type !== 'BOOKMARK') events.push(`${line.type} ${line.object.code ?? line.object.metadata.name}`);
  }
  return events;
}

export function joiningSuite(): void {
  it('RV-6, WATCH-5: a watch that breaks off within the objects of a member that joins does not resume there', async () => {
    await using fleet = await startFleet({ members: ['member1'] });
    expect(await breakOffWhileJoining(fleet)).toEqual(['ERROR 410']);
  });
}
