# A disk that is full after a given number of bytes: nothing remains of an incomplete output,
# and an error message says so.
import os
import resource
import signal
import tempfile

import faults
import mounts
import support

NO_MOUNTS = mounts.enter()
PAGE = 4096
FULL = ('No space left',)


def total(files):
    return sum(-(-len(raw) // PAGE) * PAGE for raw in files.values())


def sizes_to(all_of_it):
    """Returns sizes from one page to a sufficient size."""
    return [PAGE, 2 * PAGE] + [all_of_it * i // 4 // PAGE * PAGE + PAGE for i in range(1, 5)] + \
        [4 * all_of_it + 64 * PAGE]


class FullDisk(faults.FaultTest):
    def setUp(self):
        super().setUp()
        if NO_MOUNTS:
            self.skipTest('nothing can be mounted: ' + NO_MOUNTS)

    def in_small_disk(self, job, size, old):
        with tempfile.TemporaryDirectory() as folder:
            mounts.mount(folder, size)
            try:
                before = self.put_old(job, folder) if old else {}
                done = job.run(folder)
                fits = done.returncode == 0
                self.assertEqual(faults.tree(folder), self.whole[job] if fits else before,
                                 (job.name, size))
                self.assertEqual(faults.temporaries(folder), [], (job.name, size))
                if not fits:
                    self.check_complaint(job, done, *FULL)
                    self.assertIn(folder.encode(), done.stderr)
                return fits
            finally:
                mounts.unmount(folder)

    def test_each_format_at_each_size(self):
        for job in self.jobs:
            fits = [self.in_small_disk(job, size, False)
                    for size in sizes_to(total(self.whole[job]))]
            self.assertTrue(fits[-1], job.name)
            self.assertFalse(fits[0], job.name)

    def test_the_old_file_stays(self):
        for job in self.jobs:
            if job.out not in self.whole[job]:
                continue  # a folder that is not empty is not replaced
            half = total(self.whole[job]) // 2 // PAGE * PAGE + PAGE
            self.in_small_disk(job, half, True)

    def test_the_folder_of_temporary_files_is_full(self):
        for job in [j for j in self.jobs if j.out == 'p.data.gz']:
            with tempfile.TemporaryDirectory() as small:
                mounts.mount(small, PAGE)
                try:
                    done = job.run(self.folder, env=dict(os.environ, TMPDIR=small))
                    self.check_complaint(job, done, *FULL)
                    self.assertEqual((os.listdir(small), os.listdir(self.folder)), ([], []))
                finally:
                    mounts.unmount(small)


class Recording(faults.RecordingTest):
    def setUp(self):
        super().setUp()
        if NO_MOUNTS:
            self.skipTest('nothing can be mounted: ' + NO_MOUNTS)

    def check_full(self, out, full, **more):
        """Checks runs in which the folder `full` is a small disk."""
        mounts.mount(full, PAGE)
        try:
            job = self.recording(out, 50000)
            self.check_complaint(job, job.run(self.folder, **more), *FULL)
            self.assertEqual(os.listdir(full), [], out)
        finally:
            mounts.unmount(full)

    def test_a_full_disk(self):
        outs = ['o.trace', 'o.trace64'] + [o for c, o in (('xz', 'o.xz'), ('zstd', 'o.trace64.zst'))
                                           if c in support.CODECS]
        for out in outs:
            self.check_full(out, self.folder)

    def test_the_folder_of_temporary_files_is_full(self):
        small = os.path.join(self.top, 'small')
        os.mkdir(small)
        self.check_full('o.trace', small, env=dict(os.environ, TMPDIR=small))
        self.assertEqual(os.listdir(self.folder), [])


class LimitedSize(faults.FaultTest):
    """Tests a limit on the size of files, which may be any number of bytes, not only whole pages."""

    def run_limited(self, job, size):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        return job.run(self.folder, preexec_fn=limit)

    def test_each_format_at_each_size(self):
        for job in self.jobs:
            largest = max(len(raw) for raw in self.whole[job].values())
            for size in [0, 1, 64, 1000, 4097, largest // 2, largest - 64, largest - 1]:
                if not 0 <= size < largest:
                    continue
                done = self.run_limited(job, size)
                self.check_complaint(job, done, 'File too large')
                self.assertEqual(os.listdir(self.folder), [], (job.name, size))


if __name__ == '__main__':
    faults.main()
