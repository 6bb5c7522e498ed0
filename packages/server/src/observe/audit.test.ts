import { describe, expect, it } from 'vitest';
import { type Incoming, jsonReply, type Reply } from '../http/message.ts';
import { isLongRunning } from '../pass/long-running.ts';
import { incomingOf, targetOf, templateTargetOf } from '../testing/targets.ts';
import { createAudit } from './audit.ts';

const alice = { name: 'alice', groups: ['devs'] };
const bob = { name: 'bob', groups: [] };

interface Asked {
  method?: string;
  url: string;
  user?: typeof alice;
  parsed?: boolean;
  known?: boolean;
  headers?: Incoming['headers'];
  reply?: Reply;
  templates?: boolean;
}

async function audited({
  method = 'GET',
  url,
  user = alice,
  parsed = true,
  known = true,
  headers = {},
  reply,
  templates,
}: Asked) {
  const lines: Record<string, unknown>[] = [];
  const audit = createAudit((line) => lines.push(JSON.parse(line)), isLongRunning);
  const gone = new AbortController();
  const incoming = incomingOf(method, url, { signal: gone.signal, headers });
  await audit.wrap(async () => {
    if (known) audit.onCaller(incoming, alice);
    if (parsed) audit.onTarget(incoming, (templates ? templateTargetOf : targetOf)(method, url), user);
    return reply ?? jsonReply(200, {});
  })(incoming);
  const atHead = lines.length;
  incoming.traffic.sent = 42;
  gone.abort();
  return { lines, atHead };
}

describe('AUDIT-1: one line per request', () => {
  it('NAME-6: a template is the control plane’s', async () => {
    const { lines } = await audited({ url: '/api/v1/namespaces/a/pods/x', templates: true });
    expect(lines).toMatchObject([{ at: 'template', clusters: ['karmada'], name: 'x' }]);
  });

  it('who, what, where, how it ended', async () => {
    const { lines, atHead } = await audited({
      method: 'PUT',
      url: '/clusterspaces/m1/apis/apps/v1/namespaces/a/deployments/x/scale?fieldManager=kubectl',
      headers: { 'user-agent': 'kubectl' },
    });
    expect(atHead).toBe(0);
    expect(lines).toEqual([
      {
        time: expect.stringMatching(/^20.*Z$/),
        id: 'test',
        stage: 'ResponseComplete',
        user: alice,
        from: '127.0.0.1',
        userAgent: 'kubectl',
        verb: 'update',
        group: 'apps',
        version: 'v1',
        resource: 'deployments',
        subresource: 'scale',
        namespace: 'a',
        name: 'x',
        at: 'one',
        clusters: ['m1'],
        code: 200,
        ms: expect.any(Number),
        bytes: 42,
      },
    ]);
  });

  it('whom a user impersonates', async () => {
    const { lines } = await audited({ url: '/api/v1/pods', user: bob });
    expect(lines).toMatchObject([{ user: alice, impersonatedUser: bob, verb: 'list', at: 'many' }]);
  });

  it('which of many clusters were chosen', async () => {
    const { lines } = await audited({ url: '/api/v1/pods?labelSelector=clusterspace%20in%20(m1,m2)' });
    expect(lines).toMatchObject([{ at: 'many', clusters: ['m1', 'm2'] }]);
  });

  it('streams at their start and at their end', async () => {
    const { lines, atHead } = await audited({ url: '/clusterspaces/m1/api/v1/pods?watch=1' });
    expect(atHead).toBe(1);
    expect(lines).toMatchObject([
      { stage: 'ResponseStarted', verb: 'watch', bytes: 0 },
      { stage: 'ResponseComplete', verb: 'watch', bytes: 42 },
    ]);
  });

  it('requests that were refused before anything was known', async () => {
    const { lines } = await audited({ url: `/../x?token=abc`, parsed: false, known: false, reply: jsonReply(401, {}) });
    expect(lines).toMatchObject([{ verb: 'get', path: '/../x', code: 401 }]);
    expect(lines[0]).not.toHaveProperty('user');
  });

  it('never a token: not from headers, queries or fields that nobody asked for', async () => {
    const { lines } = await audited({
      url: '/clusterspaces/m1/api/v1/namespaces/a/pods/x/exec?command=secret1&token=secret2',
      headers: { authorization: 'Bearer secret3', cookie: 'secret4', 'x-remote-user': 'secret5' },
    });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });
});

it('AGENT-3: an agent that logs in, fails to, or is refused has a line; what it claims is cut short', () => {
  const lines: Record<string, unknown>[] = [];
  const audit = createAudit((line) => lines.push(JSON.parse(line)), isLongRunning);
  audit.onAgent({
    event: 'AgentLoginFailed',
    cluster: 'x'.repeat(1000),
    address: '10.0.0.1',
    what: 'password',
    count: 7,
  });
  audit.onAgent({ event: 'AgentRefused', cluster: undefined, address: '10.0.0.1', what: 'too many logins at once' });
  expect(lines).toEqual([
    {
      time: expect.any(String),
      stage: 'AgentLoginFailed',
      from: '10.0.0.1',
      cluster: 'x'.repeat(256),
      what: 'password',
      count: 7,
    },
    { time: expect.any(String), stage: 'AgentRefused', from: '10.0.0.1', what: 'too many logins at once' },
  ]);
});
