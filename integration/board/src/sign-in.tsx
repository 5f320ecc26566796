/** Who is signed in: the owner of any of three tenants. */
const OWNERS = [
  { member: '1', tenant: 'Northlight Studio' },
  { member: '6', tenant: 'Harbor Foods' },
  { member: '11', tenant: '株式会社ネスト' },
];

export function SignIn({ onSignIn }: { readonly onSignIn: (member: string) => void }) {
  return (
    <main className="sign-in">
      <h1>Board</h1>
      <p>Sign in as the owner of</p>
      {OWNERS.map(({ member, tenant }) => (
        <button key={member} onClick={() => onSignIn(member)}>
          {tenant}
        </button>
      ))}
    </main>
  );
}
