import { describe, expect, it } from 'vitest';
import { jsonReply } from '../http/message.ts';
import { combineVersions } from '../present/versions.ts';
import { FakeUpstream, replyOf } from '../testing/fake-upstream.ts';
import { knownKinds } from '../testing/known-kinds.ts';
import { incomingOf, stripAt, targetOf } from '../testing/targets.ts';
import { passFound } from './pass-found.ts';

const named = '/api/v1/namespaces/d/configmaps';
const byName = 'fieldSelector=metadata.name%3Dx';
const map = combineVersions(
  new Map([
    ['m1', '5'],
    ['m2', '7'],
  ]),
);
const partlyFirst = combineVersions(
  new Map([
    ['m1', null],
    ['m2', '7'],
  ]),
);
const withoutFirst = combineVersions(new Map([['m2', '7']]));

/** Asks of a fleet in which m1 alone has the object: what m1 was then sent, or `merged`. */
async function sent(url: string): Promise<string> {
  const has = new FakeUpstream(() => replyOf(200, { kind: 'ConfigMapList', items: [] }));
  const lacks = new FakeUpstream(() => replyOf(404, {}));
  const { place, ...target } = targetOf('GET', url);
  const reply = await passFound({
    target,
    clusters: ['m1', 'm2'],
    otherwise: place.at === 'found' ? place.otherwise : undefined,
    requireCluster: false,
    routeTo: (cluster) => ({
      cluster,
      ready: true,
      upstream: cluster === 'm1' ? has : lacks,
      identity: {},
      strip: stripAt(cluster),
      kinds: knownKinds,
    }),
    merged: async () => jsonReply(299, {}),
    incoming: incomingOf('GET', url),
  });
  return reply.status === 299 ? 'merged' : has.calls.at(-1)!.path.replace(`${named}?${byName}`, '');
}

describe('RV-6: a name that one member has, read with the version of a merged list', () => {
  it.each([
    ['its entry counts', `&resourceVersion=${map}`, '&resourceVersion=5'],
    ['beside other parameters', `&limit=5&resourceVersion=${map}&a=%2f`, '&limit=5&resourceVersion=5&a=%2f'],
    ['however the key is written', `&resource%56ersion=${map}`, '&resourceVersion=5'],
    [
      'how it matches stays',
      `&resourceVersion=${map}&resourceVersionMatch=Exact`,
      '&resourceVersion=5&resourceVersionMatch=Exact',
    ],
    ['without one any will do', `&resourceVersion=${withoutFirst}&resourceVersionMatch=NotOlderThan`, ''],
    ['nor with one that was sent in part', `&resourceVersion=${partlyFirst}&resourceVersionMatch=NotOlderThan`, ''],
    ['a plain version is the member’s own', '&resourceVersion=12', '&resourceVersion=12'],
    ['as are these', '&resourceVersion=0', '&resourceVersion=0'],
    ['and what nobody understands', '&resourceVersion=x!', '&resourceVersion=x!'],
    [
      'a watch that begins with all there is',
      `&watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=${map}`,
      '&watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=5',
    ],
    [
      'such a watch without an entry',
      `&watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=${withoutFirst}`,
      '&watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    ],
    ['a watch from a version of its own', '&watch=true&resourceVersion=12', '&watch=true&resourceVersion=12'],
    ['a watch that resumes from a merged list', `&watch=true&resourceVersion=${map}`, 'merged'],
    ['even from an empty one', '&watch=1&resourceVersion=e30', 'merged'],
  ])('%s: %s', async (_, query, expected) => {
    expect(await sent(`${named}?${byName}${query}`)).toBe(expected);
  });

  it('an object is read so, too', async () => {
    expect(await sent(`${named}/x?resourceVersion=${map}`)).toBe(`${named}/x?resourceVersion=5`);
  });

  it('just a version that does not name the member is 410', async () => {
    const exact = `&resourceVersion=${withoutFirst}&resourceVersionMatch=Exact`;
    await expect(sent(`${named}?${byName}${exact}`)).rejects.toMatchObject({ code: 410, reason: 'Expired' });
  });
});
