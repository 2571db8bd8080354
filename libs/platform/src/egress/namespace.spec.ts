/** The guard on real addresses at real ports. */
import { inNamespace, noNamespace } from '../../../../test/support/namespace';
import { tellSkipped } from '../../../../test/support/skipped';

const reason = noNamespace();
if (reason) tellSkipped(`the guard in a network namespace: ${reason}`);

(reason ? it.skip : it)('reaches public addresses by name, and no other by any way', () => {
  const to = (target: string) => `http://public.example.com/${encodeURIComponent(target)}`;
  const reached = [
    'http://public.example.com/',
    'http://93.184.215.14/',
    'http://six.example.com/',
    'http://[2606:2800:21f:cb07::1]/',
    'http://both.example.com/',
    'http://rebinding.example.com/',
    to('http://six.example.com/'),
  ];
  const refused = [
    'http://private.example.com/', 'http://metadata.example.com/', 'http://mixed.example.com/', 'http://unique.example.com/',
    'http://10.9.8.7/', 'http://169.254.169.254/latest/', 'http://192.168.1.1/', 'http://100.64.0.1/', 'http://127.0.0.1/',
    'http://[::1]/', 'http://[fd00::7]/', 'http://[fe80::7]/', 'http://[::ffff:10.9.8.7]/', 'http://[64:ff9b::a09:807]/',
    'http://0xa090807/', 'http://168364039/', 'http://10.591879/', 'http://0/', 'http://localhost/', 'http://private.example.com./',
    to('http://10.9.8.7/'), to('http://metadata.example.com/'), to('http://169.254.169.254/'), to('//[::1]/'), to('http://2852039166/'),
  ]; // prettier-ignore
  const { outcomes, connections } = inNamespace<{
    outcomes: Record<string, string>;
    connections: Record<string, number>;
  }>('namespace-web.ts', [...reached, ...refused]);
  expect(outcomes).toEqual({
    ...Object.fromEntries(reached.map((url) => [url, 'page'])),
    ...Object.fromEntries(refused.map((url) => [url, 'egress_denied'])),
  });
  const others = Object.keys(connections).filter(
    (address) => !/^(?:93\.184\.215\.14|2606:2800:21f:cb07::1)$/.test(address),
  );
  expect(others).toEqual([]);
  expect(Object.keys(connections)).toHaveLength(2);
});
