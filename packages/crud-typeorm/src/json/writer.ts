/** Functions that write a row as JSON text, compiled once per shape and form of rows. */
import type { DataSource } from 'typeorm';
import { flatText } from '../flat-text.js';
import type { Row, RowForm } from '../rows/row-form.js';
import { keyText, presenceOf } from '../rows/row-groups.js';
import { cellJson } from './cell.js';
import type { JsonMember, RecordPlan } from './record-plan.js';

/** The related records of all rows of a statement, as text. */
export interface RelatedText {
  /** The list of the parent with a key. */
  listOf(key: string | undefined): string;
}

/** Writes a row, with the lists of its to-many relations. */
export type RecordWriter = (row: Row, lists: readonly RelatedText[]) => string;

const writers = new WeakMap<RecordPlan, Map<string, RecordWriter>>();

/** The writer of a plan for rows of one form. */
export function writerOf(plan: RecordPlan, form: RowForm, dataSource: DataSource): RecordWriter {
  let byForm = writers.get(plan);
  if (!byForm) writers.set(plan, (byForm = new Map()));

  let writer = byForm.get(form.signature);
  if (!writer) byForm.set(form.signature, (writer = compileObject(plan.members, form, dataSource)));

  return writer;
}

/** Appends a property, after a comma if needed; omits it if JSON does. */
type MemberWriter = (before: string, row: Row, lists: readonly RelatedText[]) => string;

function compileObject(members: readonly JsonMember[], form: RowForm, dataSource: DataSource): RecordWriter {
  const write = members.map((member) => compileMember(member, form, dataSource));
  const { length } = write;

  return (row, lists) => {
    let text = '{';

    for (let index = 0; index < length; index += 1) text = write[index]!(text, row, lists);

    return flatText(text + '}');
  };
}

function compileMember(member: JsonMember, form: RowForm, dataSource: DataSource): MemberWriter {
  const first = `${JSON.stringify(member.property)}:`;
  const next = `,${first}`;
  const behind = (before: string, text: string) => before + (before.length === 1 ? first : next) + text;

  switch (member.kind) {
    case 'cell': {
      const key = form.key(member.name) as string;
      const json = cellJson(member.column, member.name, form, dataSource);

      return (before, row) => {
        const text = json(row[key]);

        return text === undefined ? before : behind(before, text);
      };
    }
    case 'embedded': {
      const write = compileObject(member.members, form, dataSource);

      return (before, row, lists) => behind(before, write(row, lists));
    }
    case 'joined': {
      const write = compileObject(member.members, form, dataSource);
      const isPresent = presenceOf(member.presence, form);

      return (before, row, lists) => behind(before, isPresent(row) ? write(row, lists) : 'null');
    }
    case 'many': {
      const { index } = member;
      const keys = member.parentNames.map((parent) => form.key(parent));

      return (before, row, lists) => behind(before, lists[index]!.listOf(keyText(row, keys)));
    }
  }
}
