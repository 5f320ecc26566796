/**
 * Rows as a table: a column for each returned property; those of related records and embedded objects have dotted
 * names.
 */
import { mapInSlices } from '@nestwright/crud/adapter';
import type { ReadRows, RelatedList } from '../hydrate/read-rows.js';
import type { Row, RowFormat } from '../database/rows.js';
import { keyText, makePresenceCheck } from '../rows/row-groups.js';
import { cellJson } from './cell.js';
import type { JsonMember } from './record-plan.js';
import { printRelatedLists, type TextPlan } from './texts.js';

/** Writes one cell of a row: a text as it is, anything else as JSON, null if there is nothing. */
type CellWriter = (row: Row, lists: readonly RelatedList<string>[]) => string | null;

export function cellColumns({ plan }: TextPlan): readonly string[] {
  return listNames(plan.members, '');
}

/**
 * The rows of a table.
 *
 * @param proceed See `mapInSlices`.
 */
export function printCells(
  read: ReadRows,
  { plan, related }: TextPlan,
  proceed: () => void,
): (string | null)[][] | Promise<(string | null)[][]> {
  const lists = printRelatedLists(read, related);
  const write = makeCellWriters(plan.members, read.format);

  return mapInSlices(read.rows, (row) => write.map((cell) => cell(row, lists)), proceed);
}

function listNames(members: readonly JsonMember[], prefix: string): string[] {
  return members.flatMap((member) =>
    'members' in member ? listNames(member.members, `${prefix}${member.property}.`) : [prefix + member.property],
  );
}

function makeCellWriters(members: readonly JsonMember[], format: RowFormat): CellWriter[] {
  return members.flatMap((member) => makeMemberWriters(member, format));
}

function makeMemberWriters(member: JsonMember, format: RowFormat): CellWriter[] {
  switch (member.kind) {
    case 'cell': {
      const key = format.key(member.name) as string;
      const json = cellJson(member.column, member.name, format);
      const text = member.column.catalogColumn.kind === 'json' ? whole : unquoted;

      return [(row) => text(json(row[key]))];
    }
    case 'embedded':
      return makeCellWriters(member.members, format);
    case 'joined': {
      const isPresent = makePresenceCheck(member.presence, format);

      return makeCellWriters(member.members, format).map(
        (write) => (row, lists) => (isPresent(row) ? write(row, lists) : null),
      );
    }
    case 'many': {
      const { index } = member;
      const keys = member.parentNames.map((parent) => format.key(parent));

      return [(row, lists) => lists[index]!(keyText(row, keys))];
    }
  }
}

function whole(json: string | undefined): string | null {
  return json === undefined || json === 'null' ? null : json;
}

/** JSON's text of a text becomes the text. */
function unquoted(json: string | undefined): string | null {
  if (json === undefined || json === 'null') return null;
  if (!json.startsWith('"')) return json;

  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}
