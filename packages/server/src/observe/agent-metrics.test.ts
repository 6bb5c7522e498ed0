import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createAgentMetrics } from './agent-metrics.ts';

it('AGENT-3, KS-5: agents, their streams and bytes, and who was not let in', async () => {
  const registry = new Registry();
  const connections = [
    { streams: 2, bytesIn: 10, bytesOut: 1 },
    { streams: 3, bytesIn: 20, bytesOut: 2 },
  ];
  let clusters = ['gondor'];
  const metrics = createAgentMetrics(registry, () => ({
    pendingLogins: 4,
    clusters,
    of: () => connections,
  }));
  metrics.loggedIn();
  metrics.loginFailed();
  metrics.refused();
  metrics.credentials('stored');
  const lines = (await registry.metrics()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'fleet_agent_connections{cluster="gondor"} 2',
      'fleet_agent_streams{cluster="gondor"} 5',
      'fleet_agent_received_bytes{cluster="gondor"} 30',
      'fleet_agent_sent_bytes{cluster="gondor"} 3',
      'fleet_agent_pending_logins 4',
      'fleet_agent_logins_total 1',
      'fleet_agent_login_failures_total 1',
      'fleet_agent_refusals_total 1',
      'fleet_agent_credentials_total{result="stored"} 1',
    ]),
  );
  clusters = [];
  expect(await registry.metrics()).not.toContain('gondor');
});
