#include "reference.hpp"
#include <sluice/encode/escape.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace std::string_literals;
using sluice::encode::copy_plain;
using sluice::encode::escape;
using sluice::encode::escape_mode;
using sluice::encode::escape_room;
using sluice::encode::max_escape_growth;

using sizes = std::initializer_list<std::size_t>;

constexpr char mark = '\x5a';

// A heap block of exactly the text's size, so that AddressSanitizer sees a read past either end.
class exact {
public:
    explicit exact(std::string_view text) : size_(text.size()), data_(new char[text.size()]) {
        if (!text.empty())
            std::memcpy(data_.get(), text.data(), text.size());
    }
    const char* begin() const { return data_.get(); }
    const char* end() const { return data_.get() + size_; }
    std::size_t size() const { return size_; }

private:
    std::size_t size_;
    std::unique_ptr<char[]> data_;
};

std::string escaped(std::string_view text, bool html_safe = false) {
    const exact input(text);
    std::vector<char> out(text.size() * max_escape_growth + escape_room);
    const auto result =
        escape(input.begin(), input.end(), out.data(), out.data() + out.size(), {.html_safe = html_safe}, true);
    EXPECT_EQ(result.read, input.end());
    return {out.data(), static_cast<std::size_t>(result.written - out.data())};
}

// Fails when copy_plain writes outside [out, out + n). "not plain" for nullptr.
template <bool HtmlSafe>
std::string plain_copy(std::string_view text) {
    const exact input(text);
    std::string buffer(text.size() + 16, mark);
    char* const out = buffer.data() + 8;
    const char* const end = copy_plain<HtmlSafe>(out, input.begin(), input.size());
    EXPECT_EQ(buffer.substr(0, 8), std::string(8, mark));
    EXPECT_EQ(buffer.substr(8 + text.size()), std::string(8, mark));
    if (end == nullptr)
        return "not plain";
    EXPECT_EQ(end, out + text.size());
    return buffer.substr(8, text.size());
}

bool is_ascii(std::string_view text) {
    for (const char c : text) {
        if (static_cast<unsigned char>(c) >= 0x80)
            return false;
    }
    return true;
}

// Both ways of copying.
void expect_escaped(std::string_view text, bool html_safe, std::string_view expected) {
    ASSERT_EQ(escaped(text, html_safe), expected) << testing::PrintToString(std::string(text)) << html_safe;
    const std::string copy = html_safe ? plain_copy<true>(text) : plain_copy<false>(text);
    ASSERT_EQ(copy, expected == text && is_ascii(text) ? text : "not plain")
        << testing::PrintToString(std::string(text)) << html_safe;
}

void expect_as_reference(std::string_view text) {
    for (const bool html_safe : {false, true})
        expect_escaped(text, html_safe, reference::escape(text, html_safe));
}

std::string filler(std::size_t n) {
    std::string text(n, ' ');
    for (std::size_t i = 0; i < n; ++i)
        text[i] = static_cast<char>('A' + i % 26);
    return text;
}

const std::vector<std::string> pieces = {
    "a", "plain text ", "\"", "\\", "\n", "\t", "\x01", "\x1f", "\x7f", "<", ">", "&", "\0"s, "\xc3\xa9", "\xdf\xbf",
    "\xe2\x82\xac", "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xaa", "\xe2\x81\xa8", "\xe3\x80\xa8", "\xed\x9f\xbf",
    "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf", "0123456789abcdefghijklmnop", "caf\xc3\xa9 ", "line\nbreak ",
    // ill-formed: stray continuation, cut sequences, overlong forms, surrogate, past U+10FFFF
    "\x80", "\xbf", "\xc3", "\xe2\x80", "\xe2", "\xf0\x9f\x98", "\xf0\x9f", "\xc0\xaf", "\xc1", "\xe0\x80\x80",
    "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5", "\xff"};

std::string random_text(std::mt19937& random, std::size_t most) {
    std::string text;
    for (std::size_t i = random() % most; i > 0; --i)
        text += pieces[random() % pieces.size()];
    return text;
}

