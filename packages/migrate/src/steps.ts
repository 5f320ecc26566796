/** The file that says which requests are sent to both applications. */

type Headers = Readonly<Record<string, string>>;

export interface Step {
  readonly method: string;
  /** With the query; `{name}` stands for a saved value. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
  /** Paths of values in the answer, by the names under which later steps use them. */
  readonly save: Readonly<Record<string, string>>;
}

export interface Steps {
  /** Properties that are not compared, wherever they are. */
  readonly ignore: readonly string[];
  readonly steps: readonly Step[];
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Throws if the text is not JSON of this form. */
export function readSteps(text: string): Steps {
  const file: unknown = JSON.parse(text);
  if (!isObject(file) || !Array.isArray(file['steps'])) throw new Error('It must be an object with a list of steps.');
  const common = readTexts(file['headers'], 'headers');
  const ignore = file['ignore'] ?? [];
  if (!Array.isArray(ignore) || !ignore.every((name) => typeof name === 'string'))
    throw new Error('ignore must be a list of names.');

  return { ignore, steps: file['steps'].map((step, at) => readStep(step, common, `Step ${at + 1}`)) };
}

function readStep(step: unknown, common: Headers, where: string): Step {
  if (!isObject(step) || typeof step['request'] !== 'string')
    throw new Error(`${where} must have a request, such as "GET /users?limit=10".`);
  const [method = '', path = '', ...rest] = step['request'].split(' ');
  if (!METHODS.includes(method) || !path.startsWith('/') || rest.length > 0)
    throw new Error(`${where}: "${step['request']}" must be a method and a path: "GET /users?limit=10".`);

  return {
    method,
    path,
    headers: { ...common, ...readTexts(step['headers'], `${where}: headers`) },
    body: step['body'],
    save: readTexts(step['save'], `${where}: save`),
  };
}

function readTexts(value: unknown = {}, where: string): Headers {
  if (!isObject(value) || !Object.values(value).every((text) => typeof text === 'string'))
    throw new Error(`${where} must be an object of texts.`);

  return value as Headers;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
