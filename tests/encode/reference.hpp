// The obvious way, one byte at a time, to compare the fast ones with; and memory that faults when it is overrun.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace reference {

struct range {
    unsigned low, high;
};

// The Unicode Standard, table 3-7: a row for each shape of a well-formed sequence.
struct row {
    std::size_t length;
    range bytes[4];
};

inline constexpr row table_3_7[] = {
    {1, {{0x00, 0x7f}, {}, {}, {}}},
    {2, {{0xc2, 0xdf}, {0x80, 0xbf}, {}, {}}},
    {3, {{0xe0, 0xe0}, {0xa0, 0xbf}, {0x80, 0xbf}, {}}},
    {3, {{0xe1, 0xec}, {0x80, 0xbf}, {0x80, 0xbf}, {}}},
    {3, {{0xed, 0xed}, {0x80, 0x9f}, {0x80, 0xbf}, {}}},
    {3, {{0xee, 0xef}, {0x80, 0xbf}, {0x80, 0xbf}, {}}},
    {4, {{0xf0, 0xf0}, {0x90, 0xbf}, {0x80, 0xbf}, {0x80, 0xbf}}},
    {4, {{0xf1, 0xf3}, {0x80, 0xbf}, {0x80, 0xbf}, {0x80, 0xbf}}},
    {4, {{0xf4, 0xf4}, {0x80, 0x8f}, {0x80, 0xbf}, {0x80, 0xbf}}},
};

struct sequence {
    std::size_t length; // of the sequence, or of its maximal subpart
    bool whole;
    bool cut; // not whole, and the text ends here
};

// By definition: the longest beginning of the text that is a beginning of a row (each has lead bytes of its own), or
// one byte.
inline sequence first_sequence(std::string_view text) {
    for (const row& candidate : table_3_7) {
        std::size_t matched = 0;
        while (matched < candidate.length && matched < text.size()) {
            const auto byte = static_cast<unsigned char>(text[matched]);
            if (byte < candidate.bytes[matched].low || byte > candidate.bytes[matched].high)
                break;
            ++matched;
        }
        if (matched != 0) {
            const bool whole = matched == candidate.length;
            return {matched, whole, !whole && matched == text.size()};
        }
    }
    return {1, false, false};
}

inline std::size_t valid_prefix(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const sequence next = first_sequence(text.substr(at));
        if (!next.whole)
            break;
        at += next.length;
    }
    return at;
}

inline std::string escape(std::string_view text, bool html_safe) {
    std::string out;
    while (!text.empty()) {
        const sequence next = first_sequence(text);
        const std::string_view character = text.substr(0, next.length);
        const unsigned byte = static_cast<unsigned char>(text[0]);
        if (!next.whole)
            out += "\xef\xbf\xbd";
        else if (byte == '"')
            out += "\\\"";
        else if (byte == '\\')
            out += "\\\\";
        else if (byte == '\b')
            out += "\\b";
        else if (byte == '\f')
            out += "\\f";
        else if (byte == '\n')
            out += "\\n";
        else if (byte == '\r')
            out += "\\r";
        else if (byte == '\t')
            out += "\\t";
        else if (byte < 0x20 || (html_safe && (byte == '<' || byte == '>' || byte == '&'))) {
            char buffer[8];
            std::snprintf(buffer, sizeof buffer, "\\u%04x", byte);
            out += buffer;
        } else if (html_safe && character == "\xe2\x80\xa8")
            out += "\\u2028";
        else if (html_safe && character == "\xe2\x80\xa9")
            out += "\\u2029";
        else
            out += character;
        text.remove_prefix(next.length);
    }
    return out;
}

// One page between two that must not be touched: a read or a write past either end of it is a fault.
class guarded_page {
public:
    guarded_page()
        : size_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))),
          all_(static_cast<char*>(::mmap(nullptr, 3 * size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
        if (all_ == MAP_FAILED || ::mprotect(all_ + size_, size_, PROT_READ | PROT_WRITE) != 0)
            throw std::bad_alloc();
    }
    guarded_page(const guarded_page&) = delete;
    guarded_page& operator=(const guarded_page&) = delete;
    ~guarded_page() { ::munmap(all_, 3 * size_); }

    char* begin() const { return all_ + size_; }
    char* end() const { return all_ + 2 * size_; }

    // Copies of `text` that begin right after, or end right before, memory that faults.
    const char* at_begin(std::string_view text) const { return copy(begin(), text); }
    const char* at_end(std::string_view text) const { return copy(end() - text.size(), text); }

private:
    static const char* copy(char* to, std::string_view text) {
        if (!text.empty())
            std::memcpy(to, text.data(), text.size());
        return to;
    }

    std::size_t size_;
    char* all_;
};

} // namespace reference
