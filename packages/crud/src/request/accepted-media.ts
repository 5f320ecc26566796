/** Content negotiation: picks a media type by the header `Accept`. */
import { MEDIA_TYPES, type MediaName } from '../definition/media-types.js';

/** A range of media types in the header. */
interface Range {
  readonly type: string;
  readonly quality: number;
  /** 0 for any type, 1 for any of a kind, 2 for one. */
  readonly precision: number;
  readonly place: number;
}

/** The preferred type: by quality, then by precision, then by position in the header. Default: JSON. */
export function preferredMedia(header: string, offered: readonly MediaName[]): MediaName {
  const ranges = header.split(',').flatMap(rangeOf);
  const wanted = offered.flatMap((name) => {
    const range = rangeFor(MEDIA_TYPES[name], ranges);

    return range && range.quality > 0 ? [{ name, range }] : [];
  });
  // Sorting is stable.
  const [best] = wanted.sort(({ range: one }, { range: other }) => {
    return other.quality - one.quality || other.precision - one.precision || one.place - other.place;
  });

  return best?.name ?? 'json';
}

/** The most precise range that covers a type. */
function rangeFor(type: string, ranges: readonly Range[]): Range | undefined {
  const [kind] = type.split('/');
  const names = ['*/*', `${kind}/*`, type];

  return ranges
    .filter((range) => names[range.precision] === range.type)
    .sort((one, other) => other.precision - one.precision || other.quality - one.quality)[0];
}

function rangeOf(text: string, place: number): Range[] {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return [];

  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const quality = weight === undefined ? 1 : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;

  return [{ type, quality, precision: type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2, place }];
}
