/** What no answer may hold, found in an answer. */
import { ATTACKS } from './corpus.js';
import type { Call, Reply } from './wire.js';

/** The seeded values of hidden columns. */
const HIDDEN = /secret-\d|hidden-|key-of-/;
/** The way databases and their drivers speak, names of tables and constraints that are no property's name, and stacks. */
const SPOKEN =
  /SELECT |INSERT |UPDATE |syntax|SQLITE|SQLSTATE|ER_[A-Z]|QueryFailed|violates|constraint (?:fail|")|no such (?:table|column)|(?:relation|column|table|function) "?\S+ does not exist|near "|vault_|user_p|\b(FK|UQ|PK|REL|IDX|CHK)_|\bat .*:\d+:\d+/;
/** Tables that bear the name of a property, which an error may utter in a path alone. Nest's own message of an unknown route repeats the path. */
const TABLES =
  /^(?!Cannot [A-Z]+ \/).*(?<![.\w])(users|companies|projects|memberships|devices|categories|events)\b(?!\.)/;

/** An injection string that is stored data comes back as it was sent, and is no speech of the database. */
function withoutStored(text: string): string {
  return ATTACKS.reduce((rest, attack) => rest.replaceAll(JSON.stringify(attack.text).slice(1, -1), ''), text);
}

function messageOf({ status, text }: Reply): string {
  if (status < 400) return '';
  try {
    return String((JSON.parse(text) as { message: unknown }).message);
  } catch {
    return text;
  }
}

export function faultsOf({ method = 'GET', path }: Call, reply: Reply): string[] {
  const { status, text } = reply;
  const speaks = (pattern: RegExp) => pattern.test(text) && pattern.test(withoutStored(text));

  return [
    status < 500 ? '' : 'a fault of the server',
    speaks(HIDDEN) ? 'a hidden value' : '',
    speaks(SPOKEN) ? 'the database speaks' : '',
    TABLES.test(messageOf(reply)) ? 'the name of a table' : '',
  ]
    .filter(Boolean)
    .map((fault) => `${fault}: ${method} ${path.slice(0, 200)} → ${status} ${text.slice(0, 300)}`);
}
