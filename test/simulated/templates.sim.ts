/** With federation: plain names are templates in the control plane; who may see what; what is served (NAME-6, AUTHZ-2, DISC-1, FED-34, FED-39). */

import type { KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { live } from './src/cached-fleet.ts';
import { settled, watch } from './src/cached-watching.ts';
import type { SimulatedFleet } from './src/fleet.ts';
import { grant, reach } from './src/granting.ts';
import { readers } from './src/permissions-scene.ts';
import { requestAs } from './src/request.ts';
import { send } from './src/send.ts';
import { listed, maps, namesIn, startTemplates, templatesSuite } from './src/templates-suite.ts';

let fleet: SimulatedFleet;
let admin: KubeConfig;
beforeAll(async () => {
  fleet = await startTemplates();
  admin = await fleet.config();
});
afterAll(() => fleet?.[Symbol.asyncDispose]());

templatesSuite(live, () => fleet);

interface Named {
  metadata: { name: string; resourceVersion: string };
  data?: Record<string, string>;
  message?: string;
}

async function ask(method: string, path: string, body?: object, type = 'application/json') {
  const sent = await send(admin, {
    method,
    path,
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': type } } : {}),
  });
  return { ...sent, body: JSON.parse(sent.text) as Named };
}

const inMember = (name: string, member = 'tokyo') => fleet.members.get(member)!.client.get(`${maps}/${name}`);

describe('NAME-6: a plain name is the template', () => {
  it('is created, read, replaced, patched and deleted in the control plane alone', async () => {
    const made = await ask('POST', maps, { metadata: { name: 'made' }, data: { a: '1' } });
    expect([made.status, made.body.metadata.name]).toEqual([201, 'made']);
    const read = await ask('GET', `${maps}/made`);
    expect(read.body).toEqual(await fleet.controlPlane.get(`${maps}/made`));
    const replaced = await ask('PUT', `${maps}/made`, { ...read.body, data: { a: '2' } });
    expect(replaced.body.data).toEqual({ a: '2' });
    expect((await ask('PUT', `${maps}/made`, { ...read.body, data: { a: '3' } })).status).toBe(409);
    const patched = await ask('PATCH', `${maps}/made`, { data: { b: '4' } }, 'application/merge-patch+json');
    expect(patched.body.data).toEqual({ a: '2', b: '4' });
    for (const member of fleet.members.keys()) {
      await expect(inMember('made', member)).rejects.toMatchObject({ code: 404 });
    }
    expect((await ask('DELETE', `${maps}/made`)).status).toBe(200);
    await expect(fleet.controlPlane.get(`${maps}/made`)).rejects.toMatchObject({ code: 404 });
  });

  it('is applied there, where it is new, too', async () => {
    const applied = await ask(
      'PATCH',
      `${maps}/applied?fieldManager=test`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' }, data: { a: '1' } },
      'application/apply-patch+yaml',
    );
    expect(applied.status).toBe(201);
    expect(await fleet.controlPlane.get(`${maps}/applied`)).toMatchObject({ data: { a: '1' } });
    await fleet.controlPlane.delete(`${maps}/applied`);
  });

  it('RV-5: an update with the version of a list is one with the template’s', async () => {
    const { metadata } = await listed(admin);
    const template = await fleet.controlPlane.get<Named>(`${maps}/a`);
    const body = { ...template, metadata: { ...template.metadata, resourceVersion: metadata.resourceVersion } };
    // The list's entry is newer than the object: nothing is overwritten by it that it has not seen.
    expect((await ask('PUT', `${maps}/a`, body)).status).toBe(409);
    expect((await ask('PUT', `${maps}/a`, template)).status).toBe(200);
  });

  it('NAME-2, NAME-4: with a cluster it is that cluster’s, and karmada is one', async () => {
    expect((await ask('GET', `${maps}/a.clusterspace.tokyo`)).body).toMatchObject({
      metadata: { name: 'a.clusterspace.tokyo' },
    });
    const template = await ask('GET', `${maps}/a.clusterspace.karmada`);
    expect(template.body.metadata.name).toBe('a.clusterspace.karmada');
    const made = await ask('POST', maps, { metadata: { name: 'there.clusterspace.tokyo' } });
    expect([made.status, made.body.metadata.name]).toEqual([201, 'there.clusterspace.tokyo']);
    expect(await inMember('there')).toBeDefined();
  });

  it('NAME-10: a list and a watch by name are the template’s alone, and lead on from a merged list', async () => {
    const { metadata } = await listed(admin);
    const byName = await listed(admin, 'fieldSelector=metadata.name%3Da');
    expect(namesIn(byName)).toEqual(['a']);
    expect(byName.metadata.resourceVersion).toMatch(/^\d+$/);
    const from = { fieldSelector: 'metadata.name=a', resourceVersion: metadata.resourceVersion };
    await using watching = await watch(admin, from, maps);
    await fleet.members.get('tokyo')!.client.patch(`${maps}/a`, 'merge', { data: { of: 'tokyo' } });
    await fleet.controlPlane.patch(`${maps}/a`, 'merge', { data: { of: 'the template' } });
    await vi.waitFor(() => expect(watching.events.at(-1)).toBe('MODIFIED a'), settled);
    expect(watching.events.filter((event) => event.includes('clusterspace'))).toEqual([]);
  });
});

describe('FED-39: a plain name that is no template', () => {
  it('the answer names the objects of members', async () => {
    await fleet.members.get('tokyo')!.client.create(maps, { metadata: { name: 'stray' } });
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await ask(method, `${maps}/stray`);
      expect([status, body.message]).toEqual([
        404,
        'configmaps "stray" not found: members have "stray.clusterspace.tokyo"',
      ]);
    }
    expect((await ask('GET', `${maps}/nowhere`)).body.message).toBe('configmaps "nowhere" not found');
  });

  it('limited to what the user may see', async () => {
    await grant(fleet.controlPlane, 'erin', 'erin', [readers, reach('alpha')]);
    const alpha = fleet.members.get('alpha')!.client;
    await alpha.create(maps, { metadata: { name: 'hidden' } });
    const erin = await fleet.config({ name: 'erin' });
    const message = async (name: string) => ((await requestAs(erin, `${maps}/${name}`)).body as Named).message;
    // Alpha lets her read nothing; tokyo she may not reach.
    expect(await message('hidden')).toBe('configmaps "hidden" not found');
    await grant(alpha, 'readers', 'erin', [readers]);
    await grant(fleet.members.get('tokyo')!.client, 'readers', 'erin', [readers]);
    expect(await message('hidden')).toContain('members have "hidden.clusterspace.alpha"');
    expect(await message('stray')).toBe('configmaps "stray" not found');
  });

  it('AUTHZ-2: who may reach a member only to delete does not learn what is there', async () => {
    await grant(fleet.controlPlane, 'eve', 'eve', [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'delete'] },
      reach('tokyo', ['delete']),
    ]);
    await grant(fleet.members.get('tokyo')!.client, 'readers-eve', 'eve', [readers]);
    const eve = await fleet.config({ name: 'eve' });
    const { status, text } = await send(eve, { method: 'DELETE', path: `${maps}/stray` });
    expect([status, (JSON.parse(text) as Named).message]).toEqual([404, 'configmaps "stray" not found']);
  });
});

