/** Converts the owners of an object's replicas to owners of its scale, and back (apimachinery's `ScaleHandler`). */

import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';
import { FieldSet, type Path } from '../fields/field-set.ts';
import { byName } from '../fields/path-element.ts';
import { type Managed, type Managers, readManagers, writeManagers } from './managed.ts';

const scaleVersion = 'autoscaling/v1';
const inScale: Path = [byName('spec'), byName('replicas')];

/** The path of the replicas in a version: null if it has no scale, undefined if the version does not exist. */
type ReplicasPath = (apiVersion: string) => readonly string[] | null | undefined;

export class ScaleOwners {
  readonly #owners: Managers;
  readonly #pathOf: (apiVersion: string) => Path | null | undefined;
  readonly #apiVersion: string;

  /** `entries` are the object's; `apiVersion` is the requested one. */
  constructor(entries: unknown, apiVersion: string, pathOf: ReplicasPath) {
    this.#owners = readManagers(entries as JsonValue | undefined);
    this.#pathOf = (version) => {
      const names = pathOf(version);
      return names ? names.map(byName) : names;
    };
    this.#apiVersion = apiVersion;
  }

  ofScale(): JsonObject[] {
    const owners = [...this.#owners].flatMap(([key, owner]): [string, Managed][] => {
      const path = this.#pathOf(owner.apiVersion);
      if (!path || !owner.fields.has(path)) return [];
      return [[key, { ...owner, apiVersion: scaleVersion, fields: FieldSet.of(inScale) }]];
    });
    return writeManagers(new Map(owners));
  }

  /** The object's entries, given the new ones of its scale. */
  ofObject(scaleEntries: unknown): JsonObject[] {
    const ofScale = readManagers(scaleEntries as JsonValue | undefined);
    const owners: Managers = new Map();
    for (const [key, owner] of this.#owners) {
      const path = this.#pathOf(owner.apiVersion);
      if (path === undefined) continue;
      // The version is part of an updater's identity, so its replicas get a new entry, as in kube-apiserver.
      const keeps = !path || !owner.fields.has(path) || ofScale.delete(key);
      const fields = keeps ? owner.fields : owner.fields.difference(FieldSet.of(path));
      if (!fields.isEmpty) owners.set(key, { ...owner, fields });
    }
    const path = this.#pathOf(this.#apiVersion);
    for (const [key, { time: _, ...owner }] of ofScale) {
      if (!path || !owner.fields.has(inScale)) continue;
      const time = this.#owners.get(key)?.time;
      const fields = FieldSet.of(path);
      owners.set(key, { ...owner, apiVersion: this.#apiVersion, fields, ...(time ? { time } : {}) });
    }
    return writeManagers(owners);
  }
}
