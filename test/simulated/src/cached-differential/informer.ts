/** A client that lists and watches through the product as client-go's reflectors do, and records events that contradict each other. */

import { setTimeout as delay } from 'node:timers/promises';
import { mapIn } from '../registering.ts';
import type { Connection, WatchEvent, WatchedObject } from './connection.ts';

export interface InformerOptions {
  to: Connection;
  path: string;
  selectors: Record<string, string>;
  /** As client-go's metadata informers read. */
  metadataOnly?: boolean | undefined;
  /** Begins with a watch that sends the initial objects, as client-go does by default, instead of a list. */
  streams?: boolean | undefined;
  /** Whether the member still has the object in that very version. */
  isThere(held: Held): Promise<boolean>;
}

export interface Held {
  cluster: string;
  namespace: string | undefined;
  name: string;
  uid: string;
  version: string;
}

/** A watch ends often, so that resuming is what happens most. */
const watchSeconds = '4';
const as = (form: string) => ({ accept: `application/json;as=${form};v=v1;g=meta.k8s.io` });
const initialEvents = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' };

export class Informer implements AsyncDisposable {
  /** By uid. */
  readonly held = new Map<string, Held>();
  readonly faults: string[] = [];
  events = 0;
  watches = 0;
  relists = 0;
  private readonly options: InformerOptions;
  private readonly ending = new AbortController();
  private readonly running: Promise<void>;
  private readonly looking = new Set<Promise<void>>();

  constructor(options: InformerOptions) {
    this.options = options;
    this.running = this.run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.ending.abort();
    await this.running;
    await Promise.all(this.looking);
  }

  private async run(): Promise<void> {
    const { signal } = this.ending;
    let version: string | undefined;
    while (!signal.aborted) {
      try {
        if (!this.options.streams) version ??= await this.list();
        version = version === undefined && !this.options.streams ? undefined : await this.watch(version);
      } catch (error) {
        if (signal.aborted) return;
        this.faults.push(`broke off: ${error}`);
        version = undefined;
        await delay(50);
      }
    }
  }

  /** Undefined where there was no answer. */
  private async list(): Promise<string | undefined> {
    const { to, path, selectors, metadataOnly } = this.options;
    const headers = metadataOnly ? as('PartialObjectMetadataList') : {};
    const { status, body } = await to.get(path, { ...selectors, resourceVersion: '0' }, headers);
    if (status !== 200) {
      await delay(50);
      return undefined;
    }
    const { metadata, items } = body as { metadata: { resourceVersion: string }; items: WatchedObject[] };
    this.replace(items.map(heldOf));
    return metadata.resourceVersion;
  }

  /** Returns the version to resume from, undefined where that is gone. */
  private async watch(from: string | undefined): Promise<string | undefined> {
    const { to, path, selectors, metadataOnly } = this.options;
    const headers = metadataOnly ? as('PartialObjectMetadata') : {};
    const start = from === undefined ? initialEvents : { resourceVersion: from };
    const query = { ...selectors, ...start, allowWatchBookmarks: 'true', timeoutSeconds: watchSeconds };
    this.watches++;
    let version = from;
    /** What there was at the beginning, until all of it has come. */
    let initial = from === undefined ? new Map<string, Held>() : undefined;
    for await (const event of to.watch(path, query, headers, this.ending.signal)) {
      const { type, object } = event;
      if (type === 'ERROR') {
        if (object.code !== 410 && object.code !== 503)
          this.faults.push(`a watch ended with ${object.code}: ${object.message}`);
        return undefined;
      }
      if (!initial) this.take(event);
      else if (object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true') {
        this.replace([...initial.values()]);
        initial = undefined;
      } else if (type === 'ADDED') initial.set(object.metadata.uid, heldOf(object));
      else this.faults.push(`${type} among the initial objects`);
      version = object.metadata.resourceVersion;
    }
    // A beginning that broke off is none.
    return initial ? undefined : version;
  }

  private replace(objects: readonly Held[]): void {
    this.relists++;
    this.held.clear();
    for (const held of objects) this.held.set(held.uid, held);
  }

  private take({ type, object }: WatchEvent): void {
    if (type === 'BOOKMARK') return;
    this.events++;
    const received = heldOf(object);
    const before = this.held.get(received.uid);
    const fault = (why: string) =>
      this.faults.push(`${type} of ${received.name} ${received.uid} at ${received.version}: ${why}`);
    if (type === 'ADDED' && before) fault(`held already at ${before.version}`);
    if (type !== 'ADDED' && !before) fault('never added');
    // What was deleted while nobody watched is shown as it was last known (WATCH-6).
    const isBack = before && BigInt(received.version) < BigInt(before.version) + (type === 'DELETED' ? 0n : 1n);
    if (isBack) fault(`not newer than ${before.version}`);
    if (type === 'DELETED') {
      this.held.delete(received.uid);
      if (before) this.look(before, fault);
    } else this.held.set(received.uid, received);
  }

  /** An object that has not changed since cannot have left. */
  private look(before: Held, fault: (why: string) => void): void {
    const looked = this.options.isThere(before).then((isThere) => {
      if (isThere) fault('it is there');
    });
    this.looking.add(looked);
    looked.finally(() => this.looking.delete(looked));
  }
}

const separator = '.clusterspace.';

function heldOf({ metadata }: WatchedObject): Held {
  const { name, namespace, uid, resourceVersion, annotations = {} } = metadata;
  const at = name.lastIndexOf(separator);
  const cluster = at < 0 ? annotations['resource.karmada.io/cached-from-cluster']! : name.slice(at + separator.length);
  // Events of the aggregation endpoint carry the map (RV-4).
  const version = /^\d+$/.test(resourceVersion) ? resourceVersion : mapIn(resourceVersion)[cluster]!;
  return { cluster, namespace, name: at < 0 ? name : name.slice(0, at), uid, version };
}
