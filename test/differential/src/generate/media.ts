/** In which form an answer is asked for. */
import { type Draft, isWrite, type World } from './draft.ts';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const partialList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** Only text forms: what a watch can be read as, line by line. */
export function acceptForWatch(world: World, draft: Draft): void {
  draft.headers['accept'] = world.random.weighted([
    [6, 'application/json'],
    [3, table],
    [2, partial],
    [1, `${table},application/json`],
  ]);
  if (draft.headers['accept'].includes('Table') && world.random.chance(0.4)) {
    draft.query['includeObject'] = world.random.pick(['Object', 'Metadata', 'None']);
  }
}

export function accept(world: World, draft: Draft): void {
  const { random } = world;
  if (draft.headers['accept'] !== undefined) return;
  const chosen = random.weighted([
    [60, 'application/json'],
    [4, undefined],
    [2, '*/*'],
    [12, table],
    [4, `${table},application/json`],
    [8, draft.list ? partialList : partial],
    [5, 'application/vnd.kubernetes.protobuf'],
    [1, 'application/vnd.kubernetes.protobuf,application/json'],
    [5, 'application/yaml'],
  ]);
  if (chosen !== undefined) draft.headers['accept'] = chosen;
  if (chosen?.includes('Table') && random.chance(0.4)) {
    draft.query['includeObject'] = random.pick(['Object', 'Metadata', 'None']);
  }
  if (random.chance(0.04)) draft.query['pretty'] = random.pick(['true', 'false', '1']);
  if (draft.list && random.chance(0.03)) draft.headers['accept-encoding'] = 'gzip';
}

/** The options with which a writer controls how its write is taken. */
export function writeOptions(world: World, draft: Draft): void {
  const { random } = world;
  if (!isWrite(draft)) return;
  if (draft.kind?.writes === 'dry' || random.chance(0.07)) draft.query['dryRun'] ??= 'All';
  if (draft.method === 'DELETE') return;
  if (random.chance(0.3)) draft.query['fieldValidation'] ??= random.pick(['Strict', 'Warn', 'Ignore']);
  if (random.chance(0.15)) draft.query['fieldManager'] ??= random.pick(['ann', 'dan']);
}
