# The programs of examples/tutorial/: their output for traces with known content, and how they
# handle bad input.
import os

import support
from support import SED, content, records


class Tutorial(support.ProgramTest):
    def test_write_a_trace(self):
        self.program = 'write_a_trace'
        out = self.path('o.trace')
        self.assertEqual(support.text(self.good(out)), b'4001 records: 1001 loads, 1000 stores, 999 jumps back, '
                         b'1 return\n')
        rs = records(support.file_bytes(out))
        self.assertEqual(len(rs), 4001)
        kinds = [support.branch_class(r) for r in rs]
        self.assertEqual((kinds.count('conditional'), kinds[-1]), (1000, 'return'))
        if 'xz' in support.CODECS:
            self.good(self.path('o.xz'))
            self.assertEqual(content(self.path('o.xz')), support.file_bytes(out))
        self.good(self.path('\xe4.trace'))
        self.assertEqual(support.file_bytes(self.path('\xe4.trace')), support.file_bytes(out))

    def test_describe_your_own(self):
        self.program = 'describe_your_own'
        out = self.path('o.trace')
        text = support.text(self.good(out)).decode()
        self.assertEqual(os.path.getsize(out), 9 * 88)
        self.assertIn('\n24      8     ip ', text)
        self.assertIn('\n13      3     (padding)', text)
        self.assertEqual(text.count('conditional from 0x1007 to 0x1000\n'), 2)
        self.assertTrue(text.endswith('sum of the loaded values: 5\n'))  # 0 + 1 + 4

    def test_feed_your_simulator(self):
        self.program = 'feed_your_simulator'
        lines = self.good(SED).decode().splitlines()
        self.assertTrue(lines[0].startswith('100000 instructions in '))
        # From the samples' description: all classes except the conditional one are always
        # taken.
        taken = 709 + 757 + 3040 + 842 + 120 + 968
        self.assertTrue(lines[1].startswith(f'{taken} branches taken'))

    def test_bad_input(self):
        for self.program in ('write_a_trace', 'describe_your_own', 'feed_your_simulator'):
            self.bad(2, about=b'usage')
            self.bad(2, 'a', 'b', about=b'usage')
            self.bad(2, '--help', about=b'usage')
            self.bad(1, self.path('no/such/file'))
            self.bad(1, self.folder, about=b'directory')
        self.bad(1, self.write('empty', b''), about=b'empty')

    def test_full_disk(self):
        self.program = 'feed_your_simulator'
        self.check_full_disk(SED)


if __name__ == '__main__':
    support.main()