describe('AUTHZ-2, LIST-3: who sees what', () => {
  it('templates are shown as the control plane allows, members’ objects as members do', async () => {
    await grant(fleet.controlPlane, 'dave', 'dave', [reach('tokyo')]);
    const dave = await fleet.config({ name: 'dave' });
    expect((await requestAs(dave, maps)).status).toBe(403);
    await grant(fleet.members.get('tokyo')!.client, 'dave', 'dave', [readers]);
    const shown = async () => namesIn(await listed(dave)).map((name) => name.split('.clusterspace.')[1]);
    expect(new Set(await shown())).toEqual(new Set(['tokyo']));
    await grant(fleet.controlPlane, 'dave-templates', 'dave', [readers]);
    await vi.waitFor(async () => expect(new Set(await shown())).toEqual(new Set([undefined, 'tokyo'])), settled);
  });

  it('who may reach no member sees the templates', async () => {
    await grant(fleet.controlPlane, 'frank', 'frank', [readers]);
    expect(namesIn(await listed(await fleet.config({ name: 'frank' })))).toEqual(['a', 'b', 'c']);
  });

  it('AUTHZ-4: access review of creating a template', async () => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const question = { spec: { resourceAttributes: { verb: 'create', resource: 'configmaps', namespace: 'default' } } };
    await grant(fleet.controlPlane, 'grace', 'grace', [{ ...readers, verbs: ['create'] }]);
    const answer = async (name: string) =>
      (await requestAs(await fleet.config({ name }), path, {}, false, question)).body as { status: object };
    expect((await answer('grace')).status).toMatchObject({ allowed: true });
    expect((await answer('frank')).status).toMatchObject({ allowed: false });
  });
});

