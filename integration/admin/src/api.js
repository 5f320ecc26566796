/** The data provider of the screens: its requests act for the signed-in member, until the server knows them no more. */
import { crudDataProvider } from '@nestwright/react-admin';
import { session } from './session.js';

export const provider = crudDataProvider({
  baseUrl: window.location.origin,
  headers: () => ({ 'x-demo-member': session.member() ?? '' }),
});

export const authProvider = {
  async logout() {
    window.location.hash = '';
    session.end();
    return false;
  },
  async checkAuth() {},
  async checkError({ status }) {
    if (status === 401) session.end();
  },
  async getIdentity() {
    const { data } = await provider.getOne('members', { id: session.member() });
    return { id: data.id, fullName: `${data.name} · ${session.tenant()}` };
  },
  async getPermissions() {},
};

/** What a list asks for, by the sources of its columns: `title` is a field, `project.name` one of a relation. */
export const metaOf = (sources) => ({
  fields: sources.filter((source) => !source.includes('.')),
  join: sources.filter((source) => source.includes('.')).map((source) => source.replace('.', '||')),
});

/** The day so many days from today, as dates are stored. */
export function day(offset = 0) {
  const date = new Date();
  date.setDate(date.getDate() + offset);

  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
