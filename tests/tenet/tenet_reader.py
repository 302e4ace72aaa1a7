"""Runs the trace reader of Tenet, without a disassembler, from a checkout of its public repository. The environment
variable TRACECODEC_TENET names the folder of the checkout."""
import os
import sys
import types

CHECKOUT = os.environ.get('TRACECODEC_TENET', '')


class _NoDisassembler:
    def get_instruction_addresses(self):
        return [1]

    def __getattr__(self, name):
        raise NotImplementedError(name)


def open_trace(path, dialect='amd64'):
    """Returns Tenet's TraceReader of the text at `path`. Tenet writes its packed form beside this file."""
    plugin = os.path.join(CHECKOUT, 'plugins', 'tenet')
    if 'tenet' not in sys.modules:
        # The packages whose modules need IDA or Qt are replaced.
        for name, folder in (('tenet', ''), ('tenet.util', 'util')):
            package = types.ModuleType(name)
            package.__path__ = [os.path.join(plugin, folder)]
            sys.modules[name] = package
        log = types.ModuleType('tenet.util.log')
        log.messages = []
        log.pmsg = lambda text: log.messages.append(text)
        sys.modules['tenet.util.log'] = log
    from tenet.trace import arch, reader
    sys.modules['tenet.util.log'].messages.clear()
    return reader.TraceReader(path, arch.ArchX86() if dialect == 'x86' else arch.ArchAMD64(), _NoDisassembler())


def messages():
    """Returns what Tenet printed for the last trace, without missing registers of the first line."""
    return [m for m in sys.modules['tenet.util.log'].messages if 'MISSING INITIAL' not in m]


def states(trace, every=1):
    """Yields (ip, registers, reads, writes) on arrival at each step: registers by their names in lower case, and
    bytes by their addresses. Tenet finds all registers of a step only every `every` steps, which takes long, and
    those that change at every step."""
    registers = {}
    for n in range(trace.trace.length):
        registers.update(trace.trace.get_reg_delta(n))
        registers.pop(trace.arch.IP, None)
        if n % every == 0:
            found = trace.get_registers(idx=n)
            assert found == {**registers, trace.arch.IP: trace.get_ip(n)}, n
        yield (trace.get_ip(n), {name.lower(): value for name, value in registers.items()},
               by_address(trace.trace.get_read_delta(n)), by_address(trace.trace.get_write_delta(n)))


def by_address(pieces):
    return {address + n: byte for address, data in pieces for n, byte in enumerate(data)}
