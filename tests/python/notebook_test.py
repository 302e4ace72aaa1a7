"""Runs the notebook of examples/tutorial/python, with Jupyter if a kernel exists, otherwise cell by cell as a
script."""
import contextlib
import io
import json
import lzma
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get('TRACECODEC_DATA', ROOT / 'tests' / 'data')).resolve()
NOTEBOOK = ROOT / 'examples' / 'tutorial' / 'python' / 'traces.ipynb'
STACK_POINTER, INSTRUCTION_POINTER = 6, 26  # ChampSim's register numbers


def counted():
    """Returns the numbers of instructions, conditional branches, taken ones and mispredictions, from the bytes of
    the trace."""
    content = lzma.decompress((DATA / 'sed64.champsimtrace.xz').read_bytes())
    conditional = all_taken = missed = 0
    counters = {}
    for ip, _, taken, *fields in struct.iter_unpack('<QBB2B4B2Q4Q', content):
        written, read = set(fields[:2]), set(fields[2:6])
        if INSTRUCTION_POINTER not in written or STACK_POINTER in written | read or INSTRUCTION_POINTER not in read \
                or read - {0} == {INSTRUCTION_POINTER}:
            continue
        conditional += 1
        all_taken += taken
        counter = counters.get(ip, 0)
        missed += bool(taken) != (counter > 1)
        counters[ip] = max(0, min(3, counter + (1 if taken else -1)))
    return len(content) // 64, conditional, all_taken, missed


def can_import(*modules):
    code = 'import ' + ', '.join(modules)
    return subprocess.run([sys.executable, '-c', code], stderr=subprocess.DEVNULL).returncode == 0


def has_kernel():
    try:
        from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
    except ImportError:
        return False
    try:
        KernelSpecManager().get_kernel_spec('python3')
    except NoSuchKernel:
        return False
    return True


@unittest.skipUnless(can_import('matplotlib', 'pandas'), 'no matplotlib or no pandas')
class Notebook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        n, conditional, taken, missed = cls.counted = counted()
        cls.printed = [f'{n} instructions', f'{missed} mispredictions']
        cls.shown = [str(conditional), str(taken)]
        cls.cells = [c for c in json.loads(NOTEBOOK.read_text())['cells'] if c['cell_type'] == 'code']

    def test_is_kept_without_outputs(self):
        self.assertTrue(self.cells)
        for cell in self.cells:
            self.assertEqual((cell['outputs'], cell['execution_count']), ([], None))

    def test_is_a_notebook(self):
        try:
            import nbformat
        except ImportError:
            self.skipTest('no nbformat')
        nbformat.validate(nbformat.read(str(NOTEBOOK), as_version=nbformat.NO_CONVERT))

    def test_cells_run_as_a_script(self):
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        os.environ.update(TRACECODEC_DATA=str(DATA), MPLBACKEND='Agg')
        names, printed = {'__name__': '__main__'}, io.StringIO()
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.filterwarnings('ignore', 'Matplotlib is currently using agg')
            warnings.filterwarnings('ignore', 'FigureCanvasAgg is non-interactive')
            for number, cell in enumerate(self.cells):
                exec(compile(''.join(cell['source']), f'cell {number}', 'exec'), names)
        for words in self.printed:
            self.assertIn(words, printed.getvalue())
        of_it = names['table'][names['table'].branch == 'conditional'].taken
        self.assertEqual((len(of_it), of_it.sum()), self.counted[1:3])
        names['plt'].close('all')

    @unittest.skipUnless(has_kernel() and can_import('nbconvert', 'ipykernel'), 'no kernel of Jupyter')
    def test_runs_in_jupyter(self):
        with tempfile.TemporaryDirectory() as folder:
            # Use settings that do not depend on the user who runs the tests.
            environment = dict(os.environ, TRACECODEC_DATA=str(DATA), JUPYTER_CONFIG_DIR=folder, IPYTHONDIR=folder)
            shutil.copy(NOTEBOOK, folder)
            done = subprocess.run(
                [sys.executable, '-m', 'nbconvert', '--execute', '--to', 'notebook', '--output', 'done',
                 pathlib.Path(folder) / NOTEBOOK.name],
                env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual(done.returncode, 0, done.stdout)
            text = (pathlib.Path(folder) / 'done.ipynb').read_text()
        for words in self.printed + self.shown:
            self.assertIn(words, text)
        self.assertIn('image/png', text)


if __name__ == '__main__':
    unittest.main()
