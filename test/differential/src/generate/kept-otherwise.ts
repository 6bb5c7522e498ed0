/** Writes after which kube-apiserver holds something else than it shows. */
import { isCustom } from '../kinds/custom.ts';
import type { Draft } from './draft.ts';

/**
 * An apply to a custom kind may leave a null among labels, shown as an empty text, or an empty map of annotations or list of
 * finalizers, not shown at all. The next write puts that right, and so has a new version though it changes nothing. Such an
 * apply is only tried.
 */
export function tryWhatIsKeptOtherwise(draft: Draft): void {
  if (draft.verb !== 'apply' || !draft.kind || !isCustom(draft.kind)) return;
  const text = typeof draft.body === 'string' ? draft.body : JSON.stringify(draft.body);
  if (draft.flaw === 'null' || /"(annotations|finalizers)":/.test(text)) draft.query['dryRun'] ??= 'All';
}
