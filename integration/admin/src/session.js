/** Who is signed in. It stands in for real authentication, as the guard of the workspace does. */
const listeners = new Set();

function change({ member = '', tenant = '' }) {
  localStorage.setItem('tenant', tenant);
  localStorage.setItem('member', member);
  for (const listener of listeners) listener();
}

export const session = {
  member: () => localStorage.getItem('member'),
  tenant: () => localStorage.getItem('tenant'),
  begin: (member, tenant) => change({ member, tenant }),
  end: () => change({}),
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
