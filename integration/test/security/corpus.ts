/** The injection strings of the suite, random by `SECURITY_SEED`: each made of one technique and one host, each with a random marker of its own that nothing may repeat. */
import { createHash } from 'node:crypto';

/** Repeats the markers of a run: `SECURITY_SEED=…`. */
export const SEED = Number(process.env['SECURITY_SEED'] ?? Math.floor(Math.random() * 2 ** 32));

export interface Attack {
  /** Twelve letters that stand in this string and nowhere else. */
  readonly marker: string;
  readonly text: string;
}

/** How a name breaks out of where it stands, of a host and a marker. None yields a plain identifier, since answers may repeat those. */
const TECHNIQUES = [
  `HOST' OR '1'='1' -- MARK`,
  `HOST" OR "1"="1" -- MARK`,
  'HOST` OR 1=1 -- MARK',
  'HOST""."password""MARK',
  '[HOST]; SELECT [password] FROM [users] --MARK',
  'HOST) OR (1=1) OR (MARK=1',
  `HOST\\' OR 1=1 -- MARK`,
  'HOST; DROP TABLE users; -- MARK',
  `HOST"; UPDATE users SET password='MARK'; --`,
  `HOST'); DELETE FROM categories WHERE ('MARK'<>'`,
  `HOST UNION ALL SELECT password, 'MARK' FROM users`,
  `(SELECT password FROM users WHERE 'MARK'<>'HOST' LIMIT 1)`,
  `CASE WHEN (SELECT substr(password,1,1) FROM users LIMIT 1)='s' THEN HOST ELSE 'MARK' END`,
  `HOST'; SELECT pg_sleep(9); --MARK`,
  'HOST AND SLEEP(9) -- MARK',
  'HOST AND randomblob(900000000) NOT NULL --MARK',
  'HOST/**/OR/**/1=1/*MARK*/',
  '/*!50000 HOST OR 1=1 */ MARK',
  'HOST DESC, (SELECT MARK) --',
  `pg_read_file('/etc/passwd')+HOST+load_file('MARK')`,
  'HOST = $1 MARK',
  'HOST = ? MARK',
  ':...HOST MARK',
  'HOST\u0000MARK',
  'HOST\r\nX-Injected: MARK',
  'HOSTʼ OR ＇1＇=＇1 MARK',
  'HOST%27%20OR%201=1 MARK',
  'HOST\u200b\u202e\ufeffMARK',
  `HOST->>'MARK'`,
  'HOST.$[*] ? (@ == "MARK")',
  'HOST::text MARK',
  `HOST||eq||1' OR '1'='1 MARK`,
  'HOST,id OR 1=1 MARK',
  'HOST%_MARK%',
  '__proto__.HOST.MARK',
  `constructor['prototype']['HOST'].MARK`,
  '{"$where":"HOST","$ne":"MARK"}',
  '<script>HOST</script><b>MARK',
  '../../HOST/..%2fMARK',
  `HOST ${'A'.repeat(4200)} MARK`,
];

/** What the techniques start from: columns seen and unseen, an embedded one, a joined one, everything, nothing. */
const HOSTS = ['id', 'password', 'name.first', 'company.name', '*', ''];

let drawn = 0;

export function newMarker(): string {
  const digest = createHash('sha256')
    .update(`${SEED} ${(drawn += 1)}`)
    .digest('hex');
  return digest.slice(0, 12).replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!);
}

/** Every technique on every host. */
export const ATTACKS: readonly Attack[] = HOSTS.flatMap((host) =>
  TECHNIQUES.map((technique) => {
    const marker = newMarker();
    return { marker, text: technique.replaceAll('HOST', host).replaceAll('MARK', marker) };
  }),
);

/** Every technique once; which host it starts from depends on the seed and the turn, so that in a few turns all strings come up. */
export const attacksInTurn = (turn: number): readonly Attack[] =>
  TECHNIQUES.map((_, index) => ATTACKS[((SEED + turn + index) % HOSTS.length) * TECHNIQUES.length + index]!);

/** Whether it can be a value: databases take no NUL byte, and the language no overlong one. */
export const isStorable = ({ text }: Attack): boolean => !text.includes('\0') && text.length < 4096;

export const markersIn = (text: string): string[] =>
  ATTACKS.map(({ marker }) => marker).filter((marker) => text.includes(marker));
