# Output folders and names that cannot be written: status 1, an error message, and nothing
# changed.
import os
import pwd
import shutil
import tempfile

import faults
import mounts

IS_ROOT = os.getuid() == 0  # evaluated before enter(), which maps any user to root
NO_MOUNTS = mounts.enter()


class Folder(faults.FaultTest):
    def check_refused(self, job, folder, *words, status=None, **more):
        before = faults.tree(folder)
        self.check_complaint(job, job.run(folder, **more), *words, status=status)
        self.assertEqual(faults.tree(folder), before, job.name)
        self.assertEqual(faults.temporaries(folder), [], job.name)

    def test_read_only(self):
        if NO_MOUNTS:
            self.skipTest('nothing can be mounted: ' + NO_MOUNTS)
        for job in self.jobs:
            for old in (False, True):
                if old and job.out == 'folder':
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    mounts.mount(folder, 1 << 24)
                    try:
                        if old:
                            self.put_old(job, folder)
                        mounts.make_read_only(folder)
                        self.check_refused(job, folder, 'Read-only file system')
                    finally:
                        mounts.unmount(folder)

    def test_not_permitted(self):
        """Tests a folder of another user, and another user's file in an own folder. root may write everywhere."""
        if not IS_ROOT or NO_MOUNTS:
            self.skipTest('needs root, to become somebody else')
        nobody = pwd.getpwnam('nobody')
        for path in (self.top, *(os.path.dirname(p) for p in faults.PROGRAMS.values())):
            while path != '/':
                if not os.stat(path).st_mode & 1:
                    if path != self.top:
                        self.skipTest('nobody may not reach ' + path)
                    os.chmod(path, 0o755)
                path = os.path.dirname(path)
        for job in self.jobs:
            with tempfile.TemporaryDirectory() as folder:
                os.chmod(folder, 0o755)
                self.check_refused(job, folder, 'Permission denied', user=nobody.pw_uid)
                if job.out == 'folder':
                    continue
                os.chown(folder, nobody.pw_uid, nobody.pw_gid)
                self.put_old(job, folder)  # owned by root: `nobody` could replace but not write it
                self.check_refused(job, folder, 'Permission denied', user=nobody.pw_uid)

    def test_names(self):
        for job in self.jobs:
            end = job.out[job.out.index('.'):] if '.' in job.out else ''
            for out, words in (('no/such/' + job.out, 'No such file or directory'),
                               ('n' * 300 + end, 'File name too long'),
                               ('/'.join(['n' * 200] * 30) + end, 'File name too long')):
                other = faults.Job(job.program, job.arguments, out)
                self.check_refused(other, self.folder, words)

    def test_a_folder_has_the_name(self):
        for job in self.jobs:
            taken = os.path.join(self.folder, job.out)
            os.mkdir(taken)
            with open(os.path.join(taken, 'mine'), 'w') as f:
                f.write('mine')
            # OUT may be an empty folder for conversions to UMTracer.
            self.check_refused(job, self.folder, 'is a directory', 'not an empty folder')
            shutil.rmtree(taken)


class Recording(faults.RecordingTest):
    def test_read_only(self):
        """Tests a read-only file system for the output or for temporary files."""
        if NO_MOUNTS:
            self.skipTest('nothing can be mounted: ' + NO_MOUNTS)
        read_only = os.path.join(self.top, 'read only')
        os.mkdir(read_only)
        mounts.mount(read_only, 1 << 20)
        try:
            mounts.make_read_only(read_only)
            for out, folder, temporary in (('o.trace64', read_only, self.folder),
                                           ('o.trace', read_only, self.folder),
                                           ('o.trace', self.folder, read_only)):
                job = self.recording(out)
                done = job.run(folder, env=dict(os.environ, TMPDIR=temporary))
                self.check_complaint(job, done, 'Read-only file system')
                self.assertEqual((os.listdir(self.folder), os.listdir(read_only)), ([], []))
        finally:
            mounts.unmount(read_only)

    def test_names(self):
        for out, words in (('no/such/o.trace64', 'No such file or directory'),
                           ('n' * 300, 'File name too long'), ('.', 'is a directory')):
            job = self.recording(out)
            done = job.run(self.folder, env=dict(os.environ, TMPDIR=self.folder))
            self.check_complaint(job, done, words)
            self.assertEqual(os.listdir(self.folder), [])


if __name__ == '__main__':
    faults.main()
