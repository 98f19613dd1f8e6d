#include "allocations.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> made{0};
std::atomic<std::size_t> freed{0};

void count(std::atomic<std::size_t>& counter) noexcept {
    counter.fetch_add(1, std::memory_order_relaxed);
}

} // namespace

namespace sluice::test {

std::size_t allocations_made() noexcept {
    return made.load(std::memory_order_relaxed);
}
std::size_t allocations_live() noexcept {
    return allocations_made() - freed.load(std::memory_order_relaxed);
}

} // namespace sluice::test

#ifdef SLUICE_TEST_COUNTS_MALLOC

// glibc's own allocator, behind the functions that this program puts in its place.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);

void* malloc(std::size_t size) {
    count(made);
    return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
    count(made);
    return __libc_calloc(number, size);
}
void* realloc(void* block, std::size_t size) {
    count(made);
    if (block != nullptr)
        count(freed);
    return __libc_realloc(block, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
    count(made);
    return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    count(made);
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
    count(made);
    *block = __libc_memalign(alignment, size);
    return *block != nullptr ? 0 : ENOMEM;
}
void free(void* block) {
    if (block != nullptr)
        count(freed);
    __libc_free(block);
}
}

namespace {

void* allocate(std::size_t size) noexcept {
    return malloc(size);
}
void deallocate(void* block) noexcept {
    free(block);
}

} // namespace

#else

namespace {

void* allocate(std::size_t size) noexcept {
    count(made);
    return std::malloc(size);
}
void deallocate(void* block) noexcept {
    if (block != nullptr)
        count(freed);
    std::free(block);
}

} // namespace

#endif

// All forms but the aligned ones, which reach the malloc family: a sanitizer's own stand behind what is not replaced.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return allocate(size > 0 ? size : 1);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return allocate(size > 0 ? size : 1);
}
void* operator new(std::size_t size) {
    if (void* block = allocate(size > 0 ? size : 1))
        return block;
    throw std::bad_alloc();
}
void* operator new[](std::size_t size) {
    return operator new(size);
}
void operator delete(void* block) noexcept {
    deallocate(block);
}
void operator delete[](void* block) noexcept {
    deallocate(block);
}
void operator delete(void* block, std::size_t) noexcept {
    deallocate(block);
}
void operator delete[](void* block, std::size_t) noexcept {
    deallocate(block);
}
void operator delete(void* block, const std::nothrow_t&) noexcept {
    deallocate(block);
}
void operator delete[](void* block, const std::nothrow_t&) noexcept {
    deallocate(block);
}
