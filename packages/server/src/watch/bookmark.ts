/** The bookmark of a merged watch: the position in every cluster, as an object of the watched kind (WATCH-2). */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import type { ObjectKind } from '../discovery/resource-kind.ts';
import { combineVersions, type VersionMap } from '../present/versions.ts';
import type { WatchShape } from './encode.ts';
import { Encodings } from './encodings.ts';

const endAnnotation = { 'k8s.io/initial-events-end': 'true' };

interface BookmarkMetadata {
  resourceVersion: string;
  annotations?: Record<string, string>;
}

/** Watchers at the same positions get the same bytes. */
export class Bookmarks {
  private readonly form: WatchShape['form'];
  private readonly kind: ObjectKind;
  private revision = -1;
  private readonly made = new Map<string, Buffer>();

  private readonly encodings: Encodings;

  constructor(form: WatchShape['form'], kind: ObjectKind, encodings = new Encodings()) {
    this.form = form;
    this.kind = kind;
    this.encodings = encodings;
  }

  /**
   * For watchers at the feeds' positions: encoded once for all that lack the same clusters. Encoding a map of hundreds of clusters
   * takes a tenth of a millisecond, and there may be a thousand watchers.
   */
  shared(revision: number, without: string, positions: () => VersionMap): Buffer {
    if (revision !== this.revision) this.made.clear();
    this.revision = revision;
    const bytes = this.made.get(without) ?? this.of(positions());
    this.made.set(without, bytes);
    return bytes;
  }

  of(positions: VersionMap): Buffer {
    const key = JSON.stringify([this.form, this.kind]);
    const make = () => this.bytesOf({ resourceVersion: combineVersions(positions) });
    return this.encodings.bookmark(key, positions, make);
  }

  /** The initial-events-end bookmark. */
  endOfInitial(positions: VersionMap, columns?: readonly ColumnDefinition[]): Buffer {
    return this.bytesOf({ resourceVersion: combineVersions(positions), annotations: endAnnotation }, columns);
  }

  private bytesOf(metadata: BookmarkMetadata, columns?: readonly ColumnDefinition[]): Buffer {
    return Buffer.from(`${JSON.stringify({ type: 'BOOKMARK', object: this.objectOf(metadata, columns) })}\n`);
  }

  private objectOf(metadata: BookmarkMetadata, columns: readonly ColumnDefinition[] | undefined) {
    const apiVersion = 'meta.k8s.io/v1';
    if (this.form === 'PartialObjectMetadata') return { kind: 'PartialObjectMetadata', apiVersion, metadata };
    if (this.form === 'object') return { ...this.kind, metadata };
    const { resourceVersion, annotations } = metadata;
    // A Table has no annotations: as in kube-apiserver, the object of a row gets this one.
    const object = { kind: 'PartialObjectMetadata', apiVersion, metadata };
    const rows = annotations ? [{ cells: [], object }] : [];
    return { kind: 'Table', apiVersion, metadata: { resourceVersion }, columnDefinitions: columns ?? null, rows };
  }
}