// Like a writer in pieces: each part of the input in turn, into an output that holds `room` bytes at a time, with the
// incomplete end of one part carried to the next.
std::string escaped_in_parts(const std::vector<std::string_view>& parts, std::size_t room, bool html_safe) {
    std::string all;
    std::string carry;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool last = i + 1 == parts.size();
        const exact input(carry + std::string(parts[i]));
        const char* p = input.begin();
        for (;;) {
            std::vector<char> out(room);
            const auto result = escape(p, input.end(), out.data(), out.data() + room, {.html_safe = html_safe}, last);
            all.append(out.data(), static_cast<std::size_t>(result.written - out.data()));
            const bool full = out.data() + room - result.written < static_cast<std::ptrdiff_t>(escape_room);
            EXPECT_TRUE(result.read != p || !full || p == input.end()) << "no progress";
            p = result.read;
            if (p == input.end() || !full)
                break;
        }
        carry.assign(p, input.end());
        EXPECT_LE(carry.size(), 3u);
    }
    EXPECT_EQ(carry, "");
    return all;
}

TEST(EscapeTest, EveryByteAtEveryOffsetIsAsTheScalarReference) {
    for (const std::size_t n :
         sizes{1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 20, 24, 31, 32, 33, 40, 47, 48, 49, 63, 64, 65, 80}) {
        for (std::size_t offset = 0; offset < n && offset <= 64; ++offset) {
            std::string text = filler(n);
            for (int byte = 0; byte < 256; ++byte) {
                text[offset] = static_cast<char>(byte);
                for (const bool html_safe : {false, true}) {
                    // Between letters each byte stands for itself.
                    const std::string one = reference::escape({text.data() + offset, 1}, html_safe);
                    const std::string expected = text.substr(0, offset) + one + text.substr(offset + 1);
                    ASSERT_NO_FATAL_FAILURE(expect_escaped(text, html_safe, expected))
                        << "byte " << byte << " at " << offset << " of " << n;
                }
            }
        }
    }
}

TEST(EscapeTest, EveryLengthOfPlainTextIsCopied) {
    for (std::size_t n = 0; n <= 300; ++n)
        ASSERT_NO_FATAL_FAILURE(expect_as_reference(filler(n))) << n;
}

TEST(EscapeTest, EveryPieceAtEveryOffsetOfEveryLengthIsAsTheReference) {
    for (const std::string& piece : pieces) {
        for (std::size_t before = 0; before <= 40; ++before) {
            for (std::size_t after = 0; after <= 40; ++after)
                ASSERT_NO_FATAL_FAILURE(expect_as_reference(filler(before) + piece + filler(after)));
        }
    }
}

TEST(EscapeTest, EveryPairOfPiecesIsAsTheReference) {
    for (const std::string& first : pieces) {
        for (const std::string& second : pieces) {
            for (std::size_t between = 0; between <= 3; ++between) {
                for (const std::size_t before : sizes{0, 1, 11, 12, 13, 14, 15}) {
                    const std::string text = filler(before) + first + filler(between) + second;
                    ASSERT_NO_FATAL_FAILURE(expect_as_reference(text));
                    ASSERT_NO_FATAL_FAILURE(expect_as_reference(text + filler(20)));
                }
            }
        }
    }
}

