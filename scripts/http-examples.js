/** The `http` blocks of a document: a request, a blank line, and what answers it. */

/** A status and what follows it: headers, a blank-free text. */
const HEADER = /^[\w-]+: /;

function partsOf(text) {
  const [first = '', ...rest] = text.trimEnd().split('\n');
  const body = rest.findIndex((line) => !HEADER.test(line));
  const [headers, lines] = body < 0 ? [rest, []] : [rest.slice(0, body), rest.slice(body)];

  return {
    first,
    headers: Object.fromEntries(headers.map((line) => line.split(/: (.*)/).slice(0, 2))),
    body: lines.join('\n'),
  };
}

/** The examples in a Markdown text, in their order. What stands behind `http` names the application that they are sent to. */
export function httpExamples(markdown) {
  return [...markdown.matchAll(/^```http *(\S*)\n([\s\S]*?)^```$/gm)].map(([, application = '', block = '']) => {
    const [request = '', answer = ''] = block.split('\n\n');
    const { first: line, headers, body } = partsOf(request);
    const { first: status, headers: answered, body: text } = partsOf(answer);

    return {
      application,
      line,
      headers,
      body,
      status: Number(status),
      answered,
      answer: text === '' ? '' : parsed(text),
    };
  });
}

function parsed(text) {
  return /^["[{]/.test(text) ? JSON.parse(text) : text;
}

/** Sends an example; answers with what came and what the page says, which are equal where the page is right. `"…"` in the page stands for any text or number. */
export async function sendExample(origin, { line, headers, body, status, answered, answer }) {
  const [method, path] = line.split(' ');
  const response = await fetch(origin + path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body }),
  });
  const text = await response.text();
  const came = text === '' ? '' : typeof answer === 'string' ? text.trimEnd().replaceAll('\r', '') : parsed(text);
  const names = Object.keys(answered);

  return {
    came: {
      status: response.status,
      headers: Object.fromEntries(names.map((name) => [name, masked(answered[name], response.headers.get(name))])),
      answer: masked(answer, came),
    },
    page: { status, headers: answered, answer },
  };
}

/** What came, with `…` where the page has it. */
function masked(page, came) {
  if (page === '…') return came === null || came === undefined || typeof came === 'object' ? came : page;
  if (Array.isArray(page) && Array.isArray(came)) return came.map((each, index) => masked(page[index], each));
  if (!isObject(page) || !isObject(came)) return came;

  return Object.fromEntries(Object.entries(came).map(([name, value]) => [name, masked(page[name], value)]));
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
