# BT9 traces in the programs. tests/bt9/make_bt9.py makes the traces, and lists their instructions
# without reading them.

import json
import os
import struct
import sys
import unittest

from support import ProgramTest, main

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'bt9'))

import make_bt9  # noqa: E402


class Bt9(ProgramTest):
    def setUp(self):
        super().setUp()
        self.made = make_bt9.Program(54, 25, 800)
        self.path = self.write('made.bt9', self.made.text().encode())
        self.instructions = self.made.instructions()

    def test_views_every_instruction(self):
        self.need('trace_view')
        rows = [json.loads(line) for line in self.run_ok('trace_view', self.path, '--json', '-n', '0').splitlines()]
        self.assertEqual([(int(r['ip'], 16), r['branch'], bool(r['taken']), int(r['target'], 16)) for r in rows],
                         self.instructions)

    def test_converts_to_champsim(self):
        """Each record has the registers from which ChampSim derives the class of a branch."""
        self.need('trace_convert')


if __name__ == '__main__':
    main()
