/** Agents that send more than they may (AGENT-7), and those that never log in (AGENT-3). */

import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { until } from '@fleet/bed/until.ts';
import { credentialsOf } from '../agent-member.ts';
import { requestAs } from '../request.ts';
import { type Check, endured, first, refusal, unaudited, unlike, within } from './check.ts';
import type { Scene } from './scene.ts';

const maps = '/api/v1/namespaces/default/configmaps';

/** A list of 15 MB that nobody reads the answer of. */
async function startStalledList({ fleet, admin, mordor }: Scene): Promise<Disposable> {
  for (let at = 0; at < 16; at++) {
    const metadata = { name: `large-${at}` };
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: 'x'.repeat(900_000) } };
    await mordor.client.patch(`${maps}/large-${at}?fieldManager=test`, 'apply', map);
  }
  const { hostname, port } = new URL(fleet.product.url);
  const options = { host: hostname, port, path: `/clusters/mordor${maps}` };
  await admin.applyToHTTPSOptions(options);
  // Neither read nor resumed.
  const asked = request(options, (response) => response.on('error', () => {})).on('error', () => {});
  asked.end();
  return { [Symbol.dispose]: () => asked.destroy() };
}

const overrun =
  (exact: boolean): Check =>
  async (scene) => {
    const since = (await scene.audited()).length;
    const before = await scene.heap.collected();
    await using attack = scene.start('overrun', { target: `127.0.0.1:${scene.mordor.port}`, exact: `${exact}` });
    await attack.reports('name kubernetes:443', 'accepted');
    await until('mordor is served', async () => (await scene.status('mordor')) === 200);
    using _stalled = await startStalledList(scene);
    const isCutOff = await within(() => attack.answers('connection').includes('cut off'), 10_000);
    const growth = (await scene.heap.collected()) - before;
    return first(
      attack.answers('beyond the window').length === 0 && 'nothing was sent beyond the window',
      exact && attack.answers('window').length === 0 && 'no window was full',
      !isCutOff && 'who sends beyond its window goes on',
      growth > 20e6 && `${growth} bytes are held`,
      await unaudited(scene, since, refusal('window overrun')),
    );
  };

const flood = (target: string, what: string): Check => {
  return (scene) =>
    endured(scene, 'flood', { target, count: 6400 }, async (attack, since) =>
      first(
        unlike(attack, /^connection$/, /^cut off$/),
        attack.facts.some((fact) => fact.what === 'opened' && Number(fact.answer) > 1) && 'channels were opened',
        await unaudited(scene, since, refusal(what)),
      ),
    );
};

export const floodChecks = {
  overrun: overrun(false),
  overrunOfAFullWindow: overrun(true),

  async smallPackets(scene) {
    const since = (await scene.audited()).length;
    const attack = await scene.attack('small-packets', { size: 1 });
    return first(
      unlike(attack, /^connection$/, /^cut off$/),
      await unaudited(scene, since, refusal('packets too small')),
    );
  },

  sessionFlood: flood('session', 'second session'),
  channelFlood: flood('direct-tcpip', 'channel direct-tcpip'),
  requestFlood: flood('request', 'request flood@example.com'),
  nameFlood: flood('name', 'tcpip-forward'),
  dataFlood: flood('nowhere', 'data for no channel'),

  unreadAnswers: (scene) =>
    endured(scene, 'unread', { count: 3_000_000 }, async (attack, since) =>
      first(
        unlike(attack, /^connection$/, /^cut off$/),
        await unaudited(scene, since, refusal('the other side does not read')),
      ),
    ),

  async malformed(scene) {
    const since = (await scene.audited()).length;
    const attack = await scene.attack('malformed', { target: '{"type":"hello","version":1}' });
    return first(
      unlike(attack, /^connection$/, /^cut off$/),
      await unaudited(scene, since, refusal('malformed control message hello')),
    );
  },

  /** Its target comes and goes a thousand times: the fleet does not look each time. */
  flicker: (scene) =>
    endured(scene, 'flicker', { count: 1000 }, async (attack) => {
      const streams = attack.answers('stream').length;
      return streams > 60 ? `the fleet opened ${streams} streams` : undefined;
    }),

  async connections(scene) {
    const since = (await scene.audited()).length;
    const before = await scene.heap.collected();
    await using attack = scene.start('many', { count: 130 });
    const kept = Number((await attack.reports('kept')).answer);
    const growth = (await scene.heap.collected()) - before;
    return first(
      (kept < 50 || kept > 100) && `${kept} connections of one cluster`,
      growth > 20e6 && `${growth} bytes are held`,
      await unaudited(scene, since, refusal('too many connections of one cluster')),
    );
  },

  /** Sixty from many addresses: fifty have a place, each for ten seconds, and agents log in all the same. */
  async silence(scene) {
    const since = (await scene.audited()).length;
    await using attack = scene.start('silent', { count: 60, from: '127.0.0.1' });
    await attack.reports('connected');
    const { body } = await requestAs(scene.admin, '/metrics', {}, true);
    const pending = Number(/^fleet_agent_pending_logins (\d+)$/m.exec(String(body))?.[1]);
    const agent = await scene.attack('names', { target: 'rohan' });
    const areClosed = await within(() => attack.answers('closed after').length === 60, 15_000);
    // Those of one address and reason are one line in ten seconds, with their number. Who had logged in was another check's.
    const silent = async () => {
      const events = (await scene.audited()).slice(since);
      const refused = events.filter(
        ({ stage, from, cluster }) => stage === 'AgentRefused' && from.startsWith('127.0.1.') && cluster === undefined,
      );
      return refused.reduce((all, { count = 0 }) => all + count, 0);
    };
    const areAudited = await within(async () => (await silent()) === 60, 15_000);
    return first(
      !(pending > 0 && pending <= 50) && `${pending} connections wait for a login`,
      unlike(agent, /^login$/, /^accepted$/),
      !areClosed && 'who never logs in stays',
      !areAudited && `audited: ${await silent()} of 60`,
      await unaudited(scene, since, { what: 'login took too long' }),
    );
  },

  /** Ten a second from one address. */
  async rate(scene) {
    const since = (await scene.audited()).length;
    const from = '127.0.9.9';
    await using attack = scene.start('silent', { count: 25, from });
    await attack.reports('connected');
    const isRefused = await within(() => attack.answers('closed after').some((after) => Number(after) < 2000));
    return first(
      !isRefused && 'twenty-five connections at once from one address',
      await unaudited(scene, since, { stage: 'AgentRefused', from, what: 'too many connections from one address' }),
    );
  },

  /** Faster than they can be stored. The last check: mordor has other credentials after it. */
  async credentialFlood(scene) {
    const credentials = join(scene.folder, 'flood.json');
    await writeFile(credentials, JSON.stringify(await credentialsOf(scene.mordor)));
    return endured(scene, 'credentials', { count: 300, size: 100_000, credentials }, async (attack) => {
      const dropped = attack
        .answers('credentials-refused')
        .filter((answer) => answer === 'newer credentials have arrived');
      return dropped.length < 100 ? `${300 - dropped.length} of 300 were looked at` : undefined;
    });
  },
} satisfies Record<string, Check>;
