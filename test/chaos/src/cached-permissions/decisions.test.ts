import { describe, expect, it } from 'vitest';
import { Decisions } from './decisions.ts';
import type { Question } from './questions.ts';

const question: Question = {
  user: 'cp-ann',
  verb: 'list',
  resource: 'configmaps',
  namespace: 'cp-one',
  name: '',
  isSelected: false,
};

function decisions(cluster: 'webhook-first' | 'webhook-last') {
  const model = new Decisions();
  const { rbac, webhook } = model.of(cluster, question);
  return {
    rbac: (value: boolean, at: number) => rbac.change(value, at).settle(at + 10),
    webhook: (value: 'allow' | 'deny' | 'none', at: number) => webhook.change(value, at).settle(at + 10),
    permits: (from: number, to = from + 20) => model.permits(cluster, question, from, to),
    requires: (from: number, to = from + 20) => model.requires(cluster, question, from, to),
  };
}

describe.each(['webhook-first', 'webhook-last'] as const)('IMP-3: RBAC of %s', (cluster) => {
  it('what is granted is required at once, and what is revoked may be shown for a second', () => {
    const { rbac, permits, requires } = decisions(cluster);
    rbac(true, 1_000);
    expect([requires(990), requires(1_005), requires(1_010)]).toEqual([false, false, true]);
    rbac(false, 60_000);
    expect([permits(60_500), permits(61_005), permits(61_015)]).toEqual([true, true, false]);
    expect(requires(59_990)).toBe(false);
  });
});

describe('IMP-3: the webhook', () => {
  it.each(['webhook-first', 'webhook-last'] as const)('its yes may be shown for ten seconds, %s', (cluster) => {
    const { webhook, permits, requires } = decisions(cluster);
    webhook('allow', 1_000);
    expect(requires(1_010)).toBe(true);
    webhook('none', 20_000);
    expect([permits(29_990), permits(30_020)]).toEqual([true, false]);
  });

  it('before RBAC it denies what RBAC allows', () => {
    const { rbac, webhook, permits, requires } = decisions('webhook-first');
    rbac(true, 1_000);
    webhook('deny', 20_000);
    expect([permits(29_990), permits(30_020), requires(20_020)]).toEqual([true, false, false]);
  });

  it('a denial does not give more time to what RBAC takes back', () => {
    const { rbac, webhook, permits } = decisions('webhook-first');
    rbac(true, 1_000);
    webhook('deny', 20_000);
    rbac(false, 22_000);
    expect([permits(23_000), permits(23_020)]).toEqual([true, false]);
  });

  it('behind RBAC it denies nothing', () => {
    const { rbac, webhook, requires } = decisions('webhook-last');
    rbac(true, 1_000);
    webhook('deny', 20_000);
    expect(requires(50_000)).toBe(true);
  });
});
