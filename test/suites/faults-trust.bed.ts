/** A member that no longer takes the product’s token, or shows another certificate (CLU-3, CLU-4, NAME-8). */

import { createAuthority } from '@fleet/bed/pki.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { configMaps, outcome, SickFleet, sick, unreachable, well } from './sick-member.ts';

let fleet: SickFleet;

beforeAll(async () => {
  fleet = await SickFleet.start();
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const ask: SickFleet['ask'] = (...args) => fleet.ask(...args);

const patience = { timeout: 20_000 };

async function joinAgain(): Promise<void> {
  await fleet.fleet.product.join(fleet.fleet.members.sick);
  await fleet.becomes('True');
  await fleet.worksAgain();
}

const refused = {
  code: 503,
  reason: 'ServiceUnavailable',
  message: 'cluster "sick" does not accept the credential that this server has for it',
  retryAfter: undefined,
};

describe('CLU-3: a member whose certificate was replaced', { timeout: 150_000 }, () => {
  /** A certificate is shown to new connections only, and those that are open would go on for a minute. */
  async function show(which: 'good' | 'expired' | 'untrusted'): Promise<void> {
    await fleet.faults.showCertificate(which);
    await fleet.faults.proxy.reset();
    await fleet.faults.proxy.heal();
  }
  afterEach(() => show('good'));

  test.each([
    ['expired', 'cannot be reached (TLS: its certificate has expired)'],
    ['untrusted', 'cannot be reached (TLS: its certificate is not trusted)'],
  ] as const)('%s: 503 at once, not ready for that reason, others untouched, back at once', async (which, message) => {
    await fleet.becomes('True');
    await fleet.worksAgain();
    await show(which);
    await fleet.withOthersUntouched(async () => {
      const heard = await ask(`${sick}${configMaps}`);
      expect(outcome(heard)).toEqual(unreachable);
      expect(heard.ms).toBeLessThan(2_000);
      await fleet.becomes('False');
    });
    expect(await fleet.condition()).toEqual({ status: 'False', reason: 'ClusterNotReachable', message });
    expect(outcome(await ask(`${sick}${configMaps}`))).toEqual({
      ...unreachable,
      message: `cluster "sick" is not ready: it ${message}`,
      retryAfter: undefined,
    });
    expect(await fleet.condition('well')).toMatchObject({ status: 'True' });
    await show('good');
    await fleet.becomes('True');
    await fleet.worksAgain();
  });

  test('negative control: a product that does not look at certificates is noticed', async () => {
    await using careless = await fleet.fleet.withMutant({
      file: 'server/src/members/member.ts',
      from: 'rejectUnauthorized: !spec.insecureSkipTLSVerification,',
      to: 'rejectUnauthorized: false,',
    });
    await show('untrusted');
    expect(outcome(await ask(`${sick}${configMaps}`))).toMatchObject({ code: 503 });
    expect((await ask(`${sick}${configMaps}`, undefined, careless)).code).toBe(200);
  });
});

describe('CLU-4: a CA that is changed in the Secret', () => {
  const setCa = async (ca: string) => {
    const data = { caBundle: Buffer.from(ca).toString('base64') };
    for (const name of ['sick', 'sick-impersonator']) {
      const where = ['secret', name, '-n', 'karmada-cluster', '--type=merge'];
      await fleet.fleet.controlPlane.kubectl('patch', ...where, '-p', JSON.stringify({ data }));
    }
  };

  test('counts without a restart: a foreign one shuts the member out, its own lets it in again', async () => {
    const { ca } = fleet.fleet.members.sick;
    await fleet.becomes('True');
    await setCa((await createAuthority('foreign')).cert);
    const code = async () => (await ask(`${sick}${configMaps}`)).code;
    await expect.poll(code, patience).toBe(503);
    await setCa(ca);
    await expect.poll(code, patience).toBe(200);
    await fleet.becomes('True');
  });
});

describe('CLU-3: a member that no longer takes the product’s credentials', { timeout: 150_000 }, () => {
  afterEach(() => joinAgain());

  test('is not ready for that reason, its clients get that error, open streams go on, and a new join mends it', async () => {
    await fleet.becomes('True');
    const watching = await fleet.watch(sick);
    await fleet.faults.revokeTokens('fleet-system');
    // Not 401: the client's own proof was good.
    const heard = await ask(`${sick}${configMaps}`);
    expect(outcome(heard)).toEqual(refused);
    expect(heard.ms).toBeLessThan(2_000);
    await fleet.becomes('False');
    expect(await fleet.condition()).toMatchObject({ status: 'False', reason: 'CredentialRefused' });
    expect((await ask(`${well}${configMaps}`)).code).toBe(200);
    await fleet.fleet.members.sick.kubectl('create', 'configmap', 'unnoticed');
    await expect.poll(() => watching.lines(), patience).toContain('"unnoticed"');
    watching.close();
    await joinAgain();
  });

  test('negative control: a product that hands the member’s 401 on is noticed', async () => {
    await using honest = await fleet.fleet.withMutant({
      file: 'server/src/pass/pass.ts',
      from: 'if (status === 401 && !isProxied(target)) {',
      to: 'if (status === 401 && isProxied(target)) {',
    });
    await fleet.faults.revokeTokens('fleet-system');
    expect((await ask(`${sick}${configMaps}`, undefined, honest)).code).toBe(401);
  });
});

describe('LIST-4 WATCH-6: a member that does not let the product act as its users', { timeout: 150_000 }, () => {
  const right = ['clusterrolebinding', 'fleet:impersonation'];
  const list = async (path: string, product = fleet.fleet.product) => outcome(await ask(path, undefined, product));

  test('is unreachable and refuses nobody: it is named, and no list is shorter for it', async () => {
    await using trusting = await fleet.fleet.withMutant({
      file: 'server/src/members/impersonating.ts',
      from: 'bytes.includes(refusal)',
      to: 'false',
    });
    await fleet.becomes('True');
    await fleet.fleet.members.sick.kubectl('delete', ...right);
    const message = expect.stringContaining('cluster "sick" does not allow this server to impersonate users');
    await expect
      .poll(() => list(`${sick}${configMaps}`), patience)
      .toEqual({ code: 503, reason: 'ServiceUnavailable', message, retryAfter: '1' });
    expect(await list(configMaps)).toMatchObject({ code: 503, message: expect.stringContaining('sick') });
    // negative control: taken for a refusal of the user, the member is left out without a word
    expect(await list(`${sick}${configMaps}`, trusting)).toMatchObject({ code: 403 });
    expect(await list(configMaps, trusting)).toMatchObject({ code: 200 });
    await joinAgain();
  });
});
