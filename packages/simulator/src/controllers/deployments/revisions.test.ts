import { describe, expect, it } from 'vitest';
import type { ReplicaSet } from '../replica-sets/replica-set.ts';
import type { PodTemplate } from '../shared/objects.ts';
import type { Deployment } from './deployment.ts';
import { lastRevision, maxRevision, newSetAnnotations, newSetOf } from './revisions.ts';
import { rolledBack } from './rollback.ts';

const template = (image: string, labels: Record<string, string> = {}): PodTemplate => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image }] },
});

const revision = 'deployment.kubernetes.io/revision';
const history = 'deployment.kubernetes.io/revision-history';

const set = (number: number, image = `v${number}`): ReplicaSet => ({
  metadata: {
    name: `s${number}`,
    uid: `s${number}`,
    creationTimestamp: `2026-01-0${number}T00:00:00Z`,
    annotations: { [revision]: String(number), cause: `why ${number}` },
  },
  spec: { replicas: 0, selector: {}, template: template(image, { 'pod-template-hash': 'x' }) },
});

const deployment = (image: string, annotations: Record<string, string> = {}): Deployment => ({
  metadata: { name: 'web', annotations },
  spec: { replicas: 2, selector: {}, template: template(image), strategy: { type: 'Recreate' } },
});

describe('revisions', () => {
  it('finds the oldest ReplicaSet of the template, whatever its hash label', () => {
    expect(newSetOf(deployment('v1'), [set(2, 'v1'), set(1), set(3)])?.metadata.name).toBe('s1');
    expect([maxRevision([set(1), set(3)]), lastRevision([set(1), set(3), set(2)]), lastRevision([])]).toEqual([
      3n,
      2n,
      0n,
    ]);
  });

  it('copies annotations to a new ReplicaSet, but not what is about the Deployment itself', () => {
    const own = { note: 'n', 'kubectl.kubernetes.io/last-applied-configuration': '{}', [revision]: '7' };
    expect(newSetAnnotations(deployment('v1', own), undefined, 1n)).toEqual({
      note: 'n',
      [revision]: '1',
      'deployment.kubernetes.io/desired-replicas': '2',
      'deployment.kubernetes.io/max-replicas': '2',
    });
  });

  it('counts on from a number that is as large as Kubernetes lets it be', () => {
    const adopted = set(1);
    adopted.metadata.annotations![revision] = '3546343826724305832';
    const next = maxRevision([adopted, set(2)]) + 1n;
    expect(newSetAnnotations(deployment('v3'), undefined, next)).toMatchObject({ [revision]: '3546343826724305833' });
  });

  it('remembers the numbers that a ReplicaSet had, no more than fit', () => {
    const first = newSetAnnotations(deployment('v1'), set(1), 3n);
    expect(first).toMatchObject({ [revision]: '3', [history]: '1' });
    const again = { ...set(1), metadata: { ...set(1).metadata, annotations: first } };
    expect(newSetAnnotations(deployment('v1'), again, 5n)).toMatchObject({ [revision]: '5', [history]: '1,3' });
    expect(newSetAnnotations(deployment('v1'), again, 3n)).toEqual(first);
    const long = Array.from({ length: 600 }, (_, index) => 100 + (index % 900)).join(',');
    const full = { ...again, metadata: { ...again.metadata, annotations: { ...first, [history]: long } } };
    const { [history]: kept } = newSetAnnotations(deployment('v1'), full, 9n);
    expect(kept!.length).toBeLessThanOrEqual(2000);
    expect(kept!.endsWith(',3')).toBe(true);
  });
});

describe('a rollback by annotation', () => {
  const asked = (to: string, image = 'v3') => deployment(image, { 'deprecated.deployment.rollback.to': to, mine: 'x' });

  it('goes to a revision, or to the one before', () => {
    const { deployment: back, message } = rolledBack(asked('0'), [set(1), set(2), set(3)]);
    expect(message).toBe('Rolled back deployment "web" to revision 2');
    expect(back.spec.template).toEqual(template('v2'));
    expect(back.metadata.annotations).toEqual({ cause: 'why 2' });
    expect(rolledBack(asked('1'), [set(1), set(3)]).deployment.spec.template).toEqual(template('v1'));
  });

  it.each([
    ['9', 'DeploymentRollbackRevisionNotFound', 'Unable to find the revision to rollback to.'],
    [
      '3',
      'DeploymentRollbackTemplateUnchanged',
      'The rollback revision contains the same template as current deployment "web"',
    ],
  ])('to %s is refused', (to, reason, message) => {
    const { deployment: back, ...event } = rolledBack(asked(to), [set(1), set(3)]);
    expect(event).toEqual({ type: 'Warning', reason, message });
    expect(back.metadata.annotations).toEqual({ mine: 'x' });
  });

  it('needs a revision before', () => {
    expect(rolledBack(asked('0'), [set(3)]).message).toBe('Unable to find last revision.');
  });
});
