/** Direct against through the vanilla view, by suffixed name and by suffixed namespace: the same answers (COMPAT-4). */

import { isCached } from '@fleet/bed/cached/everything.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import type { Product } from '@fleet/bed/product.ts';
import { type Endpoint, endpointOfKubeconfig } from '@fleet/differential/endpoint.ts';
import { type Difference, describeDifference, describeReport, type Report } from '@fleet/differential/report.ts';
import { runRoutes } from '@fleet/differential/routes/run.ts';
import { runDifferential } from '@fleet/differential/run.ts';
import { readTolerated } from '@fleet/differential/tolerance.ts';
import type { View } from '@fleet/differential/view.ts';
import { jsonView } from '@fleet/differential/views/json-answers.ts';
import { suffixedNameView } from '@fleet/differential/views/suffixed-name.ts';
import { suffixedNamespaceView } from '@fleet/differential/views/suffixed-namespace.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from './fleet.ts';
import { apply, binding, reach } from './rbac.ts';

const count = Number(process.env['DIFFERENTIAL_COUNT'] ?? 600);
const watched = count / 2;
/** The same each time, so that a change is judged by what it changes; `npm run test:long` takes new ones. */
const seed = process.env['DIFFERENTIAL_SEED'] ?? 7;
const timeout = 120_000 + count * 100;

const differences = new URL('../../docs/reference/differences.md', import.meta.url).pathname;

/** All that is asked for is in the first; the second has a part in every merged answer. */
let fleet: Fleet<'member1' | 'member2'>;
let direct: Endpoint;

