/** Who is signed in: any of three owners, one of each tenant. */
import { Avatar, Button, Card, CardContent, Stack, Typography } from '@mui/material';
import { Notification, useLogin } from 'react-admin';
import { provider, session } from './api.js';

const OWNERS = [
  { member: '1', tenant: 'Northlight Studio' },
  { member: '6', tenant: 'Harbor Foods' },
  { member: '11', tenant: '株式会社ネスト' },
];

export const authProvider = {
  async login({ member }) {
    session.begin(member);
  },
  async logout() {
    session.end();
  },
  async checkAuth() {
    if (!session.member()) throw new Error('Nobody is signed in');
  },
  async checkError({ status }) {
    if (status !== 401) return;
    session.end();
    throw new Error('Signed out');
  },
  async getIdentity() {
    const { data } = await provider.getOne('members', { id: session.member() });
    return { id: data.id, fullName: data.name };
  },
  async getPermissions() {},
};

export function SignIn() {
  const login = useLogin();

  return (
    <Stack alignItems="center" justifyContent="center" sx={{ height: '100vh', background: '#eef2f7' }}>
      <Card sx={{ width: 360 }}>
        <CardContent>
          <Typography variant="h5" gutterBottom>
            Workspace
          </Typography>
          <Typography color="text.secondary" gutterBottom>
            Sign in as the owner of
          </Typography>
          <Stack spacing={1}>
            {OWNERS.map(({ member, tenant }) => (
              <Button
                key={member}
                variant="outlined"
                startIcon={<Avatar sx={{ width: 24, height: 24 }}>{tenant[0]}</Avatar>}
                onClick={() => login({ member })}
              >
                {tenant}
              </Button>
            ))}
          </Stack>
        </CardContent>
      </Card>
      <Notification />
    </Stack>
  );
}
