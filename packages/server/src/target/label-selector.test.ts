import { describe, expect, it } from 'vitest';
import { readAddress } from './address.ts';

const read = (query: string) => {
  const { chosen, query: rest, mentions } = readAddress({ method: 'GET', path: '/api/v1/pods', query });
  return { clusters: chosen, query: rest, mentions };
};
const choose = (selector: string) => read(`limit=5&labelSelector=${encodeURIComponent(selector)}&x=%20`);

describe('NAME-11: the label clusterspace in selectors', () => {
  it.each([
    ['clusterspace=m1', { only: ['m1'] }, ''],
    ['clusterspace==m1,app=web', { only: ['m1'] }, 'app=web'],
    ['app in (a,b),clusterspace in (m2, m1),tier!=x', { only: ['m1', 'm2'] }, 'app in (a,b),tier!=x'],
    ['clusterspace!=m1', { except: ['m1'] }, ''],
    ['clusterspace notin (m1,m2)', { except: ['m1', 'm2'] }, ''],
    ['clusterspace notin (m1,m1),clusterspace!=m1', { except: ['m1'] }, ''],
    ['clusterspace in (m3,m2,m1,m3),clusterspace in (m2,m3),clusterspace!=m4', { only: ['m2', 'm3'] }, ''],
    ['clusterspace in (m1,m2),clusterspace=m1,clusterspace=m2', { only: [] }, ''],
    ['clusterspace in (m1,m2),clusterspace!=m2', { only: ['m1'] }, ''],
    ['clusterspace=m1,clusterspace=m2', { only: [] }, ''],
  ])('%s', (selector, clusters, rest) => {
    const labels = rest === '' ? '' : `&labelSelector=${encodeURIComponent(rest)}`;
    expect(choose(selector)).toEqual({ clusters, query: `limit=5${labels}&x=%20`, mentions: [] });
  });

  it('leaves every other selector as it came, byte for byte', () => {
    for (const query of [
      '',
      'labelSelector=app%3Dweb',
      'labelSelector=my-clusterspace=m1',
      'labelSelector=%21clusterspace.x/y',
    ]) {
      expect(read(query)).toEqual({ clusters: {}, query, mentions: [] });
    }
  });

  it('NAME-2: a value with a suffix names a cluster, and is stripped', () => {
    for (const [selector, stripped] of [
      ['app=web.clusterspace.m1,x', 'app in (web),x'],
      ['app in (web.clusterspace.m1, api)', 'app in (web,api)'],
    ] as const) {
      expect(read(`labelSelector=${encodeURIComponent(selector)}`)).toEqual({
        clusters: {},
        query: `labelSelector=${encodeURIComponent(stripped)}`,
        mentions: [expect.objectContaining({ cluster: 'm1', by: 'selector' })],
      });
    }
    expect(() => choose('app!=web.clusterspace.m1')).toThrow('only =, == and in can');
  });

  it('ERR-4: names what it does not understand', () => {
    for (const selector of ['clusterspace', '!clusterspace', 'clusterspace>3', 'clusterspace in m1']) {
      expect(() => choose(selector), selector).toThrow('labelSelector');
    }
  });
});
