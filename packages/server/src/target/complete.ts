/** Finds the cluster of a request whose URL does not name it. */

import { badRequest } from '@fleet/kube/status.ts';
import type { ParsedTarget, Target } from './target.ts';

export function completeTarget(parsed: ParsedTarget): Target {
  const { place } = parsed;
  if (place.at !== 'in-body') return { ...parsed, place };
  throw badRequest(
    `a create must name its cluster: send it to /clusterspaces/{cluster}${parsed.wire.path}, ` +
      'or run kubectl with --server https://…/clusterspaces/{cluster}',
  );
}
