import { describe, expect, it } from 'vitest';
import { completed } from '../testing/targets.ts';
import { parseTarget } from './parse.ts';

const pods = '/api/v1/namespaces/default/pods';

const complete = (method: string, url: string, body?: unknown, clusters = ['m1', 'm2', 'm1-a', 'karmada']) =>
  completed(
    method,
    url,
    body === undefined ? undefined : { bytes: Buffer.from(JSON.stringify(body)), contentType: undefined },
    (name) => clusters.includes(name),
  );

describe('NAME-2: the cluster in a body', () => {
  it.each([
    [{ name: 'x.clusterspace.m1' }, 'm1', 'x'],
    [{ name: 'a.clusterspace.b.clusterspace.m2' }, 'm2', 'a.clusterspace.b'],
    [{ generateName: 'x-.clusterspace.m1' }, 'm1', undefined],
    [{ generateName: 'x.clusterspace.m1-' }, 'm1', undefined],
    [{ name: 'x.clusterspace.m1-zz' }, 'm1', 'x-zz'],
    [{ name: 'x.clusterspace.m1-a' }, 'm1-a', 'x'],
    [{ name: 'x.clusterspace.m1-a-zz-y' }, 'm1-a', 'x-zz-y'],
    [{ name: 'x.clusterspace.karmada' }, 'karmada', 'x'],
    [{ name: 'x.clusterspace.m3' }, 'm3', 'x'],
  ])('%j goes to %s as %s', (metadata, cluster, name) => {
    expect(complete('POST', pods, { metadata })).toMatchObject({
      place: { at: 'one', cluster },
      view: { names: 'name-suffixed' },
      ask: { name },
    });
  });

  it('decides for an update by plain name too', () => {
    expect(complete('PUT', `${pods}/x`, { metadata: { name: 'x.clusterspace.m1' } })).toMatchObject({
      place: { at: 'one', cluster: 'm1' },
      view: { names: 'name-suffixed' },
    });
  });

  it('AUTHZ-4: decides for what goes to the control plane only where nothing names a cluster', () => {
    const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';
    const review = (url: string, name: string) => complete('POST', url, { metadata: { name }, spec: { token: 't' } });
    const shown = (cluster: string, names: string) => ({ place: { at: 'one', cluster }, view: { names } });
    expect(review(reviews, 'x')).toMatchObject(shown('karmada', 'plain'));
    expect(review(reviews, 'x.clusterspace.m1')).toMatchObject(shown('m1', 'name-suffixed'));
    expect(review(reviews, 'x.clusterspace.karmada')).toMatchObject(shown('karmada', 'name-suffixed'));
    expect(() => review(`${reviews}?clusterspace=karmada`, 'x.clusterspace.m1')).toThrow('two different clusters');
  });

  it('NAME-6: a create without a cluster is 400 with how to name one', () => {
    for (const body of [undefined, {}, { metadata: { name: 'x' } }, { metadata: { generateName: 'x-' } }, []]) {
      expect(() => complete('POST', pods, body)).toThrow('/clusterspaces/{cluster}/api/v1/namespaces/default/pods');
    }
  });

  it('NAME-7: another cluster than the URL’s is 400 and names both', () => {
    for (const [method, url] of [
      ['PUT', `${pods}/x.clusterspace.m2`],
      ['POST', '/api/v1/namespaces/d.clusterspace.m2/pods'],
      ['POST', `/clusterspaces/m2${pods}`],
      ['POST', `${pods}?clusterspace=m2`],
      ['DELETE', `${pods}?labelSelector=clusterspace=m2`],
    ] as const) {
      expect(() => complete(method, url, { metadata: { name: 'x.clusterspace.m1' } }), url).toThrow(
        /two different clusters are named: "m2" .* and "m1" by the body's name "x.clusterspace.m1"/,
      );
    }
  });

  it('NAME-4: names come back as they were asked for', () => {
    const body = { metadata: { name: 'x.clusterspace.m1' } };
    expect(complete('POST', `/clusterspaces/m1${pods}`, body).view.names).toBe('name-suffixed');
    expect(complete('POST', `/clusterspaces/m1${pods}`, { metadata: { name: 'x' } }).view.names).toBe('plain');
    expect(complete('POST', '/api/v1/namespaces/d.clusterspace.m1/pods', {}).view.names).toBe('namespace-suffixed');
  });

  it('ERR-4: what cannot be read is 400 or 415', () => {
    const raw = (text: string, contentType: string) =>
      completed('POST', pods, { bytes: Buffer.from(text), contentType });
    expect(() => raw('{"metadata":', 'application/json')).toThrow('not valid JSON');
    expect(() => raw('x', 'application/cbor')).toThrow('unknown format');
    expect(() => raw('a: [', 'application/yaml')).toThrow('error converting YAML to JSON');
  });

  it('ERR-4: what is damaged goes to the cluster that the URL names, unless it may name another', () => {
    const raw = (text: string, contentType: string) =>
      completed('PATCH', `${pods}/x.clusterspace.m1`, { bytes: Buffer.from(text), contentType }).body;
    for (const [text, contentType] of [
      ['a: [', 'application/apply-patch+yaml'],
      ['k8s\0nonsense', 'application/vnd.kubernetes.protobuf'],
    ] as const) {
      expect(raw(text, contentType)).toEqual({ bytes: Buffer.from(text), contentType });
      const naming = `${text} x.clusterspace.m2`;
      expect(() => raw(naming, contentType), naming).toThrow(expect.objectContaining({ code: 400 }));
    }
  });

  it('a body that does not concern us is not even read', () => {
    const { body } = complete('POST', `/clusterspaces/m1${pods}`, { metadata: { name: 'x' } });
    expect(body).toEqual({ bytes: Buffer.from('{"metadata":{"name":"x"}}'), contentType: undefined });
    expect(parseTarget('POST', `/clusters/m1${pods}`).mentions).toBeUndefined();
  });
});
