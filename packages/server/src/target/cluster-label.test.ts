import { describe, expect, it } from 'vitest';
import { chooseClusters } from './cluster-label.ts';
import { parseTarget } from './parse.ts';

const choose = (selector: string) => chooseClusters(`limit=5&labelSelector=${encodeURIComponent(selector)}&x=%20`);

describe('NAME-11: the label clusterspace in selectors', () => {
  it.each([
    ['clusterspace=m1', { only: ['m1'] }, ''],
    ['clusterspace==m1,app=web', { only: ['m1'] }, 'app=web'],
    ['app in (a,b),clusterspace in (m2, m1),tier!=x', { only: ['m1', 'm2'] }, 'app in (a,b),tier!=x'],
    ['clusterspace!=m1', { except: ['m1'] }, ''],
    ['clusterspace notin (m1,m2)', { except: ['m1', 'm2'] }, ''],
    ['clusterspace in (m1,m2),clusterspace!=m2', { only: ['m1'] }, ''],
    ['clusterspace=m1,clusterspace=m2', { only: [] }, ''],
  ])('%s', (selector, clusters, rest) => {
    const labels = rest === '' ? '' : `&labelSelector=${encodeURIComponent(rest)}`;
    expect(choose(selector)).toEqual({ clusters, query: `limit=5${labels}&x=%20` });
  });

  it('leaves every other selector as it came, byte for byte', () => {
    for (const query of [
      '',
      'labelSelector=app%3Dweb',
      'labelSelector=my-clusterspace=m1',
      'labelSelector=%21clusterspace.x/y',
    ]) {
      expect(chooseClusters(query)).toEqual({ clusters: {}, query });
    }
  });

  it('NAME-10: a field selector that names a cluster is refused rather than matching nothing', () => {
    expect(() => parseTarget('GET', '/api/v1/pods?fieldSelector=metadata.name%3Dx.clusterspace.m1')).toThrow(
      'use /clusterspaces/m1',
    );
  });

  it('ERR-4: says what it does not understand', () => {
    for (const selector of ['clusterspace', '!clusterspace', 'clusterspace>3', 'clusterspace in m1']) {
      expect(() => choose(selector), selector).toThrow('labelSelector');
    }
  });
});
