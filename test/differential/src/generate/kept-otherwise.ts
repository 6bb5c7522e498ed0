/** Writes after which kube-apiserver holds something else than it shows. */
import { isCustom } from '../kinds/custom.ts';
import type { Draft } from './draft.ts';

/**
 * An apply to a custom kind may leave a null among labels, shown as an empty text, or an empty map of annotations or list of
 * finalizers, not shown at all. The next write puts that right, and so has a new version though it changes nothing. Such an
 * apply is only tried.
 */
export function tryWhatIsKeptOtherwise(draft: Draft): void {
  if (canMakeServiceWithoutAddress(draft) || isPossiblyShownOtherwise(draft)) draft.query['dryRun'] ??= 'All';
  if (draft.verb !== 'apply' || !draft.kind || !isCustom(draft.kind)) return;
  const text = typeof draft.body === 'string' ? draft.body : JSON.stringify(draft.body);
  if (draft.flaw === 'null' || /"(annotations|finalizers)":/.test(text)) draft.query['dryRun'] ??= 'All';
}

/**
 * A PUT to the status of a Service that is not there makes one without addresses. In kube-apiserver it never has any; the
 * embedded API server gives it some with the next write.
 */
const canMakeServiceWithoutAddress = ({ method, path }: Draft): boolean =>
  method === 'PUT' && /\/services\/[^/]+\/status$/.test(path);

/**
 * Of an ExternalName the internal traffic policy is kept and not shown, and the list of its one address shown and not kept: who
 * takes the one away later, or leaves the other as it is, changes what is there.
 */
function isPossiblyShownOtherwise({ verb, kind, body }: Draft): boolean {
  if (kind?.resource !== 'services') return false;
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  const isNamed = text.includes('ExternalName');
  return ['patch', 'apply'].includes(verb)
    ? isNamed || text.includes('internalTrafficPolicy')
    : isNamed && /internalTrafficPolicy|clusterIP/.test(text);
}
