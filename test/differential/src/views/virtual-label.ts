/** The label `clusterspace`, which the product shows and no cluster has (NAME-11): taken out where it has to be. */
import { rewriteJson } from '../normalise/json-text.ts';

/** In which map of an object the label stands: in the object itself, or under a key of it. */
export type LabelPlace = 'here' | { readonly under: string };

/** How the kinds that select pods write their selectors. */
export const selectors: Readonly<Record<string, LabelPlace>> = {
  deployments: { under: 'matchLabels' },
  replicasets: { under: 'matchLabels' },
  jobs: { under: 'matchLabels' },
  services: 'here',
};

/** The rows of every Table in which names change carry it. */
export const rowLabel = (path: string): LabelPlace | undefined =>
  /^(?:object\/)?rows\/\d+\/object\/metadata$/.test(path) ? { under: 'labels' } : undefined;

/** A body as a client sends it back that was shown the label; one that is no JSON, or selects nothing, as it is. */
export function withLabel(body: string, cluster: string, place: LabelPlace): string {
  const map = place === 'here' ? 'spec/selector' : `spec/selector/${place.under}`;
  try {
    return rewriteJson(body, {
      key: (raw) => raw,
      scalar: (_, raw) => raw,
      whole: (path) =>
        path.join('/') === map
          ? (raw) => raw.replace(/^\{(?=")/, `{"clusterspace":${JSON.stringify(cluster)},`)
          : undefined,
    });
  } catch {
    return body;
  }
}

/** `at` returns for the path of an object whether the label has to be in it. */
export function withoutLabel(text: string, cluster: string, at: (path: string) => LabelPlace | undefined): string {
  return rewriteJson(text, {
    key: (raw) => raw,
    scalar: (_, raw) => raw,
    whole(path) {
      const place = at(path.join('/'));
      return place && ((raw) => (raw.startsWith('{') ? without(raw, cluster, place) : raw));
    },
  });
}

/** The label stands first in its map; a map that was made for it goes with it. The text may be pretty or not. */
function without(raw: string, cluster: string, place: LabelPlace): string {
  const label = `"clusterspace":"${cluster}"`;
  const opening = place === 'here' ? '^' : `"${place.under}":\\s*`;
  const first = new RegExp(`(${opening}\\{)${label},?`);
  const alone = new RegExp(`${opening}\\{${label}\\},?`);
  if (place !== 'here' && alone.test(raw)) return raw.replace(alone, '');
  return first.test(raw) ? raw.replace(first, '$1') : `{"‹no label›":true,${raw.slice(1)}`.replace(/,\s*\}$/, '}');
}
