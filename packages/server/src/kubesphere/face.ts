/** Serves KubeSphere's Cluster over the Clusters that the control plane stores (KS-1). */

import { privileged } from '@fleet/apiserver/authn/user.ts';
import { customKind } from '@fleet/apiserver/crds/custom/custom-kind.ts';
import { customTypes } from '@fleet/apiserver/crds/custom/custom-types.ts';
import { validatorOf } from '@fleet/apiserver/crds/custom/validation.ts';
import { FieldOwner, managerOf } from '@fleet/apiserver/http/field-owner.ts';
import { createHandler } from '@fleet/apiserver/http/handler.ts';
import { InProcessUpstream } from '@fleet/apiserver/http/in-process-upstream.ts';
import { oneHeader } from '@fleet/apiserver/http/message.ts';
import { ServedResources } from '@fleet/apiserver/http/served-resources.ts';
import type { Call } from '@fleet/apiserver/http/verb.ts';
import { serveResource } from '@fleet/apiserver/http/verbs.ts';
import { OpenApi } from '@fleet/apiserver/openapi/documents.ts';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { noSuchResource, requestTooLarge, StatusError } from '@fleet/kube/status.ts';
import type { Logger } from 'pino';
import { faceDefinition } from './definition.ts';
import { FaceRegistry } from './face-registry.ts';

/** In bytes: a Cluster with a kubeconfig has a few KiB, and bodies are parsed on the event loop (LIMIT-3). */
const longestBody = 256 * 1024;

/** Behaves like a kube-apiserver with only this kind: verbs, Tables, patches, discovery, OpenAPI. Its callers are authorised already. */
export function openFace(client: KubeClient, gitVersion: string, log: Logger): Upstream {
  const [version] = faceDefinition.spec.versions;
  const validate = validatorOf(version!.schema!.openAPIV3Schema!, undefined);
  const check = async (...[object, old, isBlocked]: Parameters<Parameters<typeof customKind>[2]>) =>
    validate({ object, old, isBlocked });
  const printed = customKind(faceDefinition, version!, check, () => false);
  const types = customTypes(faceDefinition, version!);
  const registryFor = (call?: Pick<Call, 'request' | 'query' | 'ask'>): FaceRegistry =>
    new FaceRegistry(printed, client, {
      query: call ? selecting(call) : new URLSearchParams(),
      manager: call ? managerOf(call.request, call.query) : 'fleet',
    });
  const resources = new ServedResources();
  resources.add({ printed, registry: registryFor(), types, owner: new FieldOwner(types), admit: async () => {} });
  const handler = createHandler({
    enter: async () => privileged('fleet:kubesphere'),
    createRefused: async () => undefined,
    resources,
    serve: async (resource, call) => {
      refuseApply(call);
      if (call.request.body.length > longestBody) throw requestTooLarge(longestBody);
      return serveResource({ ...resource, registry: registryFor(call) }, call);
    },
    connect: async () => {
      throw noSuchResource();
    },
    plain: new Map(),
    documents: new OpenApi(resources, gitVersion, async () => undefined),
    gitVersion,
    onInternalError: (error) => log.error({ err: error }, 'a request for Clusters in the form of KubeSphere failed'),
  });
  return new InProcessUpstream(handler, privileged('fleet:kubesphere'));
}

/** The old paths under /watch/ have the object's name in the path. */
function selecting({ query, ask }: Pick<Call, 'query' | 'ask'>): URLSearchParams {
  if (ask.verb !== 'watch' || ask.name === undefined || query.has('fieldSelector')) return query;
  return new URLSearchParams([...query, ['fieldSelector', `metadata.name=${ask.name}`]]);
}

/** Managed fields are those of the stored Cluster, which has another schema. */
function refuseApply({ request, ask }: Call): void {
  const type = oneHeader(request, 'content-type') ?? '';
  if (ask.verb !== 'patch' || !type.startsWith('application/apply-patch')) return;
  throw new StatusError(
    415,
    'UnsupportedMediaType',
    'server-side apply is not supported for clusters.cluster.kubesphere.io, as the fields that are owned are those of ' +
      'clusters.cluster.karmada.io: apply that, or apply this one on the side of the client',
  );
}
