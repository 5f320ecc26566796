import { getOrInsert } from '@nestwright/crud/adapter';
import { flatText } from '../flat-text.js';
import type { Row, RowFormat } from '../database/rows.js';
import type { RelatedList } from '../hydrate/read-rows.js';
import { keyText, makePresenceCheck } from '../rows/row-groups.js';
import { cellJson } from './cell.js';
import type { JsonMember, RecordPlan } from './record-plan.js';

/** Writes a row, with the lists of its to-many relations. */
export type RecordWriter = (row: Row, lists: readonly RelatedList<string>[]) => string;

const writers = new WeakMap<RecordPlan, Map<string, RecordWriter>>();

/** The writer of a plan for rows of one format. */
export function getRecordWriter(plan: RecordPlan, format: RowFormat): RecordWriter {
  const byFormat = getOrInsert(writers, plan, () => new Map<string, RecordWriter>());

  return getOrInsert(byFormat, format.signature, () => compileObject(plan.members, format));
}

/** Appends a property, after a comma if needed; omits it if JSON does. */
type MemberWriter = (before: string, row: Row, lists: readonly RelatedList<string>[]) => string;

function compileObject(members: readonly JsonMember[], format: RowFormat): RecordWriter {
  const write = members.map((member) => compileMember(member, format));
  const { length } = write;

  return (row, lists) => {
    let text = '{';

    for (let index = 0; index < length; index += 1) text = write[index]!(text, row, lists);

    return flatText(text + '}');
  };
}

function compileMember(member: JsonMember, format: RowFormat): MemberWriter {
  const first = `${JSON.stringify(member.property)}:`;
  const next = `,${first}`;
  const behind = (before: string, text: string) => before + (before.length === 1 ? first : next) + text;

  switch (member.kind) {
    case 'cell': {
      const key = format.key(member.name) as string;
      const json = cellJson(member.column, member.name, format);

      return (before, row) => {
        const text = json(row[key]);

        return text === undefined ? before : behind(before, text);
      };
    }
    case 'embedded': {
      const write = compileObject(member.members, format);

      return (before, row, lists) => behind(before, write(row, lists));
    }
    case 'joined': {
      const write = compileObject(member.members, format);
      const isPresent = makePresenceCheck(member.presence, format);

      return (before, row, lists) => behind(before, isPresent(row) ? write(row, lists) : 'null');
    }
    case 'many': {
      const { index } = member;
      const keys = member.parentNames.map((parent) => format.key(parent));

      return (before, row, lists) => behind(before, lists[index]!(keyText(row, keys)));
    }
  }
}
