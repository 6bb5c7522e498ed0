/**
 * Answers to requests by suffixed name, as the cluster itself would give them. A suffix is taken off only where NAME-4 and
 * NAME-12 put one, and one that is missing there is marked: either way round it shows as a difference.
 */
import { isBookmark } from './bookmark.ts';
import { answered, rewriteStrings } from './rewrite-strings.ts';
import { versionOf } from './version-map.ts';
import { rowLabel, selectors, withoutLabel } from './virtual-label.ts';

export interface AskedByName {
  readonly cluster: string;
  /** The object's own name, or what it is made of; undefined for a list. */
  readonly name: string | undefined;
  /** The name is made by the server (`generateName`). */
  readonly isPrefix: boolean;
  readonly resource: string;
  /** Of all clusters: the version of a list, and of a watch's bookmarks, is a map. */
  readonly isMerged: boolean;
  /** The object itself, no subresource of it. */
  readonly isWhole: boolean;
  /** Which columns of a Table show names; a watch sends them once. */
  columns: number[];
}

/** An object alone, in a list, in an event, in a Table. */
const object = '(?:object/)?(?:(?:items|rows)/\\d+/)?(?:object/)?';
const ownName = new RegExp(`^${object}metadata/name$`);
const ownerName = new RegExp(`^${object}metadata/ownerReferences/\\d+/name$`);
const involvedName = new RegExp(`^${object}(?:involvedObject|regarding)/name$`);

export function shownByName(text: string, asked: AskedByName): string {
  const answer = answered(text);
  if (answer === undefined) return text;
  const { kind, columnDefinitions } = answer;
  if (kind === 'Status') return errorShown(text, asked);
  if (columnDefinitions) {
    asked.columns = columnDefinitions.flatMap(({ name, format }, at) =>
      format === 'name' || (asked.resource === 'events' && name === 'Object') ? [at] : [],
    );
  }
  const isList = kind === 'Table' || kind?.endsWith('List');
  return namesShown(
    withoutLabel(text, asked.cluster, (path) => {
      const isSelector = path === 'spec/selector' && asked.isWhole && !isList;
      if (isSelector) return selectors[asked.resource];
      // the row of a bookmark is no object's
      return isBookmark(text) && asked.isMerged ? undefined : rowLabel(path);
    }),
    asked,
  );
}

function namesShown(text: string, { cluster, isMerged, columns, resource }: AskedByName): string {
  const suffix = `.clusterspace.${cluster}`;
  const versionAt = isBookmark(text) ? bookmarkVersion : /^metadata\/resourceVersion$/;
  return rewriteStrings(text, (keys, value) => {
    const path = keys.join('/');
    const cell = /^(?:object\/)?rows\/\d+\/cells\/(\d+)$/.exec(path)?.[1];
    const isName =
      ownName.test(path) ||
      ownerName.test(path) ||
      (resource === 'events' && involvedName.test(path)) ||
      (cell !== undefined && columns.includes(Number(cell)));
    if (isName && value !== '')
      return value.endsWith(suffix) ? value.slice(0, -suffix.length) : `‹no cluster› ${value}`;
    if (isMerged && versionAt.test(path)) return versionOf(value, cluster) ?? `‹no map› ${value}`;
    return value;
  });
}

/** Of a Table also that of the row which carries the annotation. */
const bookmarkVersion = /^object\/(?:rows\/0\/object\/)?metadata\/resourceVersion$/;
/** `x-` in an error before the name is made, `x-abcde` afterwards. */
function nameMadeOf(prefix: string, shown: string, suffix: string): string {
  const plain = shown.endsWith(suffix) ? shown.slice(0, -suffix.length) : shown;
  return plain.startsWith(prefix) ? plain : prefix;
}

function errorShown(text: string, { cluster, name: asked, isPrefix }: AskedByName): string {
  if (asked === undefined) return text;
  const suffix = `.clusterspace.${cluster}`;
  const name = isPrefix ? nameMadeOf(asked, answered(text)?.details?.name ?? '', suffix) : asked;
  const suffixed = name + suffix;
  return rewriteStrings(text, (keys, value) => {
    const path = keys.join('/');
    if (/^(object\/)?details\/name$/.test(path))
      return value === suffixed ? name : value === name ? `‹no cluster› ${value}` : value;
    if (!/^(object\/)?message$/.test(path)) return value;
    const [isNamed, isShown] = [value.includes(`"${name}"`), value.includes(`"${suffixed}"`)];
    if (isNamed && !isShown) return `‹no cluster› ${value}`;
    return value.replaceAll(`"${suffixed}"`, `"${name}"`).replaceAll(`(${suffixed})`, `(${name})`);
  });
}
