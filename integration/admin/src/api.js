/** The data provider of the screens: its requests act for the signed-in member. */
import { crudDataProvider } from '@nestwright/react-admin';

const MEMBER = 'member';

/** Stands in for real authentication, as the example's guard does. */
export const session = {
  member: () => localStorage.getItem(MEMBER),
  begin: (member) => localStorage.setItem(MEMBER, member),
  end: () => localStorage.removeItem(MEMBER),
};

export const provider = crudDataProvider({
  baseUrl: window.location.origin,
  headers: () => ({ 'x-demo-member': session.member() ?? '' }),
});
