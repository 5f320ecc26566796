/** The templates of rows in, the text of an INSERT up to the end of its values out. */
import type { DataSource } from 'typeorm';
import { flatText } from '../flat-text.js';
import { join, type RowTemplate } from './template.js';

/** Rows whose text is kept: a bulk of fewer takes the beginning of it, one of more adds to it. */
const KEPT = 100;

/** The text of equal rows, up to {@link KEPT} of them. */
interface KeptText {
  text: string;
  /** Where the text of so many rows ends. */
  readonly ends: number[];
}

const kept = new WeakMap<RowTemplate, KeptText>();

/**
 * Rows in the order given.
 *
 * @example
 * rowsText(dataSource, [template, template]); // INSERT INTO users(email) VALUES ($1), ($2)
 */
export function rowsText(connection: DataSource, templates: readonly RowTemplate[]): string {
  const [first] = templates as readonly [RowTemplate];
  let equal = 1;

  while (equal < templates.length && equal < KEPT && templates[equal] === first) {
    equal += 1;
  }

  let text = keptText(connection, first, equal);
  let count = equal * first.columns.length;

  for (let index = equal; index < templates.length; index += 1) {
    const { row, columns } = templates[index]!;

    text += `, ${join(connection, row, count)}`;
    count += columns.length;
  }

  return text;
}

/** The text of some equal rows, written on as far as it is asked for. */
function keptText(connection: DataSource, template: RowTemplate, rows: number): string {
  let known = kept.get(template);

  if (!known) {
    known = { text: template.head, ends: [] };
    kept.set(template, known);
  }

  const { ends } = known;
  let added = '';

  while (ends.length < rows) {
    const row = join(connection, template.row, ends.length * template.columns.length);

    added += ends.length === 0 ? row : `, ${row}`;
    ends.push(known.text.length + added.length);
  }

  if (added !== '') {
    known.text = flatText(known.text + added);
    template.weigh(added.length);
  }

  return known.text.slice(0, ends[rows - 1]);
}
