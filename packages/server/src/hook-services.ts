/** Resolves the Services that webhook configurations name, as `--federation-services` maps them (EXP-5). */

import type { Upstream } from '@fleet/client/upstream.ts';
import type { ResolveService } from '@fleet/federation/explore/hooks/hook-target.ts';

/** `places`: `namespace/name[:port]=place`. `upstreamOf`: a member, with the product's credential; undefined if unreachable. */
export function serviceResolver(
  places: readonly string[],
  upstreamOf: (cluster: string) => Upstream | undefined,
): ResolveService {
  const known = new Map(
    places.map((text): [string, string] => {
      const at = text.indexOf('=');
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
  return (namespace, name, port, path) => {
    const service = `${namespace}/${name}`;
    const place = known.get(`${service}:${port}`) ?? known.get(service);
    if (place === undefined) return undefined;
    if (!place.startsWith('https://')) return { cluster: place, upstream: upstreamOf(place) };
    return `${place.endsWith('/') ? place.slice(0, -1) : place}${path}`;
  };
}