describe('DISC-1, DISC-2: what is served', () => {
  it('is what the control plane serves and what members serve', async () => {
    const crd = (kind: string) => {
      const plural = `${kind.toLowerCase()}s`;
      return {
        metadata: { name: `${plural}.${plural}.example` },
        spec: {
          group: `${plural}.example`,
          scope: 'Namespaced',
          names: { plural, kind, singular: kind.toLowerCase() },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', description: kind } },
            },
          ],
        },
      };
    };
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await fleet.controlPlane.create(crds, crd('Template'));
    await fleet.members.get('tokyo')!.client.create(crds, crd('Gadget'));
    await vi.waitFor(async () => {
      const { body } = await requestAs(admin, '/apis');
      const groups = (body as { groups: { name: string }[] }).groups.map(({ name }) => name);
      expect(groups).toEqual(expect.arrayContaining(['templates.example', 'gadgets.example', 'policy.karmada.io']));
      const index = (await requestAs(admin, '/openapi/v3')).body as { paths: Record<string, unknown> };
      expect(Object.keys(index.paths)).toEqual(
        expect.arrayContaining(['apis/templates.example/v1', 'apis/gadgets.example/v1']),
      );
    }, settled);
    const { text } = await send(admin, { path: '/openapi/v3/apis/templates.example/v1' });
    expect(text).toContain('"description":"Template"');
    // LIST-2: who lacks a kind is left out without a word.
    expect(namesIn(await listed(admin, '', '/apis/templates.example/v1/templates'))).toEqual([]);
    expect(namesIn(await listed(admin, '', '/apis/gadgets.example/v1/gadgets'))).toEqual([]);
  });
});

describe('WATCH-5: a control plane that begins to serve a kind', () => {
  it('joins the open watches of what members have', async () => {
    const group = 'widgets.example';
    const crd = {
      metadata: { name: `widgets.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget', singular: 'widget' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const widgets = `/apis/${group}/v1/namespaces/default/widgets`;
    const widget = (name: string) => ({ apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name } });
    const tokyo = fleet.members.get('tokyo')!.client;
    const make = (client: typeof tokyo, name: string) =>
      vi.waitFor(() => client.create(widgets, widget(name)), settled);
    await tokyo.create(crds, crd);
    await make(tokyo, 'x');
    await using watching = await watch(admin, { resourceVersion: '' }, widgets);
    await vi.waitFor(() => expect(watching.events).toEqual(['ADDED x.clusterspace.tokyo']), settled);
    await fleet.controlPlane.create(crds, crd);
    await make(fleet.controlPlane, 'template');
    await vi.waitFor(() => expect(watching.events.at(-1)).toBe('ADDED template'), settled);
    expect(watching.events).toHaveLength(2);
  });
});

describe('FED-34: the proxies to members below /clusterspaces/karmada', () => {
  const proxy = (name: string) => `/clusterspaces/karmada/apis/cluster.karmada.io/v1alpha1/clusters/${name}/proxy`;

  it('are served as karmadactl asks for them', async () => {
    const { body } = await requestAs(admin, `${proxy('tokyo')}${maps}/a`);
    expect(body).toMatchObject({ metadata: { name: 'a' } });
    expect((await requestAs(admin, `${proxy('nowhere')}/api`)).status).toBe(404);
    const kinds = await requestAs(admin, '/clusterspaces/karmada/apis/cluster.karmada.io/v1alpha1/clusters/tokyo');
    expect(kinds.body).toMatchObject({ kind: 'Cluster', metadata: { name: 'tokyo' } });
  });

  it('AUTHZ-2: with the same permission as for other paths', async () => {
    const frank = await fleet.config({ name: 'frank' });
    expect((await requestAs(frank, `${proxy('tokyo')}${maps}`)).status).toBe(403);
  });
});
