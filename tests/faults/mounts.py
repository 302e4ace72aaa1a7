# Small file systems for a test, visible only to this process and its children.
import ctypes
import os
import subprocess

NEW_MOUNTS, NEW_USERS = 0x00020000, 0x10000000


def enter():
    """Lets this process mount file systems that other processes do not see. Returns the reason if that fails,
    otherwise None."""
    if not hasattr(os, 'getuid') or not os.path.exists('/proc/self/ns/mnt'):
        return 'no mount namespaces'
    libc = ctypes.CDLL(None, use_errno=True)
    uid, gid = os.getuid(), os.getgid()
    if libc.unshare(NEW_MOUNTS if uid == 0 else NEW_MOUNTS | NEW_USERS) != 0:
        return 'unshare: ' + os.strerror(ctypes.get_errno())
    if uid != 0:
        try:
            for name, text in (('setgroups', 'deny'), ('uid_map', '0 %d 1' % uid),
                               ('gid_map', '0 %d 1' % gid)):
                with open('/proc/self/' + name, 'w') as f:
                    f.write(text)
        except OSError as e:
            return str(e)
    return attempt('--make-rprivate', '/')


def attempt(*arguments):
    try:
        done = subprocess.run(['mount', *arguments], stderr=subprocess.PIPE)
    except OSError as e:
        return str(e)
    return None if done.returncode == 0 else done.stderr.decode().strip()


def mount(folder, size):
    """Mounts a file system of `size` bytes, in whole pages."""
    problem = attempt('-t', 'tmpfs', '-o', 'size=%d' % size, 'tmpfs', folder)
    if problem:
        raise OSError(problem)


def make_read_only(folder):
    problem = attempt('-o', 'remount,ro', folder)
    if problem:
        raise OSError(problem)


def unmount(folder):
    subprocess.run(['umount', folder], check=True)
