import { expect, test } from 'vitest';
import { startFakeFleet } from '../testing/fake-fleet.ts';
import { queryOf } from './logs.ts';

const pod = (...containers: string[]) =>
  JSON.stringify({ metadata: { name: 'x' }, spec: { containers: containers.map((name) => ({ name })) } });

test('a log is printed as it comes', async () => {
  const { server, run } = await startFakeFleet(({ url }, response) =>
    response.end(url!.includes('/log') ? 'line 1\nline 2\n' : pod('main', 'proxy')),
  );
  expect(
    await run('logs', 'x.clusterspace.member1', '-f', '--tail', '2', '--since', '2m', '-p', '--timestamps'),
  ).toEqual({
    stdout: 'line 1\nline 2\n',
    stderr: 'Defaulted container "main" out of: main, proxy\n',
  });
  expect(server.requests.at(-1)!.url).toBe(
    '/api/v1/namespaces/shop/pods/x.clusterspace.member1/log' +
      '?follow=true&previous=true&timestamps=true&tailLines=2&sinceSeconds=120&container=main',
  );
});

test('a container that the pod does not have is named, with those it has', async () => {
  const { run } = await startFakeFleet((_, response) => response.end(pod('main')));
  await expect(run('logs', 'x', '-c', 'other')).rejects.toThrow('container other is not valid for pod x out of: main');
});

test('a refusal is the error of the server', async () => {
  const { run } = await startFakeFleet(({ url }, response) => {
    if (!url!.includes('/log')) return response.end(pod('main'));
    return response
      .writeHead(400)
      .end(JSON.stringify({ kind: 'Status', message: 'previous terminated container not found' }));
  });
  await expect(run('logs', 'x', '-p')).rejects.toThrow('previous terminated container not found');
});

test.each([{ tail: 'x' }, { tail: '-2' }, { since: '5' }, { since: '-5s' }, { since: '0s' }])(
  '%o is refused',
  (flags) => {
    expect(() => queryOf(flags)).toThrow(/--(tail|since) takes/);
  },
);
