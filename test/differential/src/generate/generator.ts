/** The requests of one lane, from a seed alone: no answer changes what is asked next. */
import type { Kind } from '../kinds/kind.ts';
import { Random } from '../random.ts';
import type { Call, Step } from '../request.ts';
import { type Draft, finish, type World } from './draft.ts';
import { extra } from './extras.ts';
import { tryWhatIsKeptOtherwise } from './kept-otherwise.ts';
import { accept, writeOptions } from './media.ts';
import { Model } from './model.ts';
import { opening } from './opening.ts';
import { apply, jsonPatch, mergePatch, strategicPatch } from './patches.ts';
import { get, list, listTwice, pages } from './reads.ts';
import { remove, removeSome } from './removals.ts';
import { spoil } from './spoil.ts';
import { watchable, watched } from './watched.ts';
import { create, scale, status, update } from './writes.ts';

export interface GeneratorOptions {
  readonly seed: number | string;
  readonly lane: number;
  readonly kinds: readonly Kind[];
  /** The share of requests made invalid. */
  readonly invalid: number;
  readonly selectedPages?: boolean;
  /** The share of turns that are a watch and what it is to see. */
  readonly watches?: number;
}

/** Where there is nothing to read or change, mostly something is made first: else nearly all answers were 404. */
function fitting(world: World, kind: Kind, move: Move): Move {
  const bare = world.model.existing(kind).length === 0;
  return bare && move !== list && world.random.chance(0.85) ? create : move;
}

type Move = (world: World, kind: Kind) => Draft;

const writes: readonly (readonly [number, Move])[] = [
  [14, create],
  [8, update],
  [5, jsonPatch],
  [6, mergePatch],
  [5, strategicPatch],
  [8, apply],
  [7, remove],
  [1, removeSome],
];

const others: readonly (readonly [number, Move])[] = [
  [10, get],
  [14, list],
  [4, (world, kind) => (kind.status ? status(world, kind) : get(world, kind))],
  [4, (world, kind) => (kind.scale ? scale(world, kind) : list(world, kind))],
  [5, (world) => extra(world)],
];

export function* generate(options: GeneratorOptions): Generator<Step> {
  const random = new Random(`${options.seed}/${options.lane}`);
  const { kinds, selectedPages = true, watches = 0.02 } = options;
  const world: World = { random, model: new Model(options.lane), kinds, selectedPages };
  const weights = options.kinds.map((kind) => [kind.weight, kind] as const);
  const watchables = weights.filter(([, kind]) => watchable(kind));
  const complete = (draft: Draft, invalid: number): Call => {
    accept(world, draft);
    if (random.chance(invalid)) spoil(world, draft);
    tryWhatIsKeptOtherwise(draft);
    writeOptions(world, draft);
    return finish(world, draft);
  };
  for (const draft of opening(world)) yield finish(world, draft);
  for (;;) {
    const kind = random.weighted(weights);
    const { invalid } = options;
    const turn = random.next();
    if (turn < watches && watchables.length > 0) {
      const seen = random.weighted(watchables);
      yield watched(world, seen, () => complete(fitting(world, seen, random.weighted(writes))(world, seen), invalid));
    } else if (turn < 0.05) {
      // both are valid, or the second would not know the version
      for (const draft of listTwice(world, kind)) yield complete(draft, 0);
    } else if (turn < 0.07) {
      for (const draft of pages(world, kind, () => create(world, kind))) yield complete(draft, 0);
    } else {
      yield complete(fitting(world, kind, random.weighted([...writes, ...others]))(world, kind), invalid * 1.3);
    }
  }
}
