/* PENCIL built-ins as no-ops, so that programs that use them compile with any C compiler.
 *
 * loopwright recognises the names:
 *   __pencil_assume(c)   c is an affine fact about the parameters
 *   __pencil_kill(x)     no value of x flows across this point
 *   __attribute__((pencil_access(f)))   f summarises the accesses of the function
 *   #pragma pencil independent          the iterations of the next loop are independent
 *
 * A clang-based reader sees __pencil_kill as a call, and pencil_access as an annotation.
 * Other compilers see neither, so that killing a variable without a value is not a read of it.
 */
#ifndef PENCIL_H
#define PENCIL_H

static inline void __pencil_assume(int condition)
{
    (void)condition;
}

#if defined(__clang__)

static inline __attribute__((overloadable)) void __pencil_kill(...)
{
}

#define pencil_access(summary) annotate("pencil_access(" #summary ")")

#else

#define __pencil_kill(...) ((void)0)
#define pencil_access(summary) unused

#endif

#endif
