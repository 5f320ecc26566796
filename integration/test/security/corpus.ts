/** The injection strings of the suite, random by `SECURITY_SEED`: each made of one technique and one host, each with a random marker of its own that nothing may repeat. */

/** Repeats the markers of a run: `SECURITY_SEED=…`. */
export const SEED = Number(process.env['SECURITY_SEED'] ?? Math.floor(Math.random() * 2 ** 32));

export interface Attack {
  readonly technique: string;
  /** Twelve letters that stand in this string and nowhere else. */
  readonly marker: string;
  readonly text: string;
}

type Technique = (host: string, marker: string) => string;

/** How a name breaks out of where it stands, a row each. None yields a plain identifier, since answers may repeat those. */
const TECHNIQUES = {
  'single quote': (host, marker) => `${host}' OR '1'='1' -- ${marker}`,
  'double quote': (host, marker) => `${host}" OR "1"="1" -- ${marker}`,
  backtick: (host, marker) => `${host}\` OR 1=1 -- ${marker}`,
  'doubled quotes': (host, marker) => `${host}""."password""${marker}`,
  'square brackets': (host, marker) => `[${host}]; SELECT [password] FROM [users] --${marker}`,
  parenthesis: (host, marker) => `${host}) OR (1=1) OR (${marker}=1`,
  'escaped quote': (host, marker) => `${host}\\' OR 1=1 -- ${marker}`,
  'stacked DROP': (host, marker) => `${host}; DROP TABLE users; -- ${marker}`,
  'stacked UPDATE': (host, marker) => `${host}"; UPDATE users SET password='${marker}'; --`,
  'stacked DELETE': (host, marker) => `${host}'); DELETE FROM categories WHERE ('${marker}'<>'`,
  'stacked INSERT': (host, marker) => `${host}; INSERT INTO categories (name) VALUES ('${marker}')`,
  'UNION SELECT': (host, marker) => `${host} UNION ALL SELECT password, '${marker}' FROM users`,
  subquery: (host, marker) => `(SELECT password FROM users WHERE '${marker}'<>'${host}' LIMIT 1)`,
  'blind CASE': (host, marker) =>
    `CASE WHEN (SELECT substr(password,1,1) FROM users LIMIT 1)='s' THEN ${host} ELSE '${marker}' END`,
  'blind EXISTS': (host, marker) => `${host} AND EXISTS(SELECT 1 FROM users WHERE password LIKE 's%') --${marker}`,
  'delay on PostgreSQL': (host, marker) => `${host}'; SELECT pg_sleep(9); --${marker}`,
  'delay on MySQL': (host, marker) => `${host} AND SLEEP(9) -- ${marker}`,
  'delay on SQLite': (host, marker) => `${host} AND randomblob(900000000) NOT NULL --${marker}`,
  'error by extractvalue': (host, marker) =>
    `extractvalue(1,concat(0x7e,(SELECT password FROM users),'${host}${marker}'))`,
  'error by cast': (host, marker) => `CAST((SELECT '${marker}'+password FROM users WHERE ${host}>0) AS int)`,
  'comments for blanks': (host, marker) => `${host}/**/OR/**/1=1/*${marker}*/`,
  'versioned comment': (host, marker) => `/*!50000 ${host} OR 1=1 */ ${marker}`,
  'hash comment': (host, marker) => `${host} # ${marker}`,
  'qualified identifier': (host, marker) => `"User"."${host}" ${marker}`,
  'alias smuggling': (host, marker) => `${host} AS "${marker}"`,
  'ORDER BY tail': (host, marker) => `${host} DESC, (SELECT ${marker}) --`,
  'LIMIT tail': (host, marker) => `${host} LIMIT 1 OFFSET (SELECT ${marker})`,
  catalogue: (host, marker) => `information_schema.columns WHERE column_name='${host}' -- ${marker}`,
  'schema of SQLite': (host, marker) => `sqlite_master WHERE name='${host}' -- ${marker}`,
  'file written': (host, marker) => `${host} INTO OUTFILE '/var/lib/${marker}'`,
  'file read': (host, marker) => `pg_read_file('/etc/passwd')+${host}+load_file('${marker}')`,
  'program started': (host, marker) => `${host}; COPY users TO PROGRAM 'id ${marker}'`,
  'dollar quotes': (host, marker) => `${host} $$${marker}$$`,
  'numbered placeholder': (host, marker) => `${host} = $1 ${marker}`,
  'question mark placeholder': (host, marker) => `${host} = ? ${marker}`,
  'named placeholder': (host, marker) => `:p0 ${host} :${marker}`,
  'spread placeholder': (host, marker) => `:...${host} ${marker}`,
  'NUL byte': (host, marker) => `${host}\u0000${marker}`,
  'header split': (host, marker) => `${host}\r\nX-Injected: ${marker}`,
  'look-alike quotes': (host, marker) => `${host}ʼ OR ＇1＇=＇1 ${marker}`,
  'quote in two encodings': (host, marker) => `${host}%27%20OR%201=1 ${marker}`,
  'invisible characters': (host, marker) => `${host}\u200b\u202e\ufeff${marker}`,
  'JSON operator': (host, marker) => `${host}->>'${marker}'`,
  'JSON path expression': (host, marker) => `${host}.$[*] ? (@ == "${marker}")`,
  'array subscript': (host, marker) => `${host}[1]['${marker}']`,
  'type cast': (host, marker) => `${host}::text ${marker}`,
  collation: (host, marker) => `${host} COLLATE "${marker}"`,
  'delimiter of the language': (host, marker) => `${host}||eq||1' OR '1'='1 ${marker}`,
  'comma of the language': (host, marker) => `${host},id OR 1=1 ${marker}`,
  wildcards: (host, marker) => `${host}%_${marker}%`,
  'prototype path': (host, marker) => `__proto__.${host}.${marker}`,
  'constructor path': (host, marker) => `constructor['prototype']['${host}'].${marker}`,
  'operator object': (host, marker) => `{"$where":"${host}","$ne":"${marker}"}`,
  template: (host, marker) => `\${${host}} {{${marker}}} <%= ${host} %>`,
  script: (host, marker) => `<script>${host}</script><b>${marker}`,
  'path traversal': (host, marker) => `../../${host}/..%2f${marker}`,
  overlong: (host, marker) => `${host} ${'A'.repeat(4200)} ${marker}`,
} satisfies Record<string, Technique>;

