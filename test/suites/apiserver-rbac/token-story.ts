/** What becomes of tokens, step by step: what each review returns, and what ends it. */

import { normalised } from './normalise.ts';
import type { Side } from './side.ts';

const accounts = '/api/v1/namespaces/two/serviceaccounts';
const secrets = '/api/v1/namespaces/two/secrets';
const bootstrapSecrets = '/api/v1/namespaces/kube-system/secrets';

const issuer = 'https://kubernetes.default.svc';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const bootstrapToken = (id: string, data: Record<string, string>) => ({
  metadata: { name: `bootstrap-token-${id}` },
  type: 'bootstrap.kubernetes.io/token',
  data: Object.fromEntries(
    Object.entries({ 'token-id': id, 'token-secret': '0123456789abcdef', ...data }).map(([key, text]) => [
      key,
      base64(text),
    ]),
  ),
});

/** `patience`: in milliseconds, for what is known a little later. */
export async function tokenStory(side: Side, patience = 30_000): Promise<[string, unknown][]> {
  const until = (isSo: () => Promise<boolean>) => waitFor(isSo, patience);
  const story: [string, unknown][] = [];
  let reviews = 0;
  const ask = async (token: string, audiences: readonly string[]): Promise<unknown> => {
    reviews += 1;
    // One that nobody has asked about yet: kube-apiserver remembers its answers for ten seconds.
    const spec = { token, audiences: [...audiences, `review-${reviews}`] };
    const { body } = await side.ask({ path: '/apis/authentication.k8s.io/v1/tokenreviews', body: { spec } });
    const result = normalised((body as { status?: unknown }).status ?? body);
    // How often was asked until something was known is nobody's concern.
    return JSON.parse(JSON.stringify(result).replace(/review-\d+/g, 'review-N')) as unknown;
  };
  const review = async (title: string, token: string, audiences = [issuer]): Promise<void> => {
    story.push([title, await ask(token, audiences)]);
  };
  /** When the review returns it: kube-apiserver looks at a copy of its own, which may be older. */
  const ends = async (title: string, token: string, words: string): Promise<void> => {
    let result: unknown;
    await until(async () => {
      result = await ask(token, [issuer]);
      return JSON.stringify(result).includes(words);
    });
    story.push([title, result]);
  };
  const begins = (title: string, token: string) => ends(title, token, '"authenticated":true');
  const make = (path: string, body: object) => side.ask({ path, body });
  const remove = (path: string) => side.ask({ path, method: 'DELETE' });
  const tokenOf = async (name: string, spec: object = {}): Promise<string> => {
    const { body } = await make(`${accounts}/${name}/token`, { spec });
    return (body as { status: { token: string } }).status.token;
  };

  await make(accounts, { metadata: { name: 'hero' } });
  const hero = await tokenOf('hero');
  await begins('of an account', hero);
  await review('for another audience', hero, ['vault']);
  const forVault = await tokenOf('hero', { audiences: ['vault', 'other'] });
  await review('made for another audience', forVault, ['vault', 'more']);
  await review('made for another audience, shown here', forVault);
  const used = await side.ask({ path: '/api/v1/namespaces/two/configmaps', as: { token: hero } });
  story.push(['used without a right', normalised(used)]);
  const wrong = await side.ask({ path: '/api/v1/namespaces/two/configmaps', as: { token: forVault } });
  story.push(['used for the wrong audience', normalised(wrong)]);
  const [head, body] = hero.split('.');
  await review('with a signature of another', `${head}.${body}.${forVault.split('.')[2]}`);

  await make(secrets, { metadata: { name: 'box' } });
  const bound = await tokenOf('hero', { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'box' } });
  await begins('bound to a Secret', bound);
  await remove(`${secrets}/box`);
  await make(secrets, { metadata: { name: 'box' } });
  await ends('bound to a Secret that was made anew', bound, 'secret UID');
  await remove(`${secrets}/box`);
  await ends('bound to a Secret that is gone', bound, 'invalidated');

  await remove(`${accounts}/hero`);
  await ends('of an account that is gone', hero, 'not found');
  await make(accounts, { metadata: { name: 'hero' } });
  await ends('of an account that was made anew', hero, 'account UID');

  const annotations = { 'kubernetes.io/service-account.name': 'hero' };
  await make(secrets, { metadata: { name: 'old', annotations }, type: 'kubernetes.io/service-account-token' });
  let old: Record<string, string> = {};
  await until(async () => {
    old = ((await side.ask({ path: `${secrets}/old` })).body as { data?: typeof old }).data ?? {};
    return old['token'] !== undefined;
  });
  story.push(['an old Secret has', Object.keys(old).sort()]);
  const ofSecret = Buffer.from(old['token']!, 'base64').toString();
  await begins('of an old Secret', ofSecret);
  await review('of an old Secret, for another audience', ofSecret, ['vault']);
  await remove(`${accounts}/hero`);
  await until(async () => (await side.ask({ path: `${secrets}/old` })).status === 404);

  const good = { 'usage-bootstrap-authentication': 'true' };
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const tokens: [string, string, Record<string, string>][] = [
    ['of bootstrap', 'aaaaaa', good],
    [
      'of bootstrap with groups',
      'bbbbbb',
      { ...good, 'auth-extra-groups': 'system:bootstrappers:x,system:bootstrappers:a' },
    ],
    ['of bootstrap with a wrong group', 'cccccc', { ...good, 'auth-extra-groups': 'system:masters' }],
    ['of bootstrap for something else', 'dddddd', { 'usage-bootstrap-signing': 'true' }],
    ['of bootstrap, over', 'eeeeee', { ...good, expiration: '2020-01-01T00:00:00Z' }],
    ['of bootstrap, not over', 'ffffff', { ...good, expiration: later }],
  ];
  for (const [title, id, data] of tokens) {
    await make(bootstrapSecrets, bootstrapToken(id, data));
    // kube-apiserver takes them from a cache of its own.
    if (title === 'of bootstrap') await until(() => isKnown(side, `${id}.0123456789abcdef`));
  }
  await until(() => isKnown(side, 'ffffff.0123456789abcdef'));
  for (const [title, id] of tokens) await review(title, `${id}.0123456789abcdef`);
  await review('of bootstrap with a wrong secret', 'aaaaaa.0123456789abcdee');
  for (const [, id] of tokens) await remove(`${bootstrapSecrets}/bootstrap-token-${id}`);
  return story;
}

async function isKnown(side: Side, token: string): Promise<boolean> {
  const { body } = await side.ask({ path: '/apis/authentication.k8s.io/v1/tokenreviews', body: { spec: { token } } });
  return (body as { status?: { authenticated?: boolean } }).status?.authenticated === true;
}

async function waitFor(isSo: () => Promise<boolean>, patience: number): Promise<void> {
  const deadline = Date.now() + patience;
  while (!(await isSo())) if (Date.now() > deadline) throw new Error('waited too long');
}
