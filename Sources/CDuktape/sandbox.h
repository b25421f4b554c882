#pragma once
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * The sandbox of the process that runs sync functions. All it does is compute, get memory, and speak over a socket that
 * is open already; so if a document ever broke out of the script engine, it would find no file, no network, no program.
 *
 * A list of what is allowed. A call that opens a file or a socket, or runs a program, kills the process, which the gateway
 * answers with a new one. A thread or process that is to be started is refused as for a lack of room: libraries start
 * threads whenever they like, and do without. All others fail with EPERM, since C libraries differ in the harmless ones
 * that they make.
 */

#if defined(__x86_64__)
#define FIELDBOOK_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define FIELDBOOK_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define FIELDBOOK_ALLOW(name) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define FIELDBOOK_KILL(name) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

#define FIELDBOOK_REFUSE(name, error) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ((error) & SECCOMP_RET_DATA))

/* Returns 0, or the number of the error: the kernel may have been built without this. */
static inline int fieldbook_allow_computing_only(void) {
#ifdef FIELDBOOK_ARCHITECTURE
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FIELDBOOK_ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        /* The socket, and the wait for its end. */
        FIELDBOOK_ALLOW(read), FIELDBOOK_ALLOW(write), FIELDBOOK_ALLOW(sendto), FIELDBOOK_ALLOW(recvfrom),
        FIELDBOOK_ALLOW(ppoll), FIELDBOOK_ALLOW(close),
#ifdef SYS_poll
        FIELDBOOK_ALLOW(poll),
#endif
        /* Memory. */
        FIELDBOOK_ALLOW(mmap), FIELDBOOK_ALLOW(munmap), FIELDBOOK_ALLOW(mremap), FIELDBOOK_ALLOW(mprotect),
        FIELDBOOK_ALLOW(madvise), FIELDBOOK_ALLOW(brk),
        /* Threads that are there already, and may have just begun; and time, for which the C library looks each time
           whether the time zone's file is still the one that it has read. */
        FIELDBOOK_ALLOW(rseq), FIELDBOOK_ALLOW(set_robust_list), FIELDBOOK_ALLOW(newfstatat),
        FIELDBOOK_ALLOW(futex), FIELDBOOK_ALLOW(sched_yield), FIELDBOOK_ALLOW(clock_gettime),
        FIELDBOOK_ALLOW(clock_nanosleep), FIELDBOOK_ALLOW(nanosleep), FIELDBOOK_ALLOW(gettimeofday),
        FIELDBOOK_ALLOW(restart_syscall), FIELDBOOK_ALLOW(getrandom),
        /* The end, also by a signal of its own. */
        FIELDBOOK_ALLOW(rt_sigreturn), FIELDBOOK_ALLOW(rt_sigprocmask), FIELDBOOK_ALLOW(rt_sigaction),
        FIELDBOOK_ALLOW(getpid), FIELDBOOK_ALLOW(gettid), FIELDBOOK_ALLOW(tgkill), FIELDBOOK_ALLOW(exit),
        FIELDBOOK_ALLOW(exit_group),
        /* Files, sockets, programs. */
#ifdef SYS_open
        FIELDBOOK_KILL(open), FIELDBOOK_KILL(creat), FIELDBOOK_KILL(fork), FIELDBOOK_KILL(vfork),
#endif
        FIELDBOOK_KILL(openat), FIELDBOOK_KILL(socket), FIELDBOOK_KILL(connect), FIELDBOOK_KILL(execve),
        FIELDBOOK_KILL(execveat), FIELDBOOK_KILL(ptrace),
        /* The C library tries the older one where it believes that the newer one is missing. */
        FIELDBOOK_REFUSE(clone3, ENOSYS), FIELDBOOK_REFUSE(clone, EAGAIN),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA)),
    };
    struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    /* For the threads that are there already, too. A thread that cannot be included is the result, and sets no errno. */
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    return result == 0 ? 0 : result > 0 ? ESRCH : errno;
#else
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? ENOSYS : errno;
#endif
}