/** What the techniques start from: columns seen and unseen, an embedded one, a joined one, everything, nothing. */
const HOSTS = ['id', 'password', 'name.first', 'company.name', '*', ''];

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

let drawn = SEED >>> 0;

/** The next letter: a linear congruence, of whose states only the high bits are used. */
function letter(): string {
  drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) >>> 0;

  return LETTERS[Math.floor((drawn / 2 ** 32) * LETTERS.length)]!;
}

export const newMarker = (): string => Array.from({ length: 12 }, letter).join('');

/** Every technique on every host: 342 strings of 57 techniques, those of one host beside each other. */
export const ATTACKS: readonly Attack[] = HOSTS.flatMap((host) =>
  Object.entries<Technique>(TECHNIQUES).map(([technique, compose]) => {
    const marker = newMarker();

    return { technique, marker, text: compose(host, marker) };
  }),
);

/** Every technique once; which host it starts from changes with the turn, so that in a few turns all strings come up. */
function oneOfEachTechnique(turn: number): Attack[] {
  const techniques = Object.keys(TECHNIQUES);

  return techniques.map((_, index) => ATTACKS[((index + turn) % HOSTS.length) * techniques.length + index]!);
}

/** Whether all strings are sent, to Express and Fastify on every database: `SECURITY_ATTACKS=all`. Otherwise it is one of each technique. */
export const ALL_ATTACKS = process.env['SECURITY_ATTACKS'] === 'all';

/** What is sent in one of many positions; the seed and the position decide which strings. */
export const attacksInTurn = (turn: number): readonly Attack[] =>
  ALL_ATTACKS ? ATTACKS : oneOfEachTechnique(SEED + turn);

/** Whether it can be a value: databases take no NUL byte, and the language no overlong one. */
export const isStorable = ({ technique }: Attack): boolean => technique !== 'NUL byte' && technique !== 'overlong';

export const markersIn = (text: string): string[] =>
  ATTACKS.map(({ marker }) => marker).filter((marker) => text.includes(marker));