beforeAll(async () => {
  const bare = { version: 'newest', nodes: 0 } as const;
  fleet = await startFleet({ member1: bare, member2: bare });
  // As the very user that the member sees through the product: system:masters is spared some checks.
  direct = await endpointOfKubeconfig(await fleet.members.member1.userKubeconfig('fleet:admin', ['fleet:admins']));
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const sidesOf = (view: View, product: Product) => ({
  left: { endpoint: direct, view: jsonView },
  right: { endpoint: { url: product.server, ca: product.ca, ...product.admin }, view, ground: direct },
  // A page of a selection is the last if nothing more matches (PAGE-1); Kubernetes may give an empty one more.
  selectedPages: false,
});

/** The seed is what one needs to see it again. */
function show(report: Report): Report {
  for (const difference of report.differences) console.log(describeDifference(difference));
  console.log(describeReport(report));
  return report;
}

describe('COMPAT-4 AUTHZ-3: paths that Kubernetes does not have, by users with permissions in one namespace', () => {
  const some = Math.min(count, 20_000) / 5;
  const suite = 'vanilla-routes';
  const routes = async (product: Product, how: { seed: number | string; count: number }) => {
    const tolerated = await readTolerated(differences, suite);
    return runRoutes({ ...sidesOf(suffixedNamespaceView('member1'), product), ...how, tolerated });
  };

  // All may reach the members: what they are allowed to do there is the members' own decision.
  beforeAll(() =>
    apply(fleet.controlPlane, reach, binding('everybody', 'reach', { kind: 'Group', name: 'system:authenticated' })),
  );

  test(`${some} requests have the same code and reason, and change nothing outside`, { timeout }, async () => {
    const report = await routes(fleet.product, { seed, count: some });
    show(report);
    expect(report.changed).toEqual([]);
    expect(report.unequal).toEqual([]);
    expect(report.differences.map(({ number }) => number)).toEqual([]);
  });

  test('negative control: a path that goes to another cluster than it names is noticed', { timeout }, async () => {
    const product = await fleet.withMutant({
      file: 'server/src/target/address.ts',
      from: 'return isOwn ? undefined : place;',
      to: "return info.resource === 'namespaces' ? undefined : place;",
    });
    const report = await routes(product, { seed: 7, count: 160 });
    const isInNamespaces = ({ call, deltas }: Difference) =>
      call.flaw?.includes('namespace') === true && deltas.some(({ where }) => where === 'status');
    expect(report.differences.filter(isInNamespaces).length).toBeGreaterThan(0);
  });
});

describe.each([
  { suite: 'vanilla-name', view: suffixedNameView('member1', ['member2']) },
  { suite: 'vanilla-namespace', view: suffixedNamespaceView('member1') },
])('NAME-2 NAME-4 NAME-12 RV-1 RV-3 COMPAT-4: $suite', ({ suite, view }) => {
  test(`${count} requests differ in nothing but what is listed`, { timeout }, async () => {
    const tolerated = await readTolerated(differences, suite);
    const report = show(await runDifferential({ ...sidesOf(view, fleet.product), seed, count, tolerated }));
    expect(report.differences.map(({ number }) => number)).toEqual([]);
    expect(report.requests).toBeGreaterThanOrEqual(count);
    // A few thousand requests need not have met all that is listed.
    if (count >= 20_000) expect(report.stale.map(({ line }) => line)).toEqual([]);
  });

  test(`WATCH-1 WATCH-3 WATCH-8: watches with ${watched} requests see the same events, in the same order`, {
    timeout,
  }, async () => {
    const tolerated = await readTolerated(differences, suite);
    const options = { seed, count: watched, watches: 0.5, invalid: 0.1, tolerated };
    const report = show(await runDifferential({ ...sidesOf(view, fleet.product), ...options }));
    expect(report.differences.map(({ number }) => number)).toEqual([]);
    expect(report.watches).toBeGreaterThanOrEqual(watched / 20);
  });
});

interface Bug extends Mutant {
  bug: string;
  view: View;
  /** Whether that is what the bug does. */
  shows(difference: Difference): boolean;
  amount?: { count: number; watches: number; invalid: number };
}

describe('negative controls: a run finds', () => {
  /** What the cluster takes when it is asked itself. */
  const refused = (deltas: Difference['deltas']) =>
    deltas.some(({ where, left }) => where === 'status' && left === '200');
  const byName = suffixedNameView('member1', ['member2']);
  const byNamespace = suffixedNamespaceView('member1');
  const watching = { count: 200, watches: 0.5, invalid: 0 };
  const live = {
    file: 'server/src/merge/live-events.ts',
    from: "if (read.type !== 'BOOKMARK') events.push({ line, read, position });",
  };
  const cached = {
    file: 'server/src/cache/cached-events.ts',
    from: 'events: eventsOf(answer, form),',
  };
  const leftOut = isCached
    ? { ...cached, to: "events: eventsOf(answer, form).filter(({ read }) => read.type !== 'DELETED')," }
    : {
        ...live,
        to: "if (read.type !== 'BOOKMARK' && read.type !== 'DELETED') events.push({ line, read, position });",
      };
  const sentTwice = isCached
    ? { ...cached, to: 'events: eventsOf(answer, form).flatMap((one) => [one, one]),' }
    : {
        ...live,
        to: "if (read.type !== 'BOOKMARK') events.push({ line, read, position }, { line, read, position });",
      };

  const bugs: Bug[] = [
    {
      bug: 'an owner without its cluster',
      view: byName,
      file: 'server/src/present/marking.ts',
      from: 'for (const span of found.owners) behind(span, name);',
      to: '',
      shows: ({ deltas }) => deltas.some(({ where }) => where.includes('.ownerReferences.')),
    },
    {
      bug: 'a suffix left in a JSON patch',
      view: byName,
      file: 'server/src/target/json-patch.ts',
      from: "key === 'value' ? pointers[index] : undefined",
      to: 'undefined',
      shows: ({ call, deltas }) =>
        call.request.headers['content-type'] === 'application/json-patch+json' && refused(deltas),
    },
    {
      bug: 'a version of a merged list left in a write',
      view: byName,
      file: 'server/src/target/stripped-body.ts',
      from: 'if (isVersion(path)) return replaced(versionOf(text));',
      to: '',
      shows: ({ call, deltas }) => call.request.body?.includes('resourceVersion') === true && refused(deltas),
    },
    {
      bug: 'a namespace without its cluster',
      view: byNamespace,
      file: 'server/src/present/marking.ts',
      from: 'if (namespace) behind(found.namespace, namespace);',
      to: '',
      shows: ({ deltas }) => deltas.some(({ where }) => where.endsWith('.metadata.namespace')),
    },
    {
      bug: 'an event that is left out of a watch',
      view: byName,
      ...leftOut,
      shows: ({ deltas }) => deltas.some(({ where, left, right }) => where === 'events' && +left > +right),
      amount: watching,
    },
    {
      bug: 'an event that a watch sends twice',
      view: byName,
      ...sentTwice,
      shows: ({ deltas }) => deltas.some(({ where, left, right }) => where === 'events' && +left < +right),
      amount: watching,
    },
    {
      bug: 'an event of the wrong name',
      view: byName,
      file: 'server/src/watch/encode.ts',
      from: 'pieces: [...spliced(line, objectInsertions(line, object.start, marking)), newline],',
      to: 'pieces: [line, newline],',
      shows: ({ deltas }) =>
        deltas.some(
          ({ where, right }) => /^event \d+ .object.metadata.name$/.test(where) && right.includes('no cluster'),
        ),
      amount: watching,
    },
    {
      bug: 'objects that are there and not sent',
      view: byName,
      file: 'server/src/watch/initial.ts',
      from: 'const batch = encoder.initial(cluster, fresh, list.head);',
      to: 'const batch = encoder.initial(cluster, fresh.slice(1), list.head);',
      shows: ({ deltas }) => deltas.some(({ where, left, right }) => where === 'events' && +left > +right),
      amount: watching,
    },
  ];
  test.each(bugs)('$bug', { timeout }, async ({ view, file, from, to, shows, amount = { count: 800 } }) => {
    const product = await fleet.withMutant({ file, from, to });
    const tolerated = await readTolerated(differences, 'vanilla-name');
    const report = await runDifferential({ ...sidesOf(view, product), seed: 1, ...amount, tolerated });
    expect(report.differences.filter(shows).length).toBeGreaterThan(0);
  });
});
