import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

const issuer = 'https://kubernetes.default.svc';
const secrets = '/api/v1/namespaces/default/secrets';

it('AUTHN-1: a token of a Secret counts for the server alone, whoever asks', async () => {
  const { ask } = await openServer();
  const annotations = { 'kubernetes.io/service-account.name': 'default' };
  await ask('POST', secrets, { metadata: { name: 'old', annotations }, type: 'kubernetes.io/service-account-token' });
  const dataOf = async () => ((await ask('GET', `${secrets}/old`)).body as { data?: Record<string, string> }).data;
  await expect.poll(dataOf).toHaveProperty('token');
  const token = Buffer.from((await dataOf())!['token']!, 'base64').toString();
  const review = async (audiences: string[]) => {
    const { body } = await ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token, audiences } });
    return body['status'];
  };
  const user = { username: 'system:serviceaccount:default:default' };
  expect(await review([])).toMatchObject({ authenticated: true, user, audiences: [issuer] });
  expect(await review(['vault', issuer])).toMatchObject({ authenticated: true, user, audiences: [issuer] });
  expect(await review(['vault'])).toEqual({
    user: {},
    error: `[invalid bearer token, token audiences ["${issuer}"] is invalid for the target audiences ["vault"]]`,
  });
});