TEST(EscapeTest, RandomMixturesAreAsTheReference) {
    std::mt19937 random(13);
    for (int round = 0; round < 20'000; ++round)
        ASSERT_NO_FATAL_FAILURE(expect_as_reference(random_text(random, 40)));
}

// ENC 35, ENC 37: every control has its short form or \u00xx in lower case
TEST(EscapeTest, EveryControlByteIsEscaped) {
    const char* const expected[] = {"\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006",
                                    "\\u0007", "\\b",     "\\t",     "\\n",     "\\u000b", "\\f",     "\\r",
                                    "\\u000e", "\\u000f", "\\u0010", "\\u0011", "\\u0012", "\\u0013", "\\u0014",
                                    "\\u0015", "\\u0016", "\\u0017", "\\u0018", "\\u0019", "\\u001a", "\\u001b",
                                    "\\u001c", "\\u001d", "\\u001e", "\\u001f"};
    for (unsigned byte = 0; byte < 0x20; ++byte)
        EXPECT_EQ(escaped(std::string(1, static_cast<char>(byte))), expected[byte]);
    EXPECT_EQ(escaped("\x01\x02\x03\x10"), "\\u0001\\u0002\\u0003\\u0010");
    EXPECT_EQ(escaped("\x7f"), "\x7f");
    EXPECT_EQ(escaped("\"\\/"), "\\\"\\\\/");
}

// ENC 36: 1F alone; 1000 NULs; 31, 32 and 33 bytes with one control at each offset
TEST(EscapeTest, ShortAndLongTextsEscapeControlsAlike) {
    EXPECT_EQ(escaped("\x1f"), "\\u001f");
    std::string zeros;
    for (int i = 0; i < 1000; ++i)
        zeros += "\\u0000";
    EXPECT_EQ(escaped(std::string(1000, '\0')), zeros);
    for (const std::size_t n : sizes{31, 32, 33}) {
        for (std::size_t offset = 0; offset < n; ++offset) {
            for (int control = 0; control < 0x20; ++control) {
                std::string text(n, 'x');
                text[offset] = static_cast<char>(control);
                std::string expected(n - 1, 'x');
                expected.insert(offset, escaped(std::string(1, static_cast<char>(control))));
                ASSERT_EQ(escaped(text), expected);
            }
        }
    }
}

// ENC 30, 31, 33
TEST(EscapeTest, InvalidUtf8IsReplacedOncePerMaximalSubpart) {
    EXPECT_EQ(escaped("\xff"), "\xef\xbf\xbd");
    EXPECT_EQ(escaped("\xc7\xc3\x4f"), "\xef\xbf\xbd\xef\xbf\xbdO");
    EXPECT_EQ(escaped("\xc1"), "\xef\xbf\xbd");
    EXPECT_EQ(escaped("resum\xe8"), "resum\xef\xbf\xbd");
    EXPECT_EQ(escaped("test\xdc\x05"), "test\xef\xbf\xbd\\u0005");
}

// The Unicode Standard 15.0, section 3.9, tables 3-8 to 3-11, X for U+FFFD.
TEST(EscapeTest, TheStandardsExamplesOfReplacementHold) {
    const auto shape = [](std::string_view text) {
        std::string result = escaped(text);
        for (std::size_t at; (at = result.find("\xef\xbf\xbd")) != std::string::npos;)
            result.replace(at, 3, "X");
        return result;
    };
    EXPECT_EQ(shape("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41"), "XXXXXXXXA"); // non-shortest forms
    EXPECT_EQ(shape("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41"), "XXXXXXXXA"); // surrogates
    EXPECT_EQ(shape("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42"), "XXXXXAXXB"); // other ill-formed sequences
    EXPECT_EQ(shape("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41"), "XXXXA");     // truncated sequences
    EXPECT_EQ(shape("\x61\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63\x80\xbf\x64"), "aXXXbXcXXd");
}

// ENC 39
TEST(EscapeTest, HtmlSafeIsOnePolicyAtEveryLength) {
    const std::string text = "<a>&\xe2\x80\xa8\xe2\x80\xa9";
    const std::string safe = "\\u003ca\\u003e\\u0026\\u2028\\u2029";
    for (std::size_t before = 0; before < 70; ++before) {
        EXPECT_EQ(escaped(filler(before) + text, true), filler(before) + safe);
        EXPECT_EQ(escaped(filler(before) + text, false), filler(before) + text);
    }
}

TEST(EscapeTest, CuttingTheInputAnywhereChangesNothing) {
    std::mt19937 random(17);
    for (int round = 0; round < 60; ++round) {
        const std::string text = random_text(random, 14);
        const std::string_view view(text);
        for (const bool html_safe : {false, true}) {
            const std::string expected = reference::escape(text, html_safe);
            for (std::size_t cut = 0; cut <= text.size(); ++cut)
                ASSERT_EQ(escaped_in_parts({view.substr(0, cut), view.substr(cut)}, 4096, html_safe), expected);
            for (const std::size_t step : sizes{1, 2, 3, 5, 16, 17}) {
                std::vector<std::string_view> parts;
                for (std::size_t at = 0; at < text.size(); at += step)
                    parts.push_back(view.substr(at, step));
                parts.push_back({});
                ASSERT_EQ(escaped_in_parts(parts, 4096, html_safe), expected);
                ASSERT_EQ(escaped_in_parts(parts, escape_room, html_safe), expected);
            }
        }
    }
}

TEST(EscapeTest, CuttingTheOutputAnywhereChangesNothing) {
    std::mt19937 random(19);
    for (int round = 0; round < 20; ++round) {
        const std::string text = random_text(random, 60);
        for (const bool html_safe : {false, true}) {
            const std::string expected = reference::escape(text, html_safe);
            for (std::size_t room = escape_room; room <= 300; ++room)
                ASSERT_EQ(escaped_in_parts({text}, room, html_safe), expected) << room;
        }
    }
}

TEST(EscapeTest, AnIncompleteEndIsLeftUnlessItIsTheLast) {
    for (const std::string_view whole : {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"}) {
        for (std::size_t kept = 1; kept < whole.size(); ++kept) {
            for (std::size_t before = 0; before < 40; ++before) {
                const exact input(filler(before) + std::string(whole.substr(0, kept)));
                std::vector<char> out(512);
                const auto open =
                    escape(input.begin(), input.end(), out.data(), out.data() + out.size(), escape_mode(), false);
                EXPECT_EQ(open.read, input.end() - kept);
                EXPECT_EQ(std::string(out.data(), open.written), filler(before));
                EXPECT_EQ(escaped({input.begin(), input.size()}), filler(before) + "\xef\xbf\xbd");
            }
        }
    }
}

TEST(EscapeTest, AnInvalidEndIsReplacedEvenWhenMoreFollows) {
    const exact input("ab\xed\xa0");
    std::vector<char> out(512);
    const auto result = escape(input.begin(), input.end(), out.data(), out.data() + out.size(), escape_mode(), false);
    EXPECT_EQ(result.read, input.end());
    EXPECT_EQ(std::string(out.data(), result.written), "ab\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(EscapeTest, WithLessThanTheRoomNothingIsDone) {
    const std::string text = "some text";
    for (std::size_t room = 0; room < escape_room; ++room) {
        const exact out(std::string(room, mark));
        char* const begin = const_cast<char*>(out.begin());
        const auto result = escape(text.data(), text.data() + text.size(), begin, begin + room, escape_mode(), true);
        EXPECT_EQ(result.read, text.data());
        EXPECT_EQ(result.written, begin);
        EXPECT_EQ(std::string(begin, room), std::string(room, mark));
    }
}

TEST(EscapeTest, NothingIsTouchedOutsideInputAndOutput) {
    const reference::guarded_page input;
    const reference::guarded_page output;
    std::mt19937 random(23);
    for (std::size_t n = 0; n <= 130; ++n) {
        std::string mixed;
        while (mixed.size() < n)
            mixed += pieces[random() % pieces.size()];
        mixed.resize(n);
        for (const std::string& text : {mixed, filler(n), std::string(n, '\1'), std::string(n, '\xff')}) {
            const std::string expected = reference::escape(text, false);
            for (const char* const p : {input.at_begin(text), input.at_end(text)}) {
                // Just enough room, and too little by up to 20 bytes; the output's end at the end of the page.
                for (std::size_t less = 0; less <= 20 && less <= expected.size(); ++less) {
                    char* const out = output.end() - (expected.size() - less);
                    const auto result = escape(p, p + n, out, output.end(), escape_mode(), true);
                    const auto length = static_cast<std::size_t>(result.written - out);
                    ASSERT_EQ(std::string(out, length), expected.substr(0, length));
                }
                char* const out = output.end() - n;
                if (copy_plain(out, p, n) != nullptr) {
                    ASSERT_EQ(std::string(out, n), text);
                }
                char* const first = output.begin();
                if (copy_plain<true>(first, p, n) != nullptr) {
                    ASSERT_EQ(std::string(first, n), text);
                }
            }
        }
    }
}

TEST(EscapeTest, TheEmptyTextIsEmpty) {
    EXPECT_EQ(escaped(""), "");
    char out[escape_room];
    EXPECT_EQ(copy_plain(out, nullptr, 0), out);
}

} // namespace
