/* Runs a program and kills it at the Nth call by which it changes the disk: kill_at N PROGRAM
 * ARGUMENTS. With N = 0 it lets it run, and prints how many such calls there were. */

#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int changes_the_disk(unsigned long long call)
{
    switch (call) {
    /* Older machines have calls that newer ones do without. */
#ifdef SYS_mkdir
    case SYS_mkdir:
    case SYS_link:
    case SYS_rename:
    case SYS_unlink:
    case SYS_rmdir:
#endif
#ifdef SYS_renameat
    case SYS_renameat:
#endif
    case SYS_mkdirat:
    case SYS_openat:
    case SYS_write:
    case SYS_linkat:
    case SYS_renameat2:
    case SYS_unlinkat:
    case SYS_ftruncate:
    case SYS_fchmod:
        return 1;
    default:
        return 0;
    }
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    long moment = atol(argv[1]), count = 0;
    pid_t program = fork();
    if (program == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        execv(argv[2], argv + 2);
        _exit(127);
    }
    int status;
    waitpid(program, &status, 0);
    ptrace(PTRACE_SETOPTIONS, program, 0,
           PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
    for (pid_t thread = program;;) {
        int signal = 0;
        /* A stop at a call is a SIGTRAP with this bit; signals of others are handed on. */
        if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
            struct __ptrace_syscall_info call;
            ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof call, &call);
            if (call.op == PTRACE_SYSCALL_INFO_ENTRY && changes_the_disk(call.entry.nr) &&
                ++count == moment) {
                kill(program, SIGKILL);
                waitpid(program, &status, 0);
                return 137;
            }
        } else if (WSTOPSIG(status) != SIGTRAP && WSTOPSIG(status) != SIGSTOP) {
            signal = WSTOPSIG(status);
        }
        ptrace(PTRACE_SYSCALL, thread, 0, signal);
        do {
            thread = waitpid(-1, &status, __WALL);
            if (thread < 0 || (thread == program && !WIFSTOPPED(status))) {
                printf("%ld\n", count);
                return thread > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
            }
        } while (!WIFSTOPPED(status));
    }
}
