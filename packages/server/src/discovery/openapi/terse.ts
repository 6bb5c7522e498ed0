/** Whether a place publishes schemas without descriptions, as the embedded control plane does. */

import type { Upstream } from '@fleet/client/upstream.ts';

/** This document is small, and every API server has it. */
const sample = '/openapi/v3/apis/coordination.k8s.io/v1';
const kind = 'io.k8s.api.coordination.v1.Lease';

interface Document {
  components?: { schemas?: Record<string, { description?: string } | undefined> };
}

/** False if the place does not grant the document. */
export async function isTerse(upstream: Upstream, signal: AbortSignal): Promise<boolean> {
  const headers = { accept: 'application/json', 'user-agent': 'fleet' };
  const reply = await upstream.call({ method: 'GET', path: sample, headers, signal });
  const bytes = await reply.body.bytes();
  if (reply.status !== 200) return false;
  const schema = (JSON.parse(bytes.toString()) as Document).components?.schemas?.[kind];
  return schema !== undefined && !schema.description;
}
