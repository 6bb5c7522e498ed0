import { describe, expect, it } from 'vitest';
import { targetOf, templateTargetOf } from '../testing/targets.ts';
import { parseTarget } from './parse.ts';

const deployments = '/apis/apps/v1/namespaces/d/deployments';
const template = { at: 'template' };
const controlPlane = { at: 'one', cluster: 'karmada' };
const m1 = { at: 'one', cluster: 'm1' };
const named = (name: string) => JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } });

describe('NAME-6: with federation on a name without a cluster is the template in the control plane', () => {
  it.each([
    ['GET', `${deployments}/web`],
    ['PUT', `${deployments}/web`],
    ['PATCH', `${deployments}/web`],
    ['DELETE', `${deployments}/web`],
    ['GET', `${deployments}/web/scale`],
    ['GET', '/api/v1/namespaces/d/pods/web/log'],
    ['POST', '/api/v1/namespaces/d/pods/web/exec?command=ls'],
    ['GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/web'],
    ['GET', `${deployments}?fieldSelector=metadata.name%3Dweb`],
    ['GET', `${deployments}?watch=true&fieldSelector=metadata.name%3Dweb`],
    ['GET', `/clusterspaces/all${deployments}/web`],
    ['GET', '/apis/apps/v1/namespaces/d/clusterspaces/all/deployments/web'],
    ['GET', `${deployments}/web?clusterspace=all`],
  ])('%s %s', (method, url) => {
    expect(templateTargetOf(method, url)).toMatchObject({ place: template, view: { names: 'plain' }, templates: true });
    const off = targetOf(method, url);
    expect(off.place.at).toBe('found');
    expect(off.templates).toBeUndefined();
  });

  it('a create that names no cluster makes one', () => {
    expect(templateTargetOf('POST', deployments, named('web'))).toMatchObject({
      place: template,
      view: { names: 'plain' },
    });
    // The control plane itself reports what is wrong with it.
    expect(templateTargetOf('POST', deployments).place).toEqual(template);
    expect(() => targetOf('POST', deployments, named('web'))).toThrow('must name its cluster');
  });

  it('LIST-9: a create that cannot be read may name a cluster, and makes nothing', () => {
    expect(() => templateTargetOf('POST', deployments, named('web').slice(0, 20))).toThrow('not valid JSON');
    expect(() => templateTargetOf('POST', deployments, 'x', 'application/cbor')).toThrow();
  });

  it.each([
    ['GET', `${deployments}/web.clusterspace.m1`, undefined, m1],
    ['GET', '/apis/apps/v1/namespaces/d.clusterspace.m1/deployments/web', undefined, m1],
    ['POST', deployments, named('web.clusterspace.m1'), m1],
    ['PUT', `${deployments}/web`, named('web.clusterspace.m1'), m1],
    ['GET', `${deployments}/web.clusterspace.karmada`, undefined, controlPlane],
    ['POST', deployments, named('web.clusterspace.karmada'), controlPlane],
    ['DELETE', '/apis/apps/v1/namespaces/d.clusterspace.karmada/deployments', undefined, controlPlane],
  ] as const)('NAME-2: a cluster that is named counts: %s %s', (method, url, body, place) => {
    expect(templateTargetOf(method, url, body).place).toEqual(place);
  });

  it('URL-12: a collection must name its cluster', () => {
    expect(() => templateTargetOf('DELETE', deployments)).toThrow('name one cluster');
  });
});

describe('NAME-5: with federation on the control plane is one of the places of a merged view', () => {
  it.each([
    [deployments, {}],
    [`${deployments}?watch=true`, {}],
    [`/clusterspaces/all${deployments}`, {}],
    [`${deployments}?labelSelector=clusterspace%3Dkarmada`, { only: ['karmada'] }],
    [`${deployments}?fieldSelector=metadata.name%3Dweb&labelSelector=clusterspace!%3Dkarmada`, { except: ['karmada'] }],
  ])('%s', (url, clusters) => {
    expect(templateTargetOf('GET', url)).toMatchObject({ place: { at: 'many', clusters }, templates: true });
  });

  it('not of those that show members alone', () => {
    const any = '/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy';
    expect(templateTargetOf('GET', `${any}${deployments}`).templates).toBeUndefined();
    expect(templateTargetOf('GET', `${any}${deployments}/web`).place.at).toBe('found');
  });
});

describe('FED-34: the proxies to members below /clusterspaces/karmada', () => {
  const proxy = '/apis/cluster.karmada.io/v1alpha1/clusters/m1/proxy';

  it('are those of the cluster proxy, byte for byte', () => {
    for (const tail of ['/api/v1/pods?limit=1', '/api/v1/namespaces/d/services/x/proxy/a%2Fb?c=%20', '']) {
      const { proxied: _, ...below } = parseTarget('GET', `/clusterspaces/karmada${proxy}${tail}`, undefined, true);
      const { proxied: __, ...direct } = parseTarget('GET', `${proxy}${tail}`);
      expect(below).toEqual(direct);
    }
  });

  it('SEC-1: a redirect within a program behind them stays below', () => {
    const { proxied } = parseTarget(
      'GET',
      `/clusterspaces/karmada${proxy}/api/v1/namespaces/d/services/x/proxy/page`,
      undefined,
      true,
    );
    expect(proxied).toMatchObject({
      inner: '/api/v1/namespaces/d/services/x/proxy',
      outer: `/clusterspaces/karmada${proxy}/api/v1/namespaces/d/services/x/proxy`,
    });
  });

  it('are the control plane’s own where federation is off, and below other clusters', () => {
    expect(parseTarget('GET', `/clusterspaces/karmada${proxy}/api`).place).toEqual(controlPlane);
    expect(parseTarget('GET', `/clusterspaces/m2${proxy}/api`, undefined, true).place).toMatchObject({ cluster: 'm2' });
  });
});

describe('a selector that excludes the control plane, beside a plain name', () => {
  const url = '/api/v1/namespaces/d/configmaps/x?labelSelector=';
  it.each([
    ['DELETE', 'clusterspace%3Dtokyo'],
    ['DELETE', 'clusterspace!%3Dkarmada'],
    ['GET', 'clusterspace!%3Dkarmada'],
    ['PATCH', 'clusterspace+notin+(karmada)'],
  ])('NAME-6, NAME-7: %s with %s is refused', (method, selector) => {
    expect(() => templateTargetOf(method, url + selector)).toThrow(/excludes "karmada"/);
  });
});
